r"""Write what a call gives: sums are sums, `xlog(p, q)` is p log q, and helpers have their arguments in brackets."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from statements.render.kinds import EACH
from statements.render.lines import Made, Parts, joined, width
from statements.render.loops import Loop, Unset, ends, entry, loop, nonzero
from statements.render.symbols import ATOM, FREE, FUNCTION, OR, POWER, REACHING
from statements.rewrite import resolve

from statements.render.symbols import applied, bracketed, script, symbol  # isort: skip

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
    "abs": "||",
    "floor": (r"\lfloor", r"\rfloor"),
    "ceil": (r"\lceil", r"\rceil"),
}
OVER = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
#: The longest exponent of e, in letters M; a longer one is an argument of exp.
EXPONENT = 8.0


def call(name: str, *given: ast.expr) -> ast.Call:
    """Return a call of a function."""
    return ast.Call(ast.Name(name, ast.Load()), [*given], [])


#: Functions that are a product or a quotient, and others that are made of simpler ones.
QUOTIENTS: dict[str, Any] = {
    "xlog": lambda x, y: ast.BinOp(x, ast.Mult(), call("log", y)),
    "Fraction": lambda a, b: ast.BinOp(a, ast.Div(), b),
}
MEANING: dict[str, Any] = {
    "log1p": lambda x: call("log", ast.BinOp(ast.Constant(1), ast.Add(), x)),
    "expm1": lambda x: ast.BinOp(call("exp", x), ast.Sub(), ast.Constant(1)),
    "isqrt": lambda x: call("floor", call("sqrt", x)),
}


def made(writer: Formula, node: ast.Call, at: str) -> Made:
    """Return the formula of a call in its parts, and how tightly it binds."""
    if isinstance(node.func, ast.Attribute):
        return _method(writer, node, node.func, at)
    if not isinstance(node.func, ast.Name):
        return applied(writer.text(node.func, ATOM), _arguments(writer, node)), ATOM
    name = node.func.id
    given = node.args
    if name in writer.terms or name in writer.unit.uses:
        return _own(writer, node, name, at)
    if name in QUOTIENTS and len(given) == 2:
        meant: ast.expr = QUOTIENTS[name](*given)
        return writer.made(meant, at)
    if name in OVER or name in ("all", "any"):
        return _over(writer, name, node, at)
    if node.keywords or any(isinstance(item, ast.Starred) for item in given):
        raise Unset(f"{name} with arguments by name")
    if name in MEANING:
        meant = MEANING[name](*given)
        return writer.made(meant, at)
    if name in SIGNS:
        found: Made = SIGNS[name](writer, given, at)
        return found
    if name in NAMED:
        return _named(writer, NAMED[name], given[0], at), FUNCTION
    if name in BEFORE:
        return applied(BEFORE[name], writer.text(given[0], at=at)), ATOM
    if name in AROUND:
        opens, closes = AROUND[name]
        inside = writer.text(given[0], at=at)
        grows = (
            (r"\left", r"\right")
            if bracketed(inside).startswith(r"\left")
            else ("", "")
        )
        return f"{grows[0]}{opens} {inside} {grows[1]}{closes}".replace(
            "| ", "|"
        ).replace(" |", "|"), ATOM
    value = resolve(writer.unit.function, name)
    if (
        not callable(value)
        or getattr(value, "__module__", None) in STANDARD
        or isinstance(value, type)
    ):
        raise Unset(f"{name} is not set")
    return _own(writer, node, name, at)


#: Where functions come from that have no name in a formula.
STANDARD = (
    "builtins",
    "itertools",
    "math",
    "numpy",
    "functools",
    "statements.proof",
    None,
)


def _expectation(writer: Formula, given: list[ast.expr], at: str) -> tuple[str, int]:
    law, values = given
    inside = writer.text(values)
    tall = bracketed(inside).startswith(r"\left")
    form = r"\left[{}\right]" if tall else "[{}]"
    return r"\mathbb{E}" + script("_", writer.little(law)) + form.format(inside), ATOM


def _exponential(writer: Formula, given: list[ast.expr], at: str) -> tuple[str, int]:
    power = writer.little(given[0], at=at)
    if width(power) > EXPONENT or re.search(r"\\sum|\\begin|\\max|\\min", power):
        return applied(r"\exp", writer.text(given[0], at=at)), ATOM
    return "e" + (script("^", power) if power != "1" else ""), POWER


def _set(writer: Formula, given: list[ast.expr], at: str) -> tuple[str, int]:
    low, high = ends(given)
    return rf"\{{{writer.text(low)}, \dots, {writer.text(high)}\}}", ATOM


#: Functions that are written by signs of their own.
SIGNS: dict[str, Any] = {
    "E": _expectation,
    "exp": _exponential,
    "range": _set,
    "len": lambda writer, given, at: (r"\#" + writer.text(given[0], ATOM), POWER),
    "factorial": lambda writer, given, at: (writer.text(given[0], ATOM) + "!", POWER),
    "sqrt": lambda writer, given, at: (
        rf"\sqrt{{{writer.text(given[0], at=at)}}}",
        ATOM,
    ),
    "comb": lambda writer, given, at: (
        rf"\binom{{{writer.text(given[0])}}}{{{writer.text(given[1])}}}",
        ATOM,
    ),
}


def _named(writer: Formula, shown: str, argument: Any, at: str) -> str:
    inside, level = writer.made(argument, at)
    text = joined(inside)
    bare = isinstance(
        argument, ast.Name | ast.Constant | ast.Subscript
    ) or re.fullmatch(r"\\frac.*\}|\\mathbb.*\]", text)
    return f"{shown} {text}" if bare and level >= POWER else applied(shown, text)


def with_brackets(writer: Formula, node: Any, at: str) -> str:
    """Return a function with brackets around its argument, as a factor that is not the last one has it."""
    return applied(NAMED[node.func.id], writer.text(node.args[0], at=at))


def _method(writer: Formula, node: ast.Call, how: ast.Attribute, at: str) -> Made:
    if how.attr == "array" and len(node.args) == 1:
        return writer.made(node.args[0], at)
    if how.attr == "diff" and len(node.args) == 1:  # of an expression of SymPy
        return (
            rf"\partial_{{{writer.text(node.args[0])}}} {writer.text(how.value, POWER)}",
            FUNCTION,
        )
    raise Unset(f"{how.attr} is not set")


def _arguments(writer: Formula, node: ast.Call, at: str = "") -> str:
    if node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
        raise Unset("arguments by name")
    return ", ".join(
        writer.text(x, FREE if isinstance(x, ast.Lambda) else OR, at) for x in node.args
    )


def _own(writer: Formula, node: ast.Call, name: str, at: str) -> tuple[str, int]:
    """Write a function of the check, of its arguments or, where it is made of arithmetic alone, of their entries."""
    head = writer.terms[name].tex() if name in writer.terms else symbol(name).tex()
    if not node.args and not node.keywords:
        return head + (script("_", at) if at else ""), ATOM
    if at and _arithmetic(writer.unit, name):
        return applied(head, _arguments(writer, node, at)), ATOM
    text = applied(head, _arguments(writer, node))
    if at and writer.shape(node) is None:
        raise Unset(f"whether {name} gives a vector is not known")
    return text + (script("_", at) if at else ""), ATOM


def pointwise(writer: Formula, node: Any) -> bool:
    """Tell whether the entry of what a function gives is what it gives of entries."""
    if not isinstance(node.func, ast.Name):
        return isinstance(node.func, ast.Attribute)
    name = node.func.id
    if name in writer.terms or name in writer.unit.uses:
        return _arithmetic(writer.unit, name)
    return name in EACH or name in OVER


def _arithmetic(unit: Any, name: str) -> bool:
    """Tell whether a helper is made of arithmetic alone, so that it acts on each entry."""
    helper = unit.uses.get(name)
    if helper is None or name in unit.parameters or len(helper.tree.body) != 1:
        return False
    allowed = (
        ast.Return
        | ast.BinOp
        | ast.UnaryOp
        | ast.Name
        | ast.Constant
        | ast.Call
        | ast.expr_context
    )
    parts = [
        part
        for part in ast.walk(helper.tree.body[0])
        if not isinstance(part, ast.operator | ast.unaryop)
    ]
    called = [part.func for part in parts if isinstance(part, ast.Call)]
    known = all(
        isinstance(f, ast.Name) and (f.id in EACH or _arithmetic(helper, f.id))
        for f in called
    )
    return known and all(isinstance(part, allowed) for part in parts)


def _over(writer: Formula, name: str, node: ast.Call, at: str) -> Made:
    """Write a sum, a product, an extreme value, or a quantifier."""
    given = node.args
    if name in ("max", "min") and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    if node.keywords or (len(given) > 1 and name not in ("max", "min")):
        raise Unset(f"{name} of several values")
    if len(given) > 1:
        return applied(
            OVER[name], ", ".join(_among(writer, name, item, at) for item in given)
        ), ATOM
    (inner,) = given
    with writer.scope():
        if isinstance(inner, ast.GeneratorExp | ast.ListComp):
            return _looped(writer, name, loop(writer, inner.generators), inner.elt, at)
        if name in ("all", "any") or at:
            raise Unset(f"{name} without a loop")
        index = writer.letter(inner)
        found, limit = entry(writer, inner, index)
        text = found.tex() if found.level >= REACHING else bracketed(found.tex())
        return f"{OVER[name]}{script('_', limit or index)} {text}", REACHING


def _among(writer: Formula, name: str, item: Any, at: str) -> str:
    """Return one of several values of which an extreme is taken: a list is its own extreme."""
    return writer.text(
        call(name, item.value) if isinstance(item, ast.Starred) else item, OR, at
    )


def _looped(writer: Formula, name: str, loops: Loop, each: Any, at: str) -> Made:
    if name in ("all", "any"):
        words, join = (
            (r"\text{ for all }", r"\text{ and all }")
            if name == "all"
            else (r"\text{ for some }", r",\ ")
        )
        parts = each.elts if isinstance(each, ast.Tuple) else [each]
        stated: Parts = [
            (r",\ " if k else "", writer.part(part, OR)) for k, part in enumerate(parts)
        ]
        return [("", stated), (words, loops.words(join))], FREE
    if name == "sum" and (split := nonzero(each)):
        test, each = split
        loops.tests.append(writer.little(test, OR))
        loops.ends = None
        if isinstance(each, ast.Constant) and each.value == 1:
            return rf"\#\{{{loops.below()}\}}", POWER
    low, high = (
        loops.ends if loops.ends and name in ("sum", "prod") else (loops.below(), "")
    )
    sign = OVER[name] + script("_", low) + (script("^", high) if high else "")
    return f"{sign} {writer.text(each, REACHING, at)}", REACHING
