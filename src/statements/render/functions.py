r"""Write what a call gives.

Sums are sums, `xlog(p, q)` is p log q, and helpers have their arguments in brackets.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from statements.render.kinds import EACH
from statements.render.lines import Typeset, joined, separated, width
from statements.render.loops import Loop, Node, Nodes, Unset, ends, entry, loop, nonzero
from statements.render.symbols import (
    ATOM,
    FREE,
    FUNCTION,
    OR,
    POWER,
    REACHING,
    applied,
    bracketed,
    script,
    symbol,
)
from statements.rewrite import Unit, call, resolve

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Functions that stand before an argument, without brackets where that is a name.
NAMED = {
    "log": r"\log",
    "cosh": r"\cosh",
    "sinh": r"\sinh",
    "tanh": r"\tanh",
    "cos": r"\cos",
    "sin": r"\sin",
    "arctanh": r"\operatorname{artanh}",
}
#: Functions that stand before an argument in brackets.
BEFORE = {"normal_tail": r"\bar\Phi", "erfc": r"\operatorname{erfc}"}
#: Functions that stand around their arguments, in brackets that grow.
AROUND = {
    "abs": ("|", "|"),
    "floor": (r"\lfloor", r"\rfloor"),
    "ceil": (r"\lceil", r"\rceil"),
}
#: Functions that are a sign with places for arguments, how tightly these have to bind,
#: and how tightly it binds itself.
PLACED = {
    "len": (r"\#{}", ATOM, POWER),
    "factorial": ("{}!", ATOM, POWER),
    "sqrt": (r"\sqrt{{{}}}", FREE, ATOM),
    "comb": (r"\binom{{{}}}{{{}}}", FREE, ATOM),
}
OVER = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
EXTREMES = {"max", "min"}
#: What quantifiers say before a range, and between two.
QUANTIFIERS = {
    "all": (r"\text{ for all }", r"\text{ and all }"),
    "any": (r"\text{ for some }", r",\ "),
}
#: Where functions come from that have no name in a formula.
STANDARD = {
    "builtins",
    "itertools",
    "math",
    "numpy",
    "functools",
    "statements.proof",
    None,
}
#: Parts of a text that is made of arithmetic alone, but for its calls.
ARITHMETIC = (
    ast.Return,
    ast.BinOp,
    ast.UnaryOp,
    ast.Name,
    ast.Constant,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
)
#: The longest exponent of e, in letters M; a longer one is an argument of exp.
EXPONENT = 8.0
TALL_EXPONENT = re.compile(r"\\sum|\\begin|\\max|\\min")
#: What stands behind log without brackets, besides names and numbers.
ONE_BLOCK = re.compile(r"\\frac.*\}|\\mathbb.*\]")


#: Functions that are a product or a quotient, and others that are made of simpler ones.
QUOTIENTS: dict[str, Callable[..., Node]] = {
    "xlog": lambda x, y: ast.BinOp(x, ast.Mult(), call("log", y)),
    "Fraction": lambda a, b: ast.BinOp(a, ast.Div(), b),
}
MEANING: dict[str, Callable[..., Node]] = {
    "log1p": lambda x: call("log", ast.BinOp(ast.Constant(1), ast.Add(), x)),
    "expm1": lambda x: ast.BinOp(call("exp", x), ast.Sub(), ast.Constant(1)),
    "isqrt": lambda x: call("floor", call("sqrt", x)),
}


def write_call(
    writer: Formula,
    node: ast.Call,
    at: str,
) -> Typeset:
    """Return the formula of a call in its parts, and how tightly it binds."""
    match node.func:
        case ast.Attribute() as method:
            return _method(writer, node, method, at)
        case ast.Name(id=name):
            return _function(writer, name, node, at)
    return applied(writer.text(node.func, ATOM), _arguments(writer, node)), ATOM


def _function(
    writer: Formula,
    name: str,
    node: ast.Call,
    at: str,
) -> Typeset:
    """Write a function that is called by its name."""
    if name in writer.terms or name in writer.unit.uses:
        return _own(writer, node, name, at)
    if name in QUOTIENTS and len(node.args) == 2:
        return writer.write(QUOTIENTS[name](*node.args), at)
    if name in QUANTIFIERS or name in OVER:
        return _over(writer, name, node, at)
    if node.keywords or _has_star(node.args):
        raise Unset(f"{name} with arguments by name")
    if name == "range":
        return _set(writer, node.args), ATOM
    return _known(writer, name, node, at)


def _known(
    writer: Formula,
    name: str,
    node: ast.Call,
    at: str,
) -> Typeset:
    """Write a function that has a sign, or one that has its name."""
    if name in MEANING:
        return writer.write(MEANING[name](*node.args), at)
    match name:
        case "E":
            return _expectation(writer, *node.args), ATOM
        case "exp":
            return _exponential(writer, node.args[0], at)
    if name in PLACED:
        sign, level, binds = PLACED[name]
        texts = [writer.text(argument, level, at) for argument in node.args]
        return sign.format(*texts), binds
    if name in NAMED:
        return _named(writer, NAMED[name], node.args[0], at), FUNCTION
    if name in BEFORE:
        return applied(BEFORE[name], writer.text(node.args[0], at=at)), ATOM
    if name in AROUND:
        return _around(*AROUND[name], writer.text(node.args[0], at=at)), ATOM
    if not _has_name(resolve(writer.unit.function, name)):
        raise Unset(f"{name} is not set")
    return _own(writer, node, name, at)


def _has_name(function: object) -> bool:
    """Tell whether a function of a page is shown by its name."""
    if isinstance(function, type) or not callable(function):
        return False
    return getattr(function, "__module__", None) not in STANDARD


def _has_star(arguments: Nodes) -> bool:
    return any(isinstance(item, ast.Starred) for item in arguments)


def _around(
    opens: str,
    closes: str,
    inside: str,
) -> str:
    if bracketed(inside).startswith(r"\left"):
        opens = r"\left" + opens
        closes = r"\right" + closes
    text = f"{opens} {inside} {closes}"
    return text.replace("| ", "|").replace(" |", "|")


# Functions that are written by signs of their own


def _expectation(writer: Formula, law: Node, values: Node) -> str:
    inside = writer.text(values)
    if bracketed(inside).startswith(r"\left"):
        inside = rf"\left[{inside}\right]"
    else:
        inside = f"[{inside}]"
    return r"\mathbb{E}" + script("_", writer.little(law)) + inside


def _exponential(writer: Formula, exponent: Node, at: str) -> Typeset:
    power = writer.little(exponent, at=at)
    if width(power) > EXPONENT or TALL_EXPONENT.search(power):
        return applied(r"\exp", writer.text(exponent, at=at)), ATOM
    if power == "1":
        return "e", POWER
    return "e" + script("^", power), POWER


def _set(writer: Formula, arguments: Nodes) -> str:
    low, high = ends(arguments)
    return rf"\{{{writer.text(low)}, \dots, {writer.text(high)}\}}"


# Functions that have a name


def _named(
    writer: Formula,
    shown: str,
    argument: Node,
    at: str,
) -> str:
    inside, level = writer.write(argument, at)
    text = joined(inside)
    is_short = isinstance(argument, ast.Name | ast.Constant | ast.Subscript)
    if level >= POWER and (is_short or ONE_BLOCK.fullmatch(text)):
        return f"{shown} {text}"
    return applied(shown, text)


def _method(
    writer: Formula,
    node: ast.Call,
    how: ast.Attribute,
    at: str,
) -> Typeset:
    if how.attr == "array" and len(node.args) == 1:
        return writer.write(node.args[0], at)
    if how.attr == "diff" and len(node.args) == 1:  # of an expression of SymPy
        variable = writer.text(node.args[0])
        function = writer.text(how.value, POWER)
        return rf"\partial_{{{variable}}} {function}", FUNCTION
    raise Unset(f"{how.attr} is not set")


def _arguments(
    writer: Formula,
    node: ast.Call,
    at: str = "",
) -> str:
    if node.keywords or _has_star(node.args):
        raise Unset("arguments by name")
    texts = []
    for argument in node.args:
        level = FREE if isinstance(argument, ast.Lambda) else OR
        texts.append(writer.text(argument, level, at))
    return ", ".join(texts)


def _own(
    writer: Formula,
    node: ast.Call,
    name: str,
    at: str,
) -> Typeset:
    """Write a function of the check.

    It has its arguments or, where it is made of arithmetic alone, their entries.
    """
    term = writer.terms.get(name)
    head = symbol(name).tex() if term is None else term.tex()
    if node.args or node.keywords:
        if at and _arithmetic(writer.unit, name):
            return applied(head, _arguments(writer, node, at)), ATOM
        head = applied(head, _arguments(writer, node))
        if at and writer.shape(node) is None:
            raise Unset(f"whether {name} gives a vector is not known")
    if at:
        head += script("_", at)
    return head, ATOM


def pointwise(writer: Formula, node: ast.Call) -> bool:
    """Tell whether the entry of a result is the result of the entries."""
    if not isinstance(node.func, ast.Name):
        return isinstance(node.func, ast.Attribute)
    name = node.func.id
    if name in writer.terms or name in writer.unit.uses:
        return _arithmetic(writer.unit, name)
    return name in EACH or name in OVER


def _arithmetic(unit: Unit, name: str) -> bool:
    """Tell whether a helper is made of arithmetic alone, so that it acts on entries."""
    helper = unit.uses.get(name)
    if helper is None or name in unit.parameters or len(helper.tree.body) != 1:
        return False
    parts = ast.walk(helper.tree.body[0])
    return all(_is_arithmetic(helper, part) for part in parts)


def _is_arithmetic(unit: Unit, part: ast.AST) -> bool:
    match part:
        case ast.Call(func=ast.Name(id=name)):
            return name in EACH or _arithmetic(unit, name)
    return isinstance(part, ARITHMETIC)


# Sums, products, extreme values and quantifiers


def _over(
    writer: Formula,
    name: str,
    node: ast.Call,
    at: str,
) -> Typeset:
    """Write a sum, a product, an extreme value, or a quantifier."""
    values = node.args
    if name in EXTREMES and isinstance(values[0], ast.List | ast.Tuple):
        values = values[0].elts
    if node.keywords:
        raise Unset(f"{name} with arguments by name")
    if len(values) > 1:
        return _among_several(writer, name, values, at), ATOM
    (inner,) = values
    with writer.scope():
        if isinstance(inner, ast.GeneratorExp | ast.ListComp):
            loops = loop(writer, inner.generators)
            if name in QUANTIFIERS:
                return _quantified(writer, name, loops, inner.elt)
            return _looped(writer, name, loops, inner.elt, at)
        if name in QUANTIFIERS or at:
            raise Unset(f"{name} without a loop")
        return _entries(writer, name, inner)


def _among_several(
    writer: Formula,
    name: str,
    values: Nodes,
    at: str,
) -> str:
    """Write the extreme of several values; a list among them is its own extreme."""
    if name not in EXTREMES:
        raise Unset(f"{name} of several values")
    texts = []
    for value in values:
        single = value
        if isinstance(value, ast.Starred):
            single = call(name, value.value)
        texts.append(writer.text(single, OR, at))
    return applied(OVER[name], ", ".join(texts))


def _entries(
    writer: Formula,
    name: str,
    vector: Node,
) -> Typeset:
    """Write a sum, a product or an extreme value of the entries of a vector."""
    index = writer.letter(vector)
    term, limit = entry(writer, vector, index)
    text = term.tex()
    if term.level < REACHING:
        text = bracketed(text)
    return f"{OVER[name]}{script('_', limit or index)} {text}", REACHING


def _quantified(
    writer: Formula,
    name: str,
    loops: Loop,
    each: Node,
) -> Typeset:
    """Write what holds for all, or for some."""
    words, join = QUANTIFIERS[name]
    parts = each.elts if isinstance(each, ast.Tuple) else [each]
    stated = separated(r",\ ", [writer.part(part, OR) for part in parts])
    return [("", stated), (words, loops.words(join))], FREE


def _looped(
    writer: Formula,
    name: str,
    loops: Loop,
    each: Node,
    at: str,
) -> Typeset:
    """Write a sum, a product or an extreme value of what a loop gives."""
    split = nonzero(each) if name == "sum" else None
    if split is not None:
        test, each = split
        loops.tests.append(writer.little(test, OR))
        loops.ends = None
        if isinstance(each, ast.Constant) and each.value == 1:
            return rf"\#\{{{loops.below()}\}}", POWER
    sign = OVER[name]
    if loops.ends and name not in EXTREMES:
        low, high = loops.ends
        sign += script("_", low) + script("^", high)
    else:
        sign += script("_", loops.below())
    return f"{sign} {writer.text(each, REACHING, at)}", REACHING
