r"""Write a proof: each fact says what is proved, and from what."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from statements.render.lines import Parts, separated
from statements.render.loops import Node, loop
from statements.render.symbols import SUM

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: What a fact says of its first argument.
SAYS = {
    "zero": " = ",
    "nonnegative": r" \ge ",
    "boxes": " > ",
    "single_zero": r" \ge ",
    "double_zero": r" \ge ",
    "concave_between": r" \ge ",
    "convex": "",
}
#: Where two sides are equal, if that is no argument of the fact.
EQUAL = {
    "single_zero": r"\text{equal at the lower end}",
    "concave_between": r"\text{equal at both ends}",
}
#: Facts that say nothing else.
PLAIN = {"zero", "nonnegative", "boxes"}


def is_proof(node: Node) -> bool:
    """Tell whether an expression is made of facts."""
    first = _facts(node)[0]
    if isinstance(first, ast.ListComp):
        first = first.elt
    return called_fact(first) in SAYS


def called_fact(node: Node) -> str:
    """Return the name of a fact, "" for another expression."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def proof(writer: Formula, node: Node) -> Parts:
    """Return the facts of a proof, with commas between them."""
    if isinstance(node, ast.ListComp):
        with writer.scope():
            loops = loop(writer, node.generators)
            return [
                ("", _fact(writer, node.elt)),
                (r"\text{ for all }", loops.words(r"\text{ and all }")),
            ]
    return separated(r",\quad ", [_fact(writer, part) for part in _facts(node)])


def _facts(node: Node) -> list[Node]:
    if isinstance(node, ast.Tuple | ast.List):
        return node.elts
    return [node]


def _fact(writer: Formula, node: Node) -> Parts:
    name = called_fact(node)
    if name not in SAYS or not isinstance(node, ast.Call):
        return writer.write(node)[0]
    if name in PLAIN:
        return _says(writer, node.args[0], SAYS[name])
    if name == "convex":
        return _convex(writer, node)
    return [
        ("", _says(writer, node.args[0], SAYS[name])),
        ("", _ends(writer, node)),
        (r",\ ", _equal(writer, node)),
        (r"\ ", r"\text{and the difference has }" + _slope(writer, node)),
    ]


def _convex(writer: Formula, node: ast.Call) -> Parts:
    function, variable, *_ = node.args
    return [
        ("", writer.text(function, SUM)),
        (rf"\text{{ is convex in }}{writer.text(variable)}", ""),
        (r",\ ", r"\text{as it has }" + _slope(writer, node)),
    ]


def _ends(writer: Formula, node: ast.Call) -> str:
    """Return between which ends something is claimed, "" where it is everywhere."""
    if called_fact(node) != "concave_between":
        return ""
    variable, low, high = (writer.text(argument) for argument in node.args[1:])
    return rf"\text{{ for }}{low} \le {variable} \le {high}"


def _equal(writer: Formula, node: ast.Call) -> str:
    """Return where the two sides are equal."""
    if called_fact(node) in EQUAL:
        return EQUAL[called_fact(node)]
    variable = writer.text(node.args[1])
    at = writer.text(_keywords(node).get("at", ast.Constant(0)))
    return rf"\text{{equal, with their slopes, at }}{variable} = {at}"


def _slope(writer: Formula, node: ast.Call) -> str:
    """Return the derivative, and the sign that it has."""
    name = called_fact(node)
    order = "" if name == "single_zero" else "^2"
    relation = r"\le" if name == "concave_between" else r"\ge"
    variable = writer.text(node.args[1])
    keywords = _keywords(node)
    derivative = keywords.get("first") or keywords["second"]
    bend = writer.text(derivative, SUM)
    return rf"\partial_{{{variable}}}{order} = {bend} {relation} 0"


def _keywords(node: ast.Call) -> dict[str | None, Node]:
    """Return the arguments that are passed by their names."""
    return {keyword.arg: keyword.value for keyword in node.keywords}


def _says(
    writer: Formula,
    node: Node,
    relation: str,
) -> Parts:
    """Return what is said of a difference as a relation of its two sides."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        left = node.left
        right: Parts = writer.part(node.right, SUM)
    else:
        left = node
        right = "0"
    return [("", writer.part(left, SUM)), (relation, right)]
