r"""What a comparison gives: whether it holds, and by how much, for many instances at once or for one exactly.

The margin is relative, $(b-a)/(|a|+|b|)$ for $a\le b$, so that tiny quantities count as much as large ones; it is
negative where the comparison fails. The gaps, $b-a$ for each part of a conjunction, say which of two statements is
the stronger one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from statements.arithmetic import BITS, MODE, PLAIN, Undecided, number

__all__ = ["TOUCHING", "Truth", "Unmet", "assume", "chain", "choose", "every", "opposite", "relate", "some", "truth"]

HOW = {
    "<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
#: Floats that differ by less, relative to their size or at all, look equal; the margin of `<` where they are equal.
NEAR, NOISE, TOUCHING = 1e-9, 1e-12, -1e-18


class Unmet(Exception):
    """Say that an instance does not meet a hypothesis."""


class Truth:
    """Hold how a statement came out: `margin` and `gaps` in floats, and `decided` where it is exact."""

    __slots__ = ("decided", "gaps", "margin")

    def __init__(self, margin: Any, gaps: Sequence[Any], decided: bool | None = None) -> None:
        self.margin, self.gaps, self.decided = margin, tuple(gaps), decided

    def __bool__(self) -> bool:
        if self.decided is None and np.ndim(self.margin):
            raise ValueError("the truth of many instances at once is ambiguous")
        return bool(self.margin >= 0) if self.decided is None else self.decided


def relate(how: str, a: Any, b: Any, share: float = 0.0) -> Truth:
    """Compare two values, or two vectors entry by entry; `share` moves the right side against the statement."""
    if MODE.kind == "exact" and (np.ndim(a) or np.ndim(b)):
        pairs = np.broadcast(np.asarray(a, dtype=object), np.asarray(b, dtype=object))
        return every(relate(how, x, y, share) for x, y in pairs)
    if share:
        part = (number(round(share * 100)) / 100 if MODE.kind == "exact" else share) * abs(b)
        b = b + part if how in (">=", ">", "==") else b - part
    if MODE.kind == "exact":
        return _exactly(how, number(a), number(b))
    return (_of_floats if isinstance(a, PLAIN) and isinstance(b, PLAIN) else _roughly)(how, a, b)


def _exactly(how: str, a: Any, b: Any) -> Truth:
    try:
        sign = a.sign_to(b)
    except Undecided as error:
        error.least = BITS[-1] if how == "==" else 0  # an equality is seen at the most bits alone
        raise
    holds, one, other = HOW[how](sign, 0), float(a), float(b)
    gap, size = abs(one - other), abs(one) + abs(other)
    margin = gap / size if 0 < size < math.inf and sign else float(bool(sign))
    return Truth(margin if holds else -max(margin, -TOUCHING), [gap if holds else -gap], holds)


def _of_floats(how: str, a: float, b: float) -> Truth:
    """Do what `_roughly` does for two numbers, many times faster."""
    gap, size = float(b - a if how in ("<=", "<") else a - b), abs(a) + abs(b)
    margin = math.copysign(1.0, gap) if math.isinf(gap) else gap / size if size else gap
    if how in ("==", "!="):
        sign, gap = (1.0 if how == "==" else -1.0), abs(gap)
        margin, gap = sign * (NEAR - (0.0 if gap <= NOISE else abs(margin))), -sign * gap
    elif how in ("<", ">") and gap == 0:
        margin = TOUCHING
    return Truth(float(margin), [gap])


def _roughly(how: str, a: Any, b: Any) -> Truth:
    with np.errstate(all="ignore"):
        gap = np.asarray(b - a if how in ("<=", "<") else a - b, dtype=float)
        size = np.abs(a) + np.abs(b)
        margin = np.where(np.isinf(gap), np.sign(gap), gap / np.where(size == 0, 1, size))
        if how in ("==", "!="):
            sign, gap = (1 if how == "==" else -1), np.abs(gap)
            margin, gap = sign * (NEAR - np.where(gap <= NOISE, 0, np.abs(margin))), -sign * gap
        elif how in ("<", ">"):
            margin = np.where(gap == 0, TOUCHING, margin)
    axes = tuple(range(margin.ndim - (MODE.kind == "vector")))  # over the entries of vectors
    return Truth(np.min(margin, axis=axes), [np.min(gap, axis=axes)]) if axes else Truth(margin, [gap])


def truth(value: Any) -> Truth:
    """Return anything that a statement may give as a Truth: booleans, arrays of them, tuples of statements."""
    if isinstance(value, Truth):
        return value
    if isinstance(value, tuple | list):
        return every(value)
    if np.asarray(value).dtype.kind != "b":
        raise TypeError(f"a statement must compare something, it gave {value!r:.80}")
    return relate(">", np.where(value, 2, 0) if isinstance(value, np.ndarray) and value.ndim else 2 * bool(value), 1)


def _join(parts: Iterable[Any], keep: bool) -> Truth:
    """Return the conjunction (keep False), or the disjunction, of statements or of functions that give them."""
    found: list[Truth] = []
    for part in parts:
        found.append(truth(part() if callable(part) else part))
        if found[-1].decided is keep:
            return found[-1]
    if not found:
        return truth(not keep)
    if found[0].decided is not None:
        margin = (max if keep else min)(item.margin for item in found)
        return Truth(margin, [margin] if keep else [gap for item in found for gap in item.gaps], not keep)
    margin = found[0].margin
    for item in found[1:]:
        first, second = [m >= 0 if keep else m < 0 for m in (margin, item.margin)]
        if type(margin) is type(item.margin) is float:
            kept = margin != margin or ((margin > item.margin) is keep and item.margin == item.margin)
            margin = margin if (first if first != second else kept) else item.margin
            continue
        both = (np.maximum if keep else np.minimum)(margin, item.margin)
        margin = np.where(first & ~second, margin, np.where(second & ~first, item.margin, both))
    return Truth(margin, [margin] if keep else [gap for item in found for gap in item.gaps], None)


def every(parts: Iterable[Any]) -> Truth:
    """Return whether all hold; what is decided already ends it where numbers decide."""
    return _join(parts, False)


def some(parts: Iterable[Any]) -> Truth:
    """Return whether one holds."""
    return _join(parts, True)


def opposite(value: Any) -> Truth:
    """Return the negation."""
    item = truth(value)
    margin = -item.margin if type(item.margin) is float else np.where(item.margin == 0, TOUCHING, -item.margin)
    margin = TOUCHING if type(margin) is float and margin == 0 else margin
    return Truth(margin, [-gap for gap in item.gaps], None if item.decided is None else not item.decided)


def chain(links: Sequence[tuple[str, float]], *sides: Callable[[], Any]) -> Truth:
    """Return a <= b <= c as its comparisons, each side computed once, with the shares that move right sides."""
    values = [sides[0]()]

    def link(at: int) -> Truth:
        values.append(sides[at + 1]())
        return relate(links[at][0], values[at], values[at + 1], links[at][1])

    return every((lambda at=at: link(at)) for at in range(len(links)))


def assume(*parts: Any) -> None:
    """Note hypotheses inside a statement; where numbers decide, an instance that fails one is left."""
    for item in map(truth, parts):
        if item.decided is False:
            raise Unmet
        MODE.assumed.append(item)


def choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """Return `yes() if test else no()`, for many instances at once where need be."""
    item = truth(test)
    if MODE.kind == "exact":
        return yes() if item else no()
    if MODE.kind == "scalar" and not np.ndim(item.margin):
        found = yes() if item.margin >= 0 else no()
        if not isinstance(found, Truth | np.ndarray):
            return found
    first, second = yes(), no()
    if isinstance(first, Truth):
        return some([every([item, first]), every([opposite(item), second])])
    return np.where(item.margin >= 0, first, second)
