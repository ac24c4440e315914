r"""Two symbols, one record replaced: the worst pair of data sets.

The deltas of the n pairs, and the largest by few evaluations. The pair (c, N - c) -> (c
- 1, N - c + 1), c = k+1..k+n, is one of binomials whose likelihood ratios are
$\frac c{c-1}$ and $\frac{N-c}{N-c+1}$. A pair of laws on two points is a
post-processing of every pair whose two ratios enclose its own. Those of c = a..b lie
between $\frac a{a-1}$ and $\frac{N-b}{N-b+1}$, which are the ratios of the pair (a, N'
- a) -> (a - 1, N' - a + 1) of N' = N - (b - a) records in all. Its delta bounds a block
of pairs from above, and with a = b it is the pair's own. So blocks are halved, and
dropped where their bound is no more than what some pair attains, up to the errors of
floats. Not in the bootstrapping paper.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaincc

from mollified._validate import Array, check_count, check_interval

__all__ = [
    "TRUSTED",
    "Worst",
    "pair_deltas",
    "pair_error",
    "two_symbol_deltas",
    "worst_pair",
]

#: So many pairs are tried without a search.
MOST_AT_ONCE = 256
#: A search that has so many blocks left ends with their bound: where k is far above n
#: all pairs are nearly equal.
MOST_BLOCKS = 1 << 10
#: For more records than this, released or in the data, SciPy's incomplete beta
#: functions can lose all digits.
TRUSTED = 10**12


class Worst(NamedTuple):
    """Hold the largest delta of a search, where it is, and a bound on all.

    `place` is a c at which the delta is attained.
    """

    delta: float
    place: int
    bound: float


def pair_error(eps: float, m: int) -> float:
    r"""Return the absolute error of a difference of binomial tails.

    $3(10^{-14}+10^{-16}\sqrt m)e^\varepsilon$.
    """
    return 3 * (1e-14 + 1e-16 * math.sqrt(m)) * math.exp(eps)


def pair_deltas(eps: float, first: Array, total: Array | int, m: int) -> Array:
    """Return delta(eps) of (c, N - c) -> (c - 1, N - c + 1).

    c >= 2 by `first` and N > c by `total`.
    """
    # by whole numbers: 1 - c/N has no digits where nearly all records are of one symbol
    rest = total - first
    fall = np.log1p(-1 / (rest + 1))
    rise = np.log1p(1 / (first - 1))
    least = np.ceil((eps - m * fall) / (rise - fall)) - 1
    inside = np.clip(least, 0, m)
    many = rest < first

    def beyond(counts: Array, others: Array) -> Array:
        """Return P[Bin(m, counts / total) > least]."""
        tail = np.where(
            many,
            betaincc(m - inside, inside + 1, others / total),
            betainc(inside + 1, m - inside, counts / total),
        )
        return np.where(least < 0, 1.0, tail)

    difference = beyond(first, rest) - math.exp(eps) * beyond(first - 1, rest + 1)
    return np.clip(np.where(least >= m, 0.0, difference), 0.0, 1.0)


def two_symbol_deltas(eps: float, n: int, k: int, m: int) -> Array:
    r"""Return delta(eps) of each pair of data sets of two symbols; shape (n,).

    The pairs are (c, N - c) -> (c - 1, N - c + 1), c = k+1..k+n. Differences of
    binomial tails in floats: absolute error about
    $3(10^{-14}+10^{-16}\sqrt m)e^\varepsilon$, on either side. Raises TypeError or
    ValueError for eps outside [0, 700], n, k, m < 1, or more than $10^{12}$ records,
    released or in the data.
    """
    eps = check_interval("eps", eps, 0.0, 700.0)
    n = check_count("n", n)
    k = check_count("k", k)
    m = check_count("m", m)
    if max(n + 2 * k, m) > TRUSTED:
        raise ValueError(
            f"n, k and m must leave at most 10^12 records, got {n + 2 * k} and {m}"
        )
    return pair_deltas(eps, np.arange(k + 1, k + n + 1, dtype=np.float64), n + 2 * k, m)


def worst_pair(
    eps: float,
    n: int,
    k: int,
    m: int,
    *,
    enough: float = math.inf,
) -> Worst:
    """Return the largest delta(eps) of the n pairs, where it is, and a bound.

    All up to twice `pair_error`. The bound is the delta, but where more than 2^10
    blocks come near it: there each has at most n / 2^9 pairs. Of a delta that may be
    `enough`, only whether it is more: the search ends at the first pair that has more,
    and blocks whose bound is not more are dropped.
    """
    total = n + 2 * k
    slack = pair_error(eps, m)
    floor = 0.0
    if enough < math.inf:
        floor = enough
    if n <= MOST_AT_ONCE:
        deltas = two_symbol_deltas(eps, n, k, m)
        largest = float(deltas.max())
        return Worst(largest, k + 1 + int(deltas.argmax()), largest)
    best = -1.0
    place = k + 1
    ends = np.array([k + 1, k + n], dtype=np.float64)
    low = ends[:1]
    high = ends[1:]
    while ends.size and best <= enough:
        deltas = pair_deltas(eps, ends, total, m)
        if deltas.max() > best:
            best = float(deltas.max())
            place = int(ends[deltas.argmax()])
        wide = high - low > 1
        low = low[wide]
        high = high[wide]
        bounds = pair_deltas(eps, low + 1, total - (high - low - 2), m)
        keep = bounds > max(best + slack, floor)
        low = low[keep]
        high = high[keep]
        if low.size > MOST_BLOCKS:
            return Worst(best, place, float(bounds.max()))
        ends = np.floor((low + high) / 2)
        low = np.concatenate([low, ends])
        high = np.concatenate([ends, high])
    return Worst(best, place, best)
