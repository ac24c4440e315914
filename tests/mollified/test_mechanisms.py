"""Noise and responses: exact deltas, levels and laws against enumeration, integrals and balls."""

import itertools
import math
from fractions import Fraction as F
from math import comb

import numpy as np
import pytest
from flint import ctx
from scipy import integrate
from scipy.stats import binom

from mollified.privacy import (
    ball,
    binomial_delta,
    binomial_trials,
    certified_response_delta,
    discrete_gaussian_delta,
    failing_eps,
    gaussian_delta,
    gaussian_sigma,
    opendp_gaussian_delta,
    renyi_epsilon,
    response_delta,
    response_epsilon,
    top_probability,
)
from mollified.privacy.gaussian_mechanism import certified_sigma, delta_ball, gaussian_deltas, printed_multiple
from mollified.privacy.integer_mechanisms import discrete_gaussian_masses, weight_beyond


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


def test_binomial_delta_against_scipy():
    law = binom.pmf(np.arange(31), 30, 0.5)
    for eps in (0.0, 0.3, 1.0, 2.5):
        level = F(math.exp(eps))
        direct = np.maximum(np.append(law, 0) - float(level) * np.append(0, law), 0).sum()
        assert float(binomial_delta(30, level)) == pytest.approx(direct, abs=1e-14)


@pytest.mark.parametrize(("exp_eps", "delta"), [(F(2), F(1, 10**5)), (F(11, 10), F(1, 100)), (F(3), F(1, 1000))])
def test_the_smallest_number_of_coins_is_the_smallest(exp_eps, delta):
    trials = binomial_trials(exp_eps, delta)
    assert binomial_delta(trials, exp_eps) <= delta
    assert all(binomial_delta(fewer, exp_eps) > delta for fewer in range(1, trials))


def test_discrete_gaussian_masses_sum_to_one_and_the_rest_is_bounded():
    masses = discrete_gaussian_masses(F(9, 4), -60, 60)
    assert abs(float(sum(masses).mid()) - 1) < 1e-15
    beyond = sum(math.exp(-z * z / 4.5) for z in range(6, 60))
    assert beyond <= float(weight_beyond(F(9, 4), 5).upper()) < 1.5 * beyond


def test_discrete_gaussian_delta_against_its_definition_and_opendp():
    law = np.exp(-(np.arange(-60, 61) ** 2) / 8)
    direct = np.maximum(law[1:] - math.e * law[:-1], 0).sum() / law.sum()
    exact = discrete_gaussian_delta(F(1), F(4))
    assert float(exact.mid()) == pytest.approx(direct, rel=1e-12)
    assert direct < opendp_gaussian_delta(2.0, 1.0) < 20 * direct
    assert discrete_gaussian_delta(F(100), F(4)) > 0  # though no float can hold it


@pytest.mark.parametrize("runs", [1, 2, 3, 10, 61])
@pytest.mark.parametrize("r", [F(101, 100), F(3, 2), F(20)])
@pytest.mark.parametrize("factor", [F(11, 10), F(5, 2), F(300)])
def test_the_walk_in_floats_and_balls_contains_the_exact_value(runs, r, factor):
    """The hockey stick at e^eps = factor from the binomial laws of the number of true answers."""
    law = [comb(runs, b) * r**b / (1 + r) ** runs for b in range(runs + 1)]
    exact = sum(max(p - factor * q, F(0)) for p, q in zip(law, law[::-1], strict=True))
    with ctx.workprec(256):
        found = certified_response_delta(ball(factor).log(), r, runs)
        assert found.contains(ball(exact)) or abs(found - ball(exact)) < 1e-60
    assert response_delta(math.log(factor), math.log(r), runs) == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("delta", "eps0", "runs"), [(1e-5, 0.1, 100), (0.1, 1.0, 3), (1e-10, 0.01, 5000)])
def test_the_least_level_is_least_and_below_that_of_renyi(delta, eps0, runs):
    level = response_epsilon(delta, eps0, runs)
    assert response_delta(level, eps0, runs) <= delta < response_delta(level * (1 - 1e-8), eps0, runs)
    assert level <= renyi_epsilon(eps0, runs, delta) <= runs * eps0


def test_a_level_at_a_value_of_the_loss_is_not_decided_in_balls():
    with ctx.workprec(256), pytest.raises(ArithmeticError, match="eps"):
        certified_response_delta(ball(F(2)).log() * 2, F(2), 4)


def test_levels_at_the_ends():
    assert response_epsilon(0.9, 0.1, 1) == 0.0
    assert response_delta(10.0, 1.0, 10) == 0.0
    # the rare answer keeps its digits: 1 - p is 4e-18 here, and p rounds to 1
    assert response_delta(39.9, 40.0, 1) == pytest.approx(1 - math.exp(-0.1), rel=1e-12)
