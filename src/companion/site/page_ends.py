"""Say under each page how to cite it, and which works it names."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from companion.publish.citation import Cited, bibtex, load_papers, plain
from companion.publish.publication import Publication, find_publication
from companion.run.provenance import commit
from companion.site.computed import root_of
from companion.site.links import noted

_logger = logging.getLogger(__name__)


#: The bibliography, from the root of the sources; what the sources must hold for pages to be cited at all.
BIBLIOGRAPHY, CITATION = "book/references.bib", "CITATION.cff"


def note_cited(
    env: BuildEnvironment, key: str, title: str, printed: Sequence[tuple[str, str]] = (), *, on: str = ""
) -> None:
    """Remember how the current page is cited; `on` is the page that its title is completed with, if any."""
    noted(env, "cited")[env.docname] = (key, title, tuple(printed), on)


def page_title(title: Any) -> str:
    """Return the text of a title node, formulas between dollar signs."""
    parts = [f"${part.astext()}$" if isinstance(part, nodes.math) else part.astext() for part in title.children]
    return "".join(parts)


def page_key(docname: str) -> str:
    """Return the key of a page that is no claim and no figure."""
    return f"mollified-{docname.rpartition('/')[2]}"


def _cited(app: Sphinx, publication: Publication, docname: str) -> Cited:
    titles, root = app.env.titles, app.config.root_doc
    key, title, printed, on = noted(app.env, "cited").get(
        docname, (page_key(docname), page_title(titles[docname]), (), "")
    )
    if docname == root:
        key, title = "mollified", publication.title
    if on in titles:
        title += f" of ‘{page_title(titles[on])}’"
    return Cited(key, title, docname, printed)


def _code(app: Sphinx, language: str, text: str) -> str:
    marked = app.builder.highlighter.highlight_block(text, language)  # type: ignore[attr-defined]
    return f'<div class="highlight-{language} notranslate">{marked}</div>'


def _add_citation(app: Sphinx, docname: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    known: tuple[Publication, dict[str, Any]] | None = getattr(app, "companion_publication", None)
    if known is None or doctree is None or "body" not in context:
        return
    publication, papers = known
    cited = _cited(app, publication, docname)
    try:
        parts = [
            ("Text", "text", plain(publication, cited, papers)),
            ("BibTeX", "text", bibtex(publication, cited, papers)),
        ]
    except KeyError as error:
        _logger.warning("%s: no entry %s in %s", docname, error, BIBLIOGRAPHY)
        return
    codes = "".join(
        f'<p class="mf-label"><strong>{html.escape(label)}</strong></p>\n{_code(app, language, text)}\n'
        for label, language, text in parts
    )
    context["body"] += (
        '<details class="mf-fold mf-cite"><summary>Cite this page</summary>\n'
        f'<div class="mf-fold-body docutils container">\n{codes}</div></details>\n'
    )


def _read_citation(app: Sphinx) -> None:
    """Read once what all citations say; sources without a CITATION.cff, as in a test, have none."""
    if app.builder.format != "html" or not (Path(app.srcdir) / CITATION).is_file():
        return
    root = root_of(app.env)
    publication = find_publication(root)
    if commit(root)["modified"]:  # then no commit holds what the pages show
        publication = replace(publication, commit=None)
    papers = load_papers(Path(app.srcdir) / BIBLIOGRAPHY, publication.title)
    app.companion_publication = (publication, papers)  # type: ignore[attr-defined]


def connect_cite(app: Sphinx) -> None:
    """Have every page end with its citation."""
    app.connect("builder-inited", _read_citation)
    app.connect("html-page-context", _add_citation)
