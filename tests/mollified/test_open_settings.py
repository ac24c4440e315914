"""Exact training draws, of the studies of what the papers leave open."""

import numpy as np
import pytest
import torch
from scipy.special import logsumexp

from mollified.experiments.open_settings import SIGMOID
from mollified.laws import Gaussian, Grid
from mollified.training import VARIANTS, exact_training
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
