"""Write a counterexample as Python that stands alone, from the text that is checked.

A script needs python-flint alone: under a few lines of ball arithmetic, `alone.txt`, it
has all texts as they are decided, and asserts every hypothesis, and that the statement
fails.
"""

import ast
from collections.abc import Mapping
from importlib import resources
from types import BuiltinFunctionType, FunctionType
from typing import Any

from statements.arithmetic import Number
from statements.rewrite import ALIAS, SourceError, Unit, names, resolve, rewritten


def _text(unit: Unit, called: str) -> str:
    tree = rewritten(unit)
    tree.name = called
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = node.id.removeprefix(ALIAS)
    own = {*unit.function.__code__.co_varnames, *unit.uses}
    own |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for key in names(tree) - own:
        value = resolve(unit.function, key)
        ours = (
            isinstance(value, FunctionType)
            and value.__module__ == "statements.arithmetic"
        )
        if (
            value is not None
            and not ours
            and not isinstance(value, BuiltinFunctionType | type)
        ):
            raise SourceError(f"{unit.called} uses {key}, which is not written out")
    return ast.unparse(tree) + "\n\n\n"


def _literal(value: Any) -> str:
    if isinstance(value, Number):
        return f"fmpq({int(value.value.p)}, {int(value.value.q)})"
    return (
        str(value)
        if isinstance(value, int)
        else "V([" + ", ".join(map(_literal, value)) + "])"
    )


def script(problem: Any, given: Mapping[str, Any], *, by_hand: bool) -> str:
    """Return the source of a check of one instance: what is `given`, or the text that gives it, the example by hand.

    Raises SourceError where a text calls what is neither of this package nor one of its
    helpers.
    """
    used = problem.used()
    if len({(key, helper) for key, _, helper in used}) < len(used):
        raise SourceError("two functions have one name")
    parts = [
        resources.files("statements").joinpath("alone.txt").read_text(encoding="utf-8"),
        "\n\n",
    ]
    parts += [
        _text(unit, key if helper else f"make_{key}") for key, unit, helper in used
    ]
    if by_hand:
        parts += [_text(problem.example, "example"), "_given(example())\n"]
    else:
        parts += [
            f"_values[{key!r}] = {_literal(value)}\n" for key, value in given.items()
        ]
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert _value(hypothesis)\n")
    parts.append(
        f"\n\n{_text(problem.statement, 'statement')}found = _value(statement)\n"
    )
    return "".join(
        [*parts, "assert not (all(found) if isinstance(found, tuple) else found)\n"]
    )
