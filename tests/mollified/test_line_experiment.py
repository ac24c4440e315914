"""The studies of the mixture on the line and the learners with few parameters."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from mollified.boosting import PolynomialLearner
from mollified.experiments.mbde_sweep import domain
from mollified.laws import Gaussian, Grid

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
