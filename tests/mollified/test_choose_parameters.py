"""The choice of k and m: near the Gaussian limit, below it where records are few, and at sizes that were once wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mollified.bootstrap.accountant import bootstrap_delta, certified_delta, two_symbol_deltas
from mollified.bootstrap.parameters import choose_parameters, expected_error, gaussian_error, largest_m


def test_with_many_records_the_choice_lies_within_a_percent_above_the_limit():
    many = choose_parameters(5638, 21, 1.0, 1e-6)
    assert many.limit < many.error <= 1.01 * many.limit
    assert many.limit == gaussian_error(5638, 21, 1.0, 1e-6)
    assert many.error == expected_error(5638, 21, many.k, many.m)
    assert bootstrap_delta(1.0, 5638, 21, many.k, many.m) <= 1e-6


@pytest.mark.parametrize(("n", "size", "eps", "delta"), [(10, 1000, 5.0, 1e-9), (1, 3, 1.0, 1e-6), (5, 2, 1.0, 1e-6)])
def test_with_few_records_the_chosen_error_lies_below_the_limit(n, size, eps, delta):
    few = choose_parameters(n, size, eps, delta)
    assert few.error < 0.99 * few.limit
    assert few.m == largest_m(eps, delta, n, size, few.k)
    others = [largest_m(eps, delta, n, size, k) for k in range(1, 33)]
    best = min(expected_error(n, size, k, m) for k, m in enumerate(others, start=1) if m)
    assert few.error <= best * (1 + 1e-12)


@pytest.mark.parametrize(("eps", "m"), [(5.0, 6811012515), (1.0, 560303645), (0.1, 33013603)])
def test_two_symbols_are_right_where_m_needs_more_than_32_bits(eps, m):
    """Differences of binomial tails against the certified curve, k = 100,000: at most the error that is stated."""
    found = two_symbol_deltas(eps, 5, 10**5, m).max()
    truth = float(certified_delta(eps, 5, 2, 10**5, m)[1].mid())
    assert np.isfinite(found)
    assert abs(found - truth) <= (1e-14 + 1e-16 * math.sqrt(m)) * math.exp(eps)
