"""Two symbols beside four: what the accountant costs.

Processor seconds of the largest m and of the choice of k and m, and the pairs tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mollified.bootstrap import choose_parameters, largest_m, two_symbols

EPS = 1.0
DELTA = 1e-6
K = 1000


def timed(function: Callable[[], object]) -> tuple[float, object]:
    """Return processor seconds of one call, and its answer."""
    start = time.process_time()
    answer = function()
    return time.process_time() - start, answer


def main() -> None:
    """Print a line for each question, number of records and number of symbols."""
    tried = [0]
    plain = two_symbols.pair_deltas

    def counting(eps: float, first: Any, total: Any, m: int) -> Any:
        tried[0] += np.size(first)
        return plain(eps, first, total, m)

    two_symbols.pair_deltas = counting
    for n in (10**5, 10**6, 10**9):
        for size in (4, 2):
            for name, function in (
                ("largest m", lambda n=n, size=size: largest_m(EPS, DELTA, n, size, K)),
                (
                    "k and m",
                    lambda n=n, size=size: choose_parameters(n, size, EPS, DELTA),
                ),
            ):
                tried[0] = 0
                seconds, answer = timed(function)
                print(
                    f"n {n:.0e}, {size} symbols, {name:9s}: {seconds:7.3f} s,"
                    f" {tried[0]:6d} pairs; {answer}"
                )


if __name__ == "__main__":
    main()
