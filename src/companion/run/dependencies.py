"""Find which files under `src/` a notebook depends on, by reading imports and never by running them.

A name that a package only takes from one of its modules leads to that module, and not to its neighbours: a module is
taken to have no effect but its names. Else the closure errs on the side of too much: where an import cannot be resolved
from the text alone, the whole of `src/` counts, so a kept execution can be thrown away too often but never too seldom.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import jupytext

__all__ = ["Closure", "closure_of", "code_of_notebook"]

_DYNAMIC = {
    "import_module",
    "__import__",
    "exec",
    "eval",
    "exec_module",
    "run_path",
    "run_module",
    "iter_modules",
}
_MAGIC_LOADS = ("%run", "%load", "%%", "%autoreload", "%cd")


@dataclass(frozen=True)
class Closure:
    """Hold the files depended on; `whole` says why all of `src/` counts, or is None."""

    files: tuple[Path, ...]
    whole: str | None = None


def code_of_notebook(path: Path) -> list[str]:
    """Return the source of the code cells of a MyST notebook."""
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md:myst")
    return [str(cell.source) for cell in notebook.cells if cell.cell_type == "code"]


class _Unresolved(Exception):
    """Say why an import cannot be followed."""


class _Finder:
    """Follow imports from module to module within the given folders.

    What the `__init__` of a package imports from others counts for the names that are asked of the package, and for
    those that it uses itself: to import a module has no effect but its names.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = [folder for folder in folders if folder.is_dir()]
        self.files: set[Path] = set()
        #: Of each package, the names that it takes from elsewhere, each with the module and its name there.
        self.exports: dict[str, dict[str, tuple[str, str]]] = {}
        self.asked: set[tuple[str, str]] = set()
        self.packages = {
            item.stem
            for folder in self.folders
            for item in folder.iterdir()
            if item.suffix == ".py" or (item / "__init__.py").is_file()
        }

    def locate(self, module: str) -> Path | None:
        """Return the file of a module, or None where there is none."""
        for folder in self.folders:
            base = folder.joinpath(*module.split("."))
            for path in (base / "__init__.py", base.with_suffix(".py")):
                if path.is_file():
                    return path
        return None

    def add(self, module: str) -> None:
        """Add a module and the packages around it, with the data files of these and all that they need."""
        parts = module.split(".")
        if parts[0] not in self.packages:
            return
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            path = self.locate(name)
            if path is None:
                raise _Unresolved(f"module {module} not found under src")
            if path in self.files:
                continue
            self.files.add(path)
            is_package = path.name == "__init__.py"
            if is_package:
                self.files.update(
                    item
                    for item in path.parent.iterdir()
                    if item.is_file() and item.suffix not in (".py", ".pyc") and item.name != "py.typed"
                )
                self.exports[name] = {}
            self.follow(path.read_text(encoding="utf-8"), name if is_package else name.rpartition(".")[0], name)

    def whole(self, module: str) -> None:
        """Add a module of which any name may be used."""
        self.add(module)
        for name in self.exports.get(module, ()):
            self.ask(module, name)

    def named(self, module: str) -> None:
        """Add a module that is imported by its full name, so that the packages on the way to it can be used too."""
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            self.whole(".".join(parts[:length]))

    def ask(self, module: str, name: str) -> None:
        """Add what a name of a module stands for: what a package has from elsewhere, or a module of the package."""
        if (module, name) in self.asked:
            return
        self.asked.add((module, name))
        if name in self.exports.get(module, ()):
            source, original = self.exports[module][name]
            self.add(source)
            self.ask(source, original)
        elif module in self.exports and self.locate(f"{module}.{name}") is not None:
            self.whole(f"{module}.{name}")

    def follow(self, source: str, package: str, where: str) -> None:
        """Add everything that a piece of source needs."""
        try:
            body = ast.parse(source).body
        except SyntaxError as error:
            raise _Unresolved(f"{where} cannot be parsed: {error.msg}") from error
        own = self.exports.get(where, {}) if where == package else None
        others = [node for node in body if own is None or not self._exported(node, package, where, own)]
        used = [item for node in others for item in ast.walk(node)]
        for node in used:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.named(alias.name)
            elif isinstance(node, ast.ImportFrom):
                self._from(node, package, where)
            elif isinstance(node, ast.Call):
                self._call(node, where)
        for node in used:
            if isinstance(node, ast.Name) and own is not None and node.id in own:
                self.ask(package, node.id)

    def _exported(self, node: ast.stmt, package: str, where: str, own: dict[str, tuple[str, str]]) -> bool:
        """Note what a statement of a package takes from elsewhere; return whether that is all it does."""
        if not isinstance(node, ast.ImportFrom) or any(alias.name == "*" for alias in node.names):
            return False
        base = self._base(node, package, where)
        own.update({alias.asname or alias.name: (base, alias.name) for alias in node.names})
        return True

    @staticmethod
    def _base(node: ast.ImportFrom, package: str, where: str) -> str:
        """Return the module that a statement imports from, by its full name."""
        base = node.module or ""
        if node.level:
            parts = package.split(".")
            if node.level > len(parts) or not package:
                raise _Unresolved(f"{where} has a relative import that leaves its package")
            base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
        return base

    def _from(self, node: ast.ImportFrom, package: str, where: str) -> None:
        base = self._base(node, package, where)
        self.add(base)
        for alias in node.names:
            if alias.name != "*":
                self.ask(base, alias.name)
                continue
            self.whole(base)
            if (path := self.locate(base)) is not None and path.name == "__init__.py":
                for item in sorted(path.parent.glob("*.py")):
                    self.add(f"{base}.{item.stem}" if item.stem != "__init__" else base)

    def _call(self, node: ast.Call, where: str) -> None:
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name not in _DYNAMIC or (isinstance(function, ast.Attribute) and name in ("eval", "exec")):
            return
        first = node.args[0] if node.args else None
        if (
            name in ("import_module", "__import__")
            and isinstance(first, ast.Constant)
            and isinstance(first.value, str)
            and not first.value.startswith(".")
        ):
            self.named(first.value)
            return
        raise _Unresolved(f"{where} calls {name}() with a name known only at run time")


def _without_magics(cell: str) -> str:
    lines = []
    for line in cell.splitlines():
        bare = line.lstrip()
        if bare.startswith(_MAGIC_LOADS):
            raise _Unresolved(f"a cell uses {bare.split()[0]}")
        lines.append("pass" if bare.startswith(("%", "!", "?")) and line == bare else line)
    return "\n".join(lines)


def closure_of(cells: Iterable[str], source: Path, *beside: Path) -> Closure:
    """Return the files that code cells depend on, sorted.

    `source` is the `src/` folder; modules in the folders `beside` (where the notebook lies) are followed
    too. What is installed from elsewhere is not followed: the lock file stands for it.
    """
    finder = _Finder([source, *beside])
    reason: str | None = None
    try:
        for number, cell in enumerate(cells, start=1):
            finder.follow(_without_magics(cell), "", f"code cell {number}")
    except _Unresolved as problem:
        reason = str(problem)
        finder.files.update(
            path
            for path in source.rglob("*")
            if path.is_file() and path.suffix != ".pyc" and ".egg-info" not in path.as_posix()
        )
    return Closure(tuple(sorted(finder.files)), reason)
