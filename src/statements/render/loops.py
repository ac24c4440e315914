r"""Loops as what stands below a sum.

In `f(p, q) for p, q in zip(P, Q)` p is P_i and q is Q_i, for all i.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from statements.render.lines import joined
from statements.render.shapes import NUMBER, MaybeShape, Shape, inside
from statements.render.symbols import (
    ATOM,
    OR,
    RELATION,
    SUM,
    Symbol,
    bracketed,
    script,
    symbol,
)

if TYPE_CHECKING:
    from statements.render.formulas import Formula

#: Keywords of the functions of loops that are read.
KEYWORDS = {"strict", "repeat"}
#: Lists and sets that are written out.
WRITTEN_OUT = ast.Tuple | ast.List | ast.Set
#: Functions whose loops go through entries of vectors.
ENTRIES = {"zip", "enumerate", "pairwise"}


#: An expression of a text, and several.
Node = ast.expr
Nodes = Sequence[Node]


class Unset(ValueError):
    """Say that a text has a part that no formula says."""


@dataclass(frozen=True)
class Term:
    """Hold what a name stands for, and its shape.

    It is a symbol, or a formula and how tightly it binds.
    """

    formula: Symbol | str
    shape: MaybeShape
    level: int = ATOM

    def tex(self) -> str:
        """Return the formula."""
        if isinstance(self.formula, str):
            return self.formula
        return self.formula.tex()

    def at(self, index: str) -> Term:
        """Return an entry."""
        whole = self.formula
        if isinstance(whole, str):
            whole = Symbol(whole if self.level >= ATOM else bracketed(whole))
        return Term(whole.at(index), inside(self.shape))


@dataclass
class Loop:
    """Hold ranges and conditions.

    `ends` are what stands below and above the sign of a sum over whole numbers alone.
    """

    ranges: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    ends: tuple[str, str] | None = None

    def below(self) -> str:
        """Return what stands below a sign."""
        text = r",\ ".join(self.ranges)
        if self.tests:
            text += r":\," + r",\ ".join(self.tests)
        return text

    def words(self, join: str) -> str:
        """Return what stands behind "for all"."""
        text = join.join(self.ranges)
        if self.tests:
            text += r"\text{ with }" + r"\text{ and }".join(self.tests)
        return text


def called(node: ast.AST) -> tuple[str, Nodes, Nodes]:
    """Return the name of a function that is called, its arguments, and what it repeats.

    The name is "" for another node.
    """
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            if all(keyword.arg in KEYWORDS for keyword in keywords):
                repeat = [item.value for item in keywords if item.arg == "repeat"]
                return name, arguments, repeat
    return "", [], []


def name_of(target: Node) -> str:
    """Return the one name of a loop."""
    if not isinstance(target, ast.Name):
        raise Unset("a loop over several names")
    return target.id


def pair_of(target: Node) -> tuple[Node, Node]:
    """Return the two names of a loop over pairs."""
    match target:
        case ast.Tuple(elts=[first, second]):
            return first, second
    raise Unset("a loop over pairs with one name")


def listed(names: Sequence[str]) -> str:
    """Return names as formulas, with commas."""
    return ", ".join(symbol(name).tex() for name in names)


def tuple_tex(names: Sequence[str]) -> str:
    """Return a name, or several in brackets, as a formula."""
    return listed(names) if len(names) == 1 else f"({listed(names)})"


def loop(writer: Formula, generators: Iterable[ast.comprehension]) -> Loop:
    """Let the names of loops stand for what they run through, and return the loops.

    Raises Unset where no formula says it.
    """
    loops = Loop()
    for part in generators:
        _bind(writer, loops, part.target, part.iter)
        for test in part.ifs:
            text = writer.little(test, OR)
            if isinstance(test, ast.Name):  # a number that counts as true
                text += r" \ne 0"
            loops.tests.append(text)
    if len(loops.ranges) > 1 or loops.tests:
        loops.ends = None
    return loops


def _bind(
    writer: Formula,
    loops: Loop,
    target: Node,
    source: Node,
) -> None:
    """Let the names of one loop stand for what they run through."""
    source = writer.spelled(source)
    name, arguments, _ = called(source)
    if isinstance(target, ast.Name) and target.id == "_":
        target = ast.Name(writer.letter(source), ast.Store())
    if name == "range":
        _range(writer, loops, name_of(target), arguments)
    elif name == "product" and _product(writer, loops, target, source):
        return
    elif name in ENTRIES or not _ranges_over_set(writer, target, source):
        _entries(writer, loops, target, source)
    else:
        if isinstance(source, WRITTEN_OUT):
            text = members(writer, source)
        else:
            text = writer.little(source, RELATION)
        _among(writer, loops, target, text, writer.shape(source))


def _product(
    writer: Formula,
    loops: Loop,
    target: Node,
    source: Node,
) -> bool:
    """Let names run through a product of sets, and tell whether it is one."""
    _, arguments, repeat = called(source)
    if repeat:
        power = script("^", writer.little(repeat[0]))
        among = members(writer, arguments[0]) + power
        _among(writer, loops, target, among, Shape((False, False)))
        return True
    if isinstance(target, ast.Tuple):
        for one, part in zip(target.elts, arguments, strict=True):
            _bind(writer, loops, one, part)
        return True
    return False


def _range(
    writer: Formula,
    loops: Loop,
    name: str,
    arguments: Nodes,
) -> None:
    """Let a name run through whole numbers."""
    low, high = ends(arguments)
    first = writer.little(low, SUM)
    last = writer.little(high, SUM)
    letter = symbol(name)
    writer.terms[name] = Term(letter, NUMBER)
    loops.ends = (f"{letter.tex()}={first}", last)
    loops.ranges.append(rf"{first} \le {letter.tex()} \le {last}")


def ends(arguments: Nodes) -> tuple[Node, Node]:
    """Return the first and last number of a range; raise Unset for one with steps."""
    match arguments:
        case [high]:
            return ast.Constant(0), _one_less(high)
        case [low, high]:
            return low, _one_less(high)
    raise Unset("a range with steps")


def _one_less(node: Node) -> Node:
    """Return an expression less 1, where a constant at its end is counted down."""
    match node:
        case ast.Constant(value=int() as value):
            return ast.Constant(value - 1)
        case ast.BinOp(left, ast.Add(), ast.Constant(value=int() as value)):
            if value > 1:
                return ast.BinOp(left, ast.Add(), ast.Constant(value - 1))
            return left
    return ast.BinOp(node, ast.Sub(), ast.Constant(1))


def members(writer: Formula, source: Node) -> str:
    """Return a set that is written out.

    Raises Unset where it is not written out, or has one member twice.
    """
    name, arguments, _ = called(source)
    if name == "range":
        low, high = ends(arguments)
        return rf"\{{{writer.little(low)}, \dots, {writer.little(high)}\}}"
    if not isinstance(source, WRITTEN_OUT):
        raise Unset("a loop over what is not written out")
    if any(isinstance(item, ast.Starred) for item in source.elts):
        raise Unset("a loop over lists in a list")
    texts = [writer.little(item) for item in source.elts]
    if len({*texts}) < len(texts):
        raise Unset("a loop that takes one value twice")
    return r"\{" + ", ".join(texts) + r"\}"


def _ranges_over_set(
    writer: Formula,
    target: Node,
    source: Node,
) -> bool:
    """Tell whether a loop is shown as one over the members of a set.

    So is one over a list that is written out, over tuples, over a range, and over what
    is no vector as far as is known.
    """
    if isinstance(source, WRITTEN_OUT) or isinstance(target, ast.Tuple):
        return True
    shape = writer.shape(source)
    if shape is None:
        return isinstance(source, ast.Call)
    return shape.span


def _among(
    writer: Formula,
    loops: Loop,
    target: Node,
    among: str,
    shape: MaybeShape,
) -> None:
    """Let names run through a set."""
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [name_of(item) for item in targets]
    one = inside(shape)
    if len(names) > 1:
        one = inside(one)
    for name in names:
        writer.terms[name] = Term(symbol(name), one)
    loops.ranges.append(rf"{tuple_tex(names)} \in {among}")


def _entries(
    writer: Formula,
    loops: Loop,
    target: Node,
    source: Node,
) -> None:
    """Let names stand for entries with one index."""
    name, arguments, _ = called(source)
    if name == "enumerate" and len(arguments) == 1:
        place, target = pair_of(target)
        source = arguments[0]
        letter = name_of(place)
        index = symbol(letter).tex()
        writer.terms[letter] = Term(symbol(letter), NUMBER)
    else:
        index = writer.letter(source)
    limits = {*take(writer, target, source, index)} - {""}
    if len(limits) > 1:
        raise Unset("vectors that are cut at two places")
    loops.ranges.append(limits.pop() if limits else index)


def take(
    writer: Formula,
    target: Node,
    source: Node,
    index: str,
) -> Iterator[str]:
    """Let the names of a target stand for an entry of what a loop runs through.

    Gives limits of the index.
    """
    name, vectors, _ = called(source)
    if name == "pairwise":
        rest = ast.Subscript(vectors[0], ast.Slice(ast.Constant(1)))
        vectors = [vectors[0], rest]
    elif name != "zip":
        yield _take_entry(writer, target, source, index, alike=True)
        return
    if not isinstance(target, ast.Tuple) or len(target.elts) != len(vectors):
        raise Unset("a loop over rows")
    alike = len({_cut_of(vector) for vector in vectors}) == 1
    for one, part in zip(target.elts, vectors, strict=True):
        yield _take_entry(writer, one, part, index, alike)


def _cut_of(vector: Node) -> str:
    """Return where a vector is cut, as text, "" for a whole one."""
    if isinstance(vector, ast.Subscript):
        return ast.dump(vector.slice)
    return ""


def _take_entry(
    writer: Formula,
    target: Node,
    source: Node,
    index: str,
    alike: bool,
) -> str:
    """Let names stand for an entry of a vector, and return the limits of its index."""
    term, limit = entry(writer, source, index, alike)
    if isinstance(target, ast.Tuple):
        for k, item in enumerate(target.elts):
            writer.terms[name_of(item)] = term.at(str(k))
    else:
        writer.terms[name_of(target)] = term
    return limit


def entry(
    writer: Formula,
    source: Node,
    index: str,
    alike: bool = True,
) -> tuple[Term, str]:
    """Return an entry of a vector, and the limits of its index.

    These are "" where it runs through all. `alike` says that all vectors of a loop are
    cut at the same places.
    """
    if isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice):
        return _cut(writer, source.value, source.slice, index, alike)
    whole = isinstance(source, ast.Name | ast.Subscript | ast.Tuple | ast.List)
    if whole or (isinstance(source, ast.Call) and not writer.pointwise(source)):
        return writer.term(source).at(index), ""
    parts, level = writer.write(source, index)
    return Term(joined(parts), inside(writer.shape(source)), level), ""


def _cut(
    writer: Formula,
    whole: Node,
    place: ast.Slice,
    index: str,
    alike: bool,
) -> tuple[Term, str]:
    """Return an entry of a part of a vector, and the limits of its index."""
    low = place.lower
    high = place.upper
    if place.step is not None or (low is not None and high is not None and not alike):
        raise Unset("a vector that is cut with steps, or beside another one")
    if high is None:
        if not isinstance(low, ast.Constant):
            raise Unset("a vector that is cut at a place that is not written out")
        return entry(writer, whole, f"{index}+{writer.little(low)}")
    end = writer.little(high, SUM)
    if end.startswith("-"):
        end = rf"\#{writer.little(whole, ATOM)} {end}"
    start = "" if low is None else writer.little(low, SUM) + r" \le "
    up = f"< {end}"
    if end.endswith(" + 1"):
        up = rf"\le {end.removesuffix(' + 1')}"
    return entry(writer, whole, index)[0], f"{start}{index} {up}"


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def nonzero(node: Node) -> tuple[Node, Node] | None:
    """Return a condition, and the value where it holds, of what is 0 elsewhere.

    It is None for another expression.
    """
    match node:
        case ast.IfExp(test, body, ast.Constant(value=0)):
            return test, body
        case ast.IfExp(ast.Compare(a, [how], [b]), ast.Constant(value=0), value):
            return ast.Compare(a, [OPPOSITE[type(how)]()], [b]), value
    return None
