"""The shape of an expression, from the shapes of the names in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from statements.arithmetic import FUNCTIONS
from statements.render.loops import Nodes, loop
from statements.render.shapes import (
    NUMBER,
    RANGE,
    RESULT,
    MaybeShape,
    alike,
    entrywise,
    inside,
    several,
    widest,
)
from statements.rewrite import resolve

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Functions that act on each entry of a vector, and those that give a number.
EACH = {"abs", "xlog", "normal_tail", "floor", "ceil", *FUNCTIONS}
ONE = {"E", "len", "factorial", "comb", "isqrt", "all", "any", "Fraction"}
#: A number outside a text is written out where it has fewer signs.
LONG = 9


def number(writer: Formula, name: str) -> int | float | None:
    """Return the number that a name outside a text stands for.

    It is None where the name stands for no number, or for a long one.
    """
    value = resolve(writer.unit.function, name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and len(str(value)) < LONG else None


def _outside(writer: Formula, name: str) -> MaybeShape:
    """Return the shape of what a name outside a text stands for."""
    if isinstance(resolve(writer.unit.function, name), range):
        return RANGE
    if name == "pi" or number(writer, name) is not None:
        return NUMBER
    return None


def shape(writer: Formula, node: ast.AST) -> MaybeShape:
    """Return the shape of an expression, None where it is not known."""
    match node:
        case ast.Name(id=name) if name in writer.terms:
            return writer.terms[name].shape
        case ast.Name(id=name):
            return _outside(writer, name)
        case ast.Constant(value=int() | float()) | ast.Compare():
            return NUMBER
        case ast.BinOp(left=left, right=right):
            return _widest(writer, [left, right])
        case ast.UnaryOp(operand=operand):
            return shape(writer, operand)
        case ast.IfExp(body=yes, orelse=no):
            return _widest(writer, [yes, no])
        case ast.Call():
            return _result(writer, node)
    return _part(writer, node)


def _widest(writer: Formula, nodes: Nodes) -> MaybeShape:
    return widest([shape(writer, node) for node in nodes])


def _part(writer: Formula, node: ast.AST) -> MaybeShape:
    """Return the shape of a list, or of a part of one."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice()):
            return shape(writer, value)
        case ast.Subscript(value=value):
            return inside(shape(writer, value))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return several(alike([shape(writer, part) for part in parts]))
        case (
            ast.ListComp(generators=loops, elt=each)
            | ast.GeneratorExp(generators=loops, elt=each)
        ):
            with writer.scope():
                loop(writer, loops)
                return several(shape(writer, each))
    return None


def _result(writer: Formula, node: ast.Call) -> MaybeShape:
    """Return the shape of what a call gives."""
    match node:
        case ast.Call(func=ast.Attribute(attr="array"), args=[argument]):
            return entrywise(shape(writer, argument))
        case ast.Call(func=ast.Name(id=name)):
            if name in writer.unit.uses and name not in writer.unit.parameters:
                if writer.shapes is None:
                    return NUMBER
                return writer.shapes.seen.get((writer.unit.uses[name], RESULT))
            if name not in writer.terms:
                return _known(writer, name, node.args)
    return None


def _known(
    writer: Formula,
    name: str,
    arguments: Nodes,
) -> MaybeShape:
    """Return the shape of what a function of the house or of Python gives."""
    extreme = name in ("max", "min")
    if name in EACH or (extreme and len(arguments) > 1):
        return _widest(writer, arguments)
    if extreme or name in ("sum", "prod"):
        return entrywise(inside(shape(writer, arguments[0])))
    if name == "range":
        return RANGE
    if name in ONE:
        return NUMBER
    return None
