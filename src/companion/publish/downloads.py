"""Write what the site offers to be run outside the book: the package, and `downloads/<page>.ipynb` and `.md`.

The notebooks have no outputs. What only the book can show (cards of claims, numbers of the run, links between pages)
is written out in plain Markdown; a first cell says where the notebook comes from, what to install and how to run it.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from jinja2 import Environment, PackageLoader
from pybtex.database import parse_file

from companion.paths import OUTPUT, CompanionError, Layout
from companion.publish.packages import write_packages
from companion.publish.publication import Publication, find_publication
from companion.run.cache import Entry
from companion.run.normalise import notebook_text
from companion.site.plain_page import PlainPage
from companion.site.render import toc_documents

__all__ = ["FOLDER", "download", "parameters", "write_downloads"]

#: The folder of the site that holds them.
FOLDER = "downloads"

_new: Any = nbformat.v4
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "pygments_lexer": "ipython3",
    },
    "jupytext": {"formats": "ipynb,md:myst"},
}


def parameters(notebook: Any) -> dict[str, Any]:
    """Return the parameters of a notebook with their defaults, from its one cell with the tag `parameters`.

    Raises CompanionError where there is not one such cell, or where it holds more than values with a name.
    """
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    if len(cells) != 1:
        raise CompanionError(f"a notebook must have one cell with the tag parameters, got {len(cells)}")
    found: dict[str, Any] = {}
    for statement in ast.parse(cells[0].source).body:
        try:
            (target,) = statement.targets
            found[target.id] = ast.literal_eval(statement.value)
        except (AttributeError, ValueError) as error:
            raise CompanionError(f"the cell of parameters must only name values, got {cells[0].source!r}") from error
    return found


def _first_cell(page: str, title: str, given: Mapping[str, Any], book: Publication | None, wheel: str | None) -> str:
    """Return what the first cell says: where the notebook is from, what to install, how to run it."""
    templates = Environment(loader=PackageLoader("companion.publish", "."), trim_blocks=True, lstrip_blocks=True)
    templates.filters["repr"] = repr
    told = {"address": book.address(f"notebooks/{page}") if book else None, "folder": FOLDER, "output": OUTPUT}
    return templates.get_template("first_cell.md.j2").render(
        page=page, title=title, given=given, book=book, wheel=wheel, **told
    )


def download(
    page: str, source: str, plain: PlainPage, publication: Publication | None = None, wheel: str | None = None
) -> Any:
    """Return the notebook of one page without outputs, in plain Markdown, valid and the same each time.

    `wheel` is the name of the package among the downloads.

    Raises CompanionError where the page has no parameters or something that has no plain form.
    """
    read = jupytext.reads(source, fmt="md:myst")
    title = plain.titles[f"notebooks/{page}"]
    cells = [_new.new_markdown_cell(_first_cell(page, title, parameters(read), publication, wheel))]
    for cell in read.cells:
        if cell.cell_type == "code":
            tags = {"tags": list(cell.metadata["tags"])} if cell.metadata.get("tags") else {}
            cells.append(_new.new_code_cell(cell.source, metadata=tags))
        elif text := plain.markdown(cell.source):
            cells.append(_new.new_markdown_cell(text))
    if text := plain.left_over():
        cells.append(_new.new_markdown_cell(text))
    for index, cell in enumerate(cells):
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:10]
        cell["id"] = f"c{index:03d}-{digest}"
    made = _new.new_notebook(cells=cells, metadata=_METADATA)
    made.nbformat_minor = 5
    return made


def _title(path: Path) -> str:
    found = re.search(r"^# +(.+?) *$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return found[1] if found else path.stem


def _cites(root: Path) -> dict[str, str]:
    """Return the words for each entry of the bibliographies: names and year."""
    found: dict[str, str] = {}
    for path in sorted((root / "book").glob("*.bib")):
        for key, entry in parse_file(str(path), bib_format="bibtex").entries.items():
            names = [
                " ".join([*person.prelast_names, *person.last_names]) for person in entry.persons.get("author", [])
            ]
            shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
            text = f"{shown or entry.fields.get('title', key)} ({entry.fields.get('year', 'no year')})"
            found[key] = re.sub(r"[{}\\]", "", text)
    return found


def write_downloads(layout: Layout, entries: Mapping[str, Entry], claims: Path, html: Path) -> int:
    """Write the package and the notebooks of all pages beside the pages in `html`; return how many notebooks there are.

    Raises CompanionError that names the page where one has no plain form.
    """
    root = layout.root
    publication = find_publication(root) if (root / "CITATION.cff").is_file() else None
    document = json.loads(claims.read_text(encoding="utf-8"))
    values = {
        page: json.loads(path.read_text(encoding="utf-8"))
        for page, entry in entries.items()
        if (path := entry.run / "values.json").is_file()
    }
    make = partial(
        PlainPage,
        claims={claim["id"]: claim for claim in document["claims"]},
        sources=document["sources"],
        values=values,
        titles={
            name: _title(path) for name in toc_documents(root / "_toc.yml") if (path := root / f"{name}.md").is_file()
        },
        cites=_cites(root),
        address=publication.address if publication else lambda _: None,
    )
    folder = html / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wheel = next(iter(write_packages(root, folder)), None)
    for page in entries:
        try:
            source = layout.notebook(page).read_text(encoding="utf-8")
            notebook = download(page, source, make(page=page), publication, wheel)
        except CompanionError as error:
            raise CompanionError(f"no download of the page {page}: {error}") from error
        texts = {".ipynb": notebook_text(notebook), ".md": jupytext.writes(notebook, fmt="md:myst")}
        for suffix, text in texts.items():
            (folder / f"{page}{suffix}").write_text(text, encoding="utf-8", newline="\n")
    return len(entries)
