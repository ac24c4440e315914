"""Tests of composition: the walk against enumeration, the Renyi level against the exact one."""

import math
from fractions import Fraction as F
from math import comb

import pytest
from flint import arb, ctx

from mollified.privacy import ball, certified_response_delta, renyi_epsilon, response_delta, response_epsilon
from mollified.privacy.composition import response_walk


def exact_hockey_stick(one, two, factor):
    return sum(max(p - factor * q, F(0)) for p, q in zip(one, two, strict=True))


def binomial_delta(r: F, runs: int, factor: F) -> F:
    """Return the hockey stick at e^eps = factor from the binomial laws of the number of true answers."""
    one = tuple(comb(runs, b) * r**b / (1 + r) ** runs for b in range(runs + 1))
    return exact_hockey_stick(one, one[::-1], factor)


@pytest.mark.parametrize("runs", [1, 2, 3, 10, 61])
@pytest.mark.parametrize("r", [F(101, 100), F(3, 2), F(20)])
def test_the_walk_in_floats_and_balls_contains_the_exact_value(runs, r):
    for factor in (F(1), F(11, 10), F(5, 2), F(300)):
        exact = binomial_delta(r, runs, factor)
        with ctx.workprec(256):
            level = ball(factor).log() if factor > 1 else arb(0)
            try:
                enclosure = certified_response_delta(level, r, runs)
            except ArithmeticError:
                assert factor == 1  # eps = 0 is a value of the loss
                assert runs % 2 == 0
                continue
            assert enclosure.contains(ball(exact)) or abs(enclosure - ball(exact)) < 1e-60
        near = response_delta(math.log(factor), math.log(r), runs)
        assert near == pytest.approx(float(exact), rel=1e-9, abs=1e-15)


def test_a_level_that_is_a_value_of_the_loss_is_refused_by_the_balls():
    with ctx.workprec(256), pytest.raises(ArithmeticError, match="eps"):
        certified_response_delta(ball(F(2)).log() * 2, F(2), 4)


def test_the_least_level_is_least():
    for delta, eps0, runs in ((1e-5, 0.1, 100), (0.1, 1.0, 3), (1e-10, 0.01, 5000)):
        level = response_epsilon(delta, eps0, runs)
        assert response_delta(level, eps0, runs) <= delta < response_delta(level * (1 - 1e-8), eps0, runs)
    assert response_epsilon(0.9, 0.1, 1) == 0.0
    assert response_delta(10.0, 1.0, 10) == 0.0
    # the rare answer keeps its digits: 1 - p is 4e-18 here, and p rounds to 1
    assert response_delta(39.9, 40.0, 1) == pytest.approx(1 - math.exp(-0.1), rel=1e-12)


def test_the_order_of_the_levels():
    for eps0 in (0.01, 0.3, 1.0):
        for runs in (1, 7, 300):
            for delta in (1e-8, 1e-2):
                exact = response_epsilon(delta, eps0, runs)
                assert exact <= renyi_epsilon(eps0, runs, delta) * (1 + 1e-9)
                assert renyi_epsilon(eps0, runs, delta) <= runs * eps0


def test_bad_balls_are_refused():
    with pytest.raises(ValueError, match="eps"):
        certified_response_delta(arb(-1), F(2), 3)
    assert response_walk(F(2), 5).up == F(2, 3)
