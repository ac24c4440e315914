"""Tests reach what others reach: no private name of a module of `src` or `tools`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository import ROOT

FOLDERS = ("src", "tools")
#: Calls that take the name of what they replace as a text.
REPLACERS = {"setattr", "delattr", "getattr", "hasattr"}


def is_private(name: str) -> bool:
    """Tell of names such as `_name`; `_repr_html_` and `__init__` are protocols."""
    return name.startswith("_") and not name.endswith("_")


def defined(tree: ast.AST) -> Iterator[str]:
    """Give the names that a module binds, and the attributes of its own classes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def own_names() -> set[str]:
    """Return the private names of modules, and of what is in them."""
    names = set()
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            names |= {path.stem, *defined(ast.parse(path.read_text(encoding="utf-8")))}
    return set(filter(is_private, names))


def reached(tree: ast.AST) -> Iterator[str]:
    """Give the names that a test imports, asks an object for, or replaces."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                yield from module.split(".")
                yield from (alias.name for alias in names)
            case ast.Import(names=names):
                for alias in names:
                    yield from alias.name.split(".")
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass  # an attribute of a class of the tests
            case ast.Attribute(attr=name):
                yield name
            case ast.Call(func=ast.Attribute(attr=call) | ast.Name(id=call), args=args):
                if call in REPLACERS:
                    yield from named(args[:2])


def named(arguments: list[ast.expr]) -> Iterator[str]:
    for argument in arguments:
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield from argument.value.split(".")


OWN = own_names()
TESTS = sorted((ROOT / "tests").rglob("*.py"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_a_test_reaches_no_private_name(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert set(reached(tree)) & OWN == set()


@pytest.mark.parametrize(
    "text",
    [
        "from mollified._validate import check_eps",
        "import mollified._validate",
        "from mollified.privacy.register import _File",
        "register._store.add(['a'])",
        "monkeypatch.setattr(register, '_File', None)",
        "monkeypatch.setattr('mollified.privacy.register._File', None)",
        "getattr(register, '_store')",
    ],
)
def test_private_names_are_seen_wherever_they_are_reached(text):
    assert set(reached(ast.parse(text))) & OWN


@pytest.mark.parametrize(
    "text", ["self._store = 1", "figure._repr_mimebundle_()", "'_store'", "x.__dict__"]
)
def test_own_attributes_protocols_and_texts_are_let_pass(text):
    assert not set(reached(ast.parse(text))) & OWN
