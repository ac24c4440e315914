from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified.boosting.ball_mbde import BITS, ball_mbde, ball_theta
from mollified.boosting.boosted_density import BoostedDensity
from mollified.boosting.classifiers import Tabular
from mollified.boosting.theta import LOG2, theta
from mollified.laws.discrete import Discrete
from mollified.laws.random_laws import random_law, random_signs
from mollified.laws.spaces import FiniteSpace
from mollified.mollifiers.exact_level import ExactLevel

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
