from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from mollified.ball_mbde import BITS, ball_mbde, ball_membership, ball_theta
from mollified.boosted_density import BoostedDensity
from mollified.classifiers import Tabular
from mollified.discrete import Discrete
from mollified.exact_level import ExactLevel
from mollified.instances import random_law, random_signs
from mollified.spaces import FiniteSpace
from mollified.theta import LOG2, theta

ONE, HALF = Fraction(1), Fraction(1, 2)


def test_balls_agree_with_the_float_density():
    """Floats: T <= 5 steps each rounded once, exponents below eps/4 <= 5: about 20 ulps of each atom."""
    rng = np.random.default_rng(110)
    for _ in range(50):
        size, rounds = int(rng.integers(2, 6)), int(rng.integers(1, 6))
        base = random_law(rng, size)
        rows = [random_signs(rng, size) for _ in range(rounds)]
        rows = [row if any(row) else (ONE,) * size for row in rows]
        eps = Fraction(int(rng.integers(1, 20_000)), 1000)
        balls = ball_mbde(base, rows, ExactLevel(eps=eps))
        tables = [Tabular([float(s) * LOG2 for s in row]) for row in rows]
        space = FiniteSpace(size)
        floats = BoostedDensity(Discrete([float(q) for q in base]), theta(float(eps), rounds), tables, space)
        np.testing.assert_allclose(np.exp(floats.log_prob(space.points)), [float(b.mid()) for b in balls], rtol=1e-13)


def test_balls_contain_a_value_known_in_closed_form():
    """exp(eps) = 16: theta_1 = 1/2; on (1/2, 1/2) with c = (log 2, -log 2) the weights are 2 to 1."""
    level = ExactLevel(exp_eps=Fraction(16))
    assert ball_theta(level, 1)[0].contains(arb(1) / 2)
    heavy, light = ball_mbde((HALF, HALF), [(ONE, -ONE)], level)
    saved, ctx.prec = ctx.prec, BITS
    try:
        assert heavy.contains(arb(2) / 3)
        assert light.contains(arb(1) / 3)
        assert heavy.rad() < arb(2) ** -900
    finally:
        ctx.prec = saved


def test_membership_is_proved_with_its_margin():
    level = ExactLevel(exp_eps=Fraction(16))
    density = ball_mbde((HALF, HALF), [(ONE, -ONE)], level)
    inside, x, slack = ball_membership(density, (HALF, HALF), level)
    # |log(1/3 : 1/2)| = log(3/2) at the second point, log(4/3) at the first; the bound is log 4
    assert (inside, x) == (True, 1)
    assert slack == pytest.approx(math.log(4) - math.log(1.5), rel=1e-15)
    narrow = ExactLevel(exp_eps=Fraction(9, 4) - Fraction(1, 10**100))
    assert ball_membership(density, (HALF, HALF), narrow)[0] is False
    wide = ExactLevel(exp_eps=Fraction(9, 4) + Fraction(1, 10**100))
    assert ball_membership(density, (HALF, HALF), wide)[0] is True


def test_equality_cannot_be_decided_and_says_so():
    level = ExactLevel(exp_eps=Fraction(16))
    density = ball_mbde((HALF, HALF), [(ONE, -ONE)], level)
    with pytest.raises(ArithmeticError, match="cannot be told from the bound"):
        ball_membership(density, (HALF, HALF), ExactLevel(exp_eps=Fraction(9, 4)))


def test_classifiers_beyond_their_range_leave_the_mollifier():
    """Control: 5 log 2 against a small atom; with 1 log 2 the same stays inside."""
    base, level = (Fraction(1, 2**30), 1 - Fraction(1, 2**30)), ExactLevel(eps=ONE)
    for size, wanted in ((5, False), (1, True)):
        density = ball_mbde(base, [(size, -size)] * 4, level)
        assert ball_membership(density, base, level)[0] is wanted


def test_zeros_of_the_reference():
    """A zero shared by both does not count; mass where the reference has none is an infinite violation."""
    base, level = (Fraction(0), HALF, HALF), ExactLevel(eps=ONE)
    density = ball_mbde(base, [(1, 1, -1)], level)
    assert density[0] == 0
    assert ball_membership(density, base, level)[0]
    third = [arb(1) / 2, arb(1) / 4, arb(1) / 4]
    assert ball_membership(third, base, level) == (False, 0, -math.inf)


def test_an_unnormalised_density_is_refused():
    balls = [arb(1) / 2, arb(9) / 20]
    with pytest.raises(ValueError, match="density must sum to one"):
        ball_membership(balls, (HALF, HALF), ExactLevel(eps=ONE))


def test_working_precision_is_restored():
    before = ctx.prec
    density = ball_mbde((HALF, HALF), [(1, -1)], ExactLevel(eps=ONE))
    ball_membership(density, (HALF, HALF), ExactLevel(eps=ONE))
    with pytest.raises(TypeError, match="density"):
        ball_membership(None, (HALF, HALF), ExactLevel(eps=ONE))
    assert ctx.prec == before
