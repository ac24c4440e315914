"""Find which files under `src/` a notebook depends on, by reading imports and never by running them.

A module counts with all that it imports and with the packages that it lies in, with
their data files. Where an import cannot be read from the text, the whole of `src/`
counts: an execution is thrown away too often rather than too seldom.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import jupytext

#: What runs a text, or imports what only a run can tell; a method `model.eval()` does
#: neither.
_DYNAMIC = re.compile(
    r"(?<![.\w])(?:__import__|exec|eval)\(|\b(?:import_module|exec_module|run_path|run_module)\("
)


def code_of_notebook(path: Path) -> list[str]:
    """Return the source of the code cells of a MyST notebook."""
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    return [str(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


@cache
def _imports(code: str, package: str) -> list[str]:
    """Return the modules that code of a package imports, and the names it takes from them, which may be modules too.

    Raises SyntaxError or ImportError where that is not to be read from the text, as for
    a magic of IPython.
    """
    if _DYNAMIC.search(code):
        raise SyntaxError("only a run can tell what is imported")
    names = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom():
                module = "." * node.level + (f"{node.module}." if node.module else "")
                names += [
                    resolve_name(module + alias.name, package) for alias in node.names
                ]
    return names


def closure_of(cells: Iterable[str], source: Path, *beside: Path) -> list[Path]:
    """Return the files that code cells depend on, sorted.

    `source` is the `src/` folder; modules in the folders `beside` (where the notebook
    lies) are followed too. What is installed from elsewhere is not followed: the lock
    file stands for it.
    """
    files: set[Path] = set()
    seen = {""}
    try:
        names = [name for cell in cells for name in _imports(cell, "")]
        while names:
            name = names.pop()
            if name in seen:
                continue
            seen.add(name)
            package, _, last = name.rpartition(".")
            names.append(package)
            for base in (
                folder.joinpath(*name.split(".")) for folder in (source, *beside)
            ):
                if last == "*":  # all modules of a package
                    names += [
                        f"{package}.{path.stem}" for path in base.parent.glob("*.py")
                    ]
                elif base.with_suffix(".py").is_file():
                    files.add(base.with_suffix(".py"))
                    names += _imports(
                        base.with_suffix(".py").read_text(encoding="utf-8"), package
                    )
                elif (base / "__init__.py").is_file():
                    own = [
                        path
                        for path in base.iterdir()
                        if path.is_file() and path.suffix not in (".py", ".pyc")
                    ]
                    files.update([base / "__init__.py", *own])
                    names += _imports(
                        (base / "__init__.py").read_text(encoding="utf-8"), name
                    )
    except (SyntaxError, ImportError):
        every = {
            path
            for path in source.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }
        files |= {path for path in every if ".egg-info" not in path.as_posix()}
    return sorted(files)
