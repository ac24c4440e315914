"""Say under each page how to cite it, and which works it names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from companion.citing.citation import (
    BIBLIOGRAPHY,
    Cited,
    bibliography,
    bibtex,
    load_papers,
    plain,
)
from companion.citing.publication import Publication, find_publication
from companion.paths import write_whole
from companion.provenance import commit
from companion.site.downloads import FOLDER
from companion.site.ledger_view import root_of
from companion.site.links import noted

#: Where the site has the works that its pages name, in BibTeX.
PAPERS = f"{FOLDER}/references.bib"


def _title(app: Sphinx, docname: str) -> str:
    """Return the title of a page as text, formulas between dollar signs."""
    parts = app.env.titles[docname].children
    return "".join(
        f"${part.astext()}$" if isinstance(part, nodes.math) else part.astext()
        for part in parts
    )


def _cited(app: Sphinx, publication: Publication, docname: str) -> Cited:
    whole = ("mollified", publication.title, (), "")
    page = (f"mollified-{docname.rpartition('/')[2]}", _title(app, docname), (), "")
    key, title, printed, on = (
        whole
        if docname == app.config.root_doc
        else noted(app.env, "cited").get(docname, page)
    )
    return Cited(
        key,
        f"{title} of ‘{_title(app, on)}’" if on in app.env.titles else title,
        docname,
        printed,
    )


def add_citation(
    app: Sphinx, docname: str, _template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Have a page end with its citation."""
    if doctree is None or "body" not in context:
        return
    publication, papers = app.companion_publication  # type: ignore[attr-defined]
    cited = _cited(app, publication, docname)
    mark = app.builder.highlighter.highlight_block  # type: ignore[attr-defined]
    codes = "".join(
        f'<p class="mf-label"><strong>{label}</strong></p>\n'
        f'<div class="highlight-text notranslate">{mark(text(publication, cited, papers), "text")}</div>\n'
        for label, text in (("Text", plain), ("BibTeX", bibtex))
    )
    there = "../" * docname.count("/") + PAPERS
    codes += f'<p>The works that the book names, each once: <a href="{there}" download>{Path(PAPERS).name}</a>.</p>\n'
    context["body"] += (
        '<details class="mf-fold mf-cite"><summary>Cite this page</summary>\n'
        f'<div class="mf-fold-body docutils container">\n{codes}</div></details>\n'
    )


def write_papers(app: Sphinx, error: Exception | None) -> None:
    """Write the file of works that every citation names."""
    if error is None and app.builder.format == "html":
        _, papers = app.companion_publication  # type: ignore[attr-defined]
        write_whole(Path(app.outdir) / PAPERS, bibliography(papers))


def read_citation(app: Sphinx) -> None:
    """Read once what all citations say."""
    root = root_of(app.env)
    publication = find_publication(root)
    if commit(root)["modified"]:  # then no commit holds what the pages show
        publication = replace(publication, commit=None)
    papers = load_papers(Path(app.srcdir) / BIBLIOGRAPHY, publication.title)
    app.companion_publication = (publication, papers)  # type: ignore[attr-defined]
