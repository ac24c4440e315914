"""The studies of random Gaussians: deviations, placements, the plane, and the bound on coverage."""

import numpy as np
import pytest

from mollified.boosting import spent_level
from mollified.experiments.coverage import mode_coverage
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.experiments.random_experiment import deviation_interval
from mollified.experiments.random_plane import plane_target

pytestmark = pytest.mark.slow


def test_interval_covers_as_often_as_it_says():
    low, high = deviation_interval(4)
    found = np.random.default_rng(5).standard_normal((200_000, 4)).std(axis=1, ddof=1)
    share = ((found * low <= 1) & (found * high >= 1)).mean()
    # 200,000 trials at 0.95: five standard errors are 0.0025, a false alarm rate below 1e-6.
    assert share == pytest.approx(0.95, abs=0.0025)
    assert deviation_interval(20)[1] < high


def test_interval_of_normal_repeats_is_not_that_of_heavy_tails():
    low, high = deviation_interval(4)
    rng = np.random.default_rng(6)
    values = rng.standard_t(3, size=(50_000, 4)) / np.sqrt(3)
    found = values.std(axis=1, ddof=1)
    assert ((found * low <= 1) & (found * high >= 1)).mean() < 0.94  # control


@pytest.mark.parametrize("eps", [0.5, 1.0])
def test_coverage_bound_holds_for_a_hostile_output(eps):
    """Take the tilt that lowers the density where the target lies and raises it far out."""
    target = domain("random-1d", (1, 0), 0)
    reference, grid = domain_grid(target)
    x, width = grid.points[:, 0], spent_level(eps, 3) / 2
    for edge in np.linspace(0.5, 2.5, 9):
        hostile = reference.log_prob(grid.points) + np.where(np.abs(x) > edge, width, 0.0)
        assert mode_coverage(hostile, target.log_prob(grid.points), grid) > 0.9999


def test_coverage_bound_is_not_claimed_where_an_output_breaks_it():
    target = domain("random-1d", (1, 0), 0)
    reference, grid = domain_grid(target)
    x = grid.points[:, 0]
    hostile = reference.log_prob(grid.points) + np.where(np.abs(x) > 0.1, spent_level(20.0, 3) / 2, 0.0)
    narrow = np.where(np.abs(x) < 0.05, 0.0, -60.0)
    assert mode_coverage(hostile, narrow, grid) < 0.5


def test_scales_share_their_placement():
    large, small = plane_target(3, 0, 1, 4.0), plane_target(3, 0, 1, 1.0)
    for one, other in zip(large.components, small.components, strict=True):
        np.testing.assert_allclose(one.mean, 4 * other.mean, rtol=1e-12)
