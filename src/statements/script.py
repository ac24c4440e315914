r"""Write a counterexample as Python that stands alone: it needs python-flint and nothing of this package.

The texts of the statement, its hypotheses, quantities and helpers are copied as they are decided, under a few lines of
ball arithmetic, `alone.txt`. It asserts every hypothesis, and that the statement fails.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import TopologicalSorter
from importlib import resources
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from statements.arithmetic import Number
from statements.reading import BUILTINS, SourceError, Unit, resolve, rewritten

__all__ = ["script"]


def _text(unit: Unit, called: str) -> str:
    tree = rewritten(unit)
    tree.name = called
    own = set(unit.function.__code__.co_varnames)
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not node.id.startswith("_") and node.id not in own | set(unit.helpers):
            value = resolve(unit.function, node.id)
            ours = isinstance(value, FunctionType) and value.__module__ in ("statements.functions", "statements.space")
            if value is not None and not ours and not isinstance(value, BuiltinFunctionType | type):
                raise SourceError(f"{unit.called} uses {node.id}, which is not written out")
            if value in (max, min):
                node.id = BUILTINS[node.id].__name__
    return ast.unparse(tree) + "\n\n\n"


def _literal(value: Any) -> str:
    if isinstance(value, Number):
        return f"fmpq({int(value.value.p)}, {int(value.value.q)})"
    return str(value) if isinstance(value, int) else "V([" + ", ".join(map(_literal, value)) + "])"


def script(problem: Any, given: Mapping[str, Any], *, by_hand: bool) -> str:
    """Return the source of a check of one instance: what is `given`, or the text that gives it, the example by hand.

    Raises SourceError where a text calls what is neither of this package nor one of its helpers.
    """
    used = problem.used()
    helpers, quantities = ({name: unit for name, unit, helper in used if helper is kind} for kind in (True, False))
    if len(helpers) + len(quantities) < len(used):
        raise SourceError("two functions have one name")
    parts = [resources.files("statements").joinpath("alone.txt").read_text(encoding="utf-8"), "\n\n"]
    parts += [_text(unit, name) for name, unit in helpers.items()]
    parts += [_text(problem.example, "example")] if by_hand else []
    for name, value in given.items():
        said = f"V(example()[{name!r}])" if isinstance(value, np.ndarray) else f"example()[{name!r}]"
        parts.append(f"{name} = {said if by_hand else _literal(value)}\n")
    needs = {name: [key for key in unit.parameters if key in quantities] for name, unit in quantities.items()}
    for name in TopologicalSorter(needs).static_order():
        unit = quantities[name]
        parts.append(f"\n\n{_text(unit, f'make_{name}')}{name} = make_{name}({', '.join(unit.parameters)})\n")
    for unit in problem.hypotheses:
        parts.append(f"\n\n{_text(unit, 'hypothesis')}assert hypothesis({', '.join(unit.parameters)})\n")
    unit = problem.statement
    parts.append(f"\n\n{_text(unit, 'statement')}found = statement({', '.join(unit.parameters)})\n")
    return "".join([*parts, "assert not (all(found) if isinstance(found, tuple) else found)\n"])
