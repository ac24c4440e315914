"""The laws of Laplace noise against numerical integrals, sampling and the closed forms against each other."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import integrate, stats

from mollified.privacy import release, top_probability


def near(ball, value, tolerance=1e-12):
    return abs(float(ball.mid()) - value) <= tolerance and float(ball.rad()) <= tolerance


@pytest.mark.parametrize(("gap", "others"), [(0.0, 3), (1.0, 1), (3.0, 7), (8.0, 200)])
def test_the_chance_to_stay_first_is_the_integral(gap, others):
    def integrand(y):
        at = y + gap
        below = math.exp(at) / 2 if at < 0 else 1 - math.exp(-at) / 2
        return math.exp(-abs(y)) / 2 * below**others

    parts = [-60.0, -gap, 0.0, 60.0]
    total = sum(integrate.quad(integrand, a, b)[0] for a, b in itertools.pairwise(parts) if a < b)
    assert near(top_probability(F(gap), others), total, 1e-9)


def test_two_counts_come_out_in_order_by_the_closed_form():
    for gap in (1.0, 3.5):
        assert near(top_probability(F(gap), 1), 1 - (1 + gap / 2) * math.exp(-gap) / 2)


def test_release_has_the_law_and_is_seeded():
    draws = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert stats.kstest(draws, "laplace", (0, 2.0)).pvalue > 1e-6
    assert stats.kstest(draws, "laplace", (0, 2.3)).pvalue < 1e-6
    again = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert (draws == again).all()
