r"""Turn laws into integer weights between bounds, by the same steps for all laws.

Let $\ell\le h$ be integer bounds, T a power of two. The weights are near
$\operatorname{clip}(tp;\,\ell,\,h)$ with t such that their total is T. The floats that
are at least one, in their order, are numbered by 62 bits; t is found by fixing these
bits from the first on, so many at a time, for every law the same number of times. There
is no branch, no sorting and no early end; and no number is so small that a processor
takes longer over it. Where a law is zero it is $10^{-285}\ell$ instead: t reaches these
points only when all others are at h, and then raises them together, which is what
`project` does. The clipped numbers become whole ones in units of $2^{-62}T$; what their
total misses is given to the first that have room; and running totals are rounded down
to whole weights. As $\ell$ and h are whole, no rounding leaves the bounds. All in all a
weight is within $1+10^{-13}T$ of that of the clip between these bounds.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array

__all__ = ["SMALLEST", "Bounds", "clip_weights", "running_weights", "without_tiny"]

Integers = NDArray[np.int64]

#: Smaller probabilities count as zero, so that no quotient overflows and zeros stay
#: apart from the rest.
SMALLEST = 1e-266
#: A zero of a law is this times the lower bound.
ZERO = 1e-285
#: Bits that number the floats from one on, and how many of the last are left at zero: t
#: is fixed to 2^-44 of itself.
BITS = 62
LEFT = 8


def _bits(value: float) -> int:
    """Return the bits of a float as a whole number: floats >= 0 have its order."""
    return int(np.float64(value).view(np.int64))


ONE = _bits(1.0)
SMALLEST_BITS = _bits(SMALLEST)
#: How many bits are fixed at a time in at most so many entries: more for few, where a
#: call costs more than its numbers.
BITS_AT_ONCE = {64: 6, 400: 3, 4000: 2}


class Bounds:
    """Hold integer bounds of weights of total 2^b, and what is computed from them."""

    def __init__(self, low: tuple[int, ...], high: tuple[int, ...], bits: int) -> None:
        self.total = float(1 << bits)
        self.spare = BITS - bits
        self.low: Array = np.array(low, dtype=np.float64)
        self.high: Array = np.array(high, dtype=np.float64)
        self.fine_low: Integers = np.array(low, dtype=np.int64) << self.spare
        self.fine_high: Integers = np.array(high, dtype=np.int64) << self.spare
        self.zeros: Array = ZERO * self.low


def _bits_at_once(entries: int) -> int:
    for most, bits in BITS_AT_ONCE.items():
        if entries <= most:
            return bits
    return 1


@lru_cache
def _digits(at_once: int) -> list[tuple[int, Integers]]:
    """Return the place of each digit of so many bits, and its values there but zero."""
    ends = [*range(BITS - at_once, LEFT, -at_once), LEFT]
    widths = -np.diff([BITS, *ends])
    return [
        (end, np.arange(1, 1 << width) << end)
        for end, width in zip(ends, widths.tolist(), strict=True)
    ]


def clip_weights(laws: Array, t: Array, bounds: Bounds) -> Array:
    """Return the laws times t, clipped to the bounds."""
    clipped: Array = np.multiply(laws, t)
    np.maximum(clipped, bounds.low, out=clipped)
    return np.minimum(clipped, bounds.high, out=clipped)


def _scale(laws: Array, bounds: Bounds) -> Array:
    """Return the largest t with a clipped total of at most T, shape (rows, 1).

    It is found up to its last bits.
    """
    place = np.full((len(laws), 1), ONE, dtype=np.int64)
    rows = laws[:, None, :]
    for shift, steps in _digits(_bits_at_once(laws.size)):
        trials = (place + steps).view(np.float64)[:, :, None]
        totals = np.add.reduce(clip_weights(rows, trials, bounds), axis=-1)
        met = totals <= bounds.total
        place += np.add.reduce(met, axis=1, dtype=np.int64, keepdims=True) << shift
    return place.view(np.float64)


def _settled(fine: Integers, bounds: Bounds) -> Integers:
    """Return whole numbers of the total $2^{62}$, near those that are passed.

    The first with room take what is missing, or give what is too much.
    """
    missing = (1 << BITS) - fine.sum(axis=1, keepdims=True)
    for sign, room in ((1, bounds.fine_high - fine), (-1, fine - bounds.fine_low)):
        wanted = np.maximum(sign * missing, 0)
        most = np.minimum(room, wanted)
        before = np.cumsum(most, axis=1) - most
        fine = fine + sign * np.clip(wanted - before, 0, most)
    return fine


def without_tiny(laws: Array) -> Array:
    """Return laws >= 0 with zero in place of what is below `SMALLEST`.

    Compared as whole numbers, since arithmetic with the tiniest floats takes a
    processor longer.
    """
    bits = np.ascontiguousarray(laws).view(np.int64)
    return np.where(bits >= SMALLEST_BITS, laws, 0.0)


def running_weights(laws: Array, bounds: Bounds) -> Integers:
    """Return the running totals of the weights of laws (rows, k), shape (rows, k).

    The last is $2^b$. The laws are of total one, without numbers in (0, SMALLEST): see
    `without_tiny`.
    """
    positive = np.where(laws > 0, laws, bounds.zeros)
    clipped = clip_weights(positive, _scale(positive, bounds), bounds)
    whole = (clipped * float(1 << bounds.spare)).astype(np.int64)
    fine = np.clip(whole, bounds.fine_low, bounds.fine_high)
    return np.cumsum(_settled(fine, bounds), axis=1) >> bounds.spare
