"""Check the bounds on budgets against their definitions, in floats, arrays, fractions and balls alike."""

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from mollified.budget_bounds import (
    divided_level,
    geometric_variance,
    laplace_variance,
    level_of_draws,
    variance_ratio,
)
from mollified.theta import spent_level, theta


def test_draws_multiply_the_level_of_one():
    for eps, rounds, draws in ((0.25, 3, 10_000), (1.0, 1, 1), (5.0, 7, 12)):
        assert level_of_draws(eps, rounds, draws, form="printed") == pytest.approx(draws * eps, rel=1e-15)
        sharp = level_of_draws(eps, rounds, draws, form="corrected")
        assert sharp == pytest.approx(draws * spent_level(eps, rounds), rel=1e-13)
        assert sharp < draws * eps


def test_the_two_divisions_against_the_step_sizes():
    eps, rounds, draws = 2.0, 3, 3
    by_classifiers = divided_level(eps, rounds, classifiers_by=draws)
    by_budget = divided_level(eps, rounds, eps_by=draws)
    assert by_classifiers == pytest.approx(4 * np.log(2) / draws * theta(eps, rounds).sum(), rel=1e-13)
    assert by_budget == pytest.approx(4 * np.log(2) * theta(eps / draws, rounds).sum(), rel=1e-13)
    assert draws * by_classifiers == pytest.approx(1.8528, abs=5e-5)
    assert draws * by_budget == pytest.approx(1.9854, abs=5e-5)


def test_balls_contain_the_floats_and_arrays_broadcast():
    eps = np.array([0.5, 2.0])
    levels = divided_level(eps, 4, eps_by=2, classifiers_by=3)
    assert levels.shape == (2,)
    with ctx.workprec(200):
        for value, level in zip(eps, levels, strict=True):
            certified = divided_level(arb(float(value)), 4, eps_by=arb(2), classifiers_by=arb(3))
            assert float(certified.mid()) == pytest.approx(level, rel=1e-14)
            assert float(certified.rad()) < 1e-50


def test_variances_against_their_laws():
    n = np.arange(-400, 401)
    for q in (1.5, 2.0, 4.0):
        weights = q ** -np.abs(n).astype(float)
        assert geometric_variance(q) == pytest.approx((n**2 * weights).sum() / weights.sum(), rel=1e-12)
    assert geometric_variance(F(4)) == F(8, 9)
    x, step = np.linspace(0, 200, 2_000_001, retstep=True)
    scale = 3 / 0.5
    density = np.exp(-x / scale) / scale
    assert laplace_variance(3, 0.5) == pytest.approx((x**2 * density).sum() * step, rel=1e-6)
    assert laplace_variance(F(3), F(1, 2)) == 72
    assert (variance_ratio(5, form="printed"), variance_ratio(5, form="corrected")) == (5, 25)


def test_a_rounded_number_of_rounds_is_refused():
    with pytest.raises(TypeError, match=r"rounds must be an integer, got 2\.5"):
        level_of_draws(1.0, 2.5, 1, form="printed")
