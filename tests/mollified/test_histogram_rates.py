"""Rates: exact moments by enumeration, choices that are private, measured errors beside simulated ones."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest

from mollified.binned_density import sloped_cdf
from mollified.bootstrap_accountant import bootstrap_delta
from mollified.bootstrap_bounds import pure_records, renyi_records, theorem_records
from mollified.histogram_rates import (
    point_moments,
    rate_choice,
    rate_exponent,
    root_above,
)
from mollified.studies.bootstrap_rates import _floor, choose, measured_error, simulated_distance


def binomial(m, p):
    """Return the probabilities of 0..m successes."""
    return [math.comb(m, c) * p**c * (1 - p) ** (m - c) for c in range(m + 1)]


def test_point_moments_against_enumeration():
    for n, k, m, side in ((2, 1, 2, 2), (3, 2, 1, 2), (2, 3, 3, 3)):
        total, mass = n + k * side, sloped_cdf(F(1, side), F(1))
        square = sum(
            p * w * (F(total, n) * F(x, m) - F(k, n) - F(c, n)) ** 2
            for c, p in enumerate(binomial(n, mass))
            for x, w in enumerate(binomial(m, F(c + k, total)))
        )
        assert point_moments(n, side, k, m, 1, mass) == (square, mass * (1 - mass) / n)


def test_root_above_is_the_least_integer():
    for n in (1, 2, 7, 8, 9, 10**9, 10**30 + 1):
        for up, down in ((1, 3), (2, 5), (8, 5), (4, 7)):
            root = root_above(n, up, down)
            assert root**down >= n**up
            assert root == 1 or (root - 1) ** down < n**up


@pytest.mark.parametrize("dimension", [1, 2, 4, 6])
@pytest.mark.parametrize("n", [10**3, 10**5])
def test_choices_are_private_by_their_theorems_and_by_the_accountant(dimension, n):
    eps, delta = 0.5, 0.01
    for route in ("theorem", "exact"):
        chosen = rate_choice(route, n, dimension, F(1, 2), F(1, 100))
        size = chosen.side**dimension
        if route == "theorem":
            assert theorem_records(eps, delta, n, max(size, 2), chosen.k) >= chosen.m
        else:
            assert abs(renyi_records(eps, delta, n, size, chosen.k) - chosen.m) <= 1
        assert bootstrap_delta(eps, n, max(size, 2), chosen.k, chosen.m) <= delta
    pure = rate_choice("smoothed", n, dimension, F(1, 2), F(1, 100))
    assert 1 <= pure.m <= pure_records(eps, pure.k)


def test_the_measured_error_is_of_the_size_of_simulations():
    rng = np.random.default_rng(7)
    for dimension, n in ((1, 1000), (2, 2000), (3, 2000)):
        for series in ("choice", "theorem", "exact"):
            chosen = choose(series, n, dimension, 0.5, 0.01)
            mean, error = simulated_distance(n, dimension, chosen, 12, rng)
            # the root mean square at one node is at most sqrt(3 + o(1)) times the mean error there
            assert measured_error(series, n, dimension, chosen, 0.5) / 4 < mean + 6 * error


def test_exponents_of_the_paper_and_of_the_corrections():
    assert rate_exponent("printed", 1) == F(4, 5)
    assert rate_exponent("theorem", 1) == rate_exponent("exact", 4) == F(1, 2)
    assert rate_exponent("theorem", 4) == F(1, 3)
    assert rate_exponent("choice", 6) == F(-1, 5)
    for dimension in range(1, 20):
        assert rate_exponent("choice", dimension) <= rate_exponent("theorem", dimension)
        assert rate_exponent("theorem", dimension) <= rate_exponent("exact", dimension) <= F(1, 2)


def test_the_floor_in_balls_is_the_exact_deviation():
    p = F(3, 8)
    for n in (8, 100, 500):
        exact = sum(chance * abs(c - n * p) for c, chance in enumerate(binomial(n, p)))
        assert _floor(n) == pytest.approx(float(exact / n), rel=1e-12)
