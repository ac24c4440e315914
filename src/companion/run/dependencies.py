"""Find on which files under `src/` a notebook depends; imports are read, never run.

A module counts with all that it imports and with the packages that it lies in, with
their data files. Where an import cannot be read from the text, the whole of `src/`
counts: an execution is thrown away too often rather than too seldom.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import jupytext

#: What runs a text, or imports what only a run can tell; a method `model.eval()` does
#: neither.
_DYNAMIC = re.compile(
    r"(?<![.\w])(?:__import__|exec|eval)\("
    r"|\b(?:import_module|exec_module|run_path|run_module)\("
)


def code_of_notebook(path: Path) -> list[str]:
    """Return the source of the code cells of a MyST notebook."""
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    return [str(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


@cache
def _imports(code: str, package: str) -> list[str]:
    """Return the modules that code of a package imports.

    The names that it takes from them count too, since they may be modules. Raises
    SyntaxError or ImportError where that is not to be read from the text, as for a
    magic of IPython.
    """
    if _DYNAMIC.search(code):
        raise SyntaxError("only a run can tell what is imported")
    names = []
    for node in _executed(ast.parse(code)):
        match node:
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom():
                module = "." * node.level + (f"{node.module}." if node.module else "")
                names += [
                    resolve_name(module + alias.name, package) for alias in node.names
                ]
    return names


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Give a node and all in it, without what only a type checker reads."""
    yield node
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
                continue
        yield from _executed(child)


def closure_of(cells: Iterable[str], source: Path, *beside: Path) -> list[Path]:
    """Return the files that code cells depend on, sorted.

    `source` is the `src/` folder; modules in the folders `beside` (where the notebook
    lies) are followed too. What is installed from elsewhere is not followed: the lock
    file stands for it.
    """
    files: set[Path] = set()
    try:
        seen = {""}
        names: list[str] = []
        for cell in cells:
            names += _imports(cell, "")
        while names:
            name = names.pop()
            if name in seen:
                continue
            seen.add(name)
            names.append(name.rpartition(".")[0])
            for folder in (source, *beside):
                if name.endswith(".*"):
                    names += _modules_of(folder, name.removesuffix(".*"))
                    continue
                file = _file_of(folder, name)
                if file is not None:
                    files.update([file, *_data_beside(file)])
                    names += _imports(*_code_and_package(file, name))
    except (SyntaxError, ImportError):
        files |= {path for path in _files(source) if path.suffix != ".pyc"}
    return sorted(files)


def _modules_of(folder: Path, package: str) -> list[str]:
    """Return the names of all modules of a package."""
    modules = folder.joinpath(*package.split(".")).glob("*.py")
    return [f"{package}.{path.stem}" for path in modules]


def _file_of(folder: Path, name: str) -> Path | None:
    """Return the file of a module or package in a folder, None where it has none."""
    base = folder.joinpath(*name.split("."))
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.is_file():
            return file
    return None


def _data_beside(file: Path) -> list[Path]:
    """Return the data files of a package; a module has none."""
    if file.name != "__init__.py":
        return []
    return [
        path
        for path in file.parent.iterdir()
        if path.is_file() and path.suffix not in (".py", ".pyc")
    ]


def _code_and_package(file: Path, name: str) -> tuple[str, str]:
    """Return the code of a module, and what its relative imports begin at."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    return file.read_text(encoding="utf-8"), package


def _files(folder: Path) -> Iterator[Path]:
    """Give the files under a folder, those that an installation made aside."""
    for path in folder.rglob("*"):
        if path.is_file() and ".egg-info" not in path.as_posix():
            yield path
