"""The shape of an expression, from the shapes of the names in it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from statements.render.loops import loop
from statements.render.shapes import NUMBER, RESULT, Shape, inside, several, widest
from statements.rewrite import resolve

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Functions that act on each entry of a vector, and those that give a number.
EACH = {
    "log",
    "log1p",
    "exp",
    "expm1",
    "sqrt",
    "cosh",
    "sinh",
    "tanh",
    "arctanh",
    "erfc",
    "sin",
    "cos",
    "abs",
    "xlog",
}
EACH |= {"normal_tail", "floor", "ceil"}
ONE = {"E", "len", "factorial", "comb", "isqrt", "all", "any", "Fraction"}


def number(writer: Formula, name: str) -> Any:
    """Return the number that a name outside a text stands for, None where it is none or long."""
    value = resolve(writer.unit.function, name)
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return value if plain and len(str(value)) < 9 else None


def _outside(writer: Formula, name: str) -> Shape | None:
    """Return the shape of what a name outside a text stands for."""
    if isinstance(resolve(writer.unit.function, name), range):
        return Shape((False,), span=True)
    return NUMBER if name == "pi" or number(writer, name) is not None else None


def shape(writer: Formula, node: Any) -> Shape | None:
    """Return the shape of an expression, None where it is not known."""
    match node:
        case ast.Name(id=name):
            return (
                writer.terms[name].shape
                if name in writer.terms
                else _outside(writer, name)
            )
        case ast.Constant(value=int() | float()) | ast.Compare():
            return NUMBER
        case ast.BinOp(left=left, right=right):
            return widest([shape(writer, left), shape(writer, right)])
        case ast.UnaryOp(operand=operand):
            return shape(writer, operand)
        case ast.IfExp(body=yes, orelse=no):
            return widest([shape(writer, yes), shape(writer, no)])
        case ast.Subscript(value=value, slice=ast.Slice()):
            return shape(writer, value)
        case ast.Subscript(value=value):
            return inside(shape(writer, value))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            shapes = [shape(writer, part) for part in parts]
            same = len({one and len(one.levels) for one in shapes}) == 1
            return several(widest(shapes)) if same else None
        case (
            ast.ListComp(generators=loops, elt=each)
            | ast.GeneratorExp(generators=loops, elt=each)
        ):
            with writer.scope():
                loop(writer, loops)
                return several(shape(writer, each))
        case ast.Call(func=ast.Name(id=name), args=given):
            return _result(writer, name, given)
        case ast.Call(func=ast.Attribute(attr="array"), args=[given]):
            found = shape(writer, given)
            return found and Shape((True,) * len(found.levels))
    return None


def _result(writer: Formula, name: str, given: Sequence[ast.expr]) -> Shape | None:
    """Return the shape of what a function gives."""
    if name in writer.unit.uses and name not in writer.unit.parameters:
        return (
            writer.shapes.seen.get((writer.unit.uses[name], RESULT))
            if writer.shapes
            else NUMBER
        )
    if name in writer.terms:
        return None
    if name in EACH or (name in ("max", "min") and len(given) > 1):
        return widest([shape(writer, item) for item in given])
    if name in ("sum", "prod", "max", "min"):
        found = inside(shape(writer, given[0]))
        return found and Shape((True,) * len(found.levels))
    if name == "range":
        return Shape((False,), span=True)
    return NUMBER if name in ONE else None
