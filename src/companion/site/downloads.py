"""Write what the site offers to be run outside the book: the package, and `downloads/<page>.ipynb`.

The notebooks have no outputs. What only the book can show (cards of claims, numbers of
the run, links between pages) is written out in plain Markdown; a first cell says where
the notebook comes from, what to install and how to run it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from jinja2 import Environment, PackageLoader

from companion.citing.citation import BIBLIOGRAPHY, load_papers
from companion.citing.publication import find_publication
from companion.paths import OUTPUT, CompanionError, Layout
from companion.run.cache import Entry
from companion.run.normalise import notebook_text
from companion.site.packages import write_packages
from companion.site.plain_markdown import PlainPage
from companion.site.render import toc_documents

#: The folder of the site that holds them.
FOLDER = "downloads"

_new: Any = nbformat.v4


def parameters(notebook: Any) -> dict[str, Any]:
    """Return the parameters of a notebook with their defaults, from its one cell with the tag `parameters`.

    Raises ValueError or AttributeError where there is not one such cell, or where it
    holds more than named values.
    """
    (cell,) = (
        cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])
    )
    body: Any = ast.parse(cell.source).body
    return {
        statement.targets[0].id: ast.literal_eval(statement.value) for statement in body
    }


def _download(source: str, plain: PlainPage, first: str) -> Any:
    """Return a notebook without outputs, in plain Markdown behind a first cell.

    Raises CompanionError where something in it has no plain form.
    """
    notebook = jupytext.reads(source, fmt="md:myst")
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = plain.markdown(cell.source)
    texts = [
        first,
        *(cell for cell in notebook.cells if cell.source),
        plain.left_over(),
    ]
    notebook.cells = [
        _new.new_markdown_cell(text) if isinstance(text, str) else text
        for text in texts
        if text
    ]
    for index, cell in enumerate(notebook.cells):
        cell["id"] = f"c{index:03d}"
    language = {"name": "python", "pygments_lexer": "ipython3"}
    notebook.metadata |= {
        "jupytext": {"formats": "ipynb,md:myst"},
        "language_info": language,
    }
    return notebook


def _title(path: Path) -> str:
    found = re.search(
        r"^# +(.+?) *$", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return found[1] if found else path.stem


def write_downloads(
    layout: Layout, entries: Mapping[str, Entry], ledger: Mapping[str, Any], html: Path
) -> int:
    """Write the package and the notebooks of all pages beside the pages in `html`; return how many notebooks there are.

    Raises CompanionError that names the page where one has no plain form.
    """
    root = layout.root
    folder = html / FOLDER
    book = find_publication(root)
    papers = load_papers(root / BIBLIOGRAPHY, book.title)
    values = {page: entry.run / "values.json" for page, entry in entries.items()}
    known: dict[str, Any] = {
        "claims": {claim["id"]: claim for claim in ledger["claims"]},
        "sources": ledger["sources"],
        "values": {
            page: json.loads(path.read_text("utf-8"))
            for page, path in values.items()
            if path.is_file()
        },
        "titles": {
            name: _title(path)
            for name in toc_documents(root / "_toc.yml")
            if (path := root / f"{name}.md").is_file()
        },
        "cites": {key: paper.short for key, paper in papers.items()},
        "address": book.address,
    }
    folder.mkdir(parents=True, exist_ok=True)
    templates = Environment(
        loader=PackageLoader("companion.publish", "."),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["repr"] = repr
    told = {
        "book": book,
        "wheel": next(iter(write_packages(root, folder)), None),
        "folder": FOLDER,
        "output": OUTPUT,
    }
    for page in entries:
        source = layout.notebook(page).read_text(encoding="utf-8")
        name = f"notebooks/{page}"
        try:
            told |= {
                "page": page,
                "title": known["titles"][name],
                "address": known["address"](name),
            }
            given = parameters(jupytext.reads(source, fmt="md:myst"))
            first = templates.get_template("first_cell.md.j2").render(
                given=given, **told
            )
            notebook = _download(source, PlainPage(page=page, **known), first)
        except (CompanionError, ValueError, AttributeError) as error:
            raise CompanionError(f"no download of the page {page}: {error}") from error
        (folder / f"{page}.ipynb").write_text(
            notebook_text(notebook), encoding="utf-8", newline="\n"
        )
    return len(entries)
