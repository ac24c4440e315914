"""Exact training draws, and the ideal learner of the studies of what the papers leave open."""

import numpy as np
import pytest
import torch
from scipy.special import logsumexp

from mollified.boosting.theta import LOG2
from mollified.experiments.open_settings import SIGMOID
from mollified.laws import Gaussian, Grid
from mollified.training import VARIANTS, exact_training
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.logit_stack import LogitStack
from tests.mollified.sampling_tests import ALPHA, ks

TARGET, REFERENCE = Gaussian([1.5], 0.25), Gaussian.standard(1)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [VARIANTS["clip"], VARIANTS["tanh"], SIGMOID], ids=lambda variant: variant.name)
def test_exact_draws_follow_the_current_density(variant):
    """Against the distribution function on a fine grid, for two untrained networks; control: moved by 0.2."""
    stacks = [LogitStack(1, [torch.Generator().manual_seed(seed)], device=torch.device("cpu")) for seed in (1, 2)]
    thetas, grid = np.array([0.9, 0.6]), Grid([-9.0], [9.0], 20_001)
    logs = REFERENCE.log_prob(grid.points) + exact_training._statistic(stacks, thetas, variant, grid.points)
    mass = np.exp(logs - logsumexp(logs + np.log(grid.weights))) * grid.weights
    drawn = exact_training._draw(stacks, thetas, variant, REFERENCE, 4000, np.random.default_rng(5))[:, 0]

    def cdf(x):
        return np.interp(x, grid.points[:, 0], np.cumsum(mass) - mass / 2)

    assert ks(drawn, cdf) > ALPHA > ks(drawn + 0.2, cdf)


def test_the_ideal_learner_by_hand():
    """One round: c is the clipped log-ratio of the laws; far apart it saturates, and the gain nears the cap."""
    eps, variant, grid = 1.0, VARIANTS["clip"], Grid([-9.0], [9.0], 1001)
    start, first = ideal_log_ratios(TARGET, REFERENCE, grid, eps, variant, 1)
    assert not start.any()
    c = np.clip(TARGET.log_prob(grid.points) - REFERENCE.log_prob(grid.points), -LOG2, LOG2)
    step = variant.steps(eps, 1)[0]
    cells = np.exp(REFERENCE.log_prob(grid.points)) * grid.weights
    np.testing.assert_allclose(first, step * c - np.log(cells @ np.exp(step * c)), atol=1e-12)
    far = Gaussian([5.0], 0.01)
    weights = np.exp(far.log_prob(grid.points)) * grid.weights
    gain, cap = weights @ ideal_log_ratios(far, REFERENCE, grid, eps, variant, 3)[-1], variant.level(eps, 3) / 2
    assert 0.99 * cap < gain < cap
