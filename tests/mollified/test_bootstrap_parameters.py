"""Parameters by the exact delta: the largest m, the smallest k, the error, and the choice of both."""

from __future__ import annotations

import math
from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

from mollified.bootstrap_accountant import certified_delta, two_symbol_deltas, upper_delta
from mollified.bootstrap_bounds import pure_records
from mollified.bootstrap_brute import output_weights
from mollified.bootstrap_mechanism import corrected_histogram
from mollified.bootstrap_parameters import (
    choose_parameters,
    expected_error,
    gaussian_error,
    largest_m,
    smallest_k,
)
from mollified.type_laws import compositions

WAYS = ("replace", "add", "remove")


def certified(eps, delta, n, size, k, m, way):
    return bool(certified_delta(eps, n, size, k, m, neighbours=way)[1] <= delta)


@pytest.mark.parametrize("way", WAYS)
def test_the_largest_m_is_private_and_the_next_is_not(way):
    for eps, delta, n, size, k in (
        (0.5, 0.01, 10**4, 100, 100),
        (1.0, 1e-6, 50, 3, 20),
        (0.1, 0.1, 10**6, 10**4, 2),
        (3.0, 1e-9, 1, 5, 7),
    ):
        m = largest_m(eps, delta, n, size, k, neighbours=way)
        assert m >= pure_records(eps, k)
        assert m == 0 or certified(eps, delta, n, size, k, m, way)
        assert not certified(eps, delta, n, size, k, m + 1, way)


@pytest.mark.parametrize("way", WAYS)
def test_the_smallest_k_is_private_and_the_one_below_is_not(way):
    for eps, delta, n, size, m in (
        (0.5, 0.01, 10**4, 100, 10**4),
        (1.0, 1e-6, 50, 3, 1),
        (2.0, 1e-4, 10**5, 50, 10**6),
    ):
        k = smallest_k(eps, delta, n, size, m, neighbours=way)
        assert certified(eps, delta, n, size, k, m, way)
        assert k == 1 or not certified(eps, delta, n, size, k - 1, m, way)
        assert largest_m(eps, delta, n, size, k, neighbours=way) >= m


@pytest.mark.parametrize("n", [4, 100, 1000])
def test_two_symbols_at_small_and_at_very_large_eps(n):
    """At e^eps above 1e13 delta the difference of binomial tails is noise, and the three-symbol curve decides."""
    for eps in (0.5, 5.0, 25.0, 40.0):
        m = largest_m(eps, 0.01, n, 2, 10)
        assert m >= pure_records(eps, 10) >= 1
        assert upper_delta(eps, n, 2, 10, m) <= 0.01
        assert two_symbol_deltas(eps, n, 10, m).max() <= 0.01 + 1e-11 * math.exp(eps)


def test_the_error_is_that_of_flat_data_counted():
    """The expected squared error over all outputs, exactly: equal for flat data, smaller for others."""
    n, size, k, m = 4, 2, 3, 5
    for counts in ((2, 2), (1, 3), (4, 0)):
        weights = output_weights([c + k for c in counts], m)
        total = F(0)
        for output, weight in zip(compositions(m, size), weights, strict=True):
            estimate = [F(n + k * size, n) * F(x, m) - F(k, n) for x in output]
            total += weight * sum((e - F(c, n)) ** 2 for e, c in zip(estimate, counts, strict=True))
        found = float(total / (n + k * size) ** m)
        bound = expected_error(n, size, k, m)
        assert found <= bound * (1 + 1e-12)
        if counts == (2, 2):
            assert found == pytest.approx(bound, rel=1e-12)
    assert corrected_histogram([3, 2], 4, 3).sum() == pytest.approx(1.0)


def test_the_error_at_the_largest_m_tends_to_the_gaussian_one():
    n, size, eps, delta = 1000, 20, 1.0, 1e-5
    limit = gaussian_error(n, size, eps, delta)
    excess = [
        expected_error(n, size, k, largest_m(eps, delta, n, size, k)) / limit - 1 for k in (100, 1000, 10**4, 10**5)
    ]
    assert all(after < before for before, after in pairwise(excess))
    assert abs(excess[-1]) < 2e-3


def test_the_gaussian_error_by_the_analytic_formula():
    from scipy.special import ndtr

    n, size, eps, delta = 100, 5, 0.7, 1e-4
    sigma = math.sqrt(gaussian_error(n, size, eps, delta) * n**2 / (size - 1))
    mu = math.sqrt(2) / sigma
    assert ndtr(mu / 2 - eps / mu) - math.exp(eps) * ndtr(-mu / 2 - eps / mu) == pytest.approx(delta, rel=1e-4)


@pytest.mark.parametrize("way", WAYS)
def test_the_choice_is_private_and_near_the_best_on_a_grid(way):
    for n, size, eps, delta in ((1000, 10, 1.0, 1e-4), (50, 4, 0.5, 0.01)):
        chosen = choose_parameters(n, size, eps, delta, neighbours=way)
        assert certified(eps, delta, n, size, chosen.k, chosen.m, way)
        assert chosen.error == pytest.approx(expected_error(n, size, chosen.k, chosen.m), rel=1e-12)
        for k in np.unique(np.geomspace(1, 10**5, 25).astype(int)):
            m = largest_m(eps, delta, n, size, int(k), neighbours=way)
            if 1 <= m <= 10**9:
                assert chosen.error <= 1.03 * expected_error(n, size, int(k), m)


def test_a_cap_on_the_records_is_kept():
    chosen = choose_parameters(1000, 10, 1.0, 1e-4, most_records=500)
    assert chosen.m <= 500
    assert certified(1.0, 1e-4, 1000, 10, chosen.k, chosen.m, "replace")
