#!/usr/bin/env python3
"""Lint, format and type the code cells of pages: `tools/cells.py [--fix] [PAGES]`.

A page is MyST, which neither Ruff nor mypy reads. So each becomes a notebook in a
temporary folder, which Ruff reads cell by cell, and a module whose lines have the
numbers that they have on the page, which mypy reads. What they say is printed with the
page and its line. `--fix` puts what Ruff can mend, and the house format, into the
pages.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from style import CELL, Source, cells

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = ROOT / "pyproject.toml"
#: A message of mypy: the module, the line, and what is wrong.
MESSAGE = re.compile(r"(?m)^(?P<name>\w+)\.py:(?P<line>\d+): error: (?P<words>.*)$")
#: The first line of each module; on a page it is the `---` above the settings.
FIRST = "from typing import Any; ANYTHING: Any = None"


@dataclass(frozen=True)
class Page:
    """Hold a page, its cells, and the files that are made of it in a folder."""

    path: Path
    cells: list[Source]
    folder: Path

    @property
    def name(self) -> str:
        """Return the name of its module."""
        return self.path.stem.replace("-", "_")

    @property
    def notebook(self) -> Path:
        """Return where its notebook lies."""
        return self.folder / f"{self.name}.ipynb"

    def write(self) -> None:
        """Write its notebook and its module."""
        notebook = nbformat.v4.new_notebook()
        for number, source in enumerate(self.cells):
            # The last line of a cell has no end, as Ruff formats it.
            cell = nbformat.v4.new_code_cell(source.text.rstrip("\n"))
            cell.id = f"cell-{number}"
            notebook.cells.append(cell)
        nbformat.write(notebook, self.notebook)
        module = self.folder / f"{self.name}.py"
        module.write_text(as_module(self.cells), encoding="utf-8")

    def put_back(self) -> bool:
        """Put the cells of its notebook into the page; return whether it changed."""
        notebook = nbformat.read(self.notebook, as_version=4)
        texts = iter(notebook.cells)
        before = self.path.read_text(encoding="utf-8")
        after = CELL.sub(lambda old: f"{old[1]}{next(texts).source}\n```", before)
        self.path.write_text(after, encoding="utf-8")
        return after != before


def as_module(sources: list[Source]) -> str:
    """Return the cells of a page as one module, each line at its place on the page."""
    lines = [FIRST]
    for source in sources:
        lines += [""] * (source.offset - len(lines))
        lines += names_only(source.text)
    return "\n".join(lines) + "\n"


def names_only(text: str) -> list[str]:
    """Return the lines of a cell; of a class of formulas only the names are left.

    The kernel reads such a class, a space of instances: what `x = real(0, 1)` and
    `Q = lambda x: x / 2` stand for there is nothing that a type could say.
    """
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if not isinstance(node, ast.ClassDef) or node.decorator_list:
            continue
        for inner in node.body:
            match inner:
                case ast.Assign(targets=[ast.Name(id=name)], end_lineno=int(last)):
                    first = inner.lineno - 1
                    lines[first:last] = [""] * (last - first)
                    lines[first] = f"    {name} = ANYTHING"
    return lines


def run(program: str, *arguments: str | Path) -> str:
    """Run a program of this environment; its being content or not is no error."""
    command = [sys.executable, "-m", program, *map(str, arguments)]
    answer = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if answer.returncode not in (0, 1):
        sys.exit(answer.stdout + answer.stderr)
    return answer.stdout


def lint(pages: list[Page]) -> list[str]:
    """Return what Ruff says of the cells, and of their format."""
    by_name = {page.notebook.name: page for page in pages}
    settings = ("--config", SETTINGS, *(page.notebook for page in pages))
    answer = run("ruff", "check", "--output-format", "json", *settings)
    lines = []
    for fault in json.loads(answer):
        page = by_name[Path(fault["filename"]).name]
        source = page.cells[fault["cell"] - 1]
        line = source.offset + fault["location"]["row"]
        lines.append(f"{page.path}:{line}: {fault['code']} {fault['message']}")
    answer = run("ruff", "format", "--check", *settings)
    for name in re.findall(r"(\w+\.ipynb)", answer):
        lines.append(f"{by_name[name].path}: is not in the house format: use --fix")
    return lines


def types(pages: list[Page]) -> list[str]:
    """Return what mypy says of the modules."""
    modules = [page.folder / f"{page.name}.py" for page in pages]
    settings = ROOT / "tools/cells.ini"
    cache = ROOT / ".mypy_cache/cells"
    answer = run("mypy", "--config-file", settings, "--cache-dir", cache, *modules)
    by_name = {page.name: page for page in pages}
    return [
        f"{by_name[Path(match['name']).name].path}:{match['line']}: {match['words']}"
        for match in MESSAGE.finditer(answer.replace(f"{pages[0].folder}/", ""))
    ]


def main() -> int:
    """Return 1 where a cell is not as the house wants it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="all pages by default")
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    options = parser.parse_args()
    paths = options.pages or sorted((ROOT / "notebooks").glob("*.md"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        pages = [Page(path, list(cells(path)), folder) for path in paths]
        for page in pages:
            page.write()
        if options.fix:
            notebooks = [page.notebook for page in pages]
            run("ruff", "check", "--fix", "--config", SETTINGS, *notebooks)
            run("ruff", "format", "--config", SETTINGS, *notebooks)
            for page in pages:
                if page.put_back():
                    print(f"mended: {page.path}")
            return 0
        messages = lint(pages) + types(pages)
    print(*messages, f"{len(pages)} pages, {len(messages)} faults", sep="\n")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
