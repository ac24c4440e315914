"""Find which files under `src/` a notebook depends on, by reading imports and never by running them.

A name that a package only takes from one of its modules leads to that module, and not to its neighbours: a module is
taken to have no effect but its names. Else the closure errs on the side of too much: where an import cannot be resolved
from the text alone, the whole of `src/` counts, so a kept execution can be thrown away too often but never too seldom.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import jupytext

__all__ = ["closure_of", "code_of_notebook"]

#: Functions that run a text, and functions of modules that import or run what only a run can tell.
_RUN, _IMPORT = {"__import__", "exec", "eval"}, {"import_module", "exec_module", "run_path", "run_module"}


def code_of_notebook(path: Path) -> list[str]:
    """Return the source of the code cells of a MyST notebook."""
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    return [str(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


class _Unresolved(Exception):
    """An import cannot be followed."""


def _needs(nodes: Iterable[ast.AST], package: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what pieces of a module of a package ask for: a module and a name in it, * for all that it exports."""
    for node in nodes:
        match node:
            case ast.Import():
                for parts in (alias.name.split(".") for alias in node.names):
                    yield from ((".".join(parts[:length]), "*") for length in range(1, len(parts) + 1))
            case ast.ImportFrom():
                base = package[: len(package) - node.level + 1] if node.level else []
                yield from ((".".join([*base, *filter(None, [node.module])]), alias.name) for alias in node.names)
            case ast.Call(func=ast.Name(id=name)) if name in _RUN | _IMPORT:
                raise _Unresolved
            case ast.Call(func=ast.Attribute(attr=name)) if name in _IMPORT:
                raise _Unresolved


class _Finder:
    """Follow imports from module to module within the given folders.

    What the `__init__` of a package imports from others counts for the names that are asked of the package, and for
    those that it uses itself.
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
        nodes = [item for node in body for item in ast.walk(node)]
        if path.name == "__init__.py":
            beside = [item for item in path.parent.iterdir() if item.is_file() and item.name != "py.typed"]
            self.files.update(item for item in beside if item.suffix not in (".py", ".pyc"))
            taken = [node for node in body if isinstance(node, ast.ImportFrom) and node.names[0].name != "*"]
            for node in taken:
                names = [alias.asname or alias.name for alias in node.names]
                own.update(zip(names, _needs([node], package), strict=True))
            nodes = [item for node in body if node not in taken for item in ast.walk(node)]
            words = [item.value for item in nodes if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            modules = [word for word in words if word.isidentifier() and self.locate(f"{module}.{word}")]  # of __all__
            own.update({word: (f"{module}.{word}", "") for word in modules if word not in own})
        else:
            package.pop()
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
        exports = self.exports[module]
        for need in exports.values() if name == "*" else [exports[name]] if name in exports else []:
            self.ask(*need)
        if name not in exports and name != "*" and self.locate(f"{module}.{name}"):
            self.add(f"{module}.{name}")


def closure_of(cells: Iterable[str], source: Path, *beside: Path) -> tuple[list[Path], bool]:
    """Return the files that code cells depend on, sorted, and whether these are all of `src/`.

    `source` is the `src/` folder; modules in the folders `beside` (where the notebook lies) are followed
    too. What is installed from elsewhere is not followed: the lock file stands for it.
    """
    finder = _Finder([source, *beside])
    try:
        for cell in cells:
            for need in _needs(ast.walk(ast.parse(cell)), []):
                finder.ask(*need)
    except (_Unresolved, SyntaxError):  # a magic of IPython is no syntax of Python
        every = {path for path in source.rglob("*") if path.is_file() and path.suffix != ".pyc"}
        every = {path for path in every if ".egg-info" not in path.as_posix()}
        return sorted(finder.files | every), True
    return sorted(finder.files), False
