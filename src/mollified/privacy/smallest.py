"""Find where a condition turns true, once, as its argument grows.

By doubling, then bisection. A root finder returns a number near the root, on either
side. Here the side is certain: what is returned fits.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from mollified._validate import check_callable, check_interval

__all__ = ["close_in", "smallest_between", "smallest_count", "smallest_scale"]

Real = TypeVar("Real", float, Fraction)

#: Numbers are searched up to here, and down to its inverse.
MOST = 1e300


def halfway(low: Real, high: Real) -> Real:
    """Return the middle of two numbers."""
    return (low + high) / 2


def close_in(
    fits: Callable[[Real], bool],
    low: Real,
    high: Real,
    rtol: float | Fraction,
    middle: Callable[[Real, Real], Real] = halfway,
) -> tuple[Real, Real]:
    """Return low and high, moved together until high fits and low, near it, does not.

    Near: the share `rtol` of high apart. So it must be for the ends that are given,
    which are not asked. `middle` gives a number between two.
    """
    while high - low > rtol * high:
        between = middle(low, high)
        if fits(between):
            high = between
        else:
            low = between
    return low, high


def smallest_between(fits: Callable[[int], bool], low: int, high: int) -> int:
    """Return the smallest integer above `low` that fits.

    `high` fits and `low` does not; neither is asked.
    """
    # `bisect` takes no range of more than 2^63 integers
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def smallest_count(fits: Callable[[int], bool]) -> int:
    """Return the smallest integer >= 1 that fits."""
    low = 0
    high = 1
    while not fits(high):
        low = high
        high *= 2
    return smallest_between(fits, low, high)


def smallest_scale(fits: Callable[[float], bool], rtol: float = 1e-9) -> float:
    """Return a number > 0 that fits and is hardly above the smallest one.

    By at most the share `rtol` of itself. Raises TypeError or ValueError for a
    condition that is not callable, that no float up to 1e300 fits or that one below
    1e-300 fits, or rtol outside [1e-15, 0.5].
    """
    check_callable("fits", fits)
    check_interval("rtol", rtol, 1e-15, 0.5)
    low = 0.0
    high = 1.0
    while not fits(high):
        low = high
        high *= 2
        if high > MOST:
            raise ValueError("fits must hold for a number up to 1e300")

    def not_tiny(scale: float) -> bool:
        if scale < 1 / MOST:
            raise ValueError("fits must not hold for numbers below 1e-300")
        return fits(scale)

    return close_in(not_tiny, low, high, rtol)[1]
