r"""Write what is true or false, what differs from case to case, and vectors that are written out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from statements.render.lines import Made
from statements.render.loops import Term, Unset, called, loop, nonzero, take
from statements.render.shapes import NUMBER
from statements.render.symbols import (
    AND,
    ATOM,
    FREE,
    NOT,
    OR,
    REACHING,
    RELATION,
    SUM,
    bracketed,
    script,
    symbol,
)

if TYPE_CHECKING:
    from statements.render.formulas import Formula

RELATIONS = {
    ast.LtE: r"\le",
    ast.Lt: "<",
    ast.GtE: r"\ge",
    ast.Gt: ">",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
    ast.In: r"\in",
}


def truth(node: Any) -> bool:
    """Tell whether an expression is true or false."""
    if isinstance(node, ast.IfExp):
        return truth(node.body) or truth(node.orelse)
    word = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return (
        word
        or negated
        or isinstance(node, ast.Compare | ast.BoolOp)
        or called(node)[0] in ("all", "any")
    )


def logic(writer: Formula, node: Any) -> Made:
    """Write a relation, or what is made of relations by and, or, not."""
    match node:
        case ast.Compare(left=left, ops=hows, comparators=sides):
            if not all(type(how) in RELATIONS for how in hows):
                raise Unset("a relation that has no sign")
            signs = ["", *(f" {RELATIONS[type(how)]} " for how in hows)]
            return [
                (sign, writer.part(side, SUM))
                for sign, side in zip(signs, [left, *sides], strict=True)
            ], RELATION
        case ast.BoolOp(op=how, values=values):
            word, level = (
                (r"\text{ and }", AND)
                if isinstance(how, ast.And)
                else (r"\text{ or }", OR)
            )
            return [
                (word if k else "", writer.part(value, level + 1))
                for k, value in enumerate(values)
            ], level
    return r"\text{not }" + writer.text(node.operand, ATOM), NOT


def choice(writer: Formula, node: ast.IfExp) -> Made:
    """Write what is true in one case, and in the other."""
    yes = [
        ("", writer.part(node.body, OR)),
        (r"\text{ if }", writer.part(node.test, OR)),
    ]
    if isinstance(node.orelse, ast.Constant) and node.orelse.value is True:
        return yes, FREE
    no = (
        writer.made(node.orelse)[0]
        if isinstance(node.orelse, ast.IfExp)
        else writer.part(node.orelse, OR)
    )
    return [
        ("", yes),
        (
            ",\\quad " if isinstance(node.orelse, ast.IfExp) else r",\quad\text{else }",
            no,
        ),
    ], FREE


def cases(writer: Formula, node: ast.IfExp, at: str) -> Made:
    """Write a value that differs from case to case; what is 1 or 0 is an indicator."""
    test, value = nonzero(node) or (node.test, None)
    if isinstance(value, ast.Constant) and value.value == 1:
        return rf"\mathbf{{1}}[{writer.little(test)}]", ATOM
    rows = []
    rest = node
    while isinstance(rest, ast.IfExp):
        rows.append(
            rf"{writer.little(rest.body, at=at)} & \text{{if }}{writer.little(rest.test)}"
        )
        rest = rest.orelse  # type: ignore[assignment]
    rows.append(rf"{writer.little(rest, at=at)} & \text{{else}}")
    return r"\begin{cases}" + r"\\ ".join(rows) + r"\end{cases}", REACHING


def vector(writer: Formula, node: Any, at: str) -> Made:
    """Write a list that is written out, or made by a loop."""
    if isinstance(node, ast.Tuple | ast.List):
        if any(isinstance(item, ast.Starred) for item in node.elts):
            raise Unset("a list made of lists")
        return f"({', '.join(writer.text(item) for item in node.elts)})" + (
            script("_", at) if at else ""
        ), ATOM
    each: ast.expr = node.elt
    with writer.scope():
        if at:
            _place(writer, node, at)
            return writer.made(each)
        loops = loop(writer, node.generators)
        return bracketed(writer.text(each, OR)) + script("_", loops.below()), ATOM


def _place(writer: Formula, node: Any, at: str) -> None:
    """Let the names of a list stand for what they are at an index."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        raise Unset("an entry of a list made by several loops")
    target = node.generators[0].target
    source = writer.spelled(node.generators[0].iter)
    name, given, _ = called(source)
    if name == "range":
        start = writer.little(given[0], SUM) if len(given) == 2 else "0"
        at, level = (at, ATOM) if start == "0" else (f"{at} + {start}", SUM)
        writer.terms[target.id] = Term(at.replace("+ -", "- "), NUMBER, level)
    elif name == "enumerate":
        writer.terms[target.elts[0].id] = Term(at, NUMBER)
        any(take(writer, target.elts[1], given[0], at))
    elif any(take(writer, target, source, at)):
        raise Unset("an entry of a part of a list")


def mapped(writer: Formula, node: ast.Lambda) -> str:
    """Write a function of its arguments."""
    with writer.scope():
        names = [item.arg for item in node.args.args]
        writer.terms.update({name: Term(symbol(name), None) for name in names})
        shown = ", ".join(symbol(name).tex() for name in names)
        return rf"{shown if len(names) == 1 else f'({shown})'} \mapsto {writer.text(node.body, OR)}"
