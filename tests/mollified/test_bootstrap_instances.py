"""The formulas of bootstrapping that statements use: against enumeration, sums and the accountant."""

from collections import Counter
from fractions import Fraction as F
from itertools import product
from math import comb

import numpy as np
import pytest

from mollified.bootstrap import bootstrap_delta, compositions
from mollified.bootstrap._exact import binomial_tail, least_delta
from mollified.bootstrap.instances import types
from statements.arithmetic import mode, number


def test_types_are_the_law_of_the_counts_of_all_outputs():
    h, m = (F(1, 4), F(0), F(3, 4)), 3
    found = Counter()
    for output in product(range(3), repeat=m):
        found[tuple(output.count(symbol) for symbol in range(3))] += h[output[0]] * h[output[1]] * h[output[2]]
    assert dict(zip(compositions(m, 3), types(h, m), strict=True)) == dict(found)


def test_a_binomial_tail_is_the_sum_of_its_terms():
    p = F(3, 10)
    for m, v in product((1, 7, 30), range(-1, 32)):
        wanted = float(sum(comb(m, j) * p**j * (1 - p) ** (m - j) for j in range(max(v, 0), m + 1)))
        assert float(binomial_tail(m, 0.3, v)) == pytest.approx(wanted, rel=1e-12)
        with mode("exact", 128):
            assert float(binomial_tail(m, number(p), v)) == pytest.approx(wanted, rel=1e-14)
    assert binomial_tail(np.array([7, 7]), 0.3, np.array([0, 8])).tolist() == [1, 0]
    with mode("exact", 128), pytest.raises(TypeError, match="rational"):
        binomial_tail(7, number(2).sqrt(), 3)


@pytest.mark.parametrize("size", [2, 5])
def test_the_least_delta_is_that_of_the_accountant_at_a_rational_level_and_at_a_ball(size):
    found = least_delta(0.5, 3, size, 2, 40)
    assert found == bootstrap_delta(0.5, 3, size, 2, 40)
    for bits in (128, 512):
        with mode("exact", bits):
            for level in (number(F(1, 2)), number(2).sqrt() * number(2).sqrt() / 4):
                assert float(least_delta(level, 3, size, 2, 40)) == pytest.approx(found, rel=1e-12)
