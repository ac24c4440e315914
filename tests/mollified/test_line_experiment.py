"""The studies of the mixture on the line and the learners with few parameters."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from mollified.boosting.polynomial_learner import PolynomialLearner
from mollified.boosting.theta import LOG2
from mollified.experiments.line_experiment import MODES, READINGS, line_runs, mode_distances
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.experiments.modes import modes_on_line
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid

GRID = Grid([-8.0], [8.0], 2001)


def logit_of(learner, target, current, x):
    return learner.fit(target, current, 1, np.random.default_rng(0)).logit(np.asarray(x)[:, np.newaxis])


def test_quadratic_logit_is_exact_for_two_gaussians():
    target, current = Gaussian(np.array([0.5]), 0.5), Gaussian.standard(1)
    x = np.linspace(-2, 2, 9)
    odds = target.log_prob(x[:, np.newaxis]) - current.log_prob(x[:, np.newaxis])
    np.testing.assert_allclose(logit_of(PolynomialLearner(2, "clip", GRID), target, current, x), odds, atol=1e-6)
    line = logit_of(PolynomialLearner(1, "clip", GRID), target, current, x)
    assert np.abs(line - odds).max() > 0.1  # control: a line cannot


def test_linear_logit_against_an_independent_optimiser():
    target, current = domain("mixture-variance"), Gaussian.standard(1)
    x = GRID.points[:, 0]
    p, q = (np.exp(law.log_prob(GRID.points)) * GRID.weights for law in (target, current))

    def loss(w):
        logit = w[0] + w[1] * x
        return -(p @ log_expit(logit) + q @ log_expit(-logit))

    def slope(w):
        miss = (p + q) * expit(w[0] + w[1] * x) - p
        return np.array([miss.sum(), miss @ x])

    best = minimize(loss, np.zeros(2), jac=slope, tol=1e-12).x
    found = logit_of(PolynomialLearner(1, "clip", GRID), target, current, [0.0, 1.0])
    np.testing.assert_allclose(found, [best[0], best.sum()], atol=1e-5)


def test_classifiers_are_bounded():
    fitted = PolynomialLearner(2, "clip", GRID).fit(
        domain("mixture-sd"), Gaussian.standard(1), 1, np.random.default_rng(0)
    )
    assert np.abs(fitted(GRID.points)).max() <= LOG2


@pytest.mark.parametrize("reading", READINGS)
def test_modes_of_the_target_are_those_that_are_proved(reading):
    target = domain(READINGS[reading])
    _, grid = domain_grid(target)
    found = modes_on_line(target.log_prob(grid.points), grid)
    np.testing.assert_allclose(found, [place for place, _ in MODES[reading]], atol=0.002)


def test_runs_are_kept_and_differ_by_seed():
    first, modes, shapes = line_runs([0, 1], 3, [1.0, 5.0], "fast", [1.0])
    assert line_runs([0, 1], 3, [1.0, 5.0], "fast", [1.0])[0] is first
    assert set(shapes["eps"]) == {1.0}
    assert len(modes) >= len(first)
    by_place = first.pivot_table(index=["reading", "variant", "eps"], columns="place_0", values="nll")
    assert (by_place[0] != by_place[1]).all()


def test_distances_count_from_the_nearest_maximum():
    table = pd.DataFrame(
        {"reading": "standard-deviation", "variant": "clip", "eps": 1.0, "place_0": 0, "x": [0.0, 0.31, 0.5]}
    )
    found = mode_distances(table, "standard-deviation").set_index("place_1")["distance"]
    np.testing.assert_allclose(found, [0.0097, 0.1], atol=1e-9)
