"""The claim of the page on the bootstrapping experiments that fails as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

VERIFIED = {"BS-Tab1-pure": "test_the_smoothed_histogram_spends_a_delta"}


def worst_delta(one, two, exp_eps):
    """Return the largest excess of an event over exp_eps times its probability for the other law, all events tried."""
    best = F(0)
    for event in product((0, 1), repeat=len(one)):
        p, q = (sum((x for x, kept in zip(law, event, strict=True) if kept), F(0)) for law in (one, two))
        best = max(best, p - exp_eps * q, q - exp_eps * p)
    return best


def smoothed(counts, k, m):
    """Return the law of the m released records, as ordered lists, of data with these counts."""
    total = sum(counts) + k * len(counts)
    one = [F(count + k, total) for count in counts]
    law = []
    for drawn in product(range(len(counts)), repeat=m):
        chance = F(1)
        for symbol in drawn:
            chance *= one[symbol]
        law.append(chance)
    assert sum(law) == 1
    return law


def test_the_smoothed_histogram_spends_a_delta():
    # one record of two bins, k = 1, m = 2: Wasserman and Zhou's mixture with the uniform law at weight 2/3
    laws = [smoothed(counts, 1, 2) for counts in ((1, 0), (0, 1))]
    assert smoothed((1, 0), 1, 1) == [F(1, 3) * weight + F(2, 3) * F(1, 2) for weight in (1, 0)]
    assert worst_delta(*laws, F(3)) == F(1, 9)
    # so not (log 3, 0)-DP, and (log 3, 1/9)-DP; it is (log 4, 0)-DP, and no less
    assert worst_delta(*laws, F(4)) == 0
    assert worst_delta(*laws, F(399, 100)) > 0
    # a sound variant: with one released record it is (log 3, 0)-DP, and there is nothing to refute
    laws = [smoothed(counts, 1, 1) for counts in ((1, 0), (0, 1))]
    assert worst_delta(*laws, F(3)) == 0


def test_the_corrected_delta_is_attained_and_never_passed():
    def promised(exp_pure, exp_eps):
        return (exp_pure - exp_eps) / (1 + exp_pure)

    # the exponential mechanism with one released record of two: odds 4
    one, two = [F(4, 5), F(1, 5)], [F(1, 5), F(4, 5)]
    assert worst_delta(one, two, F(3)) == promised(F(4), F(3)) == F(1, 5)
    tried = 0
    for a, b, c, d in product(range(1, 5), repeat=4):
        one, two = ([F(x, 5 + x + y), F(y, 5 + x + y), F(5, 5 + x + y)] for x, y in ((a, b), (c, d)))
        exp_pure = max(max(p / q, q / p) for p, q in zip(one, two, strict=True))
        for exp_eps in {F(1), (1 + exp_pure) / 2}:
            if exp_eps < exp_pure:
                assert worst_delta(one, two, exp_eps) <= promised(exp_pure, exp_eps)
                tried += 1
    assert tried > 300
