"""The counterexamples of the page on plain bootstrapping, each from rationals alone, with a sound variant beside it."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise, product
from math import comb

VERIFIED = {
    "BS-S4-dpeq": "test_private_with_a_loss_that_is_often_large",
    "BS-S4-same": "test_the_exact_distribution_is_rare",
}
LEVEL = F(3, 2)


def release(data, k, m):
    """The law of m draws from binary data with k zeros and k ones added, on all 2^m outputs."""
    total = len(data) + 2 * k
    weight = (F(data.count(0) + k, total), F(data.count(1) + k, total))
    law = {}
    for output in product((0, 1), repeat=m):
        law[output] = F(1)
        for record in output:
            law[output] *= weight[record]
    assert sum(law.values()) == 1
    return law


def adjacent(n):
    """All ordered pairs of binary data sets of n records that differ in one."""
    data = list(product((0, 1), repeat=n))
    return [(a, b) for a in data for b in data if sum(x != y for x, y in zip(a, b, strict=True)) == 1]


def least_delta(one, two, level):
    """The largest P(S) - level P'(S) over all sets S of outputs, tried one by one."""
    gaps = [one[output] - level * two[output] for output in one]
    return max(
        sum((g for g, chosen in zip(gaps, S, strict=True) if chosen), F(0)) for S in product((0, 1), repeat=len(gaps))
    )


def large_loss(one, two, level):
    """The probability, under the first law, of a ratio above level; an infinite ratio counts."""
    return sum((p for output, p in one.items() if p > level * two[output]), F(0))


def test_private_with_a_loss_that_is_often_large():
    laws = [(release(a, 1, 1), release(b, 1, 1)) for a, b in adjacent(1)]
    delta = max(least_delta(one, two, LEVEL) for one, two in laws)
    assert delta == F(1, 6)
    assert max(large_loss(one, two, LEVEL) for one, two in laws) == F(2, 3) > delta
    # plain bootstrapping, n = 2 and m = 1: (eps, 1/2)-DP at every level, and a loss of log 2 with certainty
    for level in (F(1), LEVEL, F(100)):
        assert max(least_delta(release(a, 0, 1), release(b, 0, 1), level) for a, b in adjacent(2)) == F(1, 2)
    assert large_loss(release((1, 1), 0, 1), release((1, 0), 0, 1), LEVEL) == 1
    # sound variants: the converse, and the mean of (1 - level/ratio)_+ as the least delta
    for n, k, m in product((1, 2), (0, 1, 2), (1, 2)):
        for a, b in adjacent(n):
            one, two = release(a, k, m), release(b, k, m)
            assert least_delta(one, two, LEVEL) <= large_loss(one, two, LEVEL)
            mean = sum((p * max(F(0), 1 - LEVEL * two[output] / p) for output, p in one.items() if p), F(0))
            assert mean == least_delta(one, two, LEVEL)


def near_half(m, radius):
    """The probability that m fair coins show a fraction of ones within radius of one half."""
    return sum((F(comb(m, v), 2**m) for v in range(m + 1) if abs(F(v, m) - F(1, 2)) <= radius), F(0))


def test_the_exact_distribution_is_rare():
    """D = (0, 1): exactly half of the draws are ones with probability at most 1/2, and it falls."""
    assert near_half(2, 0) == F(1, 2)
    values = [near_half(m, 0) for m in range(2, 200, 2)]
    assert all(later < earlier for earlier, later in pairwise(values))
    assert near_half(1, 0) == near_half(41, 0) == 0
    assert near_half(40, 0) == F(comb(40, 20), 2**40) < F(13, 100) < F(9, 10)
    # sound variant: within 1/4 of one half
    assert near_half(40, F(1, 4)) > F(99, 100)
    assert near_half(400, F(1, 10)) > F(99, 100)
