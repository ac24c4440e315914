"""The Laplace and the Gaussian mechanism: exact curves and laws against balls, integrals and sampling."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx
from scipy import integrate

from mollified.privacy import ball, failing_eps, gaussian_delta, gaussian_sigma, top_probability
from mollified.privacy.gaussian_mechanism import certified_sigma, delta_ball, gaussian_deltas, printed_multiple


@pytest.mark.parametrize(("gap", "others"), [(0.0, 3), (1.0, 1), (3.0, 7), (8.0, 200)])
def test_the_chance_to_stay_first_is_the_integral(gap, others):
    def integrand(y):
        at = y + gap
        below = math.exp(at) / 2 if at < 0 else 1 - math.exp(-at) / 2
        return math.exp(-abs(y)) / 2 * below**others

    parts = [-60.0, -gap, 0.0, 60.0]
    total = sum(integrate.quad(integrand, a, b)[0] for a, b in itertools.pairwise(parts) if a < b)
    found = top_probability(F(gap), others)
    assert float(found.mid()) == pytest.approx(total, abs=1e-9)
    assert float(found.rad()) <= 1e-9


def test_floats_agree_with_balls():
    rng = np.random.default_rng(5)
    counted = 0
    for eps, mu in zip(10 ** rng.uniform(-3, 2, 200), 10 ** rng.uniform(-4, 2, 200), strict=True):
        with ctx.workprec(1000):
            true = float(delta_ball(F(eps), F(mu)).mid())
        if true > 1e-300:
            counted += 1
            assert gaussian_delta(eps, mu) == pytest.approx(true, rel=1e-9)
            assert gaussian_deltas(np.array([[eps]]), np.array([mu])) == pytest.approx(true, rel=1e-9)
    assert counted > 100
    assert gaussian_delta(0.0, 1.0) == pytest.approx(math.erf(0.5 / math.sqrt(2)), rel=1e-14)


@pytest.mark.parametrize(("eps", "delta"), [(F(1), F(1, 10**5)), (F(20), F(1, 100)), (F(1, 1000), F(9, 10))])
def test_the_smallest_sigma_is_enclosed(eps, delta):
    low, high = certified_sigma(eps, delta, F(3))
    assert 0 < high - low <= F(6, 10**14) * high
    with ctx.workprec(256):
        assert delta_ball(eps, 3 / high) < ball(delta) < delta_ball(eps, 3 / low)
        as_float = gaussian_sigma(float(eps), float(delta), 3.0)
        assert delta_ball(F(float(eps)), 3 / F(as_float)) <= ball(F(float(delta)))
    assert as_float == pytest.approx(float(high), rel=1e-12)


@pytest.mark.parametrize("delta", [F(1, 10**10), F(1, 100), F(896, 1000), F(99, 100)])
def test_the_rule_fails_from_there_on(delta):
    low, high = failing_eps(delta)
    assert F(3786, 1000) < low < high
    with ctx.workprec(256):
        c = printed_multiple(delta)
        assert delta_ball(low, ball(low) / c) < ball(delta) < delta_ball(high, ball(high) / c)
    assert printed_multiple(float(delta)) == pytest.approx(float(c.mid()), rel=1e-15)
    assert printed_multiple(float(delta)) / (1.01 * float(high)) < gaussian_sigma(1.01 * float(high), float(delta))
