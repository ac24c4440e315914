r"""Changed texts of a statement: what takes whose place, and in which words.

Right sides that ask for 2 and for 10 % more, constants moved by 3 %, signs, terms left
out, cosh for sinh, max for min, < for <=, whole arguments moved by one; in the
statement, and in what it uses. What a text runs over, an index set, stays as it is.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from statements.rewrite import ALIAS, OPERATORS, Unit, is_kernel_function, resolve

#: By how much right sides are moved, in the direction that asks for more.
SHARES = (0.02, 0.1)
#: How the words for a change of a definition say that it is one.
DEFINITION = " in the definition of "
SWAPS = {
    "cosh": "sinh",
    "sinh": "cosh",
    "tanh": "sinh",
    "floor": "ceil",
    "ceil": "floor",
    "max": "min",
    "min": "max",
    "all": "any",
    "any": "all",
}
STRICTER: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.LtE: ast.Lt, ast.GtE: ast.Gt}
#: Functions whose arguments are index sets.
SKIPPED = {"range", "len", "zip", "enumerate"}


class Edit(NamedTuple):
    """Hold a change of a text: what takes whose place, its kind, words that name it.

    Right sides have a `group`, one for each comparison, of which they are the right
    side number `link`, and the `share` by which they are moved; an `equation` is a
    change below a sign of equality.
    """

    unit: Unit
    old: ast.AST
    new: ast.AST
    kind: str
    words: str
    group: str = ""
    link: int = 0
    share: float = 0.0
    equation: bool = False


class Site(NamedTuple):
    """Hold a node that may be changed, what it stands in, and whether that lies below a sign of equality."""

    node: ast.AST
    above: ast.AST | None
    equation: bool


Change = tuple[str, ast.AST, str]


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def rises(how: ast.cmpop) -> bool:
    """Tell whether a right side asks for more when it is larger."""
    return isinstance(how, ast.GtE | ast.Gt | ast.Eq)


def right_side(edit: Edit, share: float) -> Edit:
    """Return the change of a right side that asks for more by a share of its size, for the comparison of an edit."""
    compare: Any = edit.old
    how = compare.ops[edit.link]
    side = compare.comparators[edit.link]
    sign, word = (1, "larger") if rises(how) else (-1, "smaller")
    value = ast.Call(
        ast.Name("_moved", ast.Load()), [side, ast.Constant(sign * share)], []
    )
    head = ast.Compare(
        compare.left,
        compare.ops[: edit.link + 1],
        [*compare.comparators[: edit.link], value],
    )
    rest = compare.ops[edit.link + 1 :]
    new: ast.expr = head
    if rest:  # there the side stays as it is
        new = ast.BoolOp(
            ast.And(),
            [head, ast.Compare(side, rest, compare.comparators[edit.link + 1 :])],
        )
    return edit._replace(
        new=new,
        words=f"`{ast.unparse(side)}` could be {100 * share:.0f} % {word}",
        share=share,
    )


def _right_sides(compare: ast.Compare, unit: Unit, place: int) -> Iterator[Edit]:
    """Give the right sides that ask for more; a sign, `x >= 0`, has none."""
    left = compare.left
    for at, (how, side) in enumerate(
        zip(compare.ops, compare.comparators, strict=True)
    ):
        first, left = left, side
        if (
            type(how) not in OPERATORS
            or isinstance(how, ast.NotEq)
            or _is_zero(side)
            or _is_zero(first)
        ):
            continue
        whole = Edit(
            unit,
            compare,
            compare,
            "side",
            "",
            f"{place}.{at}",
            at,
            equation=isinstance(how, ast.Eq),
        )
        for share in SHARES:
            yield right_side(whole, share)


def _strict(compare: ast.Compare) -> Iterator[Change]:
    for at, how in enumerate(compare.ops):
        if type(how) in STRICTER:
            ops = [*compare.ops[:at], STRICTER[type(how)](), *compare.ops[at + 1 :]]
            yield (
                "strict",
                ast.Compare(compare.left, ops, compare.comparators),
                "the inequality could be strict",
            )


def _constants(node: ast.Constant, above: ast.AST | None) -> Iterator[Change]:
    value = node.value
    if not isinstance(value, int | float) or not value or value is True:
        return
    within = f" in `{ast.unparse(above)}`" if isinstance(above, ast.expr) else ""
    for factor in (1.03, 0.97):
        new = float(f"{value * factor:.12g}")
        yield (
            "constant",
            ast.Constant(new),
            f"`{ast.unparse(node)}` could be `{new:.6g}`{within}",
        )


def _sums(node: ast.BinOp) -> Iterator[Change]:
    text = ast.unparse(node)
    added = isinstance(node.op, ast.Add)
    swapped = ast.BinOp(node.left, ast.Sub() if added else ast.Add(), node.right)
    yield "sign", swapped, f"`{text}` could be `{ast.unparse(swapped)}`"
    yield (
        "term",
        node.left,
        f"`{ast.unparse(node.right)}` could be left out of `{text}`",
    )
    alone = node.right if added else ast.UnaryOp(ast.USub(), node.right)
    yield "term", alone, f"`{ast.unparse(node.left)}` could be left out of `{text}`"


def _arguments(node: ast.Name) -> Iterator[Change]:
    for step in (ast.Add(), ast.Sub()):
        new = ast.BinOp(ast.Name(node.id, ast.Load()), step, ast.Constant(1))
        yield "argument", new, f"`{node.id}` could be `{ast.unparse(new)}`"


def _functions(node: ast.Call, name: str, unit: Unit) -> Iterator[Change]:
    """Give the call of another function; the kernel's own need no import there."""
    other = SWAPS[name]
    if is_kernel_function(unit.function, name):
        called = f"{ALIAS}{other}"
    elif resolve(unit.function, other):
        called = other
    else:
        return
    shown = ast.Call(ast.Name(other, ast.Load()), node.args, [])
    run = ast.Call(ast.Name(called, ast.Load()), node.args, [])
    yield "function", run, f"`{ast.unparse(node)}` could be `{ast.unparse(shown)}`"


