"""Check the studies of the pages on budgets and on post-processing against what they must show."""

import numpy as np
import pytest

from mollified.studies import budgets


def test_laplace_needs_the_square_and_geometric_noise_more():
    table, facts = budgets.group_costs(eps=5.0, groups=[1, 2, 10, 100])
    wide = table.pivot(index="m", columns="noise", values="factor")
    np.testing.assert_allclose(wide["laplace"], np.array([1, 2, 10, 100.0]) ** 2)
    np.testing.assert_allclose(wide["geometric"], (np.sinh(2.5) / np.sinh(2.5 / wide.index)) ** 2, rtol=1e-10)
    assert (wide["geometric"].iloc[1:] > wide["laplace"].iloc[1:]).all()
    assert facts["above_square"] == wide["geometric"].iloc[-1] / wide["laplace"].iloc[-1]
    assert set(wide["mbde"]) == {1.0}


def test_dividing_the_classifiers_leaves_more_unused():
    table, facts = budgets.budget_shares(rounds=3, draws=10, low=0.1, high=50, points=9)
    wide = table.pivot(index="eps", columns="way", values="share")
    assert (wide["classifiers"] < wide["budget"]).all()
    assert (wide["budget"] < 1).all()
    assert facts["level_classifiers"] == pytest.approx(1.8528, abs=5e-5)
    assert facts["level_budget"] == pytest.approx(1.9854, abs=5e-5)


def test_the_mended_division_is_promised_the_most():
    table, facts = budgets.promised_gains(eps=10.0, rounds=3, draws=10, edges=[0.05, 0.1, 0.4, 0.8])
    wide = table.pivot(index="edge", columns="way", values="gain")
    assert (wide["full"] > wide["budget"]).all()
    assert facts["classifiers_better_up_to"] == 0.05
    assert facts["divisor"] == pytest.approx(10 * (1 - (10 / (10 + 4 * np.log(2))) ** 3))


def test_the_error_lies_between_its_bounds_and_falls():
    table, facts = budgets.told_apart(eps=0.25, rounds=3, draws=[1, 2, 3, 10, 101, 1000, 10_000])
    assert (table["floor"] <= table["error"]).all()
    assert (table["error"] <= table["ceiling"] * (1 + 1e-12)).all()
    assert (np.diff(table["error"]) <= 1e-15).all()
    assert table["error"].iloc[0] == pytest.approx(table["error"].iloc[1], rel=1e-12)  # a second draw only ties
    assert facts["draws_within_one"] == 4
