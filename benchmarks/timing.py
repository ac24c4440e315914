"""Time two functions in turn, A B A B ..., and compare their medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def medians(
    one: Callable[[], object], two: Callable[[], object], runs: int
) -> tuple[float, float]:
    """Return the median seconds of both, after one warm-up of each."""
    one(), two()
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        for function, seconds in zip((one, two), times, strict=True):
            start = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])
