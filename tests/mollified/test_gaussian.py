from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid
from tests.mollified.sampling_tests import ALPHA, ks

COVARIANCE = [[2.0, 0.8], [0.8, 1.0]]


def test_log_prob_agrees_with_an_independent_implementation():
    points = np.random.default_rng(1).normal(size=(50, 3)) * 4
    root = np.random.default_rng(2).normal(size=(3, 3))
    covariance = root @ root.T + 0.1 * np.eye(3)
    ours = Gaussian([1.0, 2.0, -3.0], covariance).log_prob(points)
    theirs = stats.multivariate_normal([1.0, 2.0, -3.0], covariance).logpdf(points)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def test_draws_follow_the_density():
    """False alarm 1e-6 for each of three tests; control: a variance off by 15 % is told apart."""
    draws = Gaussian([1.0, -2.0], COVARIANCE).sample(100_000, np.random.default_rng(3))
    for weights in ([1.0, 0.0], [0.0, 1.0], [1.0, -1.0]):
        mean, variance = np.dot(weights, [1.0, -2.0]), np.dot(weights, np.dot(COVARIANCE, weights))
        assert ks(draws @ weights, stats.norm(mean, variance**0.5).cdf) > ALPHA
        assert ks(draws @ weights, stats.norm(mean, (1.15 * variance) ** 0.5).cdf) < ALPHA


@pytest.mark.parametrize("mass", [0.5, 1e-3, 1e-12])
def test_box_leaves_the_mass_said(mass):
    lower, upper = Gaussian([3.0], 4.0).box(mass)
    outside = 2 * stats.norm(3.0, 2.0).sf(upper[0])
    assert mass * (1 - 1e-6) < outside <= mass
    lower, upper = Gaussian([1.0, -2.0], COVARIANCE).box(mass)
    marginals = [stats.norm(m, v**0.5) for m, v in ((1.0, 2.0), (-2.0, 1.0))]
    outside = sum(law.cdf(a) + law.sf(b) for law, a, b in zip(marginals, lower, upper, strict=True))
    assert outside <= mass


def test_density_is_normalised():
    for gaussian, nodes in ((Gaussian([2.0], 0.3), 2001), (Gaussian([1.0, -1.0], COVARIANCE), 401)):
        grid = Grid.covering([gaussian], nodes=nodes)
        mass = grid.integrate(np.exp(gaussian.log_prob(grid.points)))
        assert mass.value == pytest.approx(1.0, abs=2e-12)


def test_a_number_as_covariance_is_a_variance():
    assert Gaussian([0.0, 0.0], 4.0).covariance.tolist() == [[4.0, 0.0], [0.0, 4.0]]
    assert Gaussian.standard(2).log_prob(np.zeros((1, 2)))[0] == pytest.approx(-np.log(2 * np.pi), rel=1e-15)


def test_overflow_of_the_distance_gives_minus_inf():
    gaussian = Gaussian([-1e308, 0.0], COVARIANCE)
    assert gaussian.log_prob(np.array([[1e308, -1e308]])).tolist() == [-np.inf]
