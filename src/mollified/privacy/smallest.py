"""Find where a condition that turns true once, as its argument grows, becomes true: by doubling, then bisection."""

from __future__ import annotations

from collections.abc import Callable

from mollified._validate import check_callable, check_interval

__all__ = ["smallest_count", "smallest_scale"]

#: Numbers are searched up to here, and down to its inverse.
MOST = 1e300


def smallest_count(fits: Callable[[int], bool]) -> int:
    """Return the smallest integer >= 1 that fits."""
    low, high = 0, 1
    while not fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def smallest_scale(fits: Callable[[float], bool], rtol: float = 1e-9) -> float:
    """Return a number > 0 that fits and is above the smallest one by at most the share `rtol` of itself.

    Raises TypeError or ValueError for a condition that is not callable, that no float up to 1e300 fits or that one
    below 1e-300 fits, or rtol outside [1e-15, 0.5].
    """
    check_callable("fits", fits)
    check_interval("rtol", rtol, 1e-15, 0.5)
    low, high = 0.0, 1.0
    while not fits(high):
        low, high = high, 2 * high
        if high > MOST:
            raise ValueError("fits must hold for a number up to 1e300")
    while high - low > rtol * high:
        if high < 1 / MOST:
            raise ValueError("fits must not hold for numbers below 1e-300")
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
