r"""Near misses of a statement, made from its text: what a check must be able to refute.

Each right side moved by 2, 10, 50, 100 % in the direction that asks for more, each constant by 3 %, each sign, each
term left out, cosh for sinh, max for min, < for <=, each hypothesis left out, whole arguments moved by one; in the
statement, and in the quantities and helpers that it uses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from statements.reading import OPERATORS, Unit, copied, resolve

__all__ = ["DEFINITION", "SHARES", "Edit", "edits"]

#: By how much right sides are moved; how the words for a change of a definition say that it is one.
SHARES, DEFINITION = (0.02, 0.1, 0.5, 1.0), " in the definition of "
PAIRS = {"cosh": "sinh", "max": "min", "floor": "ceil", "all": "any"}
SWAPS = {**PAIRS, **{value: key for key, value in PAIRS.items()}, "tanh": "sinh"}
STRICTER: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
SKIPPED = {"range", "len", "zip", "enumerate"}


@dataclass(frozen=True)
class Edit:
    """Hold one changed text: of which unit, what kind of change, words that name it; right sides have a `group`."""

    unit: Unit
    tree: ast.FunctionDef
    kind: str
    words: str
    group: str = ""


def _variants(node: ast.AST, above: ast.AST | None, whole: Iterable[str]) -> Iterator[tuple[str, ast.AST, str]]:
    """Give kind, new node and words for each change of one node."""
    text = f"`{ast.unparse(node)}`" if isinstance(node, ast.expr) else ""
    match node:
        case ast.Constant(value=int() | float() as value) if value and value is not True:
            within = f" in `{ast.unparse(above)}`" if isinstance(above, ast.expr) else ""
            for new in (float(f"{value * factor:.12g}") for factor in (1.03, 0.97)):
                yield "constant", ast.Constant(new), f"{text} could be `{new:.6g}`{within}"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            added = isinstance(sign, ast.Add)
            swapped = ast.BinOp(left, ast.Sub() if added else ast.Add(), right)
            yield "sign", swapped, f"{text} could be `{ast.unparse(swapped)}`"
            yield "term", left, f"`{ast.unparse(right)}` could be left out of {text}"
            alone = right if added else ast.UnaryOp(ast.USub(), right)
            yield "term", alone, f"`{ast.unparse(left)}` could be left out of {text}"
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "sign", operand, f"{text} could have the other sign"
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in SWAPS:
            call = ast.Call(ast.Name(SWAPS[name], ast.Load()), arguments, [])
            yield f"function {SWAPS[name]}", call, f"{text} could be `{ast.unparse(call)}`"
        case ast.Name(id=name, ctx=ast.Load()) if name in whole:
            for step in (ast.Add(), ast.Sub()):
                moved = ast.BinOp(ast.Name(name, ast.Load()), step, ast.Constant(1))
                yield "argument", moved, f"{text} could be `{ast.unparse(moved)}`"
        case ast.Compare(left=left, ops=ops, comparators=sides):
            for at, how in enumerate(ops):
                larger = "larger" if isinstance(how, ast.GtE | ast.Gt | ast.Eq) else "smaller"
                for share in SHARES if type(how) in OPERATORS and not isinstance(how, ast.NotEq) else ():
                    new_node = ast.Compare(left, ops, sides)
                    new_node.shares = {at: share}  # type: ignore[attr-defined]
                    yield f"side {at}", new_node, f"`{ast.unparse(sides[at])}` could be {100 * share:.0f} % {larger}"
                if type(how) in STRICTER:
                    strict = [*ops[:at], STRICTER[type(how)](), *ops[at + 1 :]]
                    yield "strict", ast.Compare(left, strict, sides), "the inequality could be strict"


def _sites(node: ast.AST, above: ast.AST | None = None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Give the nodes that may be changed, with what they stand in: none inside an index or a range."""
    yield node, above
    skipped = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SKIPPED
    for child in () if skipped else ast.iter_child_nodes(node):
        if not (isinstance(node, ast.Subscript) and child is node.slice):
            yield from _sites(child, node)


def edits(unit: Unit, called: str, whole: Iterable[str] = (), *, right_sides: bool = False) -> Iterator[Edit]:
    """Give all changed texts of a unit; `called` says in words what it is, `whole` names integer arguments."""
    whole, later = [name for name in whole if name in unit.parameters], []
    for at, (node, above) in enumerate(_sites(unit.tree)):
        for kind, new, words in _variants(node, above, whole):
            kind, _, name = kind.partition(" ")
            known = kind != "function" or name in ("max", "min", "all", "any") or callable(resolve(unit.function, name))
            if known and (right_sides or kind not in ("side", "strict")):
                tree = ast.fix_missing_locations(copied(unit.tree, node, new))
                words += f"{DEFINITION}`{called}`" if called else ""
                edit = Edit(unit, tree, kind, words, f"{at}.{name}" if kind == "side" else "")
                if kind == "side":
                    yield edit
                else:
                    later.append(edit)
    yield from later
