"""The laws of Laplace noise against numerical integrals, sampling and the closed forms against each other."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb
from scipy import integrate, stats

from mollified.laplace_mechanism import (
    coverage,
    density,
    error_multiple,
    hockey_stick,
    log_ratio,
    noise_scale,
    promised_coverage,
    release,
    swap_probability,
    top_probability,
)
from mollified.studies.laplace_mechanism import smallest_top_gap


def near(ball, value, tolerance=1e-12):
    return abs(float(ball.mid()) - value) <= tolerance and float(ball.rad()) <= tolerance


def test_the_scale_is_exact_for_rationals():
    assert noise_scale(F(2), F(1, 3)) == 6
    assert noise_scale(2.0, 0.5) == 4.0


def test_density_in_floats_and_balls():
    y = np.linspace(-3, 3, 13)
    assert np.allclose(density(y, 2.0), np.exp(-np.abs(y) / 2) / 4, rtol=1e-15)
    assert near(density(F(-3, 2), F(2)), math.exp(-0.75) / 4)


def test_log_ratio_is_the_log_of_the_ratio_of_densities():
    draw = np.random.default_rng(1)
    o, f, g = draw.normal(size=(3, 50, 4))
    scale = draw.uniform(0.5, 2, 50)
    direct = [
        np.log(density(a - b, s)).sum() - np.log(density(a - c, s)).sum()
        for a, b, c, s in zip(o, f, g, scale, strict=True)
    ]
    assert np.allclose(log_ratio(o, f, g, scale), direct, atol=1e-12)


@pytest.mark.parametrize("shift", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("eps", [0.0, 0.2, 0.9, 5.0])
def test_hockey_stick_is_the_integral_of_the_excess(eps, shift):
    def excess(y):
        return max(0.0, math.exp(-abs(y)) / 2 - math.exp(eps - abs(y - shift)) / 2)

    parts = sorted({-50.0, 0.0, max(0.0, min(shift, (shift - eps) / 2)), shift, 50.0})
    total = sum(integrate.quad(excess, a, b, limit=200)[0] for a, b in itertools.pairwise(parts))
    assert hockey_stick(eps, shift) == pytest.approx(total, abs=1e-9)
    assert near(hockey_stick(F(eps), F(shift)), total, 1e-9)


def test_coverage_and_the_promise_agree():
    for size in (1, 7, 10_000):
        for beta in (1.0, 0.3, 1e-3):
            exact = promised_coverage(beta, size)
            assert coverage(error_multiple(beta, size), size) == pytest.approx(exact, rel=1e-11)
            assert near(coverage(error_multiple(F(beta), size), size), exact, 1e-11)
            assert exact >= 1 - beta - 1e-15
    assert promised_coverage(F(1, 2), 1) == F(1, 2)
    assert promised_coverage(F(1, 2), 2) == F(9, 16)
    assert promised_coverage(1.0, 1) == 0.0
    assert coverage(0.0, 3) == 0.0
    assert np.allclose(error_multiple(np.array([0.5, 1.0]), 2), np.log([4.0, 2.0]))


@pytest.mark.parametrize(("gap", "others"), [(0.0, 3), (1.0, 1), (3.0, 7), (8.0, 200)])
def test_the_chance_to_stay_first_is_the_integral(gap, others):
    def integrand(y):
        at = y + gap
        below = math.exp(at) / 2 if at < 0 else 1 - math.exp(-at) / 2
        return math.exp(-abs(y)) / 2 * below**others

    parts = [-60.0, -gap, 0.0, 60.0]
    total = sum(integrate.quad(integrand, a, b)[0] for a, b in itertools.pairwise(parts) if a < b)
    assert near(top_probability(F(gap), others), total, 1e-9)


def test_two_counts_are_the_smallest_ranking():
    for gap in (F(1), F(7, 2)):
        assert near(top_probability(gap, 1) + swap_probability(gap), 1.0)
        assert near(swap_probability(gap), swap_probability(float(gap)))
    assert isinstance(swap_probability(F(1)), arb)


def test_the_smallest_lead_is_enclosed():
    low, high = smallest_top_gap(9999, 0.05)
    assert 0 < high - low <= F(1, 1024)
    assert 20 * top_probability(low, 9999) < 19 < 20 * top_probability(high, 9999)
    assert smallest_top_gap(1, 0.6) == (0, 0)


def test_release_has_the_law_and_is_seeded():
    draws = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert stats.kstest(draws, "laplace", (0, 2.0)).pvalue > 1e-6
    assert stats.kstest(draws, "laplace", (0, 2.3)).pvalue < 1e-6
    again = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert (draws == again).all()
