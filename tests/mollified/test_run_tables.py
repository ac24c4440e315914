"""Shapes of runs and the runs on the ring, on tables made by hand and on small runs."""

from __future__ import annotations

import pandas as pd
import pytest

from mollified.experiments.mbde_sweep import domain_grid
from mollified.experiments.ring_experiment import domain_runs
from mollified.experiments.run_shapes import falls_from_start, steepness
from mollified.laws.divergences import kl
from mollified.laws.targets import ring
from mollified.mollifiers.relative_mollifier import RelativeMollifier


def table(values, budgets=(0.5, 1.0, 2.0), **columns):
    """One series of one variant."""
    return pd.DataFrame({"variant": "clip", "place_0": 0, "eps": budgets, "value": values, **columns})


def test_slopes_and_falls_of_a_table_made_by_hand():
    columns = {"domain": "ring", "recipe": "fast", "place_1": 0}
    made = table([0.9, 0.4, 0.7], (0.0, 2.0, 5.0), nll=[10.0, 8.0, 7.4], coverage=[0.3, 0.4, 0.5], **columns)
    row = steepness(made).iloc[0]
    assert row["below"] == pytest.approx(1.0)
    assert row["above"] == pytest.approx(0.2)
    assert row["ratio"] == pytest.approx(5.0)
    fall = falls_from_start(made, "value").iloc[0]
    assert (fall["eps"], fall["held"], fall["fall"]) == (2.0, 0.3, pytest.approx(0.5))
    with pytest.raises(ValueError, match="budget 0"):
        falls_from_start(made[made["eps"] > 0], "value")


def test_runs_on_the_ring_and_their_picture():
    runs, pictures = domain_runs("ring", [[0]], 3, [1.0, 5.0], ["clip", "released"], "fast", pixels=29)
    assert len(pictures) == 2 * 29**2
    assert runs[runs["eps"] == 0]["spent"].eq(0).all()
    loss = runs.set_index(["variant", "eps"])
    for row in runs.to_dict("records"):
        assert row["nll"] == pytest.approx(loss["nll"][row["variant"], 0.0] - row["gain"], abs=1e-9)
    # the picture is a density: its sum times the area of a pixel is the mass in the box, and at the origin it is low
    picture = pictures[pictures["eps"] == 5]
    area = (picture["x"].drop_duplicates().diff().abs().median()) ** 2
    assert 0.97 < float((10 ** picture["released"]).sum() * area) < 1.01
    origin = picture[(picture["x"].abs() < 1e-9) & (picture["y"].abs() < 1e-9)].iloc[0]
    assert origin["released"] < picture["released"].max() - 1
    assert origin["clip"] == picture["clip"].max()
    # no run beats the mollification of its own level, the best there is
    target = ring()
    start, grid = domain_grid(target)
    for eps in (1.0, 5.0):
        closest = RelativeMollifier(start, eps).project(target, grid)
        gain = kl(target.log_prob(grid.points), start.log_prob(grid.points), grid).value
        gain -= kl(target.log_prob(grid.points), closest.log_prob(grid.points), grid).value
        assert loss["gain"]["clip", eps] < gain


def test_runs_from_another_start():
    near, far = (domain_runs("mixture-sd", [[0]], 3, [1.0], ["tanh"], "fast", (mean, 1.0))[0] for mean in (0.0, 4.0))
    assert near["coverage"][0] > 0.999
    assert far["coverage"][0] < 0.001
    assert falls_from_start(near, "coverage_printed")["fall"].min() > 0.1
    assert falls_from_start(far, "coverage_printed")["fall"].max() < 1e-3
