"""Write what the site offers to be run outside the book.

That is the package, and `downloads/<page>.ipynb`. The notebooks have no outputs. What
only the book can show (cards of claims, numbers of the run, links between pages) is
written out in plain Markdown; a first cell says where the notebook comes from, what to
install and how to run it.
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import jupytext
import nbformat
from jinja2 import Environment, PackageLoader, Template

from companion.citing.citation import BIBLIOGRAPHY, load_papers
from companion.citing.publication import Publication, find_publication
from companion.paths import OUTPUT, CompanionError, Layout
from companion.run.cache import Entry
from companion.run.normalise import notebook_text
from companion.site.packages import write_packages
from companion.site.plain_markdown import PlainPage
from companion.site.records import ClaimRecord, LedgerRecord, SourceRecord
from companion.site.render import toc_documents

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


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Return an executed notebook."""
    return read(path, as_version=4)


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


def _download(source: str, plain: PlainPage, first: str) -> nbformat.NotebookNode:
    """Return a notebook without outputs, in plain Markdown behind a first cell.

    Raises CompanionError where something in it has no plain form.
    """
    notebook: nbformat.NotebookNode = jupytext.reads(source, fmt="md:myst")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain.markdown(cell.source)
    cells = [new_markdown_cell(first)]
    cells += [cell for cell in notebook.cells if cell.source]
    if rest := plain.left_over():
        cells.append(new_markdown_cell(rest))
    for index, cell in enumerate(cells):
        cell["id"] = f"c{index:03d}"
    notebook.cells = cells
    notebook.metadata |= {
        "jupytext": {"formats": "ipynb,md:myst"},
        "language_info": dict(_LANGUAGE),
    }
    return notebook


def _title(path: Path) -> str:
    match = re.search(
        r"^# +(.+?) *$", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return match[1] if match else path.stem


def _titles(root: Path) -> dict[str, str]:
    """Return the title of each document of the book that is a source."""
    paths = {name: root / f"{name}.md" for name in toc_documents(root / "_toc.yml")}
    return {name: _title(path) for name, path in paths.items() if path.is_file()}


def _values(entries: Mapping[str, Entry]) -> dict[str, dict[str, str]]:
    """Return the numbers that each notebook recorded for its prose."""
    values = {}
    for page, entry in entries.items():
        path = entry.run / "values.json"
        if path.is_file():
            values[page] = json.loads(path.read_text("utf-8"))
    return values


class Known(TypedDict):
    """Hold what the words of every page need from the rest of the book."""

    claims: dict[str, ClaimRecord]
    sources: dict[str, SourceRecord]
    values: dict[str, dict[str, str]]
    titles: dict[str, str]
    cites: dict[str, str]
    address: Callable[[str], str | None]


@dataclass(frozen=True)
class Downloads:
    """Make the notebooks of a book.

    `known` is for their words, the rest for the first cell.
    """

    book: Publication
    wheel: str | None
    first_cell: Template
    known: Known

    def text(self, page: str, source: str) -> str:
        """Return the notebook of a page.

        Raises CompanionError, ValueError or AttributeError where it has no plain form.
        """
        name = f"notebooks/{page}"
        first = self.first_cell.render(
            book=self.book,
            wheel=self.wheel,
            folder=FOLDER,
            output=OUTPUT,
            page=page,
            title=self.known["titles"][name],
            address=self.book.address(name),
            parameters=parameters(jupytext.reads(source, fmt="md:myst")),
        )
        return notebook_text(
            _download(source, PlainPage(page=page, **self.known), first)
        )


def _first_cell() -> Template:
    """Return the template of the first cell."""
    templates = Environment(
        loader=PackageLoader("companion.site"), trim_blocks=True, lstrip_blocks=True
    )
    templates.filters["repr"] = repr
    return templates.get_template("first_cell.md.j2")


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
    downloads = Downloads(
        book,
        next(iter(write_packages(root, folder)), None),
        _first_cell(),
        {
            "claims": {claim["id"]: claim for claim in ledger["claims"]},
            "sources": ledger["sources"],
            "values": _values(entries),
            "titles": _titles(root),
            "cites": {key: paper.short for key, paper in papers.items()},
            "address": book.address,
        },
    )
    for page in entries:
        source = layout.notebook(page).read_text(encoding="utf-8")
        try:
            text = downloads.text(page, source)
        except (CompanionError, ValueError, AttributeError) as error:
            raise CompanionError(f"no download of the page {page}: {error}") from error
        path = folder / f"{page}.ipynb"
        path.write_text(text, encoding="utf-8", newline="\n")
    return len(entries)
