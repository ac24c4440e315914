"""Find which files under `src/` a notebook depends on, by reading imports and never by running them.

The closure errs on the side of too much: where an import cannot be resolved from the text alone, the whole
of `src/` counts, so a kept execution can be thrown away too often but never too seldom.
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
    """Follow imports from module to module within the given folders."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = [folder for folder in folders if folder.is_dir()]
        self.files: set[Path] = set()
        self.packages = {
            item.stem
            for folder in self.folders
            for item in folder.iterdir()
            if item.suffix == ".py" or (item / "__init__.py").is_file()
        }

    def locate(self, module: str) -> Path | None:
        """Return the file of a module, or None where there is none."""
        parts = module.split(".")
        for folder in self.folders:
            base = folder.joinpath(*parts)
            for path in (base / "__init__.py", base.with_suffix(".py")):
                if path.is_file():
                    return path
        return None

    def add(self, module: str, *, required: bool = True) -> None:
        """Add a module, the packages around it, their data files, and all that they import."""
        parts = module.split(".")
        if parts[0] not in self.packages:
            return
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            path = self.locate(name)
            if path is None:
                if required:
                    raise _Unresolved(f"module {module} not found under src")
                return
            if path in self.files:
                continue
            self.files.add(path)
            if path.name == "__init__.py":
                self.files.update(
                    item
                    for item in path.parent.iterdir()
                    if item.is_file() and item.suffix not in (".py", ".pyc") and item.name != "py.typed"
                )
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            self.follow(path.read_text(encoding="utf-8"), package, name)

    def follow(self, source: str, package: str, where: str) -> None:
        """Add everything that a piece of source imports."""
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            raise _Unresolved(f"{where} cannot be parsed: {error.msg}") from error
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.add(alias.name)
            elif isinstance(node, ast.ImportFrom):
                self._from(node, package, where)
            elif isinstance(node, ast.Call):
                self._call(node, where)

    def _from(self, node: ast.ImportFrom, package: str, where: str) -> None:
        base = node.module or ""
        if node.level:
            parts = package.split(".")
            if node.level > len(parts) or not package:
                raise _Unresolved(f"{where} has a relative import that leaves its package")
            parts = parts[: len(parts) - node.level + 1]
            base = ".".join([*parts, *([base] if base else [])])
        self.add(base)
        for alias in node.names:
            if alias.name == "*" and (path := self.locate(base)) is not None and path.name == "__init__.py":
                for item in sorted(path.parent.glob("*.py")):
                    self.add(f"{base}.{item.stem}" if item.stem != "__init__" else base)
            elif alias.name != "*":
                self.add(f"{base}.{alias.name}", required=False)

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
            self.add(first.value)
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
