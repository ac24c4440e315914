r"""Write a counterexample as Python that stands alone: it needs python-flint and nothing of this package.

The texts of the statement, its hypotheses, quantities and helpers are copied as they are decided, under a few lines of
ball arithmetic, `alone.txt`. It asserts every hypothesis, and that the statement fails.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from importlib import resources
from types import BuiltinFunctionType, FunctionType
from typing import Any

from statements.arithmetic import Number, mode
from statements.reading import BUILTINS, Unit, resolve, rewritten
from statements.space import Raw

__all__ = ["NoScript", "script"]


class NoScript(ValueError):
    """Say that a text calls what cannot be written out."""


def _text(unit: Unit, called: str) -> str:
    tree = rewritten(unit, unit.tree)
    tree.name = called
    own = set(unit.function.__code__.co_varnames)
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not node.id.startswith("_") and node.id not in own | set(unit.helpers):
            value = resolve(unit.function, node.id)
            ours = isinstance(value, FunctionType) and value.__module__ in ("statements.functions", "statements.space")
            if value is not None and not ours and not isinstance(value, BuiltinFunctionType | type):
                raise NoScript(f"{unit.called} uses {node.id}, which is not written out")
            if value in (max, min):
                node.id = BUILTINS[node.id].__name__
    return ast.unparse(tree) + "\n\n\n"


def _literal(value: Any) -> str:
    if isinstance(value, Number):
        return f"fmpq({int(value.value.p)}, {int(value.value.q)})"
    return str(value) if isinstance(value, int) else "V([" + ", ".join(map(_literal, value)) + "])"


def script(problem: Any, raws: Mapping[str, Raw], example: Unit | None = None, given: Any = ()) -> str:
    """Return the source of a check of one instance: raw numbers, or a text `example` that says what is `given`.

    Raises NoScript where a text calls what is neither of this package nor one of its helpers.
    """
    helpers: dict[str, Unit] = {}
    quantities: dict[str, Unit] = {}

    def need(unit: Unit, names: Sequence[str]) -> None:
        for name, helper in unit.helpers.items():
            if helpers.setdefault(name, helper) is not helper:
                raise NoScript(f"two functions are called {name}")
            need(helper, ())
        for name in names:
            if name in problem.quantities and name not in quantities:
                need(problem.quantities[name], problem.quantities[name].parameters)
                quantities[name] = problem.quantities[name]

    for unit in (*problem.hypotheses, problem.statement):
        need(unit, unit.parameters)
    parts = [resources.files("statements").joinpath("alone.txt").read_text(encoding="utf-8"), "\n\n"]
    parts += [_text(unit, name) for name, unit in helpers.items()]
    if example is not None:
        parts.append(_text(example, "example"))
        vectors = {name for name, item in problem.space.coordinates.items() if item.vector}
        parts += [f"{n} = {'V(' * (n in vectors)}example()[{n!r}]{')' * (n in vectors)}\n" for n in given]
    with mode("exact"):
        parts += [f"{name} = {_literal(value)}\n" for name, value in problem.space.exact(raws).items()]
    for name, unit in quantities.items():
        parts.append(f"\n\n{_text(unit, f'make_{name}')}{name} = make_{name}({', '.join(unit.parameters)})\n")
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert hypothesis({', '.join(unit.parameters)})\n")
    unit = problem.statement
    parts.append(f"\n\n{_text(unit, 'statement')}found = statement({', '.join(unit.parameters)})\n")
    return "".join([*parts, "assert not (all(found) if isinstance(found, tuple) else found)\n"])
