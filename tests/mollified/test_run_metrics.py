"""The metrics of a run against closed forms: a tilt of a Gaussian is a Gaussian."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.boosting.grid_mbde import GridRun
from mollified.boosting.variants import VARIANTS
from mollified.experiments.run_metrics import measure, spent
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid

TARGET, REFERENCE = Gaussian([1.0], 0.25), Gaussian.standard(1)
GRID = Grid([-12.0], [12.0], 4801)


def run(mean, variant="clip", eps=1.0):
    """log N(mean, 1)/N(0, 1) = mean x - mean^2/2 as a run of three rounds."""
    ratio = mean * GRID.points[:, 0] - mean * mean / 2
    made = VARIANTS[variant]
    return GridRun(made, eps, made.steps(eps, 3), ratio, [0.6, 0.5, 0.4], 0.7)


def test_metrics_are_the_closed_forms():
    """P = N(1, 1/4), Q = N(m, 1): -E log Q = (log 2 pi + 1/4 + (1 - m)^2)/2; the gain is its fall from m = 0."""
    means = [0.0, 0.5, 1.0, -0.7]
    table = measure([run(mean) for mean in means], TARGET, REFERENCE, GRID)
    nll = [(np.log(2 * np.pi) + 0.25 + (1 - m) ** 2) / 2 for m in means]
    assert table["nll"].tolist() == pytest.approx(nll, abs=1e-9)
    assert table["gain"].tolist() == pytest.approx([nll[0] - item for item in nll], abs=1e-9)
    assert table["spent"].tolist() == pytest.approx([2 * (12 * abs(m) + m * m / 2) for m in means])
    assert table["coverage"].is_monotonic_increasing is False
    assert table.loc[2, "coverage"] == table["coverage"].max()
    assert table["coverage_printed"].between(0, 1).all()
    assert list(table["loss_1"]) == [0.6] * 4
    assert list(table["loss_3"]) == [0.4] * 4
    assert list(table["largest"]) == [0.7] * 4


def test_the_gain_has_a_sign():
    """A tilt away from the target loses; its mirror image wins."""
    good, bad = measure([run(0.5), run(-0.5)], TARGET, REFERENCE, GRID)["gain"]
    assert good > 0 > bad


def test_promised_levels_come_from_the_variant():
    names = ["clip", "tanh", "successors", "released"]
    table = measure([run(0.1, name, 2.0) for name in names], TARGET, REFERENCE, GRID)
    assert table["promised"].tolist() == [VARIANTS[name].level(2.0, 3) for name in names]
    assert list(table["variant"]) == names
    assert list(table["eps"]) == [2.0] * 4


def test_spent_is_twice_the_largest_log_ratio_on_either_side():
    low = run(0.0)
    low.log_ratio = np.where(np.arange(4801) == 7, -0.3, 0.1)
    assert spent(low) == pytest.approx(0.6)
    low.log_ratio = -low.log_ratio
    assert spent(low) == pytest.approx(0.6)


def test_runs_may_come_from_an_iterator():
    assert len(measure(iter([run(0.1), run(0.2)]), TARGET, REFERENCE, GRID)) == 2
