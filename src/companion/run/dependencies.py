"""Find which files under `src/` a notebook depends on, by reading imports and never by running them.

A name that a package only takes from one of its modules leads to that module, and not to its neighbours: a module is
taken to have no effect but its names. Else the closure errs on the side of too much: where an import cannot be resolved
from the text alone, the whole of `src/` counts, so a kept execution can be thrown away too often but never too seldom.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jupytext

__all__ = ["Closure", "closure_of", "code_of_notebook"]

#: Calls that import, or run, what only a run can tell.
_DYNAMIC = {"import_module", "__import__", "exec", "eval", "exec_module", "run_path", "run_module", "iter_modules"}
_MAGIC_LOADS = ("%run", "%load", "%%", "%autoreload", "%cd")


@dataclass(frozen=True)
class Closure:
    """Hold the files depended on; where it is `whole`, these are all of `src/`."""

    files: tuple[Path, ...]
    whole: bool = False


def code_of_notebook(path: Path) -> list[str]:
    """Return the source of the code cells of a MyST notebook."""
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    return [str(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


class _Unresolved(Exception):
    """An import cannot be followed."""


def _needs(nodes: Iterable[ast.AST], package: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what pieces of a module of a package ask for: a module and a name in it, * for a star, "" for any name."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for parts in (alias.name.split(".") for alias in node.names):
                yield from ((".".join(parts[:length]), "") for length in range(1, len(parts) + 1))
        elif isinstance(node, ast.ImportFrom):
            if node.level > len(package):
                raise _Unresolved
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from ((".".join([*base, *filter(None, [node.module])]), alias.name) for alias in node.names)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            if name not in _DYNAMIC or (isinstance(node.func, ast.Attribute) and name in ("eval", "exec")):
                continue
            match name, node.args:
                case "import_module" | "__import__", [ast.Constant(value=str(module)), *_] if module[:1] != ".":
                    yield from _needs([ast.Import([ast.alias(module)])], package)
                case _:
                    raise _Unresolved


class _Finder:
    """Follow imports from module to module within the given folders.

    What the `__init__` of a package imports from others counts for the names that are asked of the package, and for
    those that it uses itself: to import a module has no effect but its names.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = list(folders)
        self.files: set[Path] = set()
        #: Of each module, the names that it takes from elsewhere if it is a package, each with module and name there.
        self.exports: dict[str, dict[str, tuple[str, str]]] = {}
        self.asked: set[tuple[str, str]] = set()

    def locate(self, module: str) -> Path | None:
        """Return the file of a module, or None where there is none."""
        bases = [folder.joinpath(*module.split(".")) for folder in self.folders]
        places = [path for base in bases for path in (base / "__init__.py", base.with_suffix(".py"))]
        return next((path for path in places if path.is_file()), None)

    def add(self, module: str) -> None:
        """Add one module, with the data files of a package, and all that it needs."""
        if module in self.exports:
            return
        path, own = self.locate(module), self.exports.setdefault(module, {})
        if path is None:
            raise _Unresolved
        self.files.add(path)
        package, body = module.split("."), ast.parse(path.read_text(encoding="utf-8")).body
        if path.name == "__init__.py":
            beside = [item for item in path.parent.iterdir() if item.is_file() and item.name != "py.typed"]
            self.files.update(item for item in beside if item.suffix not in (".py", ".pyc"))
            taken = [node for node in body if isinstance(node, ast.ImportFrom) and node.names[0].name != "*"]
            for node in taken:
                names = [alias.asname or alias.name for alias in node.names]
                own.update(zip(names, _needs([node], package), strict=True))
            body = [node for node in body if node not in taken]
        else:
            package.pop()
        nodes = [item for node in body for item in ast.walk(node)]
        for need in [*_needs(nodes, package), *(own[n.id] for n in nodes if isinstance(n, ast.Name) and n.id in own)]:
            self.ask(*need)

    def ask(self, module: str, name: str) -> None:
        """Add what a name of a module stands for: what a package has from elsewhere, or a module of the package."""
        parts = module.split(".")
        if (module, name) in self.asked or self.locate(parts[0]) is None:  # the latter is installed from elsewhere
            return
        self.asked.add((module, name))
        for length in range(1, len(parts) + 1):
            self.add(".".join(parts[:length]))
        inside = self.locate(f"{module}.{name}") if name.isidentifier() else None
        for need in self.exports[module].values() if name in ("", "*") else ():
            self.ask(*need)
        if name == "*" and (path := self.locate(module)) and path.name == "__init__.py":
            for item in path.parent.glob("[!_]*.py"):
                self.add(f"{module}.{item.stem}")
        elif name in self.exports[module]:
            self.ask(*self.exports[module][name])
        elif inside is not None:
            self.ask(f"{module}.{name}", "")


def _without_magics(cell: str) -> str:
    lines = []
    for line in cell.splitlines():
        if line.lstrip().startswith(_MAGIC_LOADS):
            raise _Unresolved
        lines.append("pass" if line.startswith(("%", "!", "?")) else line)
    return "\n".join(lines)


def closure_of(cells: Iterable[str], source: Path, *beside: Path) -> Closure:
    """Return the files that code cells depend on, sorted.

    `source` is the `src/` folder; modules in the folders `beside` (where the notebook lies) are followed
    too. What is installed from elsewhere is not followed: the lock file stands for it.
    """
    finder = _Finder([source, *beside])
    try:
        for cell in cells:
            for need in _needs(ast.walk(ast.parse(_without_magics(cell))), []):
                finder.ask(*need)
    except (_Unresolved, SyntaxError):
        every = {path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        every = {path for path in every if ".egg-info" not in path.as_posix()}
        return Closure(tuple(sorted(finder.files | every)), whole=True)
    return Closure(tuple(sorted(finder.files)))
