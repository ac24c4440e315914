"""The counterexample of the page on typical sets, from rationals alone, with a sound variant beside it."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

VERIFIED = {"BS-T2-9": "test_a_value_that_does_not_occur_leaves_the_range"}


def leaves_range(records, size, k, values):
    """Tell whether a smoothed share of one of the values lies outside [(k+1)/N, (k+n)/N]."""
    n = len(records)
    total = n + k * size
    augmented = list(records) + [value for value in range(size) for _ in range(k)]
    assert len(augmented) == total
    shares = [F(augmented.count(value), total) for value in values]
    return any(not F(k + 1, total) <= share <= F(k + n, total) for share in shares)


def test_a_value_that_does_not_occur_leaves_the_range():
    # one record of the first of two values, two pseudo-records each: the second has 2/5, not 3/5
    augmented = [0, 0, 0, 1, 1]
    assert F(augmented.count(1), 5) == F(2, 5) < F(2 + 1, 5)
    assert leaves_range([0], 2, 2, range(2))
    # under the condition, the value of the last record, no data set of up to four records on three values does
    for n in range(1, 5):
        for records in product(range(3), repeat=n):
            for k in (1, 2, 3):
                assert not leaves_range(records, 3, k, [records[-1]])
