"""Counterexamples that the kernel wrote out: each is a program that needs python-flint alone, and of this book.

`generated/<page>/<claim>.<call>.py` is what the page keeps in `scripts/` of its run, without the arithmetic at the head
of each, `statements/alone.txt`; copy it when a claim changes.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAD = (ROOT / "src" / "statements" / "alone.txt").read_text(encoding="utf-8") + "\n\n"
SCRIPTS = sorted((Path(__file__).parent / "generated").glob("*/*.py"))


def whole(path):
    """Return a kept program with the arithmetic that all of them begin with."""
    return HEAD + path.read_text(encoding="utf-8")


def run(source, folder):
    path = folder / "alone.py"
    path.write_text(source, encoding="utf-8")
    return subprocess.run([sys.executable, "-I", str(path)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_counterexample_stands_alone_and_could_fail(path, tmp_path):
    source = whole(path)
    imported = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imported}
    assert names <= {"flint", "fractions", "math", "operator"}
    assert run(source, tmp_path).returncode == 0
    assert source.count("assert not (") == 1
    assert "AssertionError" in run(source.replace("assert not (", "assert ("), tmp_path).stderr


@pytest.mark.slow
def test_the_pages_write_the_programs_that_are_kept_here(executed, tmp_path):
    """The same ones; on another processor a search may end at another example, and then that one stands as well."""
    written = {
        (page, path.name): path.read_text(encoding="utf-8")
        for page, entry in executed.items()
        for path in sorted((entry.run / "scripts").glob("*.py"))
    }
    kept = {(path.parent.name, path.name): whole(path) for path in SCRIPTS}
    assert set(kept) == set(written)
    assert [name for name, text in written.items() if kept[name] != text and run(text, tmp_path).returncode] == []
