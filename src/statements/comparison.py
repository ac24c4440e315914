r"""What a comparison gives: its margin, negative where it fails, and its gaps.

The margin of $a\le b$ is $(b-a)/(|a|+|b|)$. The gaps, $b-a$ for each part of a
conjunction, say which of two statements is the stronger one.
"""

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise

import numpy as np

from statements.arithmetic import (
    BITS,
    MODE,
    SEVERAL,
    Floats,
    Function,
    Number,
    Touching,
    Undecided,
    Value,
    number,
)

HOW = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
#: The sign of the margin where the sides agree.
EQUALITIES = {"==": 1.0, "!=": -1.0}
#: The relations that balls which agree do not decide.
STRICT = ("<", ">", "!=")
#: What settles a disjunction, or a conjunction, and what it is where nothing does.
EXTREMES = {True: (np.fmax, np.maximum), False: (np.fmin, np.minimum)}
#: Floats that differ by less, relative to their size or at all, look equal; the margin
#: of `<` where they are equal.
NEAR = 1e-9
NOISE = 1e-12
TOUCHING = -1e-18


@dataclass(slots=True, eq=False)
class Truth:
    """Hold how a statement came out: its `margin`, and its `gaps` where floats look.

    It is `touching` where balls that agree count as equal: then its opposite is not
    decided.
    """

    margin: Value
    gaps: Sequence[Value] = ()
    touching: bool = False

    def __bool__(self) -> bool:
        return bool(self.margin >= 0)  # NumPy refuses that of many instances at once


def _pick(test: Value, yes: Value, no: Value) -> Value:
    """Return one of two values, entry by entry where the test is an array."""
    if isinstance(test, np.ndarray):
        return np.where(test, yes, no)
    if test:
        return yes
    return no


def relate(how: str, a: Value, b: Value) -> Truth:
    """Compare two values, or two vectors entry by entry."""
    if MODE.kind != "exact":
        return _roughly(how, a, b)
    if isinstance(a, SEVERAL) or isinstance(b, SEVERAL):
        return every(_exactly(how, number(x), number(y)) for x, y in entries(a, b))
    return _exactly(how, number(a), number(b))


def entries(a: Value, b: Value) -> Iterable[tuple[Value, Value]]:
    """Return the entries of two vectors, or of a vector and a number, in pairs."""
    return np.broadcast(np.asarray(a, dtype=object), np.asarray(b, dtype=object))


def _same(a: Value, b: Value) -> bool:
    """Tell whether two numbers are known to be equal.

    Of balls neither this nor the contrary may be known.
    """
    return bool((a - b).value == 0)


def _exactly(how: str, a: Number, b: Number) -> Truth:
    """Compare two numbers; raise Undecided, or Touching where more bits do not help."""
    try:
        sign = a.sign_to(b)
    except Undecided as error:
        if how == "==":  # it is seen at the most bits alone
            error.least = BITS[-1]
        raise
    touching = sign == 0 and not _same(a, b)
    if touching and how in STRICT:
        raise Touching(
            f"{a} and {b} agree to {BITS[-1]} bits, which does not decide a strict"
            " inequality"
        )
    margin = _distance(float(a), float(b)) if sign else 0.0
    if HOW[how](sign, 0):
        return Truth(margin, touching=touching)
    return Truth(-max(margin, -TOUCHING), touching=touching)


def _distance(one: float, other: float) -> float:
    """Return how far two different numbers are apart, relative to their size."""
    size = abs(one) + abs(other)
    if 0 < size < math.inf:
        return abs(one - other) / size
    return 1.0


def _margins(gap: Floats, size: Floats) -> Floats:
    """Return gaps relative to sizes; of an infinite gap its sign."""
    margin: Floats = gap / size
    if np.isfinite(margin).all():
        return margin
    finite = gap / np.where(size == 0, 1, size)
    return np.where(abs(gap) == math.inf, np.sign(gap), finite)


