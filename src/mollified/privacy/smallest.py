"""Find where a condition that turns true once, as its argument grows, becomes true: by doubling, then bisection."""

from __future__ import annotations

from collections.abc import Callable

from mollified._validate import check_callable, check_eps

__all__ = ["smallest_count", "smallest_scale"]


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
    """Return a number > 0 that fits and is above the smallest one by at most the share `rtol`.

    Raises TypeError or ValueError for a condition that is not callable, or rtol <= 0.
    """
    check_callable("fits", fits)
    check_eps("rtol", rtol)
    low, high = 0.0, 1.0
    while not fits(high):
        low, high = high, 2 * high
    while high - low > rtol * high:
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high
