"""The studies of the page on the bootstrapping experiments, on small settings."""

from __future__ import annotations

import math

import pytest

from mollified.bootstrap.accountant import bootstrap_delta
from mollified.experiments.bootstrap_experiments import runs, settings

SETTING = {"n": 500, "delta": 0.02, "eps": [0.5, 5.0], "bins": [4, 8], "simulations": 3, "gamma": 0.1, "seed": 3}


def test_runs_hold_every_variant_on_the_same_data():
    table = runs(**SETTING)
    assert len(table) == table["variant"].nunique() * 2 * 2 * 3
    none = table[table["variant"] == "none"].pivot_table(index=["bins", "place_0"], columns="eps", values="ks")
    assert (none[0.5] == none[5.0]).all()
    assert (table.loc[table["variant"] == "none", "own"] == 0).all()
    assert (table["ks"] > 0).all()
    # the triangle inequality between truth, data and release, at the edges of the bins
    merged = table.merge(table[table["variant"] == "none"], on=["eps", "bins", "place_0"], suffixes=("", "_none"))
    assert (merged["own"] <= merged["ks"] + merged["ks_none"] + 1e-12).all()
    assert (merged["ks"] <= merged["own"] + merged["ks_none"] + 1e-12).all()


def test_runs_can_be_changed_without_harm_and_come_out_the_same():
    first = runs(**SETTING)
    first["ks"] = 0.0
    assert (runs(**SETTING)["ks"] > 0).all()
    assert not runs(**{**SETTING, "seed": 4})["ks"].equals(runs(**SETTING)["ks"])


def test_without_room_for_a_raw_record_none_is_published():
    assert "raw" not in set(runs(**{**SETTING, "delta": 0.001})["variant"])
    assert "raw" in set(runs(**SETTING)["variant"])


def test_settings_keep_the_budget_and_say_their_noise():
    table, _ = settings(500, 0.02, [0.5], [8], 0.1)
    for row in table.itertuples(index=False):
        assert row.delta == bootstrap_delta(0.5, 500, 8, row.k, row.m) <= 0.02
        assert row.noise == pytest.approx((500 + 8 * row.k) / math.sqrt(8 * row.m))
