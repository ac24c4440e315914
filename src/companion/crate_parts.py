"""List what goes into the RO-Crate of a release: each file, its place in the crate, its licences, what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.figures import SUFFIXES
from companion.licences import Licences
from companion.paths import CompanionError, Layout
from companion.provenance import sha256_of
from companion.registry import load_registry

__all__ = ["FOLDERS", "FigureRecord", "Part", "figure_records", "list_parts"]

#: Folders of the crate, each with its title; `site` is kept as a whole, the others list their files.
FOLDERS = {
    "notebooks": "Notebooks, as they are edited (MyST text)",
    "executed": "Notebooks, as they were executed for this release",
    "figures": "Figures of the release, each with its data and how it was made",
    "data": "Ledger, registry of figures, accepted data of every figure, data sets",
    "book": "Pages that are no notebooks",
    "src": "Source code of both packages",
    "LICENSES": "Texts of the licences",
    "site": "The rendered book; open site/index.html",
}
#: Files of the root that a reader of the crate needs, beside the folders.
ROOT_FILES = (
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "codemeta.json", "LICENSE", "LICENSE-TEXT",
    "REUSE.toml", "Makefile", "_config.yml", "_toc.yml", "environment.yml", "pyproject.toml", "requirements.lock",
)  # fmt: skip
_FORMATS = {
    ".md": "text/markdown", ".ipynb": "application/x-ipynb+json", ".json": "application/json", ".csv": "text/csv",
    ".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".yml": "application/yaml",
    ".py": "text/x-python", ".toml": "application/toml", ".bib": "application/x-bibtex", ".css": "text/css",
    ".js": "text/javascript",
}  # fmt: skip
_ALT = re.compile(r"\{bookfigure\} (?P<name>[\w/-]+)\n:alt: (?P<alt>.+)")


@dataclass(frozen=True)
class Part:
    """Hold one file: where it lies, where it goes, its licences, its format."""

    source: Path
    place: str
    licences: tuple[str, ...]

    @property
    def format(self) -> str:
        """The media type."""
        return _FORMATS.get(self.source.suffix, "text/plain")

    @property
    def folder(self) -> str | None:
        """The folder of the crate that it lies in, None for the root."""
        return self.place.partition("/")[0] if "/" in self.place else None


@dataclass(frozen=True)
class FigureRecord:
    """Hold how one figure was made, with the text that states what it shows."""

    id: str
    page: str
    record: dict[str, Any]
    alt: str

    def place(self, suffix: str) -> str:
        """Return the place of one of its files in the crate."""
        return f"figures/{self.page}/{self.id}{suffix}"


def _alts(notebook: Path) -> dict[str, str]:
    """Return what each figure of an executed notebook shows, in the words for who cannot see it."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    outputs = [output for cell in document["cells"] for output in cell.get("outputs", [])]
    texts = ["".join(output.get("data", {}).get("text/markdown", "")) for output in outputs]
    return {match["name"]: match["alt"] for text in texts for match in _ALT.finditer(text)}


def figure_records(layout: Layout) -> list[FigureRecord]:
    """Return how each figure of the staged book was made, by page and name.

    Raises CompanionError for a figure that is missing, or whose data are not the ones that its record names.
    """
    found = []
    alts: dict[str, str] = {}
    for page in layout.pages():
        alts |= _alts(layout.stage / "notebooks" / f"{page}.ipynb")
    for spec in sorted(load_registry(layout.registry).values(), key=lambda spec: (spec.page, spec.id)):
        folder = layout.stage / "figures" / spec.page
        missing = [suffix for suffix in SUFFIXES if not (folder / f"{spec.id}{suffix}").is_file()]
        if missing:
            raise CompanionError(f"figure {spec.id} has no {', '.join(missing)}: build the book first")
        record = json.loads((folder / f"{spec.id}.json").read_text(encoding="utf-8"))
        if sha256_of(folder / f"{spec.id}.csv") != record["sha256"]:
            raise CompanionError(f"figure {spec.id}: its data are not those of its record: build the book again")
        found.append(FigureRecord(spec.id, spec.page, record, alts.get(f"{spec.page}/{spec.id}", "")))
    return found


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part == "__pycache__" or part.endswith(".egg-info") or part.startswith(".ipynb") for part in parts)
        if path.is_file() and not hidden:
            yield path


def list_parts(layout: Layout) -> list[Part]:
    """Return every file of the crate, sorted by its place; raise CompanionError where the book is not built."""
    stage, licences = layout.stage, Licences(layout.root)
    if not (layout.html / "index.html").is_file() or not (stage / "claims.json").is_file():
        raise CompanionError("there is no built book to put into a crate: build it first (`make book`)")
    unbuilt = [page for page in layout.pages() if not (stage / "notebooks" / f"{page}.ipynb").is_file()]
    if unbuilt:
        raise CompanionError(f"not executed yet: {', '.join(unbuilt)}: build the book first (`make book`)")
    found = [Part(stage / "claims.json", "claims.json", licences.of("data/claims.yml"))]
    for name in ROOT_FILES:
        if (path := layout.root / name).is_file():
            # A text of a licence is under none.
            found.append(Part(path, name, () if name.startswith("LICENSE") else licences.of(name)))
    for page in layout.pages():
        own = licences.of(f"notebooks/{page}.md")
        found.append(Part(layout.notebook(page), f"notebooks/{page}.md", own))
        found.append(Part(stage / "notebooks" / f"{page}.ipynb", f"executed/{page}.ipynb", own))
    for figure in figure_records(layout):
        own = licences.of(f"data/results/figures/{figure.id}.csv")
        for suffix in SUFFIXES:
            found.append(Part(stage / "figures" / figure.page / f"{figure.id}{suffix}", figure.place(suffix), own))
    for name in ("data", "book", "src", "LICENSES"):
        for path in _files(layout.root / name):
            place = path.relative_to(layout.root).as_posix()
            found.append(Part(path, place, () if name == "LICENSES" else licences.of(place)))
    both = licences.of("notebooks/any.md")  # a page holds text and code
    found += [Part(path, f"site/{path.relative_to(layout.html).as_posix()}", both) for path in _files(layout.html)]
    return sorted(found, key=lambda part: part.place)
