"""Write a counterexample as Python that stands alone, from the text that is checked.

A script needs python-flint alone: under a few lines of ball arithmetic, `alone.txt`, it
has all texts as they are decided, and asserts every hypothesis, and that the statement
fails.
"""

import ast
from collections.abc import Mapping
from importlib import resources
from types import BuiltinFunctionType, FunctionType

from statements.arithmetic import Number, Value
from statements.problem import Problem
from statements.rewrite import (
    ALIAS,
    SourceError,
    Unit,
    names,
    resolve,
    rewritten,
    stored,
)


def _text(unit: Unit, called: str) -> str:
    """Return a text as a function; raise SourceError for a name without meaning."""
    tree = rewritten(unit)
    tree.name = called
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = node.id.removeprefix(ALIAS)
    own = {*unit.function.__code__.co_varnames, *unit.uses, *stored(tree)}
    for name in names(tree) - own:
        if not _is_known(resolve(unit.function, name)):
            raise SourceError(f"{unit.called} uses {name}, which is not written out")
    return ast.unparse(tree) + "\n\n\n"


def _is_known(value: object) -> bool:
    """Tell whether a script knows what a name means: Python's and the kernel's own."""
    if value is None or isinstance(value, BuiltinFunctionType | type):
        return True
    kernel = "statements.arithmetic"
    return isinstance(value, FunctionType) and value.__module__ == kernel


def _literal(value: Value) -> str:
    if isinstance(value, Number):
        return f"fmpq({int(value.value.p)}, {int(value.value.q)})"
    if isinstance(value, int):
        return str(value)
    return "V([" + ", ".join(map(_literal, value)) + "])"


def script(problem: Problem, instance: Mapping[str, Value] | None) -> str:
    """Return the source of a check of one instance, by default the example by hand.

    Raises SourceError where a text calls what is neither of this package nor one of its
    helpers.
    """
    used = problem.used()
    if len({(use.name, use.helper) for use in used}) < len(used):
        raise SourceError("two functions have one name")
    head = resources.files("statements").joinpath("alone.txt")
    parts = [head.read_text(encoding="utf-8"), "\n\n"]
    for use in used:
        called = use.name if use.helper else f"make_{use.name}"
        parts.append(_text(use.unit, called))
    if instance is not None:
        for name, value in instance.items():
            parts.append(f"_values[{name!r}] = {_literal(value)}\n")
    elif problem.example is not None:
        parts += [_text(problem.example, "example"), "_given(example())\n"]
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert _value(hypothesis)\n")
    statement = _text(problem.statement, "statement")
    parts.append(f"\n\n{statement}found = _value(statement)\n")
    parts.append("assert not (all(found) if isinstance(found, tuple) else found)\n")
    return "".join(parts)
