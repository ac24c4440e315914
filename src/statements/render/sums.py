r"""Write sums, products, quotients and powers: terms and factors stand as they are written, quotients have one bar."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from statements.render import functions
from statements.render.lines import Made, Parts, joined
from statements.render.loops import Unset, called
from statements.render.shapes import NUMBER
from statements.render.symbols import (
    FREE,
    POWER,
    PRODUCT,
    REACHING,
    SIGNED,
    SUM,
    Symbol,
    between,
    bracketed,
    script,
)

from statements.render.symbols import ATOM  # isort: skip

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Factors above and below a bar.
Bar = tuple[list[ast.expr], list[ast.expr]]


def _is(node: Any, *operations: type[ast.operator]) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, operations)


def _minus(node: Any) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def nothing(node: Any) -> bool:
    """Tell whether a term is `0 * x`, which only makes a vector of a list."""
    return (
        _is(node, ast.Mult)
        and isinstance(node.left, ast.Constant)
        and node.left.value == 0
    )


def _merged(bars: list[Bar]) -> Bar:
    """Return one quotient for a product of them; a factor 1 is left out."""
    above = [x for over, _ in bars for x in over]
    other = [x for x in above if not (isinstance(x, ast.Constant) and x.value == 1)]
    return other or above[:1], [x for _, under in bars for x in under]


def added(writer: Formula, node: Any, at: str) -> Made:
    """Write a sum of terms; a maximum that is not the last one is in brackets."""
    terms = [
        (sign, item) for sign, item in _terms(writer, node) if not nothing(item)
    ] or [("", ast.Constant(0))]
    if len(terms) == 1:
        sign, item = terms[0]
        return (
            ("-" + writer.text(item, REACHING, at), SIGNED)
            if sign == "-"
            else writer.made(item, at)
        )
    parts: list[tuple[str, Parts]] = []
    for k, (sign, item) in enumerate(terms):
        made, binds = writer.made(item, at)
        text = joined(made)
        if binds == SIGNED and sign == "+":
            sign, text, binds = "-", text[1:], PRODUCT
        open_ended = (
            binds == REACHING
            and k < len(terms) - 1
            and not text.startswith((r"\sum", r"\prod"))
        )
        loose = binds < REACHING and (
            k > 0 or sign or binds < SUM or _is(item, ast.Mod)
        )
        parts.append(
            (
                f" {sign or '+'} " if k else sign,
                bracketed(text) if loose or open_ended else text,
            )
        )
    return parts, SUM


def _terms(writer: Formula, node: Any) -> Iterator[tuple[str, Any]]:
    """Give the terms of a sum, each with its sign, "" for the first; those in brackets stay one term."""
    if _is(node, ast.Add, ast.Sub):
        _no_lists(writer, node)
        yield from _terms(writer, node.left)
        added = isinstance(node.op, ast.Add) and _minus(node.right)
        yield (
            "-" if added or isinstance(node.op, ast.Sub) else "+",
            node.right.operand if added else node.right,
        )
    elif _minus(node) and called(node.operand)[0] == "expm1":
        yield from _terms(
            writer,
            ast.BinOp(
                ast.Constant(1), ast.Sub(), functions.call("exp", *node.operand.args)
            ),
        )
    elif _minus(node):
        yield "-", node.operand
    else:
        yield "", node


def _no_lists(writer: Formula, node: ast.BinOp) -> None:
    """Refuse what is no arithmetic: two lists that are put together, or one that is repeated."""
    shapes = [
        shape
        for shape in (writer.shape(node.left), writer.shape(node.right))
        if shape and shape.levels
    ]
    if any(shape.listed for shape in shapes) and all(shape.listed for shape in shapes):
        raise Unset("lists are put together")


def multiplied(writer: Formula, node: Any, at: str) -> Made:
    """Write a product; in what stands small it has one slash."""
    bars = _bars(writer, node)
    above = bars[0][0]
    negative = _minus(above[0])
    if negative:
        above[0] = above[0].operand  # type: ignore[attr-defined]
    if writer.small and any(below for _, below in bars):
        bars = [_merged(bars)]
    texts = [
        _quotient(writer, *bar, at, last=k == len(bars) - 1)
        for k, bar in enumerate(bars)
    ]
    parts: list[tuple[str, Parts]] = [("-" * negative, texts[0])]
    parts += [(between(left, right), right) for left, right in pairwise(texts)]
    level = POWER if len(bars) == 1 and bars[0][1] and not writer.small else PRODUCT
    return parts, SIGNED if negative else level


def _bars(writer: Formula, node: Any) -> list[Bar]:
    """Return factors as they stand; what is divided twice, and what is divided after a quotient, has one bar."""
    name, given, _ = called(node)
    if name in functions.QUOTIENTS and name not in writer.terms and len(given) == 2:
        node = functions.QUOTIENTS[name](*given)
    if _is(node, ast.Mult):
        _no_lists(writer, node)
        one = (
            isinstance(node.left, ast.Constant) and repr(node.left.value) == "1.0"
        )  # which makes a float
        return [
            bar
            for part in ([] if one else [node.left]) + [node.right]
            for bar in _bars(writer, part)
        ]
    if _is(node, ast.Div):
        if _is(node.left, ast.Div) and _is(node.right, ast.Div):
            return [([node.left], [node.right])]
        return [_merged([*_bars(writer, node.left), ([], [node.right])])]
    return [([node], [])]


def _quotient(
    writer: Formula, above: list[ast.expr], below: list[ast.expr], at: str, last: bool
) -> str:
    if not below:
        return writer.text(above[0], REACHING if last else POWER, at)
    if writer.small:
        under = _chain(writer, below, at, POWER)
        return f"{_chain(writer, above, at, POWER)}/{under if len(below) == 1 else bracketed(under)}"
    with writer.smaller():
        return rf"\frac{{{_chain(writer, above, at, REACHING)}}}{{{_chain(writer, below, at, REACHING)}}}"


def _chain(writer: Formula, nodes: list[ast.expr], at: str, level: int) -> str:
    """Return a product; one factor alone under a bar needs no brackets."""
    if len(nodes) == 1:
        return writer.text(nodes[0], FREE if level == REACHING else level, at)
    texts = [writer.text(node, POWER, at) for node in nodes[:-1]] + [
        writer.text(nodes[-1], level, at)
    ]
    return texts[0] + "".join(
        between(left, right) + right for left, right in pairwise(texts)
    )


def raised(writer: Formula, node: ast.BinOp, at: str) -> Made:
    """Write a power."""
    _no_lists(writer, node)
    power = writer.little(node.right, at=at)
    if isinstance(node.left, ast.Name | ast.Subscript):
        base = writer.at(node.left, "" if writer.shape(node.left) == NUMBER else at)
        if isinstance(base.made, Symbol):
            return base.made.tex(power), POWER
    return writer.text(node.left, ATOM, at) + script("^", power), POWER
