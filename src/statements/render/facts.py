r"""Write a proof: each fact says what is proved, and from what."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from statements.render.lines import Parts
from statements.render.loops import loop
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


def is_proof(node: Any) -> bool:
    """Tell whether an expression is made of facts."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    first = parts[0].elt if isinstance(parts[0], ast.ListComp) else parts[0]
    return called_fact(first) in SAYS


def called_fact(node: Any) -> str:
    """Return the name of a fact, "" for another expression."""
    return (
        node.func.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        else ""
    )


def proof(writer: Formula, node: Any) -> Parts:
    """Return the facts of a proof, with commas between them."""
    if isinstance(node, ast.ListComp):
        with writer.scope():
            loops = loop(writer, node.generators)
            return [
                ("", _fact(writer, node.elt)),
                (r"\text{ for all }", loops.words(r"\text{ and all }")),
            ]
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return [
        (r",\quad " if k else "", _fact(writer, part)) for k, part in enumerate(parts)
    ]


def _fact(writer: Formula, node: Any) -> Parts:
    name = called_fact(node)
    if name not in SAYS:
        return writer.made(node)[0]
    first, *rest = node.args
    given = {word.arg: word.value for word in node.keywords}
    if name in ("zero", "nonnegative", "boxes"):
        return _says(writer, first, SAYS[name])
    variable = writer.text(rest[0])
    order, sign = (
        ("", r"\ge")
        if name == "single_zero"
        else ("^2", r"\le" if name == "concave_between" else r"\ge")
    )
    bend = writer.text(given.get("first", given.get("second")), SUM)
    slope = rf"\text{{and the difference has }}\partial_{{{variable}}}{order} = {bend} {sign} 0"
    if name == "convex":
        slope = slope.replace("and the difference", "as it")
        return [
            ("", writer.text(first, SUM)),
            (rf"\text{{ is convex in }}{variable}", ""),
            (r",\ ", slope),
        ]
    at = writer.text(given["at"]) if "at" in given else "0"
    ends = ""
    why = r"\text{equal at the lower end}"
    if name == "double_zero":
        why = rf"\text{{equal, with their slopes, at }}{variable} = {at}"
    if name == "concave_between":
        low, high = (writer.text(end) for end in rest[1:])
        ends = rf"\text{{ for }}{low} \le {variable} \le {high}"
        why = r"\text{equal at both ends}"
    return [
        ("", _says(writer, first, SAYS[name])),
        ("", ends),
        (r",\ ", why),
        (r"\ ", slope),
    ]


def _says(writer: Formula, node: Any, relation: str) -> Parts:
    """Return what is said of a difference as a relation of its two sides."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return [
            ("", writer.part(node.left, SUM)),
            (relation, writer.part(node.right, SUM)),
        ]
    return [("", writer.part(node, SUM)), (relation, "0")]
