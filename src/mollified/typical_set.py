r"""Types and the typical set of m draws, with exact probabilities by dynamic programming over the symbols.

A type is the vector of counts of m draws. The typical set holds the types with $\max_i|N_i/m-p_i|\le\gamma$ for a law
p. All sums run over integers, $P=\frac1{M^m}\sum\frac{m!}{\prod N_i!}\prod c_i^{N_i}$ for $p_i=c_i/M$, one symbol after
the other, so that a probability costs about $|\Sigma|m^2$ products. Sources: bootstrapping paper, Definitions 3 and 4,
and Lemma 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from mollified._validate import Array, check_count, check_fraction
from mollified.bootstrap_mechanism import check_counts
from mollified.exact_level import Law, exact_probabilities

__all__ = [
    "type_probabilities",
    "type_probability",
    "types",
    "typical_probability",
    "typical_probability_float",
    "typical_ranges",
]

#: More types than this are not listed.
MOST_TYPES = 2_000_000

Ranges = Sequence[tuple[int, int]]


def types(size: int, m: int) -> NDArray[np.int64]:
    r"""Return all $\binom{m+|\Sigma|-1}{|\Sigma|-1}$ types of m draws, one a row, in lexicographic order.

    Raises TypeError or ValueError for size < 2, m < 1, or more than two million types. Source: Definition 3.
    """
    size, m = check_count("size", size, minimum=2), check_count("m", m)
    if math.comb(m + size - 1, size - 1) > MOST_TYPES:
        raise ValueError(f"size and m must give at most {MOST_TYPES} types, got {size!r} and {m!r}")
    bars = np.array(list(combinations(range(m + size - 1), size - 1)), dtype=np.int64)
    ends = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), m + size - 1)])
    return np.asarray(np.diff(ends, axis=1) - 1)


def type_probability(law: Sequence[Fraction], counts: Sequence[int]) -> Fraction:
    r"""Return $\frac{m!}{\prod_iN_i!}\prod_ip_i^{N_i}$ exactly, for counts of total m.

    Raises TypeError or ValueError for what is no rational law, or no counts of as many symbols.
    """
    chosen, table = exact_probabilities("law", law), [int(count) for count in check_counts("counts", counts)]
    if len(table) != len(chosen):
        raise ValueError(f"counts must have {len(chosen)} entries, got {counts!r}")
    value, left = Fraction(1), sum(table)
    for p, count in zip(chosen, table, strict=True):
        value *= math.comb(left, count) * p**count
        left -= count
    return value


def type_probabilities(law: Sequence[Fraction], m: int) -> tuple[NDArray[np.int64], Array]:
    """Return all types of m draws and their probabilities in floats, relative error about 1e-12, on either side.

    Raises as `types`, and for what is no rational law.
    """
    chosen = exact_probabilities("law", law)
    table = types(len(chosen), m)
    logs = gammaln(m + 1) + (xlogy(table, [float(p) for p in chosen]) - gammaln(table + 1)).sum(axis=1)
    return table, np.exp(logs)


def typical_ranges(law: Sequence[Fraction], m: int, gamma: Fraction) -> list[tuple[int, int]]:
    r"""Return the least and the greatest count of each symbol in the typical set, an empty range as (low > high).

    Raises TypeError or ValueError for what is no rational law, m < 1, or a gamma that is no rational > 0.
    """
    chosen, m = exact_probabilities("law", law), check_count("m", m)
    gamma = check_fraction("gamma", gamma, above=0)
    return [(max(0, math.ceil(m * (p - gamma))), min(m, math.floor(m * (p + gamma)))) for p in chosen]


def _weighted_count(weights: Sequence[int], m: int, cells: Ranges) -> int:
    """Return the sum of m!/prod N_i! prod w_i^N_i over counts with each N_i in its range."""
    ways = {0: 1}
    for weight, (low, high) in zip(weights, cells, strict=True):
        powers = [weight**j for j in range(max(high, 0) + 1)]
        grown: dict[int, int] = {}
        for before, value in ways.items():
            for j in range(low, min(high, m - before) + 1):
                total = before + j
                grown[total] = grown.get(total, 0) + value * math.comb(total, j) * powers[j]
        ways = grown
    return ways.get(m, 0)


def _integers(law: Law) -> tuple[list[int], int]:
    whole = math.lcm(*(p.denominator for p in law))
    return [int(p * whole) for p in law], whole


def typical_probability(law: Sequence[Fraction], m: int, gamma: Fraction) -> Fraction:
    r"""Return $P[\max_i|N_i/m-p_i|\le\gamma]$ for m draws from the law, exactly. Source: Theorem 7, Lemma 1.

    Raises TypeError or ValueError for what is no rational law, m < 1, or a gamma that is no rational > 0.
    """
    ranges = typical_ranges(law, m, gamma)
    weights, whole = _integers(exact_probabilities("law", law))
    return Fraction(_weighted_count(weights, m, ranges), whole**m)


def typical_probability_float(law: Sequence[Fraction], m: int, gamma: Fraction) -> float:
    r"""Return $P[\max_i|N_i/m-p_i|\le\gamma]$ in floats: the typical set exactly, its probability to about 1e-11.

    Relative error, on either side: a convolution of truncated Poisson laws with means $mp_i$, all terms >= 0, over the
    Poisson probability of their total. Raises as `typical_probability`.
    """
    ranges = typical_ranges(law, m, gamma)
    chosen = np.array([float(p) for p in exact_probabilities("law", law)])
    total, low = np.ones(1), 0
    for p, (least, most) in zip(chosen, ranges, strict=True):
        if least > most:
            return 0.0
        counts = np.arange(least, most + 1)
        weights = np.exp(xlogy(counts, m * p) - m * p - gammaln(counts + 1))
        low += least
        total = np.convolve(total, weights)[: max(m - low + 1, 0)]
    if low > m or low + total.size <= m:
        return 0.0
    return min(float(total[m - low] * np.exp(gammaln(m + 1) + m - xlogy(m, m))), 1.0)
