"""The Kullback-Leibler divergence: closed forms, digits of close laws, zeros, and what is no density."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from mollified.laws import FiniteSpace, Gaussian, Grid, kl

INF = math.inf
TWO, THREE = FiniteSpace(2), FiniteSpace(3)
HALVES = np.log([0.5, 0.25, 0.25])
FIRST = np.array([0.0, -INF, -INF])


@pytest.mark.parametrize(
    ("mean", "covariance"),
    [([0.0], 1.0), ([-2.0], 0.3), ([0.5], 2.0), ([1e-4], 1.0), ([1.0, -1.0], [[2.0, 0.8], [0.8, 1.0]])],
)
def test_gaussians_up_to_the_error_estimate(mean, covariance):
    p, q = Gaussian(mean, covariance), Gaussian.standard(len(mean))
    grid = Grid.covering([p, q], mass=1e-14)
    found = kl(p.log_prob(grid.points), q.log_prob(grid.points), grid)
    truth = (np.trace(p.covariance) + np.dot(mean, mean) - len(mean) - np.linalg.slogdet(p.covariance)[1]) / 2
    assert abs(found.value - truth) <= found.error + 1e-10
    assert found.error < 1e-6 * max(1.0, abs(truth))


@pytest.mark.parametrize("size", [0.4, 0.1, 0.041, 0.039, 0.01, 1e-3, 1e-6, 1e-9, 1e-12])
def test_the_digits_of_close_laws_are_kept(size):
    """Against 60 digits, on both sides of the series for log ratios below 0.02; the logs are rounded to 2e-16."""
    with localcontext(prec=60):
        half = Decimal(1) / 2
        upper, lower = half + Decimal(size) / 4, half - Decimal(size) / 4
        logs = [upper.ln(), lower.ln()]
        truth = upper * (logs[0] - half.ln()) + lower * (logs[1] - half.ln())
    p, q = np.array([float(v) for v in logs]), np.log([0.5, 0.5])
    ours = kl(p, q, TWO).value
    assert ours == pytest.approx(float(truth), rel=max(1e-11, 1e-15 / size), abs=0)
    if size < 1e-5:  # the plain sum is the control
        assert abs(float(np.sum(np.exp(p) * (p - q)) - float(truth))) > 10 * abs(ours - float(truth))


def test_what_is_no_density_is_refused_and_zeros_follow_the_conventions():
    with pytest.raises(ValueError, match="log_q must be a density on the space, got a mass of"):
        kl(HALVES, HALVES + 0.1, THREE)
    assert kl(HALVES, HALVES + 1e-5, THREE).error == pytest.approx(1e-5, rel=1e-4)
    assert kl(HALVES, FIRST, THREE).value == INF
    assert kl(FIRST, HALVES, THREE).value == pytest.approx(math.log(2), rel=1e-15)
