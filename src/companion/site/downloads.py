"""Write what the site offers to be run outside the book.

That is the package, and `downloads/<page>.ipynb`. The notebooks have no outputs. What
only the book can show (cards of claims, numbers of the run, links between pages) is
written out in plain Markdown; a first cell says where the notebook comes from, what to
install and how to run it.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import jupytext
import nbformat

from companion.citing.citation import BIBLIOGRAPHY, load_papers
from companion.citing.publication import Publication, find_publication
from companion.ledger.records import LedgerRecord
from companion.paths import OUTPUT, CompanionError, Layout, write_whole
from companion.run.cache import Entry
from companion.run.normalise import notebook_text
from companion.site.packages import write_packages
from companion.site.plain_markdown import Known, PlainPage
from companion.site.render import toc_documents
from companion.site.template_directives import MYST_TEMPLATES

#: The folder of the site that holds them.
FOLDER = "downloads"
#: The tag of the cell of a notebook that has its parameters.
PARAMETERS = "parameters"
_LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}

#: Neither function says its types.
read: Callable[..., nbformat.NotebookNode] = nbformat.read
new_markdown_cell: Callable[[str], nbformat.NotebookNode] = (
    nbformat.v4.new_markdown_cell
)


def from_page(docname: str, file: str = "") -> str:
    """Return the address of the folder, or of a file in it, from a page."""
    here = posixpath.dirname(docname) or "."
    return posixpath.relpath(posixpath.join(FOLDER, file), here)


def parameters(notebook: nbformat.NotebookNode) -> dict[str, object]:
    """Return the parameters of a notebook with their defaults.

    They stand in its one cell with the tag `parameters`. Raises ValueError or
    AttributeError where there is not one such cell, or where it holds more than named
    values.
    """
    (cell,) = (
        cell for cell in notebook.cells if PARAMETERS in cell.metadata.get("tags", [])
    )
    defaults: dict[str, object] = {}
    for statement in ast.parse(cell.source).body:
        if not isinstance(statement, ast.Assign):
            raise ValueError(f"no parameter: {ast.unparse(statement)}")
        (target,) = statement.targets
        if not isinstance(target, ast.Name):
            raise ValueError(f"no name of a parameter: {ast.unparse(target)}")
        defaults[target.id] = ast.literal_eval(statement.value)
    return defaults


def _download(
    page: str,
    source: str,
    known: Known,
    book: Publication,
    wheel: str | None,
) -> str:
    """Return the notebook of a page, behind a first cell, in plain Markdown.

    Raises CompanionError, ValueError or AttributeError where it has no plain form.
    """
    name = f"notebooks/{page}"
    notebook: nbformat.NotebookNode = jupytext.reads(source, fmt="md:myst")
    first = MYST_TEMPLATES.get_template("first_cell.md.j2").render(
        book=book,
        wheel=wheel,
        folder=FOLDER,
        output=OUTPUT,
        page=page,
        title=known.titles[name],
        address=book.address(name),
        parameters=parameters(notebook),
    )
    plain = PlainPage(page, known)
    cells = [new_markdown_cell(first)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain.markdown(cell.source)
        if cell.source:
            cells.append(cell)
    if rest := plain.left_over():
        cells.append(new_markdown_cell(rest))
    for index, cell in enumerate(cells):
        cell["id"] = f"c{index:03d}"
    notebook.cells = cells
    notebook.metadata |= {
        "jupytext": {"formats": "ipynb,md:myst"},
        "language_info": _LANGUAGE,
    }
    return notebook_text(notebook)


def write_downloads(
    layout: Layout,
    entries: Mapping[str, Entry],
    ledger: LedgerRecord,
    html: Path,
) -> int:
    """Write the package and the notebooks of all pages beside the pages in `html`.

    Returns how many notebooks there are. Raises CompanionError that names the page
    where one has no plain form.
    """
    root = layout.root
    folder = html / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    book = find_publication(root)
    papers = load_papers(root / BIBLIOGRAPHY, book.title)
    wheel = next(iter(write_packages(root, folder)), None)
    titles = {}
    for name in toc_documents(root / "_toc.yml"):
        path = root / f"{name}.md"
        if path.is_file():
            match = re.search(r"(?m)^# +(.+?) *$", path.read_text(encoding="utf-8"))
            titles[name] = match[1] if match else path.stem
    known = Known(
        {claim["id"]: claim for claim in ledger["claims"]},
        ledger["sources"],
        {page: entry.values for page, entry in entries.items()},
        titles,
        {key: paper.short for key, paper in papers.items()},
        book.address,
    )
    for page in entries:
        source = layout.notebook(page).read_text(encoding="utf-8")
        try:
            text = _download(page, source, known, book, wheel)
        except (CompanionError, ValueError, AttributeError) as error:
            raise CompanionError(f"no download of the page {page}: {error}") from error
        write_whole(folder / f"{page}.ipynb", text)
    return len(entries)
