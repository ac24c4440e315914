"""Extend Sphinx for the book: claims, values, figures, and MathJax from this machine instead of a network.

What is missing (a claim, a value, a figure) is a warning or an error, and the book is
built with warnings as errors.
"""

from __future__ import annotations

import importlib.resources
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from companion import __version__
from companion.site import (
    api,
    book_pages,
    cite_footer,
    ledger_page,
    links,
    notebook_pages,
    printing,
    scripts,
    search_index,
    theme,
)
from companion.site.cards import ClaimCard, ClaimPage, ClaimRole
from companion.site.claim_map import claim_map
from companion.site.ledger_view import load_json
from companion.site.nodes import Nodes
from companion.site.pictures import BookFigure, FigurePage, Picture
from companion.site.template_directives import Box, Fold, FromTemplate, RowRole
from companion.site.widgets import Widget

#: sphinx-exercise gives one of these to the body of every exercise and of every
#: solution.
REPEATED = ("exercise-content", "solution-content")


def mend_addresses(app: Sphinx, tree: Any) -> None:
    """Make the ids of the bodies unique; let the solution of `ex-page-1` have the address `solution-of-ex-page-1`.

    Without this a solution's address counts the directives of the page, so that it
    moves when one is added.
    """
    data: dict[str, Any] = app.env.get_domain("std").data
    for node in tree.findall(lambda item: type(item).__name__ == "solution_node"):
        name = node["label"]
        address = f"solution-of-{node['target_label']}"
        node["ids"] = [address]
        for store in (data["labels"], data["anonlabels"]):
            if name in store:
                store[name] = (store[name][0], address, *store[name][2:])
    for section in tree.findall(nodes.section):
        if section["ids"] and section["ids"][0] in REPEATED:
            section["ids"] = [f"text-of-{section.parent['ids'][0]}"]


#: What is copied of MathJax: the one component that is loaded, and what it may load on
#: demand.
MATHJAX = (
    "tex-svg.js",
    "input/tex/extensions/**/*",
    "a11y/**/*",
    "sre/mathmaps/base.json",
    "sre/mathmaps/en.json",
)
#: A relative Markdown link to a source file, its path without suffix and what follows.
_LINK = re.compile(r"\]\((?P<path>[\w./-]+)\.md(?P<rest>#[\w.-]+)?\)")


class ValueRole(SphinxRole):
    """Print a number that a notebook recorded: {val}`page:key`."""

    def run(self) -> tuple[Nodes, Nodes]:
        """Return the text as the notebook formatted it, a formula between dollar signs as such, or a report."""
        page, _, key = self.text.strip().partition(":")
        try:
            values: dict[str, str] = load_json(self.env, f"values/{page}.json")
        except OSError as error:
            return [], [
                self.inliner.reporter.warning(
                    f"no values of page {page!r}: {error!r}", line=self.lineno
                )
            ]
        if key not in values:
            known = ", ".join(sorted(values)) or "none"
            message = f"unknown value {key!r} of page {page!r}; known: {known}"
            return [], [self.inliner.reporter.warning(message, line=self.lineno)]
        value = values[key]
        if len(value) > 2 and value[0] == value[-1] == "$":
            return [nodes.math(value, value[1:-1])], []
        return [nodes.inline(value, value, classes=["mf-value"])], []


def _link_notebooks(app: Sphinx, docname: str, source: list[str]) -> None:
    """Let links to a notebook's source (`x.md`, as on the code host) lead to the executed `x.ipynb`."""
    folder = Path(app.srcdir) / Path(docname).parent

    def follow(match: re.Match[str]) -> str:
        target = folder / match["path"]
        executed = target.with_name(target.name + ".ipynb")
        there = (
            executed.is_file() and not target.with_name(target.name + ".md").is_file()
        )
        return f"]({match['path']}.ipynb{match['rest'] or ''})" if there else match[0]

    source[0] = _LINK.sub(follow, source[0])


def mathjax_folder() -> Path:
    """Return where the installed MathJax lies; raise ModuleNotFoundError where it is not installed."""
    return (
        Path(str(importlib.resources.files("sphinx-mathjax-offline")))
        / "static"
        / "mathjax"
    )


def _copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.format != "html":
        return
    source = mathjax_folder()
    out = Path(app.outdir) / "_static" / "mathjax"
    for path in (
        path for part in MATHJAX for path in source.glob(part) if path.is_file()
    ):
        (out / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, out / path.relative_to(source))


ROLES = {"claim": ClaimRole, "val": ValueRole, "row": RowRole}
DIRECTIVES = {
    "claim-card": ClaimCard,
    "bookfigure": BookFigure,
    "picture": Picture,
    "widget": Widget,
    "claim-page": ClaimPage,
    "figure-page": FigurePage,
    "box": Box,
    "fold": Fold,
}
#: The directives that print the template of their name, each with the function that
#: gives what it is filled with.
TEMPLATES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "scoreboard": lambda directive: {"compact": "compact" in directive.options},
    "ledger": lambda _: {},
    "errata": ledger_page.errata,
    "numbering": ledger_page.numbering,
    "claim-map": claim_map,
    "statement": book_pages.statement,
    "where-to-report": book_pages.where_to_report,
    "downloads": book_pages.downloads,
}
#: What is done at each step of the build, with its place in the order of the step.
STEPS = (
    ("config-inited", printing.configure, 400),
    ("builder-inited", cite_footer.read_citation, 500),
    ("builder-inited", scripts.write_scripts, 500),
    ("source-read", _link_notebooks, 500),
    ("autodoc-process-signature", api.shorten, 500),
    ("autodoc-process-docstring", api.convert, 500),
    ("doctree-read", links.note_proofs, 500),
    ("doctree-read", mend_addresses, 900),  # after sphinx-exercise has noted its labels
    ("doctree-read", notebook_pages.complete, 910),
    ("missing-reference", links.resolve, 500),
    ("html-page-context", cite_footer.add_citation, 500),
    (
        "html-page-context",
        theme.complete_page,
        900,
    ),  # after all others have said what they want to load
    ("build-finished", search_index.write_tables, 500),
    ("build-finished", cite_footer.write_papers, 500),
    ("build-finished", _copy_mathjax, 500),
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register roles, directives and the steps of the build."""
    app.setup_extension("sphinx.ext.autodoc")
    for name, role in ROLES.items():
        app.add_role(name, role())
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for name, values in TEMPLATES.items():
        app.add_directive(name, type(name, (FromTemplate,), {"values": values}))
    app.config.templates_path.insert(
        0, str(Path(__file__).parent / "templates")
    )  # before those of the theme
    # Jupyter Book always sets this; the extension that reads it is left out, because it
    # asks other hosts.
    app.add_config_value("comments_config", {}, "html")
    for event, step, place in STEPS:
        app.connect(event, step, priority=place)
    for transform in (
        search_index.LinkWords,
        printing.PrintForm,
        printing.SourcesInPlace,
    ):
        app.add_post_transform(transform)
    return {"version": __version__}
