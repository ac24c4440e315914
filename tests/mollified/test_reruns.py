"""The checks on tables of runs: what they count, what they report, and what they catch in runs of our own."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from mollified.studies.mbde_sweep import sweep_seed
from mollified.studies.ring_experiment import coverage_by_start, eight_budgets, ring_metrics
from mollified.studies.run_shapes import falls_from_start, steepness
from mollified.verify import reruns


def table(values, budgets=(0.5, 1.0, 2.0), **columns):
    """One series of one variant."""
    return pd.DataFrame({"variant": "clip", "place_0": 0, "eps": budgets, "value": values, **columns})


def test_steps_are_counted_between_neighbouring_budgets_in_any_order_of_rows():
    shuffled = table([3.0, 2.0, 1.5]).iloc[[2, 0, 1]]
    check = reruns.moves_one_way(shuffled, "value")
    assert (check.instances, check.violations, check.worst_slack) == (2, 0, 0.5)
    worse = reruns.moves_one_way(table([3.0, 3.0, 1.5]), "value", least=0.1)
    assert worse.violations == 1
    assert worse.counterexample["eps"] == "0.5"
    assert float(worse.counterexample["change"]) == 0


def test_series_of_other_places_recipes_and_domains_are_kept_apart():
    both = pd.concat([table([3.0, 2.0, 1.0], place_1=np.nan), table([9.0, 8.0, 7.0], place_1=1.0)])
    assert reruns.moves_one_way(both, "value").instances == 4
    split = pd.concat([table([1.0, 2.0, 3.0], domain=name, recipe=name) for name in "ab"])
    assert reruns.moves_one_way(split, "value", falls=False).instances == 4
    with pytest.raises(ValueError, match="one row a budget"):
        reruns.moves_one_way(pd.concat([table([1.0, 2.0, 3.0])] * 2), "value")


def test_a_dip_has_its_lowest_value_in_the_window_and_higher_ones_on_both_sides():
    dip = table([0.5, 0.2, 0.4])
    assert reruns.dips_then_rises(dip, "value", 0.75, 1.5).worst_slack == pytest.approx(0.2)
    assert not reruns.dips_then_rises(dip, "value", 0.75, 1.5, depth=0.2).passed
    assert not reruns.dips_then_rises(table([0.2, 0.2, 0.4]), "value", 0.75, 1.5).passed  # a plateau is no dip
    assert not reruns.dips_then_rises(table([0.1, 0.2, 0.4]), "value", 0.75, 1.5).passed
    peak = table([0.1, 0.3, 0.2])
    assert reruns.dips_then_rises(peak, "value", 0.75, 1.5, flip=True).passed
    assert reruns.dips_then_rises(table([0.2, 0.3, 0.4]), "value", 0.25, 0.75, start=0.5).passed
    with pytest.raises(ValueError, match="both sides"):
        reruns.dips_then_rises(dip, "value", 0.25, 0.75)


def test_shuffling_keeps_the_values_of_each_series():
    both = pd.concat([table([3.0, 2.0, 1.0]), table([9.0, 8.0, 7.0], place_0=1)], ignore_index=True)
    dealt = reruns.shuffled(both, "value", np.random.default_rng(0))
    for place in (0, 1):
        before, after = (item[item["place_0"] == place]["value"] for item in (both, dealt))
        assert sorted(before) == sorted(after)
    assert both["value"].tolist() == [3.0, 2.0, 1.0, 9.0, 8.0, 7.0]


def test_the_sign_test_has_the_probability_of_coin_tosses():
    rows = [(name, place, 1.0, float(name == "b")) for name in "ab" for place in range(20)]
    pairs = pd.DataFrame(rows, columns=["variant", "place_0", "eps", "value"])
    check = reruns.sign_test(pairs, "value", "a", "b")
    assert check.passed
    assert check.worst_slack == pytest.approx(math.log10(1e-6 * 2**20))
    tie = pairs.copy()
    tie.loc[0, "value"] = 1.0
    assert not reruns.sign_test(tie, "value", "a", "b").passed  # 19 of 20: 21 / 2^20
    assert reruns.sign_test(tie, "value", "a", "b", rate=3e-5).passed
    with pytest.raises(ValueError, match="at least 20 places"):
        reruns.sign_test(pairs[pairs["place_0"] < 19], "value", "a", "b")
    alone = pairs.drop(index=0)
    with pytest.raises(ValueError, match="both variants"):
        reruns.sign_test(alone, "value", "a", "b")


def test_a_variant_without_its_bound_is_reported_outside_the_mollifier():
    found = sweep_seed("mixture-sd", (0,), 1, (0.5, 2.0), ("clip", "tanh", "released", "successors"), "fast")
    for name in ("clip", "tanh", "successors"):
        rows = found[found["variant"] == name]
        assert reruns.inside_mollifier(rows).passed
        assert reruns.inside_mollifier(rows, sharp=True).passed
        assert not reruns.inside_mollifier(rows, width=0.3).passed
    released = found[found["variant"] == "released"]
    check = reruns.inside_mollifier(released)
    assert check.violations == check.instances == 2
    with pytest.raises(ValueError, match="finite"):
        reruns.inside_mollifier(released, sharp=True)  # it promises nothing
    # the name decides nothing: bounded runs under the other name pass
    assert reruns.inside_mollifier(found[found["variant"] == "clip"].assign(variant="released")).passed


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