def _roughly(how: str, a: Value, b: Value) -> Truth:
    """Compare floats, or arrays of them, whose last axis are instances."""
    gap = b - a if how in ("<=", "<") else a - b
    several = isinstance(gap, np.ndarray)
    if several:
        gap = np.asarray(gap, float)
        size = np.asarray(np.abs(a) + np.abs(b), float)
        margin: Value = _margins(gap, size)
    elif abs(gap) == math.inf:
        margin = math.copysign(1, gap)
    else:
        margin = gap / ((abs(a) + abs(b)) or 1)
    if how in EQUALITIES:
        sign = EQUALITIES[how]
        gap = abs(gap)
        margin = sign * (NEAR - _pick(gap <= NOISE, 0.0, abs(margin)))
        gap = -sign * gap
    elif how in ("<", ">"):
        margin = _pick(gap == 0, TOUCHING, margin)
    if not several:
        return Truth(float(margin), [float(gap)])
    axes = tuple(range(gap.ndim - (MODE.kind == "vector")))
    if not axes:
        return Truth(margin, [gap])
    # over the entries of vectors
    return Truth(margin.min(axis=axes), [gap.min(axis=axes)])


def truth(value: Value) -> Truth:
    """Return anything that a statement may give as a Truth.

    That is a boolean, an array of them, or a tuple of statements; raise TypeError for
    the rest.
    """
    if isinstance(value, Truth):
        return value
    if isinstance(value, tuple | list):
        return every(value)
    if np.asarray(value).dtype.kind != "b":
        raise TypeError(f"a statement must compare something, it gave {value!r:.80}")
    # twice a boolean is above 1, by a margin of 1/3, or below it
    if isinstance(value, np.ndarray) and value.ndim:
        return relate(">", np.where(value, 2, 0), 1)
    return relate(">", 2 * bool(value), 1)


def _outcomes(until: bool, parts: Iterable[Value]) -> list[Truth]:
    """Return how statements came out, or the one that already ends it.

    Where numbers decide, the first that comes out as `until` does so. Raises Touching
    where one was left open, and no other one settles it.
    """
    outcomes: list[Truth] = []
    left_open: Touching | None = None
    for part in parts:
        try:
            value = part() if callable(part) else part
            outcomes.append(truth(value))
        except Touching as error:  # another part may settle it
            left_open = error
            continue
        if MODE.kind == "exact" and bool(outcomes[-1]) is until:
            return outcomes[-1:]
    if left_open:
        raise left_open
    return outcomes


def _join(keep: bool, parts: Iterable[Value]) -> Truth:
    """Return the conjunction (keep False), or the disjunction, of statements.

    Parts may be functions that give them. Where numbers decide, what is decided already
    ends it.
    """
    outcomes = _outcomes(keep, parts)
    if not outcomes:
        return truth(not keep)
    if not outcomes[1:]:
        return outcomes[0]
    # what is not a number counts for less than what settles it, and for more than the
    # rest
    settling, other = EXTREMES[keep]
    settles = reduce(settling, (item.margin for item in outcomes))
    rest = reduce(other, (item.margin for item in outcomes))
    margin = _pick((settles >= 0) == keep, settles, rest)
    gaps: list[Value] = []
    for item in outcomes:
        gaps += item.gaps
    if keep:
        gaps = [margin]
    return Truth(margin, gaps, any(item.touching for item in outcomes))


every = partial(_join, False)
some = partial(_join, True)


def opposite(value: Value) -> Truth:
    """Return the negation; raise Touching where the sides only agree to all bits."""
    item = truth(value)
    if item.touching:
        raise Touching(
            f"two sides agree to {BITS[-1]} bits, which does not decide the opposite of"
            " their equality"
        )
    margin = _pick(item.margin == 0, TOUCHING, -item.margin)
    return Truth(margin, [-gap for gap in item.gaps])


def chain(hows: Sequence[str], *sides: Function) -> Truth:
    """Return a <= b <= c as its comparisons.

    Each side is computed once, and only if it is needed.
    """
    pairs = pairwise(side() for side in sides)
    return every(relate(how, *pair) for how, pair in zip(hows, pairs, strict=False))


def choose(test: Value, yes: Function, no: Function) -> Value:
    """Return `yes() if test else no()`, for many instances at once where need be."""
    # plain Python, as `key in found`: the other side need not exist
    if isinstance(test, bool):
        if test:
            return yes()
        return no()
    item = truth(test)
    if MODE.kind != "vector":
        value = yes() if item else no()
        # of floats all parts of a statement leave their gaps
        if MODE.kind == "exact" or not isinstance(value, Truth):
            return value
    first = yes()
    second = no()
    if isinstance(first, Truth):
        met = every([item, first])
        unmet = every([opposite(item), second])
        return some([met, unmet])
    return np.where(item.margin >= 0, first, second)
