"""The studies of the page on reaching the target, against values known otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mollified.studies import reaching
from mollified.theta import LOG2


@pytest.mark.parametrize("edge", [0.05, 0.2])
def test_one_round_lands_on_the_target_at_the_budget_of_the_formula(edge):
    _, facts = reaching.overshoot([edge], 0.34, 0.1, 30.0, 3, 1)
    landing = facts[f"landing_{edge:g}"]
    share = (math.atanh(edge) + math.atanh(0.34)) / LOG2
    assert landing == pytest.approx(4 * LOG2 * share / (1 - share), rel=1e-12)
    at, _ = reaching.overshoot([edge], 0.34, landing, landing, 1, 1)
    assert at["divergence"].item() == pytest.approx(0, abs=1e-15)
    for other in (0.98 * landing, 1.02 * landing):
        beside, _ = reaching.overshoot([edge], 0.34, other, other, 1, 1)
        assert beside["divergence"].item() > 1e-6


def test_several_rounds_land_too():
    _, facts = reaching.overshoot([0.2], 0.34, 0.1, 30.0, 2, 3)
    landing = facts["landing_0.2"]
    at, _ = reaching.overshoot([0.2], 0.34, landing, landing, 1, 3)
    assert at["divergence"].item() == pytest.approx(0, abs=1e-15)


def test_no_step_is_long_enough_for_a_large_edge():
    table, facts = reaching.overshoot([0.6], 0.34, 0.1, 30.0, 20, 1)
    assert "landing_0.6" not in facts
    assert (table["divergence"].diff().dropna() < 0).all()
    assert facts["last_0.6"] == table["divergence"].iloc[-1] > 0


def test_edges_of_one_are_refused():
    with pytest.raises(ValueError, match="edge_q must be less than 1"):
        reaching.overshoot([0.2], 1.0, 0.1, 30.0, 2, 1)
    with pytest.raises(ValueError, match="edges must be less than 1"):
        reaching.overshoot([0.2, 1.0], 0.3, 0.1, 30.0, 2, 1)


def test_the_coin_has_a_grid_of_its_own_from_one_half_to_one():
    table, facts = reaching.gain_ratios([0.01, 1.0, 10.0], 4, [2, 3], 9, 1)
    coin = table[table["kind"] == "coin"]
    assert len(coin) == 9
    assert coin["eps"].iloc[[0, -1]].tolist() == [0.01, 10.0]
    assert (coin["ratio"].diff().dropna() > -1e-9).all()
    assert coin["ratio"].iloc[-1] == pytest.approx(1)
    assert facts["coin_small_eps"] == coin["ratio"].iloc[0] == pytest.approx(0.5, abs=0.01)
    assert facts["instances"] == 8
    assert len(table) == 8 * 3 + 9
    assert table["ratio"].min() >= 0.5 - 1e-9


def test_the_curve_of_lasting_edges_is_where_the_sums_stay_bounded():
    table, facts = reaching.lasting_edges(0.2, 5)
    for edge_q, edge_p in table[["edge_q", "edge_p"]].itertuples(index=False):
        if edge_p > 0:
            limit = 1000 / (4 * LOG2)  # the sum over all rounds over this is about the integral, at eps = 1000
            steps = LOG2 * (1000 / (1000 + 4 * LOG2)) ** np.arange(1, 8000)
            drop = (steps * edge_p - np.log(np.cosh(steps) - edge_q * np.sinh(steps))).sum() / limit
            assert abs(drop) < 2e-4
            more = drop + 0.001 * steps.sum() / limit
            assert more > 4e-4
    assert table["edge_p"].iloc[0] == pytest.approx(0.16688368, abs=1e-8)
    assert table["edge_p"].iloc[-1] == table["enough"].iloc[-1] == 0
    assert 0.166 < facts["least_sum"] < facts["largest_sum"] < facts["simple"] == LOG2 / 4
    with pytest.raises(ValueError, match="largest must be less than 1"):
        reaching.lasting_edges(1.0, 5)
