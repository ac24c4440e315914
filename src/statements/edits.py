r"""Changed texts of a statement: what takes whose place, and in which words.

Right sides that ask for 2 and for 10 % more, constants moved by 3 %, signs, terms left
out, cosh for sinh, max for min, < for <=, whole arguments moved by one; in the
statement, and in what it uses. What a text runs over, an index set, stays as it is.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from statements.rewrite import (
    ALIAS,
    OPERATORS,
    Unit,
    call,
    is_kernel_function,
    resolve,
)

#: By how much right sides are moved, in the direction that asks for more.
SHARES = (0.02, 0.1)
#: How the words for a change of a definition say that it is one.
DEFINITION = " in the definition of "
#: Functions, and what each is exchanged for.
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
STRICTER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.LtE: ast.Lt,
    ast.GtE: ast.Gt,
}
#: By which factors constants are changed, and to how many digits.
FACTORS = (1.03, 0.97)
DIGITS = 12
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

    @property
    def change(self) -> tuple[Unit, ast.AST, ast.AST]:
        """The text, its node, and what takes the place of that."""
        return self.unit, self.old, self.new

    @property
    def compare(self) -> ast.Compare:
        """The comparison of a right side."""
        assert isinstance(self.old, ast.Compare)
        return self.old

    @property
    def side(self) -> ast.expr:
        """The right side."""
        return self.compare.comparators[self.link]


class Site(NamedTuple):
    """Hold a node that may be changed, what it stands in, and whether below `==`."""

    node: ast.AST
    above: ast.AST | None
    equation: bool


#: Kind, new node and words of a change of one node.
Change = tuple[str, ast.AST, str]


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def rises(how: ast.cmpop) -> bool:
    """Tell whether a right side asks for more when it is larger."""
    return isinstance(how, ast.GtE | ast.Gt | ast.Eq)


def right_side(edit: Edit, share: float) -> Edit:
    """Return the edit that asks for more by a share of the size of its right side."""
    compare = edit.compare
    link = edit.link
    side = edit.side
    change = share
    word = "larger"
    if not rises(compare.ops[link]):
        change = -share
        word = "smaller"
    moved = call("_moved", side, ast.Constant(change))
    new: ast.expr = ast.Compare(
        compare.left,
        compare.ops[: link + 1],
        [*compare.comparators[:link], moved],
    )
    later = compare.ops[link + 1 :]
    if later:  # there the side stays as it is
        rest = ast.Compare(side, later, compare.comparators[link + 1 :])
        new = ast.BoolOp(ast.And(), [new, rest])
    words = f"`{ast.unparse(side)}` could be {100 * share:.0f} % {word}"
    return edit._replace(new=new, words=words, share=share)


def _right_sides(compare: ast.Compare, unit: Unit, place: int) -> Iterator[Edit]:
    """Give the right sides that ask for more; a sign, `x >= 0`, has none."""
    sides = [compare.left, *compare.comparators]
    for link, how in enumerate(compare.ops):
        if type(how) not in OPERATORS or isinstance(how, ast.NotEq):
            continue
        if _is_zero(sides[link]) or _is_zero(sides[link + 1]):
            continue
        edit = Edit(
            unit,
            compare,
            compare,
            "side",
            "",
            group=f"{place}.{link}",
            link=link,
            equation=isinstance(how, ast.Eq),
        )
        for share in SHARES:
            yield right_side(edit, share)


def _strict(compare: ast.Compare) -> Iterator[Change]:
    for link, how in enumerate(compare.ops):
        if type(how) in STRICTER:
            ops = [*compare.ops]
            ops[link] = STRICTER[type(how)]()
            new = ast.Compare(compare.left, ops, compare.comparators)
            yield "strict", new, "the inequality could be strict"


def _constants(node: ast.Constant, above: ast.AST | None) -> Iterator[Change]:
    value = node.value
    if not isinstance(value, int | float) or not value or value is True:
        return
    within = ""
    if isinstance(above, ast.expr):
        within = f" in `{ast.unparse(above)}`"
    for factor in FACTORS:
        new = float(f"{value * factor:.{DIGITS}g}")
        words = f"`{ast.unparse(node)}` could be `{new:.6g}`{within}"
        yield "constant", ast.Constant(new), words


def _sums(node: ast.BinOp) -> Iterator[Change]:
    """Give a sum with the other sign, and without each of its terms."""
    text = ast.unparse(node)
    left = ast.unparse(node.left)
    right = ast.unparse(node.right)
    other: ast.operator = ast.Sub()
    alone = node.right
    if isinstance(node.op, ast.Sub):
        other = ast.Add()
        alone = ast.UnaryOp(ast.USub(), node.right)
    swapped = ast.BinOp(node.left, other, node.right)
    yield "sign", swapped, f"`{text}` could be `{ast.unparse(swapped)}`"
    yield "term", node.left, f"`{right}` could be left out of `{text}`"
    yield "term", alone, f"`{left}` could be left out of `{text}`"


def _arguments(node: ast.Name) -> Iterator[Change]:
    for step in (ast.Add(), ast.Sub()):
        name = ast.Name(node.id, ast.Load())  # the change does not hold its old node
        new = ast.BinOp(name, step, ast.Constant(1))
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
    shown = call(other, *node.args)
    words = f"`{ast.unparse(node)}` could be `{ast.unparse(shown)}`"
    yield "function", call(called, *node.args), words


def _changes(site: Site, unit: Unit, whole: set[str]) -> Iterator[Change]:
    """Give kind, new node and words for each change of one node."""
    node = site.node
    match node:
        case ast.Constant():
            yield from _constants(node, site.above)
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            yield from _sums(node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield "sign", operand, f"`{ast.unparse(node)}` could have the other sign"
        case ast.Call(func=ast.Name(id=name)) if name in SWAPS:
            yield from _functions(node, name, unit)
        case ast.Name(id=name, ctx=ast.Load()) if name in whole:
            yield from _arguments(node)


def _sites(
    node: ast.AST,
    above: ast.AST | None = None,
    equation: bool = False,
) -> Iterator[Site]:
    """Give the nodes that may be changed: none in an index or an index set."""
    yield Site(node, above, equation)
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in SKIPPED:
            return
        case ast.Compare(ops=hows):
            equation = all(isinstance(how, ast.Eq) for how in hows)
    for child in ast.iter_child_nodes(node):
        if not _is_index(node, child):
            yield from _sites(child, node, equation)


def _is_index(node: ast.AST, child: ast.AST) -> bool:
    """Tell whether a node is the index of another one, or what that runs over."""
    match node:
        case ast.Subscript(slice=index):
            return child is index
        case ast.comprehension(iter=runs_over) | ast.For(iter=runs_over):
            return child is runs_over
    return False


def edits(
    unit: Unit,
    called: str,
    whole: Iterable[str] = (),
    *,
    right_sides: bool = False,
) -> list[Edit]:
    """Return all changed texts of a unit, those of right sides first.

    `called` says in words what the unit is, and `whole` names integer arguments.
    """
    ending = f"{DEFINITION}`{called}`" if called else ""
    arguments = {*whole} & {*unit.parameters}
    sides: list[Edit] = []
    others: list[Edit] = []
    for place, site in enumerate(_sites(unit.tree)):
        node = site.node
        changes = _changes(site, unit, arguments)
        if right_sides and isinstance(node, ast.Compare):
            sides.extend(_right_sides(node, unit, place))
            changes = _strict(node)
        for kind, new, words in changes:
            edit = Edit(unit, node, new, kind, words + ending, equation=site.equation)
            others.append(edit)
    return [*sides, *others]
