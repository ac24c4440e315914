"""Extend Sphinx for the book: claims, values, figures, and MathJax of this machine.

What is missing (a claim, a value, a figure) is a warning or an error, and the book is
built with warnings as errors.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole
from sphinx.util.typing import ExtensionMetadata
from sphinx_exercise.nodes import solution_node

from companion import __version__
from companion.compat import solution_labels
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
from companion.site.mathjax import mathjax_folder
from companion.site.nodes import Nodes
from companion.site.pictures import BookFigure, FigurePage, Picture
from companion.site.template_directives import (
    Box,
    Fold,
    FromTemplate,
    Generated,
    RowRole,
    Values,
)
from companion.site.widgets import Widget

#: sphinx-exercise gives one of these to the body of every exercise and of every
#: solution.
REPEATED = ("exercise-content", "solution-content")


def mend_addresses(app: Sphinx, tree: nodes.document) -> None:
    """Make the ids of bodies unique, and give solutions addresses that stay.

    The solution of `ex-page-1` has the address `solution-of-ex-page-1`. Without this it
    counts the directives of the page, so that it moves when one is added.
    """
    for node in tree.findall(solution_node):
        name = node["label"]
        address = f"solution-of-{node['target_label']}"
        node["ids"] = [address]
        for labels in solution_labels(app):
            if name in labels:
                page, _, *rest = labels[name]
                labels[name] = (page, address, *rest)
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
        """Return the text as the notebook formatted it, or a report.

        A formula between dollar signs is one.
        """
        page, _, key = self.text.strip().partition(":")
        try:
            values: dict[str, str] = load_json(self.env, f"values/{page}.json")
        except OSError as error:
            return self._report(f"no values of page {page!r}: {error!r}")
        if key not in values:
            known = ", ".join(sorted(values)) or "none"
            return self._report(
                f"unknown value {key!r} of page {page!r}; known: {known}"
            )
        value = values[key]
        if len(value) > 2 and value[0] == value[-1] == "$":
            return [nodes.math(value, value[1:-1])], []
        return [nodes.inline(value, value, classes=["mf-value"])], []

    def _report(self, message: str) -> tuple[Nodes, Nodes]:
        return [], [self.inliner.reporter.warning(message, line=self.lineno)]


def _link_notebooks(app: Sphinx, docname: str, source: list[str]) -> None:
    """Let links to a notebook's source lead to the executed notebook.

    They are to `x.md`, as on the code host, and lead to `x.ipynb`.
    """
    folder = Path(app.srcdir) / Path(docname).parent

    def follow(match: re.Match[str]) -> str:
        target = folder / match["path"]
        is_page = target.with_name(f"{target.name}.md").is_file()
        is_notebook = target.with_name(f"{target.name}.ipynb").is_file()
        if is_page or not is_notebook:
            return match[0]
        return f"]({match['path']}.ipynb{match['rest'] or ''})"

    source[0] = _LINK.sub(follow, source[0])


def _finish(app: Sphinx, error: Exception | None) -> None:
    """Write beside the pages what they load or offer."""
    if error is not None or app.builder.format != "html":
        return
    search_index.write_tables(app)
    cite_footer.write_papers(app)
    source = mathjax_folder()
    out = Path(app.outdir) / "_static" / "mathjax"
    for part in MATHJAX:
        for path in source.glob(part):
            if path.is_file():
                target = out / path.relative_to(source)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)


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
TEMPLATES: dict[str, Callable[[Generated], Values]] = {
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
    # After sphinx-exercise has noted its labels.
    ("doctree-read", mend_addresses, 900),
    ("doctree-read", notebook_pages.complete, 910),
    ("missing-reference", links.resolve, 500),
    ("html-page-context", cite_footer.add_citation, 500),
    # After all others have said what they want to load.
    ("html-page-context", theme.complete_page, 900),
    ("build-finished", _finish, 500),
)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register roles, directives and the steps of the build."""
    app.setup_extension("sphinx.ext.autodoc")
    for name, role in ROLES.items():
        app.add_role(name, role())
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for name, values in TEMPLATES.items():
        app.add_directive(name, type(name, (FromTemplate,), {"values": values}))
    # Before those of the theme.
    app.config.templates_path.insert(0, str(Path(__file__).parent / "templates"))
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
