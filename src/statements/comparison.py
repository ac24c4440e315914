r"""What a comparison gives: its margin, $(b-a)/(|a|+|b|)$ for $a\le b$, negative where it fails, and its gaps.

The gaps, $b-a$ for each part of a conjunction, say which of two statements is the
stronger one.
"""

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from itertools import pairwise
from typing import Any

import numpy as np

from statements.arithmetic import BITS, MODE, SEVERAL, Touching, Undecided, number

HOW = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
#: The relations that balls which agree do not decide.
STRICT = ("<", ">", "!=")
#: Floats that differ by less, relative to their size or at all, look equal; the margin
#: of `<` where they are equal.
NEAR = 1e-9
NOISE = 1e-12
TOUCHING = -1e-18


class Truth:
    """Hold how a statement came out: its `margin`, and its `gaps` where floats look.

    It is `touching` where balls that agree count as equal: then its opposite is not
    decided.
    """

    __slots__ = ("gaps", "margin", "touching")

    def __init__(
        self, margin: Any, gaps: Sequence[Any] = (), touching: bool = False
    ) -> None:
        self.margin = margin
        self.gaps = tuple(gaps)
        self.touching = touching

    def __bool__(self) -> bool:
        return bool(self.margin >= 0)  # NumPy refuses that of many instances at once


def _pick(test: Any, yes: Any, no: Any) -> Any:
    """Return one of two values, entry by entry where the test is an array."""
    return (
        np.where(test, yes, no) if isinstance(test, np.ndarray) else yes if test else no
    )


def relate(how: str, a: Any, b: Any) -> Truth:
    """Compare two values, or two vectors entry by entry."""
    if MODE.kind != "exact":
        return _roughly(how, a, b)
    if isinstance(a, SEVERAL) or isinstance(b, SEVERAL):
        pairs = np.broadcast(np.asarray(a, dtype=object), np.asarray(b, dtype=object))
        return every(_exactly(how, number(x), number(y)) for x, y in pairs)
    return _exactly(how, number(a), number(b))


def _same(a: Any, b: Any) -> bool:
    """Tell whether two numbers are known to be equal; of balls neither this nor the contrary may be known."""
    return bool((a - b).value == 0)


def _exactly(how: str, a: Any, b: Any) -> Truth:
    try:
        sign = a.sign_to(b)
    except Undecided as error:
        error.least = (
            BITS[-1] if how == "==" else 0
        )  # an equality is seen at the most bits alone
        raise
    touching = sign == 0 and not _same(a, b)
    if touching and how in STRICT:
        raise Touching(
            f"{a} and {b} agree to {BITS[-1]} bits, which does not decide a strict inequality"
        )
    holds = HOW[how](sign, 0)
    one = float(a)
    other = float(b)
    size = abs(one) + abs(other)
    margin = (
        abs(one - other) / size if 0 < size < math.inf and sign else float(bool(sign))
    )
    return Truth(margin if holds else -max(margin, -TOUCHING), touching=touching)


def _roughly(how: str, a: Any, b: Any) -> Truth:
    gap = b - a if how in ("<=", "<") else a - b
    if isinstance(gap, np.ndarray):
        gap, size = np.asarray(gap, float), np.asarray(np.abs(a) + np.abs(b), float)
        margin = gap / size
        if not np.isfinite(margin).all():
            margin = np.where(
                abs(gap) == math.inf, np.sign(gap), gap / np.where(size == 0, 1, size)
            )
    else:
        margin = (
            math.copysign(1, gap)
            if abs(gap) == math.inf
            else gap / ((abs(a) + abs(b)) or 1)
        )
    if how in ("==", "!="):
        sign, gap = (1.0 if how == "==" else -1.0), abs(gap)
        margin, gap = sign * (NEAR - _pick(gap <= NOISE, 0.0, abs(margin))), -sign * gap
    elif how in ("<", ">"):
        margin = _pick(gap == 0, TOUCHING, margin)
    if not isinstance(gap, np.ndarray):
        return Truth(float(margin), [float(gap)])
    axes = tuple(
        range(gap.ndim - (MODE.kind == "vector"))
    )  # over the entries of vectors
    return (
        Truth(margin.min(axis=axes), [gap.min(axis=axes)])
        if axes
        else Truth(margin, [gap])
    )


def truth(value: Any) -> Truth:
    """Return anything that a statement may give as a Truth: booleans, arrays of them, tuples of statements."""
    if isinstance(value, Truth):
        return value
    if isinstance(value, tuple | list):
        return every(value)
    if np.asarray(value).dtype.kind != "b":
        raise TypeError(f"a statement must compare something, it gave {value!r:.80}")
    return relate(
        ">",
        np.where(value, 2, 0)
        if isinstance(value, np.ndarray) and value.ndim
        else 2 * bool(value),
        1,
    )


def _join(keep: bool, parts: Iterable[Any]) -> Truth:
    """Return the conjunction (keep False), or the disjunction, of statements or of functions that give them.

    Where numbers decide, what is decided already ends it.
    """
    found: list[Truth] = []
    open_: Touching | None = None
    for part in parts:
        try:
            found.append(truth(part() if callable(part) else part))
        except Touching as error:  # another part may settle it
            open_ = error
            continue
        if MODE.kind == "exact" and bool(found[-1]) is keep:
            return found[-1]
    if open_:
        raise open_
    if len(found) < 2:
        return found[0] if found else truth(not keep)
    # what is not a number counts for less than what settles it, and for more than the
    # rest
    among, over = (np.fmax, np.maximum) if keep else (np.fmin, np.minimum)
    settles = reduce(among, (item.margin for item in found))
    margin = _pick(
        settles >= 0 if keep else settles < 0,
        settles,
        reduce(over, (item.margin for item in found)),
    )
    gaps = [margin] if keep else [gap for item in found for gap in item.gaps]
    return Truth(margin, gaps, any(item.touching for item in found))


every = partial(_join, False)
some = partial(_join, True)


def opposite(value: Any) -> Truth:
    """Return the negation."""
    item = truth(value)
    if item.touching:
        raise Touching(
            f"two sides agree to {BITS[-1]} bits, which does not decide the opposite of their equality"
        )
    margin = _pick(item.margin == 0, TOUCHING, -item.margin)
    return Truth(margin, [-gap for gap in item.gaps])


def chain(hows: Sequence[str], *sides: Callable[[], Any]) -> Truth:
    """Return a <= b <= c as its comparisons, each side computed once, and only if it is needed."""
    pairs = pairwise(side() for side in sides)
    return every(relate(how, *pair) for how, pair in zip(hows, pairs, strict=False))


def choose(test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """Return `yes() if test else no()`, for many instances at once where need be."""
    if isinstance(
        test, bool
    ):  # plain Python, as `key in found`: the other side need not exist
        return yes() if test else no()
    item = truth(test)
    if MODE.kind != "vector":
        found = yes() if item else no()
        if MODE.kind == "exact" or not isinstance(
            found, Truth
        ):  # of floats all parts of a statement leave their gaps
            return found
    first = yes()
    second = no()
    if isinstance(first, Truth):
        return some([every([item, first]), every([opposite(item), second])])
    return np.where(item.margin >= 0, first, second)
