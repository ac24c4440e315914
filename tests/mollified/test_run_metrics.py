"""The metrics of a run against closed forms: a tilt of a Gaussian is a Gaussian."""

import numpy as np
import pytest

from mollified.experiments.run_metrics import measure
from mollified.laws import Gaussian, Grid
from mollified.training import VARIANTS, GridRun

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
