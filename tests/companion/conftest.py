"""The toy book, made once for all processes of a run."""

import shutil

import pytest
from filelock import FileLock

from companion.paths import Layout
from tests.companion.toy import command, make_book


@pytest.fixture(scope="session")
def toy(shared):
    """The toy book with accepted data, built: made by the first process that asks.
    Tests work on copies.
    """
    root = shared / "toy" / "book"
    with FileLock(shared / "toy.lock"):
        if not (shared / "toy" / "done").exists():
            make_book(root)
            accepted = command(root, "accept", "--why", "first of all")
            assert accepted.returncode == 0, accepted.stderr
            built = command(root, "build")
            assert built.returncode == 0, built.stdout + built.stderr
            (shared / "toy" / "done").write_text(built.stdout, encoding="utf-8")
    return root


@pytest.fixture
def layout(tmp_path):
    """A toy book as it is written, neither accepted nor built."""
    return Layout(make_book(tmp_path))


@pytest.fixture
def book(toy, tmp_path):
    """A copy of the toy book, with its build."""
    return Layout(shutil.copytree(toy, tmp_path / "book"))


@pytest.fixture
def accepted(toy, tmp_path):
    """A copy of the toy book with accepted data, not yet built."""
    return shutil.copytree(
        toy, tmp_path / "book", ignore=shutil.ignore_patterns("_build")
    )
