"""The studies of the pages on exponential moments and the KL drop, against values known otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.studies import kl_drop


def test_the_drop_inside_is_largest_at_one_and_the_other_grows():
    table, facts = kl_drop.shapes(4.0, 401)
    inside, top = (table[table["law"] == law] for law in ("inside", "top"))
    assert inside["theta"].iloc[inside["drop"].argmax()] == pytest.approx(1.0)
    assert inside["drop"].max() == pytest.approx(facts["divergence_inside"])
    assert (np.diff(top["drop"]) > 0).all()
    assert top["drop"].max() < facts["divergence_top"]


def test_the_printed_bound_is_sound_from_the_size_in_the_facts():
    table, facts = kl_drop.bounds_by_size(0.5, [0.3, 0.5], 0.05, 39)
    assert "holds_from_0.3" not in facts
    assert facts["excess_0.3"] > 0 > facts["excess_0.5"]
    rows = table[table["edge"] == 0.5]
    sound = rows["printed"] <= rows["sharp"]
    assert (sound == (rows["size"] >= facts["holds_from_0.5"])).all()


def test_only_the_printed_bound_fails():
    table, facts = kl_drop.failure_shares(3000, 1)
    assert facts["other_failures"] == 0
    assert (table[["(43) fails (%)", "sharp fails (%)"]].to_numpy() == 0).all()
    full = table[(table["regime"] == "high") & (table["c*/log 2"] == "1")]
    assert full["rounds"].iloc[0] > 100
    assert full["printed fails (%)"].iloc[0] == 0
    assert 0 < facts["share_high"] < facts["share_low"] < 100
    assert table["rounds"].sum() == facts["rounds_low"] + facts["rounds_high"]


def test_two_values_attain_the_sharp_bound_and_not_the_other():
    table, facts = kl_drop.slack_counts(3000, [-0.025, 0.025, 0.525], 1)
    assert facts["largest_two"] < 1e-9
    assert facts["smallest_hoeffding"] > -1e-9
    two = table[(table["bound"] == "sharp") & (table["kind"] == "two values")]["count"].to_numpy()
    assert two[0] == facts["two"] > 0
    assert two[1] == 0
    assert (table.groupby("bound")["count"].sum() == facts["rounds"]).all()
    assert facts["two"] + facts["others"] == facts["rounds"]
    others = table[(table["bound"] == "sharp") & (table["kind"] == "other")]["count"].to_numpy()
    assert others[0] == facts["others_first"] < facts["others"]


def test_equality_with_its_rounding_falls_into_the_first_bin():
    table, facts = kl_drop.slack_counts(3000, [0.0, 0.05, 0.5], 1)
    two = table[(table["bound"] == "sharp") & (table["kind"] == "two values")]["count"].to_numpy()
    assert two.tolist() == [facts["two"], 0]
    assert (table.groupby("bound")["count"].sum() == facts["rounds"]).all()


def test_the_run_leaves_the_high_regime_and_the_printed_bound_fails_there():
    table, facts = kl_drop.run_rounds(5.0, 4, 2001, 1)
    assert (table["sharp"] <= table["drop"]).all()
    assert (table["hoeffding"] <= table["sharp"]).all()
    assert ((table["printed"] > table["drop"]) == (table["edge_q"] < 1 / 3)).all()
    assert facts["failing"] == (table["edge_q"] < 1 / 3).sum() > 0
    assert facts["first_failing"] == facts["first_low"] == 3
    assert table["size"].to_numpy() == pytest.approx(1.0)
    steady, quiet = kl_drop.run_rounds(1.0, 1, 401, 1)
    assert len(steady) == 1
    assert quiet["failing"] == quiet["first_failing"] == quiet["first_low"] == 0
