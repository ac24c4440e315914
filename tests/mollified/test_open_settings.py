"""Exact training draws, the ideal learner, and the studies of what the papers leave open."""

import numpy as np
import pytest
import torch
from scipy.special import logsumexp

from mollified.boosting.theta import LOG2
from mollified.experiments import open_settings
from mollified.laws import Gaussian, Grid
from mollified.training import VARIANTS, exact_training
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.logit_stack import LogitStack
from tests.mollified.sampling_tests import ALPHA, ks

pytestmark = pytest.mark.slow

TARGET, REFERENCE = Gaussian([1.5], 0.25), Gaussian.standard(1)
GRID = Grid([-9.0], [9.0], 1001)


def test_exact_draws_follow_the_current_density():
    """Against the distribution function on a fine grid, for two untrained networks."""
    stacks = [LogitStack(1, [torch.Generator().manual_seed(seed)], device=torch.device("cpu")) for seed in (1, 2)]
    thetas = np.array([0.9, 0.6])
    grid = Grid([-9.0], [9.0], 20_001)
    for name in ("clip", "tanh", "sigmoid"):
        variant = open_settings.SIGMOID if name == "sigmoid" else VARIANTS[name]
        statistic = exact_training._statistic(stacks, thetas, variant, grid.points)
        logs = REFERENCE.log_prob(grid.points) + statistic
        mass = np.exp(logs - logsumexp(logs + np.log(grid.weights))) * grid.weights
        table = np.column_stack([grid.points[:, 0], np.cumsum(mass) - mass / 2])
        rng = np.random.default_rng(5)
        drawn = exact_training._draw(stacks, thetas, variant, REFERENCE, 4000, rng)[:, 0]
        assert ks(drawn, lambda x, t=table: np.interp(x, t[:, 0], t[:, 1])) > ALPHA
        assert ks(drawn + 0.2, lambda x, t=table: np.interp(x, t[:, 0], t[:, 1])) < ALPHA


def test_the_ideal_learner_by_hand():
    """One round: c is the clipped log-ratio of the laws; far apart it saturates, and the gain nears the cap."""
    eps, variant = 1.0, VARIANTS["clip"]
    start, first = ideal_log_ratios(TARGET, REFERENCE, GRID, eps, variant, 1)
    assert not start.any()
    c = np.clip(TARGET.log_prob(GRID.points) - REFERENCE.log_prob(GRID.points), -LOG2, LOG2)
    step = float(variant.steps(eps, 1)[0])
    cells = np.exp(REFERENCE.log_prob(GRID.points)) * GRID.weights
    expected = step * c - np.log(cells @ np.exp(step * c))
    np.testing.assert_allclose(first, expected, atol=1e-12)
    far = Gaussian([5.0], 0.01)
    weights = np.exp(far.log_prob(GRID.points)) * GRID.weights
    gain = weights @ ideal_log_ratios(far, REFERENCE, GRID, eps, variant, 3)[-1]
    cap = variant.level(eps, 3) / 2
    assert 0.99 * cap < gain < cap
