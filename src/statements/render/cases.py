r"""Write what is true or false, values that differ from case to case, and lists."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from statements.render.lines import Parts, Pieces, Typeset, separated
from statements.render.loops import (
    Node,
    Nodes,
    Term,
    Unset,
    called,
    loop,
    name_of,
    nonzero,
    pair_of,
    take,
    tuple_tex,
)
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


def truth(node: Node) -> bool:
    """Tell whether an expression is true or false."""
    match node:
        case ast.IfExp(body=yes, orelse=no):
            return truth(yes) or truth(no)
        case ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare() | ast.BoolOp():
            return True
    return called(node)[0] in ("all", "any")


def logic(
    writer: Formula,
    node: ast.Compare | ast.BoolOp | ast.UnaryOp,
) -> Typeset:
    """Write a relation, or what is made of relations by and, or, not."""
    match node:
        case ast.Compare():
            return _relation(writer, node), RELATION
        case ast.BoolOp(op=ast.And(), values=values):
            parts = [writer.part(value, AND + 1) for value in values]
            return separated(r"\text{ and }", parts), AND
        case ast.BoolOp(values=values):
            parts = [writer.part(value, OR + 1) for value in values]
            return separated(r"\text{ or }", parts), OR
    return r"\text{not }" + writer.text(node.operand, ATOM), NOT


def _relation(writer: Formula, node: ast.Compare) -> Parts:
    parts: Pieces = [("", writer.part(node.left, SUM))]
    for how, side in zip(node.ops, node.comparators, strict=True):
        if type(how) not in RELATIONS:
            raise Unset("a relation that has no sign")
        parts.append((f" {RELATIONS[type(how)]} ", writer.part(side, SUM)))
    return parts


def choice(writer: Formula, node: ast.IfExp) -> Typeset:
    """Write what is true in one case, and in the other."""
    yes: Parts = [
        ("", writer.part(node.body, OR)),
        (r"\text{ if }", writer.part(node.test, OR)),
    ]
    no = node.orelse
    if isinstance(no, ast.Constant) and no.value is True:
        return yes, FREE
    if isinstance(no, ast.IfExp):
        return [("", yes), (",\\quad ", writer.write(no)[0])], FREE
    return [("", yes), (r",\quad\text{else }", writer.part(no, OR))], FREE


def cases(
    writer: Formula,
    node: ast.IfExp,
    at: str,
) -> Typeset:
    """Write a value that differs from case to case.

    What is 1 or 0 is an indicator.
    """
    split = nonzero(node)
    if split is not None:
        test, value = split
        if isinstance(value, ast.Constant) and value.value == 1:
            return rf"\mathbf{{1}}[{writer.little(test)}]", ATOM
    rows = []
    rest: Node = node
    while isinstance(rest, ast.IfExp):
        value_text = writer.little(rest.body, at=at)
        rows.append(rf"{value_text} & \text{{if }}{writer.little(rest.test)}")
        rest = rest.orelse
    rows.append(rf"{writer.little(rest, at=at)} & \text{{else}}")
    return r"\begin{cases}" + r"\\ ".join(rows) + r"\end{cases}", REACHING


def vector(
    writer: Formula,
    node: ast.Tuple | ast.List | ast.ListComp | ast.GeneratorExp,
    at: str,
) -> Typeset:
    """Write a list that is written out, or made by a loop."""
    if isinstance(node, ast.Tuple | ast.List):
        return _written_out(writer, node.elts, at), ATOM
    with writer.scope():
        if at:
            _place(writer, node, at)
            return writer.write(node.elt)
        loops = loop(writer, node.generators)
        inside = bracketed(writer.text(node.elt, OR))
        return inside + script("_", loops.below()), ATOM


def _written_out(
    writer: Formula,
    parts: Nodes,
    at: str,
) -> str:
    if any(isinstance(part, ast.Starred) for part in parts):
        raise Unset("a list made of lists")
    text = f"({', '.join(writer.text(part) for part in parts)})"
    if at:
        text += script("_", at)
    return text


def _place(
    writer: Formula,
    node: ast.ListComp | ast.GeneratorExp,
    at: str,
) -> None:
    """Let the names of a list stand for what they are at an index."""
    first, *others = node.generators
    if others or first.ifs:
        raise Unset("an entry of a list made by several loops")
    target = first.target
    source = writer.spelled(first.iter)
    name, arguments, _ = called(source)
    if name == "range":
        writer.terms[name_of(target)] = _step(writer, arguments, at)
    elif name == "enumerate":
        counter, item = pair_of(target)
        writer.terms[name_of(counter)] = Term(at, NUMBER)
        any(take(writer, item, arguments[0], at))
    elif any(take(writer, target, source, at)):
        raise Unset("an entry of a part of a list")


def _step(
    writer: Formula,
    ends: Nodes,
    at: str,
) -> Term:
    """Return the whole number of a range that stands at an index."""
    start = writer.little(ends[0], SUM) if len(ends) == 2 else "0"
    if start == "0":
        return Term(at, NUMBER)
    return Term(f"{at} + {start}".replace("+ -", "- "), NUMBER, SUM)


def mapped(writer: Formula, node: ast.Lambda) -> str:
    """Write a function of its arguments."""
    with writer.scope():
        names = [item.arg for item in node.args.args]
        for name in names:
            writer.terms[name] = Term(symbol(name), None)
        return rf"{tuple_tex(names)} \mapsto {writer.text(node.body, OR)}"
