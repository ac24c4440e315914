"""Know where things lie: the root of the book, and what the build writes."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

#: A JSON object, as it was read from a file.
Record: TypeAlias = dict[str, Any]

#: Names the root of the book where the working directory does not.
ROOT_VARIABLE = "COMPANION_ROOT"
#: The folder that a build gives to one execution of one notebook.
RUN_VARIABLE = "COMPANION_RUN"
#: The folder, in the working directory, that a notebook outside the book writes to.
OUTPUT = "mollified-output"


class CompanionError(Exception):
    """Say what went wrong in words for the person at the terminal."""


def check_asserts() -> None:
    """Raise CompanionError where this Python skips every `assert`.

    Then a check that fails would pass in silence.
    """
    if sys.flags.optimize:
        raise CompanionError(
            "this Python skips every assert, by which pages check what they say: "
            "start it without -O and without the variable PYTHONOPTIMIZE"
        )


def json_text(document: object) -> str:
    """Return a document as JSON with sorted keys, ending in a line feed.

    Raises ValueError for NaN or infinity.
    """
    text = json.dumps(
        document, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False
    )
    return text + "\n"


def read_json(path: Path) -> Any:
    """Return the document of a JSON file.

    Raises OSError where there is no such file, ValueError where it is no JSON.
    """
    return json.loads(path.read_text(encoding="utf-8"))


def files_below(folder: Path) -> dict[str, Path]:
    """Return every file below a folder by its path from there, sorted."""
    files = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file()
    }
    return dict(sorted(files.items()))


def write_whole(path: Path, text: str) -> None:
    """Write a text with LF at the end of lines, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8", newline="\n")
    draft.replace(path)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there.

    Raises OSError that says why where it stays.
    """
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


def find_installed() -> Path:
    """Return the folder whose `data` came with the installed package.

    It is the package, or the checkout that it lies in. Raises CompanionError that says
    what to install where the data did not come with it.
    """
    package = Path(__file__).resolve().parent
    for folder in (package, package.parents[1]):
        if (folder / "data" / "figures.yml").is_file():
            return folder
    raise CompanionError(
        "this notebook lies outside the book, and the data that it needs (the "
        "registry of figures and the accepted tables) are not installed in "
        f"{package / 'data'}: install the package again, by `pip install` of the "
        "repository or of a checkout of it, "
        f"or set {ROOT_VARIABLE} to a checkout"
    )


@dataclass(unsafe_hash=True)
class Layout:
    """Name every path of one book; tests point the whole build at another folder.

    `outside` is where a notebook writes that runs outside the book, with the installed
    data; None in a book.
    """

    root: Path
    outside: Path | None = None

    def __post_init__(self) -> None:
        #: Where the committed MyST notebooks and the packages lie.
        self.notebooks = self.root / "notebooks"
        self.source = self.root / "src"
        #: Where the ledger, the references and the registry of figures lie.
        self.data = self.root / "data"
        self.registry = self.data / "figures.yml"
        #: The committed data behind every figure, their list with hashes and reasons,
        #: and the log of every change.
        self.results = self.data / "results"
        self.manifest = self.results / "manifest.json"
        self.changes = self.results / "CHANGES.md"
        #: Where everything that can be made again lies: the folder that Jupyter Book
        #: reads, and the finished pages.
        self.build = self.outside or self.root / "_build"
        self.stage = self.build / "stage"
        self.html = self.build / "html"

    @classmethod
    def find(cls) -> Layout:
        """Return the layout of the book.

        It is the folder that COMPANION_ROOT names, or that lies upward from here, with
        `_config.yml` and `notebooks/`. Raises CompanionError where there is none.
        """
        if named := os.environ.get(ROOT_VARIABLE):
            if not Path(named, "notebooks").is_dir():
                raise CompanionError(
                    f"{ROOT_VARIABLE} is set to {named!r}, "
                    "which holds no notebooks/ folder"
                )
            return cls(Path(named).resolve())
        here = Path.cwd().resolve()
        for folder in (here, *here.parents):
            if (folder / "_config.yml").is_file() and (folder / "notebooks").is_dir():
                return cls(folder)
        raise CompanionError(
            "no book found here or above (a folder with _config.yml and notebooks/): "
            f"{here}; change folder or set {ROOT_VARIABLE}"
        )

    @classmethod
    def for_page(cls) -> Layout:
        """Return the layout that a notebook runs with.

        It is the book's, else the installed data and a folder to write to. A folder
        that looks like a book but has no registry of figures is somebody else's book.
        Raises CompanionError where COMPANION_ROOT names no book, and outside a book
        where the data are not installed.
        """
        if os.environ.get(ROOT_VARIABLE):
            return cls.find()
        with suppress(CompanionError):
            layout = cls.find()
            if layout.registry.is_file():
                return layout
        return cls(find_installed(), Path.cwd().resolve() / OUTPUT)

    def reference(self, profile: str, figure: str) -> Path:
        """Return the committed table of one figure."""
        return self.results / "figures" / profile / f"{figure}.csv"

    def cache(self, profile: str, page: str) -> Path:
        """Return the folder of the kept executions of one page."""
        return self.build / "cache" / profile / page

    def pages(self) -> list[str]:
        """Return the names of all notebooks, sorted."""
        return sorted(path.stem for path in self.notebooks.glob("*.md"))

    def notebook(self, page: str) -> Path:
        """Return the source of one notebook.

        Raises CompanionError that lists the known ones.
        """
        if page not in self.pages():
            known = ", ".join(self.pages()) or "none"
            raise CompanionError(f"unknown notebook {page!r}; known: {known}")
        return self.notebooks / f"{page}.md"
