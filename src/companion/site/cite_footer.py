"""Say under each page how to cite it, and which works it names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from companion.citing.citation import (
    BIBLIOGRAPHY,
    Cited,
    bibtex,
    entries,
    load_papers,
    plain,
)
from companion.citing.publication import find_publication
from companion.compat import highlighted
from companion.paths import write_whole
from companion.provenance import commit
from companion.site.downloads import FOLDER, from_page
from companion.site.ledger_view import root_of
from companion.site.notes import notes_of, publication_of

#: Where the site has the works that its pages name, in BibTeX.
_PAPERS = "references.bib"
PAPERS = f"{FOLDER}/{_PAPERS}"


def _title(app: Sphinx, docname: str) -> str:
    """Return the title of a page as text, formulas between dollar signs."""
    words = []
    for part in app.env.titles[docname].children:
        text = part.astext()
        words.append(f"${text}$" if isinstance(part, nodes.math) else text)
    return "".join(words)


def _cited(app: Sphinx, docname: str) -> Cited:
    """Return how a page is cited: as was noted, else as the book or by its title."""
    if docname == app.config.root_doc:
        return Cited("mollified", publication_of(app.env).title, docname)
    noted = notes_of(app.env).cited.get(docname)
    if noted is None:
        name = docname.rpartition("/")[2]
        return Cited(f"mollified-{name}", _title(app, docname), docname)
    if noted.of in app.env.titles:
        title = f"{noted.title} of ‘{_title(app, noted.of)}’"
        return replace(noted, title=title)
    return noted


def add_citation(
    app: Sphinx,
    docname: str,
    _template: str,
    context: dict[str, str],
    doctree: nodes.document | None,
) -> None:
    """Have a page end with its citation."""
    if doctree is None or "body" not in context:
        return
    publication = publication_of(app.env)
    papers = notes_of(app.env).papers
    cited = _cited(app, docname)
    codes = ""
    for label, text in (("Text", plain), ("BibTeX", bibtex)):
        code = highlighted(app, text(publication, cited, papers))
        codes += (
            f'<p class="mf-label"><strong>{label}</strong></p>\n'
            f'<div class="highlight-text notranslate">{code}</div>\n'
        )
    codes += (
        "<p>The works that the book names, each once: "
        f'<a href="{from_page(docname, _PAPERS)}" download>{_PAPERS}</a>.</p>\n'
    )
    context["body"] += (
        '<details class="mf-fold mf-cite"><summary>Cite this page</summary>\n'
        f'<div class="mf-fold-body docutils container">\n{codes}</div></details>\n'
    )


def write_papers(app: Sphinx) -> None:
    """Write the file of works that every citation names."""
    text = "\n".join(entries(notes_of(app.env).papers))
    write_whole(Path(app.outdir) / PAPERS, text)


def read_citation(app: Sphinx) -> None:
    """Read once what all citations say."""
    root = root_of(app.env)
    publication = find_publication(root)
    if commit(root)["modified"]:  # then no commit holds what the pages show
        publication = replace(publication, commit=None)
    notes = notes_of(app.env)
    notes.publication = publication
    notes.papers = load_papers(Path(app.srcdir) / BIBLIOGRAPHY, publication.title)
