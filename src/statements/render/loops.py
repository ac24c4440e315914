r"""Loops as what stands below a sum: in `f(p, q) for p, q in zip(P, Q)` p is P_i and q is Q_i, for all i."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statements.render.lines import joined
from statements.render.shapes import NUMBER, Shape, inside
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


class Unset(ValueError):
    """Say that a text has a part that no formula says."""


@dataclass(frozen=True)
class Term:
    """Hold what a name stands for: a symbol, or a formula and how tightly it binds; and its shape."""

    made: Symbol | str
    shape: Shape | None
    level: int = ATOM

    def tex(self) -> str:
        """Return the formula."""
        return self.made if isinstance(self.made, str) else self.made.tex()

    def at(self, index: str) -> Term:
        """Return an entry."""
        whole = self.made
        if isinstance(whole, str):
            whole = Symbol(whole if self.level >= ATOM else bracketed(whole))
        return Term(whole.at(index), inside(self.shape))


@dataclass
class Loop:
    """Hold ranges and conditions; of a sum over whole numbers alone what stands below and above its sign."""

    ranges: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    ends: tuple[str, str] | None = None

    def below(self) -> str:
        """Return what stands below a sign."""
        tests = r":\," + r",\ ".join(self.tests) if self.tests else ""
        return r",\ ".join(self.ranges) + tests

    def words(self, join: str) -> str:
        """Return what stands behind "for all"."""
        tests = (
            r"\text{ with }" + r"\text{ and }".join(self.tests) if self.tests else ""
        )
        return join.join(self.ranges) + tests


def called(node: Any) -> tuple[str, list[ast.expr], list[ast.expr]]:
    """Return the name of a function that is called, its arguments, and what it repeats; "" for another node."""
    known = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if not known or any(word.arg not in KEYWORDS for word in node.keywords):
        return "", [], []
    return (
        node.func.id,
        node.args,
        [word.value for word in node.keywords if word.arg == "repeat"],
    )


def loop(writer: Formula, generators: Iterable[ast.comprehension]) -> Loop:
    """Let the names of loops stand for what they run through, and return the loops; raise Unset where none says it."""
    found = Loop()
    for part in generators:
        _bind(writer, found, part.target, part.iter)
        found.tests += [
            writer.little(test, OR) + r" \ne 0" * isinstance(test, ast.Name)
            for test in part.ifs
        ]
    if len(found.ranges) > 1 or found.tests:
        found.ends = None
    return found


def _bind(writer: Formula, found: Loop, target: Any, source: Any) -> None:
    source = writer.spelled(source)
    name, given, repeat = called(source)
    if isinstance(target, ast.Name) and target.id == "_":
        target = ast.Name(writer.letter(source), ast.Store())
    if name == "range":
        _range(writer, found, _name(target), given)
    elif name == "product" and not repeat and isinstance(target, ast.Tuple):
        for one, part in zip(target.elts, given, strict=True):
            _bind(writer, found, one, part)
    elif name == "product" and repeat:
        among = members(writer, given[0]) + script("^", writer.little(repeat[0]))
        _among(writer, found, target, among, Shape((False, False)))
    elif name in ("zip", "enumerate", "pairwise"):
        _entries(writer, found, target, source)
    elif isinstance(source, ast.Tuple | ast.List | ast.Set):
        _among(writer, found, target, members(writer, source), writer.shape(source))
    elif isinstance(target, ast.Tuple) or _set(writer, source):
        _among(
            writer, found, target, writer.little(source, RELATION), writer.shape(source)
        )
    else:
        _entries(writer, found, target, source)


def _name(target: Any) -> str:
    if not isinstance(target, ast.Name):
        raise Unset("a loop over several names")
    return target.id


def _range(writer: Formula, found: Loop, name: str, given: list[ast.expr]) -> None:
    """Let a name run through whole numbers."""
    low, high = ends(given)
    first = writer.little(low, SUM)
    last = writer.little(high, SUM)
    letter = symbol(name)
    writer.terms[name] = Term(letter, NUMBER)
    found.ends = (f"{letter.tex()}={first}", last)
    found.ranges.append(rf"{first} \le {letter.tex()} \le {last}")


def ends(given: list[ast.expr]) -> tuple[ast.expr, ast.expr]:
    """Return the first and the last number of a range; raise Unset for one with steps."""
    if not 1 <= len(given) <= 2:
        raise Unset("a range with steps")
    low, high = given if len(given) == 2 else [ast.Constant(0), *given]
    match high:
        case ast.Constant(value=int() as value):
            return low, ast.Constant(value - 1)
        case ast.BinOp(
            left=left, op=ast.Add(), right=ast.Constant(value=int() as value)
        ):
            return low, ast.BinOp(
                left, ast.Add(), ast.Constant(value - 1)
            ) if value > 1 else left
    return low, ast.BinOp(high, ast.Sub(), ast.Constant(1))


def members(writer: Formula, source: Any) -> str:
    """Return a set that is written out; raise Unset where it is not, or has one member twice."""
    name, given, _ = called(source)
    if name == "range":
        low, high = ends(given)
        return rf"\{{{writer.little(low)}, \dots, {writer.little(high)}\}}"
    if not isinstance(source, ast.Tuple | ast.List | ast.Set) or any(
        isinstance(x, ast.Starred) for x in source.elts
    ):
        raise Unset("a loop over what is not written out")
    texts = [writer.little(item) for item in source.elts]
    if len({*texts}) < len(texts):
        raise Unset("a loop that takes one value twice")
    return r"\{" + ", ".join(texts) + r"\}"


def _set(writer: Formula, source: Any) -> bool:
    """Tell whether a loop is shown as one over the members of a set: of a range, or of no vector as far as is known."""
    shape = writer.shape(source)
    return shape.span if shape is not None else isinstance(source, ast.Call)


def _among(
    writer: Formula, found: Loop, target: Any, among: str, shape: Shape | None
) -> None:
    """Let names run through a set."""
    names = [
        _name(item)
        for item in (target.elts if isinstance(target, ast.Tuple) else [target])
    ]
    shown = ", ".join(symbol(name).tex() for name in names)
    one = inside(shape) if len(names) == 1 else inside(inside(shape))
    writer.terms.update({name: Term(symbol(name), one) for name in names})
    found.ranges.append(rf"{shown if len(names) == 1 else f'({shown})'} \in {among}")


def _entries(writer: Formula, found: Loop, target: Any, source: Any) -> None:
    """Let names stand for entries with one index."""
    name, given, _ = called(source)
    if name == "enumerate" and len(given) == 1:
        place, target = target.elts
        source = given[0]
        index = symbol(_name(place)).tex()
        writer.terms[place.id] = Term(symbol(place.id), NUMBER)
    else:
        index = writer.letter(source)
    limits = {*take(writer, target, source, index)} - {""}
    if len(limits) > 1:
        raise Unset("vectors that are cut at two places")
    found.ranges.append(limits.pop() if limits else index)


def take(writer: Formula, target: Any, source: Any, index: str) -> Iterator[str]:
    """Let the names of a target stand for an entry of what a loop runs through; give limits of the index."""
    name, given, _ = called(source)
    if name == "pairwise":
        name, given = (
            "zip",
            [given[0], ast.Subscript(given[0], ast.Slice(ast.Constant(1)))],
        )
    if name == "zip":
        if not isinstance(target, ast.Tuple) or len(target.elts) != len(given):
            raise Unset("a loop over rows")
        alike = (
            len(
                {
                    ast.dump(x.slice) if isinstance(x, ast.Subscript) else ""
                    for x in given
                }
            )
            == 1
        )
        for one, part in zip(target.elts, given, strict=True):
            yield from _take_entry(writer, one, part, index, alike)
    else:
        yield from _take_entry(writer, target, source, index, alike=True)


def _take_entry(
    writer: Formula, target: Any, source: Any, index: str, alike: bool
) -> Iterator[str]:
    found, limit = entry(writer, source, index, alike)
    if isinstance(target, ast.Tuple):
        writer.terms.update(
            {_name(item): found.at(str(k)) for k, item in enumerate(target.elts)}
        )
    else:
        writer.terms[_name(target)] = found
    yield limit


def entry(
    writer: Formula, source: Any, index: str, alike: bool = True
) -> tuple[Term, str]:
    """Return an entry of a vector, and the limits of its index, "" where it runs through all; `alike` are all cuts."""
    if isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice):
        return _cut(writer, source.value, source.slice, index, alike)
    whole = isinstance(source, ast.Name | ast.Subscript | ast.Tuple | ast.List)
    if whole or (isinstance(source, ast.Call) and not writer.pointwise(source)):
        return writer.term(source).at(index), ""
    made, level = writer.made(source, index)
    return Term(joined(made), inside(writer.shape(source)), level), ""


def _cut(
    writer: Formula, whole: Any, place: ast.Slice, index: str, alike: bool
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
    up = rf"\le {end.removesuffix(' + 1')}" if end.endswith(" + 1") else f"< {end}"
    return entry(writer, whole, index)[0], f"{start}{index} {up}"


OPPOSITE = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def nonzero(node: Any) -> tuple[ast.expr, ast.expr] | None:
    """Return a condition, and the value where it holds, of an expression that is 0 elsewhere; None for another one."""

    def zero(part: ast.expr) -> bool:
        return isinstance(part, ast.Constant) and part.value == 0

    match node:
        case ast.IfExp(test=test, body=body, orelse=rest) if zero(rest):
            return test, body
        case ast.IfExp(
            test=ast.Compare(left=a, ops=[how], comparators=[b]), body=body, orelse=rest
        ) if zero(body):
            return ast.Compare(a, [OPPOSITE[type(how)]()], [b]), rest
    return None
