"""The studies of the Bernstein mechanism: shapes, limits, and what must not depend on what."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.experiments.contenders import degrees, dpb_losses, random_1d_losses, ring_functions
from mollified.experiments.dpb_rivals import stray_maxima
from mollified.laws.spaces import Grid
from mollified.releases.bernstein_release import noise_scale, release
from mollified.releases.dpb_settings import DPB_DOMAINS
from mollified.training.task_list import task_rng

SMALL = {"degree": 6, "order": 1, "records": 500, "seed": 3}


@pytest.fixture(scope="module")
def losses():
    return dpb_losses(["mixture-variance"], [1.0, 1e9], repair="shift", repeats=2, **SMALL)


def test_without_noise_the_loss_is_that_of_the_polynomial(losses):
    table, facts = losses
    assert len(table) == 3 * 2 * 2
    late = table[(table["eps"] == 1e9) & (table["unit"] == "record")]
    assert late["nll"].mean() == pytest.approx(facts["mixture-variance.bare"], abs=1e-4)
    assert facts["mixture-variance.kernel"] < facts["mixture-variance.bare"] < facts["mixture-variance.uniform"]


def test_more_noise_is_worse_on_average(losses):
    table, _ = losses
    means = table[table["eps"] == 1.0].groupby(["unit", "calibration"])["nll"].mean()
    assert means["record", "exact"] < means["record", "published"] < means["input", "exact"]


def test_the_same_noise_at_a_level_that_is_larger_by_the_overcount():
    """Published noise at eps is exact noise at eps over the overcount: the same function, up to rounding."""
    setting = DPB_DOMAINS["ring"]
    data, choice = setting.draw(500, task_rng(3, 0, 0))
    levels = [noise_scale(1.0, 6, 2, choice.bandwidth / 12, 500, c, "record") for c in ("published", "exact")]
    factor = levels[0] / levels[1]
    assert factor > 10
    one = ring_functions([100.0], 6, 1, 500, 0, 3, ("record", "published"))[0][1]
    scale = noise_scale(100.0 / factor, 6, 2, choice.bandwidth / 12, 500, "exact", "record")
    rng = task_rng(3, 0, 2)
    release(data, -6.0, 6.0, 6, choice.bandwidth, 0.0, rng)  # the study draws the noise from the stream after this
    two = release(data, -6.0, 6.0, 6, choice.bandwidth, scale, rng)
    assert one == pytest.approx(two.function(setting.grid.axes), abs=1e-9)


def test_clipping_and_shifting_agree_without_noise_for_a_positive_polynomial():
    table, facts = degrees("mixture-variance", [6], [1], 1.0, 1, 500, 3)
    none = table[table["noise"] == "none"].set_index("repair")["nll"]
    assert none["shift"] == none["clip"]
    assert facts["uniform"] == pytest.approx(np.log(3))


def test_random_lines_repeat_with_the_seed():
    one, _ = random_1d_losses([1, 2], [1.0], repeats=1, **SMALL)
    two, _ = random_1d_losses([1, 2], [1.0], repeats=1, **SMALL)
    assert one.equals(two)
    assert not one["nll"].equals(random_1d_losses([1, 2], [1.0], repeats=1, **{**SMALL, "seed": 4})[0]["nll"])


def test_stray_maxima_are_those_far_from_the_centres():
    grid = Grid(np.full(2, -4.0), np.full(2, 4.0), 81)
    bumps = sum(
        np.exp(-((grid.points - np.array(centre)) ** 2).sum(axis=1))
        for centre in ((2.0, 2.0), (-2.0, -2.0), (0.0, 3.0))
    )
    assert stray_maxima(bumps, grid, np.array([[2.0, 2.0]]), 0.5) == 2
    assert stray_maxima(bumps, grid, np.array([[2.0, 2.0], [-2.0, -2.0], [0.0, 3.0]]), 0.5) == 0
