"""Composition of randomised responses: the walk against enumeration, and the least level."""

import math
from fractions import Fraction as F
from math import comb

import pytest
from flint import ctx

from mollified.privacy import ball, certified_response_delta, renyi_epsilon, response_delta, response_epsilon


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
