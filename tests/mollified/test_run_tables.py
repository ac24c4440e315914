"""Shapes of runs and the studies of the ring, on tables made by hand and on small runs."""

from __future__ import annotations

import pandas as pd
import pytest

from mollified.studies.ring_experiment import coverage_by_start, eight_budgets, ring_metrics
from mollified.studies.run_shapes import falls_from_start, steepness


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


def test_the_studies_of_the_ring_show_the_same_runs():
    settings = {"eps": [1.0, 5.0], "variants": ["clip", "released"], "repeats": {"fast": 1}, "pixels": 29, "seed": 3}
    pictures, facts = eight_budgets(**settings, shown=["clip", "released"])
    runs, limits = ring_metrics(**settings)
    assert len(pictures) == 2 * 29**2
    row = runs[(runs["variant"] == "released") & (runs["eps"] == 5)].iloc[0]
    assert facts["gain_released_5"] == row["gain"]
    assert runs[runs["eps"] == 0]["spent"].eq(0).all()
    assert row["nll"] == pytest.approx(limits["nll_q0"] - row["gain"], abs=1e-9)
    # the picture is a density: its sum times the area of a pixel is the mass in the box, and at the origin it is low
    picture = pictures[pictures["eps"] == 5]
    area = (picture["x"].drop_duplicates().diff().abs().median()) ** 2
    assert 0.97 < float((10 ** picture["released"]).sum() * area) < 1.01
    origin = picture[(picture["x"].abs() < 1e-9) & (picture["y"].abs() < 1e-9)].iloc[0]
    assert origin["released"] < picture["released"].max() - 1
    assert origin["clip"] == picture["clip"].max()
    # no run beats the mollification of its own level, the best there is
    best = runs[(runs["variant"] == "mollification")].set_index("eps")["gain"]
    for item in runs[(runs["variant"] == "clip") & (runs["eps"] > 0)].to_dict("records"):
        assert item["gain"] < best[item["eps"]]


def test_starts_are_numbered_and_measured_before_any_run():
    runs, facts = coverage_by_start([1.0], ["tanh"], [[0.0, 1.0], [4.0, 1.0]], 3)
    assert facts["held_0"] > 0.999
    assert facts["held_most_1"] < 0.001
    assert set(runs["place_0"]) == {0, 1}
    falls = falls_from_start(runs, "coverage_printed").groupby("place_0")["fall"]
    assert falls.min()[0] > 0.1
    assert falls.max()[1] < 1e-3