def _changes(site: Site, unit: Unit, whole: set[str]) -> Iterator[Change]:
    """Give kind, new node and words for each change of one node."""
    match site.node:
        case ast.Constant() as node:
            yield from _constants(node, site.above)
        case ast.BinOp(op=ast.Add() | ast.Sub()) as node:
            yield from _sums(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand) as node if not isinstance(
            operand, ast.Constant
        ):
            yield "sign", operand, f"`{ast.unparse(node)}` could have the other sign"
        case ast.Call(func=ast.Name(id=name)) as node if name in SWAPS:
            yield from _functions(node, name, unit)
        case ast.Name(id=name, ctx=ast.Load()) as node if name in whole:
            yield from _arguments(node)


def _sites(
    node: ast.AST, above: ast.AST | None = None, equation: bool = False
) -> Iterator[Site]:
    """Give the nodes that may be changed: none in an index, in a range, or in what a loop runs over."""
    yield Site(node, above, equation)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in SKIPPED
    ):
        return
    if isinstance(node, ast.Compare):
        equation = all(isinstance(how, ast.Eq) for how in node.ops)
    for child in ast.iter_child_nodes(node):
        index = isinstance(node, ast.Subscript) and child is node.slice
        runs_over = isinstance(node, ast.comprehension | ast.For) and child is node.iter
        if not index and not runs_over:
            yield from _sites(child, node, equation)


def edits(
    unit: Unit, called: str, whole: Iterable[str] = (), *, right_sides: bool = False
) -> list[Edit]:
    """Return all changed texts of a unit; `called` says in words what it is, `whole` names integer arguments."""
    ending = f"{DEFINITION}`{called}`" if called else ""
    arguments = {*whole} & {*unit.parameters}
    sides: list[Edit] = []
    others: list[Edit] = []
    for place, site in enumerate(_sites(unit.tree)):
        if right_sides and isinstance(site.node, ast.Compare):
            sides.extend(_right_sides(site.node, unit, place))
            for kind, new, words in _strict(site.node):
                others.append(Edit(unit, site.node, new, kind, words))
        for kind, new, words in _changes(site, unit, arguments):
            others.append(
                Edit(unit, site.node, new, kind, words + ending, equation=site.equation)
            )
    return [*sides, *others]
