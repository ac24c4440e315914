"""The formulas of bootstrapping that statements use: against enumeration, sums and the accountant."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import product
from math import comb, log

import numpy as np
import pytest

from mollified.bootstrap._exact import binomial_tail, least_delta
from mollified.bootstrap.accountant import bootstrap_delta
from mollified.bootstrap.instances import more, types
from mollified.bootstrap.type_laws import compositions
from mollified.privacy.instances import excess
from statements.arithmetic import mode, number


def drawn(counts, k, m):
    total = sum(counts) + k * len(counts)
    return types([F(c + k, total) for c in counts], m)


def test_types_are_the_law_of_the_counts_of_all_outputs():
    h, m = (F(1, 4), F(0), F(3, 4)), 3
    found = Counter()
    for output in product(range(3), repeat=m):
        found[tuple(output.count(symbol) for symbol in range(3))] += h[output[0]] * h[output[1]] * h[output[2]]
    assert dict(zip(compositions(m, 3), types(h, m), strict=True)) == dict(found)


@pytest.mark.parametrize(("n", "size", "k", "m"), [(3, 2, 1, 3), (2, 3, 2, 3), (4, 2, 5, 4)])
def test_the_worst_pair_has_the_delta_of_the_accountant(n, size, k, m):
    worst, largest = 0, 0
    for rest in (np.array(counts) for counts in compositions(n - 1, size)):
        for one, two in product(range(size), repeat=2):
            P, Q = (drawn(more(rest, i).tolist(), k, m) for i in (one, two))
            worst, largest = max(worst, excess(P, Q, F(5, 4))), max(largest, *(P / Q))
    assert float(worst) == pytest.approx(bootstrap_delta(log(1.25), n, size, k, m), rel=1e-12)
    assert largest == F(k + 1, k) ** m


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
