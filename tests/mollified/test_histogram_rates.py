"""Rates with constants: exact moments by enumeration, choices that are private, bounds above the truth."""

from __future__ import annotations

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb

from mollified.binned_density import sloped_cdf
from mollified.bootstrap_accountant import bootstrap_delta
from mollified.bootstrap_bounds import pure_records, renyi_records, theorem_records
from mollified.histogram_rates import (
    binomial_deviation,
    distance_bound,
    point_moments,
    rate_bound,
    rate_choice,
    rate_exponent,
    root_above,
)
from mollified.studies.bootstrap_rates import _floor, choose, measured_error, simulated_distance
from mollified.type_laws import compositions
from mollified.verify.binned_estimators import multinomial
from mollified.verify.bootstrap_rates import lower_bound, printed_choice
from mollified.verify.rate_steps import exact_expectations

ROUTES = ("theorem", "exact", "laplace", "smoothed")


def test_binomial_deviation_against_the_sum():
    for n in range(1, 15):
        for p in (F(0), F(1, 7), F(1, 2), F(2, 3), F(1)):
            brute = sum((math.comb(n, c) * p**c * (1 - p) ** (n - c) * abs(c - n * p) for c in range(n + 1)), F(0))
            assert binomial_deviation(n, p) == brute


def test_compositions_are_all_and_probabilities_add_up():
    assert sum(1 for _ in compositions(4, 3)) == math.comb(6, 2)
    law = (F(1, 2), F(1, 3), F(1, 6))
    assert sum(multinomial(counts, law) for counts in compositions(5, 3)) == 1


def test_point_moments_against_enumeration():
    for n, k, m, side in ((2, 1, 2, 2), (3, 2, 1, 2), (2, 3, 3, 3)):
        values = exact_expectations(n, k, m, side, 1, F(1))
        noise, sampling = point_moments(n, side, k, m, 1, sloped_cdf(F(1, side), F(1)))
        assert values["noise"] == noise
        assert values["total"] == 1
        mass = sloped_cdf(F(1, side), F(1))
        assert sampling == mass * (1 - mass) / n


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


@pytest.mark.parametrize("route", ROUTES)
def test_rate_bound_in_floats_arrays_and_balls(route):
    number = rate_bound(route, 1e6, 3, 0.5, 0.01, 2.0)
    array = rate_bound(route, np.array([1e6, 1e8]), 3, 0.5, 0.01, 2.0)
    ball = rate_bound(route, arb(10) ** 6, 3, arb("0.5"), arb("0.01"), arb(2))
    assert float(number) == pytest.approx(float(ball.mid()), rel=1e-12)
    assert array[0] == pytest.approx(float(number), rel=1e-14)
    assert array[1] < array[0]


def test_distance_bound_lies_above_simulations_and_the_lower_bounds_below():
    rng = np.random.default_rng(7)
    for dimension, n in ((1, 1000), (2, 2000), (3, 2000)):
        for series in ("choice", "theorem", "exact"):
            chosen = choose(series, n, dimension, 0.5, 0.01)
            mean, error = simulated_distance(n, dimension, chosen, 12, rng)
            high = float(distance_bound(n, chosen.side, chosen.k, chosen.m, dimension, 1.0))
            assert mean - 6 * error < high
            # the root mean square at one node is at most sqrt(3 + o(1)) times the mean error there
            assert measured_error(series, n, dimension, chosen, 0.5) / 4 < mean + 6 * error


def test_lower_bounds_grow_with_k_and_lie_below_the_upper_bound():
    for dimension in (1, 3, 5):
        n, chosen = printed_choice(2**6, dimension, F(1, 2), F(1, 100))
        low = lower_bound("noise", n, dimension, chosen)
        high = distance_bound(float(n), chosen.side, chosen.k, float(chosen.m), dimension, 1.0)
        assert float(low.mid()) < float(high)
        more = type(chosen)(chosen.side, 10 * chosen.k, chosen.m)
        assert lower_bound("noise", n, dimension, more) > low
        assert theorem_records(0.5, 0.01, n, chosen.side**dimension, chosen.k) < chosen.m * (1 + 1e-9) + 1


def test_exponents_of_the_paper_and_of_the_corrections():
    assert rate_exponent("printed", 1) == F(4, 5)
    assert rate_exponent("theorem", 1) == rate_exponent("exact", 4) == F(1, 2)
    assert rate_exponent("theorem", 4) == F(1, 3)
    assert rate_exponent("choice", 6) == F(-1, 5)
    for dimension in range(1, 20):
        assert rate_exponent("choice", dimension) <= rate_exponent("theorem", dimension)
        assert rate_exponent("theorem", dimension) <= rate_exponent("exact", dimension) <= F(1, 2)


def test_the_floor_in_balls_is_the_exact_deviation():
    for n in (8, 100, 1000):
        assert _floor(n) == pytest.approx(float(binomial_deviation(n, F(3, 8)) / n), rel=1e-12)
