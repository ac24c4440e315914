r"""Write sums, products, quotients and powers.

Terms and factors stand as they are written, quotients have one bar.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard

from statements.render import functions
from statements.render.lines import Pieces, Typeset, joined
from statements.render.loops import Node, Nodes, Unset, called
from statements.render.shapes import NUMBER
from statements.render.symbols import (
    ATOM,
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
from statements.rewrite import call

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Factors above and below a bar.
Bar = tuple[list[Node], list[Node]]
#: Sums whose signs do not reach beyond a plus behind them.
CLOSED = (r"\sum", r"\prod")


def _is(node: Node, *operations: type[ast.operator]) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, operations)


def _minus(node: Node) -> TypeGuard[ast.UnaryOp]:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def nothing(node: Node) -> bool:
    """Tell whether a term is `0 * x`, which only makes a vector of a list."""
    match node:
        case ast.BinOp(ast.Constant(value=0), ast.Mult()):
            return True
    return False


def _merged(bars: Sequence[Bar]) -> Bar:
    """Return one quotient for a product of them; a factor 1 is left out."""
    above: list[Node] = []
    below: list[Node] = []
    for over, under in bars:
        above += over
        below += under
    other = [x for x in above if not (isinstance(x, ast.Constant) and x.value == 1)]
    return other or above[:1], below


def added(
    writer: Formula,
    node: Node,
    at: str,
) -> Typeset:
    """Write a sum of terms; a maximum that is not the last one is in brackets."""
    terms = [term for term in _terms(writer, node) if not nothing(term[1])]
    if not terms:
        terms = [("", ast.Constant(0))]
    if len(terms) > 1:
        last = len(terms) - 1
        parts: Pieces = []
        for k, (sign, item) in enumerate(terms):
            parts.append(_term(writer, sign, item, at, first=k == 0, last=k == last))
        return parts, SUM
    sign, item = terms[0]
    if sign == "-":
        return "-" + writer.text(item, REACHING, at), SIGNED
    return writer.write(item, at)


def _term(
    writer: Formula,
    sign: str,
    item: Node,
    at: str,
    *,
    first: bool,
    last: bool,
) -> tuple[str, str]:
    """Return the sign before a term of a sum, and the term, perhaps in brackets."""
    parts, binds = writer.write(item, at)
    text = joined(parts)
    if binds == SIGNED and sign == "+":  # what is added has a minus itself
        sign = "-"
        text = text[1:]
        binds = PRODUCT
    if binds == REACHING:
        alone = last or text.startswith(CLOSED)
    else:
        alone = binds > REACHING or (first and not sign and _leads(item, binds))
    if not alone:
        text = bracketed(text)
    if not first:
        sign = f" {sign} "
    return sign, text


def _leads(item: Node, binds: int) -> bool:
    """Tell whether the first term of a sum needs no brackets."""
    return binds >= SUM and not _is(item, ast.Mod)


def _terms(writer: Formula, node: Node) -> Iterator[tuple[str, Node]]:
    """Give the terms of a sum, each with its sign, "" for the first.

    Those in brackets stay one term.
    """
    if _is(node, ast.Add, ast.Sub):
        _no_lists(writer, node)
        yield from _terms(writer, node.left)
        yield _signed(node.op, node.right)
    elif _minus(node) and called(node.operand)[0] == "expm1":
        power = call("exp", *called(node.operand)[1])
        yield from _terms(writer, ast.BinOp(ast.Constant(1), ast.Sub(), power))
    elif _minus(node):
        yield "-", node.operand
    else:
        yield "", node


def _signed(operation: ast.operator, right: Node) -> tuple[str, Node]:
    """Return the sign of the right term of a sum or difference, and the term."""
    if isinstance(operation, ast.Sub):
        return "-", right
    if _minus(right):
        return "-", right.operand
    return "+", right


def _no_lists(writer: Formula, node: ast.BinOp) -> None:
    """Refuse what is no arithmetic: lists that are put together, or repeated."""
    shapes = (writer.shape(node.left), writer.shape(node.right))
    vectors = [shape for shape in shapes if shape and shape.levels]
    if vectors and all(shape.listed for shape in vectors):
        raise Unset("lists are put together")


def multiplied(
    writer: Formula,
    node: Node,
    at: str,
) -> Typeset:
    """Write a product; in what stands small it has one slash."""
    bars = _bars(writer, node)
    sign = _taken_sign(bars[0][0])
    if writer.small and any(below for _, below in bars):
        bars = [_merged(bars)]
    texts = [_quotient(writer, *bar, at, last=bar is bars[-1]) for bar in bars]
    parts: Pieces = [(sign, texts[0])]
    for left, right in pairwise(texts):
        parts.append((between(left, right), right))
    if sign:
        return parts, SIGNED
    if len(bars) == 1 and bars[0][1] and not writer.small:
        return parts, POWER
    return parts, PRODUCT


def _taken_sign(factors: list[Node]) -> str:
    """Take the minus of the first factor away, and return it, "" where it has none."""
    first = factors[0]
    if not _minus(first):
        return ""
    factors[0] = first.operand
    return "-"


def _operation(writer: Formula, node: Node) -> Node:
    """Return the product or quotient that a function stands for."""
    name, arguments, _ = called(node)
    if name in writer.terms or name not in functions.QUOTIENTS or len(arguments) != 2:
        return node
    return functions.QUOTIENTS[name](*arguments)


def _bars(writer: Formula, node: Node) -> list[Bar]:
    """Return factors as they stand.

    What is divided twice, and what is divided after a quotient, has one bar.
    """
    node = _operation(writer, node)
    if _is(node, ast.Mult):
        _no_lists(writer, node)
        bars = _bars(writer, node.right)
        if _makes_float(node.left):
            return bars
        return _bars(writer, node.left) + bars
    if _is(node, ast.Div):
        if _is(node.left, ast.Div) and _is(node.right, ast.Div):
            return [([node.left], [node.right])]
        return [_merged([*_bars(writer, node.left), ([], [node.right])])]
    return [([node], [])]


def _makes_float(node: Node) -> bool:
    """Tell whether a factor is 1.0, which only makes a float."""
    return isinstance(node, ast.Constant) and repr(node.value) == "1.0"


def _quotient(
    writer: Formula,
    above: Nodes,
    below: Nodes,
    at: str,
    last: bool,
) -> str:
    if not below:
        return writer.text(above[0], REACHING if last else POWER, at)
    if writer.small:
        under = _chain(writer, below, at, POWER)
        if len(below) > 1:
            under = bracketed(under)
        return f"{_chain(writer, above, at, POWER)}/{under}"
    with writer.smaller():
        over = _chain(writer, above, at, REACHING)
        under = _chain(writer, below, at, REACHING)
        return rf"\frac{{{over}}}{{{under}}}"


def _chain(
    writer: Formula,
    nodes: Nodes,
    at: str,
    level: int,
) -> str:
    """Return a product; one factor alone under a bar needs no brackets."""
    *others, last = nodes
    if not others:
        return writer.text(last, FREE if level == REACHING else level, at)
    texts = [writer.text(node, POWER, at) for node in others]
    texts.append(writer.text(last, level, at))
    product = texts[0]
    for left, right in pairwise(texts):
        product += between(left, right) + right
    return product


def raised(
    writer: Formula,
    node: ast.BinOp,
    at: str,
) -> Typeset:
    """Write a power."""
    _no_lists(writer, node)
    power = writer.little(node.right, at=at)
    if isinstance(node.left, ast.Name | ast.Subscript):
        is_number = writer.shape(node.left) == NUMBER
        base = writer.at(node.left, "" if is_number else at).formula
        if isinstance(base, Symbol):
            return base.tex(power), POWER
    return writer.text(node.left, ATOM, at) + script("^", power), POWER
