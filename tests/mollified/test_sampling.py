"""Rejection, chains of Metropolis, times, and the finite sampler with levels as
rationals, exact word by word."""

import math
from fractions import Fraction
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx
from scipy import stats

from mollified.laws import Gaussian
from mollified.privacy import ExactLevel
from mollified.sampling import (
    FiniteSampler,
    metropolis_sample,
    rejection_sample,
    smallest_bits,
)
from tests.mollified.helpers import ALPHA, chi_square, ks

LINE = Gaussian.standard(1)


def rng():
    return np.random.default_rng(27)


@pytest.mark.parametrize(
    "function", [lambda x: x, lambda x: 0.0, lambda x: x[:, 0] * np.nan]
)
def test_functions_of_another_form_are_named(function):
    with pytest.raises(ValueError, match="log_ratio must"):
        rejection_sample(LINE, function, 0.5, 10, rng())
    with pytest.raises(ValueError, match="log_density must"):
        metropolis_sample(function, np.zeros((4, 1)), 5, 1.0, rng())


def gaussian(x):
    return -0.5 * x[:, 0] ** 2 - 7.0


def test_one_step_of_a_chain_moves_as_often_as_it_must():
    """From 0, a proposal y of N(0, s^2) is accepted with probability E min(1,
    e^(-y^2/2)) = (1 + s^2)^(-1/2)."""
    result = metropolis_sample(gaussian, np.zeros((200_000, 1)), 1, 2.0, rng())
    moved = int(np.sum(result.states != 0.0))
    assert result.acceptance_rate == moved / 200_000
    for rate, right in ((5**-0.5, True), (5**-0.5 + 0.01, False)):
        assert (chi_square([moved, 200_000 - moved], [rate, 1 - rate]) > ALPHA) == right


def test_chains_reach_the_target():
    """After 200 steps the law is the Gaussian for all that 20,000 draws can tell, after
    2 it is not."""
    start = np.full((20_000, 1), 3.0)
    for steps, there in ((200, True), (2, False)):
        states = metropolis_sample(gaussian, start, steps, 2.4, rng()).states[:, 0]
        assert (ks(states, stats.norm.cdf) > ALPHA) == there
    assert (start == 3.0).all()


HALF = Fraction(1, 2)
ONE = ExactLevel(eps=Fraction(1))


def test_comparison_with_e_is_decided_beyond_floats_and_the_precision_restored():
    """e to 40 digits: truncated it is below, with its last digit raised it is above;
    floats cannot tell the two."""
    digits = 2718281828459045235360287471352662497757
    before = ctx.prec
    below = Fraction(digits, 10**39)
    above = Fraction(digits + 1, 10**39)
    assert (ONE.compare(below), ONE.compare(above)) == (-1, 1)
    assert (ONE.at_most(below), ONE.at_most(above)) == (True, False)
    assert ctx.prec == before


@pytest.mark.parametrize("power", [Fraction(1), HALF, -HALF, Fraction(3, 7)])
def test_signs_agree_with_floats_where_those_can_tell(power):
    rng = np.random.default_rng(50)
    for eps, over, under in rng.integers(1, 20_000, (200, 3)).tolist():
        level = Fraction(eps, 1000)
        value = Fraction(over, under)
        gap = math.log(value) - float(power * level)
        assert abs(gap) > 1e-9
        assert ExactLevel(eps=level).compare(value, power) == (1 if gap > 0 else -1)


@pytest.mark.parametrize(
    ("value", "power", "sign"),
    [
        (2, HALF, 0),
        (4, 1, 0),
        (HALF, -HALF, 0),
        (2, Fraction(1, 3), 1),
        (1, 0, 0),
        (2, 0, 1),
        (0, 0, -1),
        (0, -1, -1),
    ],
)
def test_rational_levels_know_equality(value, power, sign):
    assert ExactLevel(exp_eps=Fraction(4)).compare(value, power) == sign


THIRDS = (F(1, 3),) * 3
BASE = (F(1, 8), F(3, 8), F(3, 8), F(1, 8))
LEVEL = ExactLevel(exp_eps=F(9, 4))


def test_bounds_and_weights_by_hand():
    """2^5 / 3 = 10.67; times 10/11 is 9.70, times 11/10 is 11.73. On two points a bound
    that is met is kept."""
    level = ExactLevel(exp_eps=F(121, 100))
    sampler = FiniteSampler(THIRDS, level, 5)
    assert (sampler.low, sampler.high, sampler.guarantee()) == (
        (10, 10, 10),
        (11, 11, 11),
        F(11, 10),
    )
    assert (sampler.weights([1, 0, 0]), sampler.weights([0, 0, 1])) == (
        (11, 11, 10),
        (11, 10, 11),
    )
    assert smallest_bits(THIRDS, level) == 5
    halves = FiniteSampler((F(1, 2), F(1, 2)), ExactLevel(exp_eps=F(4)), 3)
    assert (halves.low, halves.high, halves.weights([F(1, 4), F(3, 4)])) == (
        (2, 2),
        (8, 8),
        (2, 6),
    )
