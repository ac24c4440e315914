"""The Laplace and the Gaussian mechanism: exact curves and laws against balls, integrals and sampling."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx
from scipy import integrate, stats

from mollified.privacy import ball, failing_eps, gaussian_delta, gaussian_sigma, release, top_probability
from mollified.privacy.gaussian_mechanism import certified_sigma, delta_ball, gaussian_deltas, printed_multiple


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


def test_release_has_the_law_and_is_seeded():
    draws = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert stats.kstest(draws, "laplace", (0, 2.0)).pvalue > 1e-6
    assert stats.kstest(draws, "laplace", (0, 2.3)).pvalue < 1e-6
    again = release(np.full(20_000, 3.0), 1.0, 0.5, np.random.default_rng(4)) - 3.0
    assert (draws == again).all()


def test_floats_agree_with_balls():
    rng = np.random.default_rng(5)
    counted = 0
    for _ in range(400):
        eps, mu = 10 ** rng.uniform(-3, 2), 10 ** rng.uniform(-4, 2)
        with ctx.workprec(1000):
            true = float(delta_ball(F(eps), F(mu)).mid())
        if true > 1e-300:
            counted += 1
            assert gaussian_delta(eps, mu) == pytest.approx(true, rel=1e-9)
    assert counted > 200


def test_at_eps_zero_the_curve_is_the_total_variation():
    assert gaussian_delta(0.0, 1.0) == pytest.approx(math.erf(0.5 / math.sqrt(2)), rel=1e-14)
    table = gaussian_deltas(np.array([[0.0], [1.0]]), np.array([0.5, 1.0, 50.0]))
    assert table.shape == (2, 3)
    assert (table[0] > table[1]).any()
    assert table[1, 2] == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(("eps", "delta"), [(F(1), F(1, 10**5)), (F(20), F(1, 100)), (F(1, 1000), F(9, 10))])
def test_the_smallest_sigma_is_enclosed(eps, delta):
    low, high = certified_sigma(eps, delta, F(3))
    assert 0 < high - low <= F(6, 10**14) * high
    with ctx.workprec(256):
        assert delta_ball(eps, 3 / high) < ball(delta) < delta_ball(eps, 3 / low)
    found = gaussian_sigma(float(eps), float(delta), 3.0)
    assert found == pytest.approx(float(high), rel=1e-12)


def test_a_sigma_as_a_float_is_enough():
    rng = np.random.default_rng(6)
    for _ in range(30):
        eps, delta = float(10 ** rng.uniform(-2, 1.5)), float(10 ** rng.uniform(-12, -0.01))
        sigma = gaussian_sigma(eps, delta)
        with ctx.workprec(256):
            assert delta_ball(F(eps), 1 / F(sigma)) <= ball(F(delta))


@pytest.mark.parametrize("delta", [F(1, 10**10), F(1, 100), F(896, 1000), F(99, 100)])
def test_the_rule_fails_from_there_on(delta):
    low, high = failing_eps(delta)
    assert F(3786, 1000) < low < high
    with ctx.workprec(256):
        c = printed_multiple(delta)
        assert delta_ball(low, ball(low) / c) < ball(delta) < delta_ball(high, ball(high) / c)
    eps = float(high) * 1.01
    printed = printed_multiple(float(delta))
    assert printed / eps < gaussian_sigma(eps, float(delta))
    assert printed > gaussian_sigma(1.0, float(delta))


def test_printed_multiple_in_both_arithmetics():
    assert printed_multiple(0.01) == pytest.approx(float(printed_multiple(F(1, 100)).mid()), rel=1e-15)
    assert printed_multiple(0.01) == pytest.approx(3.1075116, rel=1e-7)
