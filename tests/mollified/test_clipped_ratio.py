"""One logit and the closed form: the margin, the constant, the law that is released."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from mollified.laws import Gaussian, Grid
from mollified.mollifiers.relative_mollifier import clip_constant
from mollified.training import half_width
from mollified.training.clipped_ratio import clip_score, pool_constant

LEVELS = (0.1, 1.0, 5.0)


@pytest.mark.parametrize("eps", LEVELS)
@pytest.mark.parametrize("pool", [200, 5000])
def test_the_margin_covers_a_reference_that_is_all_at_the_ends(eps, pool):
    """The summands that spread most take two values: then the chance to be misled is a binomial tail, known exactly."""
    spare = 1e-3
    a = half_width(eps, pool, spare=spare)
    tau = eps / 2 + math.log1p(-spare) - a
    delta = spare * math.exp(-eps / 2)
    for side in (tau, -tau):
        share = math.expm1(a + side) / math.expm1(2 * a)
        centre = pool / (1 + math.exp(a))
        tail = binom.cdf(math.floor(centre), pool, share) if side > 0 else binom.sf(math.ceil(centre) - 1, pool, share)
        assert tail <= delta
    assert math.exp(a + tau) + delta * math.exp(2 * a) <= math.exp(eps / 2) * (1 + 1e-12)
    assert (1 - delta) * math.exp(-a - tau) >= math.exp(-eps / 2) * (1 - 1e-12)


def test_the_constant_is_that_of_the_relative_mollifier_on_the_pool():
    scores = np.sort(3 * np.random.default_rng(1).standard_normal(500))
    count = len(scores)
    logs = np.full(count, -math.log(count))
    for eps in LEVELS:
        c = pool_constant(scores, eps / 2)
        assert math.isclose(c, clip_constant(scores + logs, logs, np.ones(count), eps), abs_tol=1e-9)
        assert math.isclose(np.exp(np.clip(scores - c, -eps / 2, eps / 2)).mean(), 1, abs_tol=1e-10)
    far = np.array([-900.0, -500.0, -500.0, 40.0])
    assert math.isclose(np.exp(np.clip(far - pool_constant(far, 1.0), -1, 1)).mean(), 1, abs_tol=1e-10)


def test_samples_follow_the_released_law():
    reference = Gaussian.standard(1)
    rng = np.random.default_rng(3)
    law = clip_score(lambda x: 9 * np.sign(x[:, 0] - 1), reference, 2.0, np.sort(np.repeat([-9.0, 9.0], [841, 159])))
    drawn = law.sample(40_000, rng)
    grid = Grid([-9.0], [9.0], 8001)
    mass = np.exp(reference.log_prob(grid.points) + law.statistic(grid.points)) * grid.weights
    share = float(mass[grid.points[:, 0] > 1].sum() / mass.sum())
    # false alarm below 1e-6: five standard deviations, and the cell that the edge cuts
    assert abs((drawn[:, 0] > 1).mean() - share) < 5 * math.sqrt(share * (1 - share) / 40_000) + 2e-3
