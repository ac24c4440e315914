"""Check the studies behind the figures at small settings: what a picture must show is asserted here."""

import numpy as np
import pandas as pd
import pytest

from mollified.studies import budget, projection, ring, ring_samples

SMALL = {"samples": 400, "steps": 20, "optimiser": "adam", "nodes": 61, "seed": 3}


def test_finite_projection_is_a_member_and_comes_closer():
    table, facts = projection.finite(eps=1.0, p=[0.6, 0.4, 0.0], q0=[0.2, 0.3, 0.5])
    assert facts["violation"] <= 1e-12
    assert facts["mass"] == pytest.approx(1, abs=1e-12)
    assert facts["kl_after"] < facts["kl_before"]
    free = table[table["clipped"] == 0]
    np.testing.assert_allclose(free["projected"], free["p"] / facts["constant"], rtol=1e-9)


def test_continuous_projection_gains_more_at_larger_levels_and_less_than_everything():
    table, facts = projection.continuous(eps=[0.5, 2.0], nodes=1001, thin=10)
    assert 0 < facts["delta_0.5"] < facts["delta_2"] < facts["kl_before"]
    for eps in (0.5, 2.0):
        assert facts[f"violation_{eps:g}"] <= 1e-9
        assert table[table["eps"] == eps]["log_ratio"].abs().max() <= eps / 2 + 1e-9


def test_exact_level_is_at_most_the_promised_one_and_less_at_one_half():
    table, _ = projection.exact_levels(roots=["5/4", "2"], atoms=16)
    assert (table["level"] <= table["promised"] + 1e-12).all()
    for _, rows in table.groupby("root"):
        assert rows["level"].iloc[0] == pytest.approx(rows["promised"].iloc[0], rel=1e-12)
        assert rows["level"].iloc[-1] < rows["promised"].iloc[-1] - 1e-3


def test_the_mode_moves():
    _, facts = projection.moving_mode(eps=2 * np.log(1.25), p=[0.4, 0.6], q0=[0.8, 0.2])
    assert (facts["mode_p"], facts["mode_projected"]) == (1, 0)


def test_step_sizes_spend_less_than_the_level():
    table, facts = budget.step_sizes(eps=[0.25, 5.0], rounds=6)
    assert table["share"].between(0, 1, inclusive="neither").all()
    np.testing.assert_allclose(1 - table["share"], table["theta"], rtol=1e-9, atol=1e-12)
    assert 0 < facts["unused_0.25"] < facts["unused_5"] < 1


def test_level_reached_stays_below_its_bound_and_approaches_it():
    table, facts = budget.reached(eps=1.0, rounds=[1, 3], atoms=[0.5, 0.1, 1e-6])
    assert (table["level"] < table["bound"]).all()
    smallest = table[table["atom"] == 1e-6]
    np.testing.assert_allclose(smallest["level"], smallest["bound"], rtol=1e-5)
    equal = table[table["atom"] == 0.5]
    np.testing.assert_allclose(equal["level"], equal["bound"] / 2, rtol=1e-12)  # the normalisers cancel
    assert facts["share_half"] < facts["share_smallest"] < facts["share_bound"] < 1


def test_one_round_leaves_the_absolute_range_and_keeps_to_the_relative_one():
    table, facts = budget.absolute_counterexample(eps=0.2)
    assert facts["q1_left"] < facts["low"]
    assert facts["q1_right"] > facts["high"]
    assert (table["q1"].between(table["relative_low"], table["relative_high"])).all()
    assert table["q1"].mean() == pytest.approx(1, abs=1e-12)


def test_log_ratio_of_a_perfect_learner_keeps_to_its_bound():
    table, facts = budget.log_ratio_spread(eps=1.0, rounds=2, nodes=1001, seed=1)
    assert (table["log_ratio"].abs() <= table["bound"]).all()
    assert facts["observed_1"] < facts["observed_2"] <= facts["bound_2"] < 0.5
    assert facts["share"] == pytest.approx(facts["observed_2"] / 0.5)


def test_ring_figures_share_one_run_and_agree_with_the_bounds():
    ring.ring_run.cache_clear()
    table, facts = ring.densities(eps=[0.5, 2.0], rounds=2, bounding="clip", pixels=11, **SMALL)
    assert len(table) == 2 * 11 * 11
    for eps in (0.5, 2.0):
        assert facts[f"delta_projection_{eps:g}"] >= facts[f"delta_{eps:g}"]
        rows = table[table["eps"] == eps]
        for name in ("learned", "projected"):  # rounded to six digits
            assert np.abs(np.log(rows[name] / rows["reference"])).max() <= eps / 2 + 1e-4
    levels, shares = ring.log_ratios(eps=[0.5, 2.0], rounds=2, boundings=["clip", "tanh"], **SMALL)
    assert ring.ring_run.cache_info().misses == 4  # two of them serve both figures
    assert (levels["observed"] <= levels["promised"] + 1e-9).all()
    assert (levels["promised"] < levels["half"]).all()
    assert (levels["overrun"] <= 0).all()
    assert shares["share_clip_2"] == pytest.approx(shares["observed_clip_2"])
    counts, tests = ring_samples.exact_samples(eps=[2.0], rounds=2, bounding="clip", draws=2000, bins=12, **SMALL)
    assert ring.ring_run.cache_info().misses == 4
    assert counts["count"].sum() <= 2000
    assert counts["expected"].sum() == pytest.approx(2000, rel=0.01)
    assert tests["chi_2"] < tests["critical_2"]  # false-alarm rate 1e-6
    assert tests["proposals_2"] == pytest.approx(tests["expected_proposals_2"], rel=0.2)


def test_chi_square_rejects_samples_of_another_law():
    rng = np.random.default_rng(5)
    expected = np.full(20, 50.0)
    right, freedom = ring_samples._chi_square(rng.multinomial(1000, np.full(20, 0.05)).astype(float), expected, 1000)
    wrong, _ = ring_samples._chi_square(rng.multinomial(1000, np.arange(1, 21) / 210).astype(float), expected, 1000)
    limit = ring_samples.chi2.isf(ring_samples.ALPHA, freedom)
    assert freedom == 19
    assert right < limit < wrong


def test_chi_square_pools_small_bins():
    counts, expected = np.array([60.0, 30.0, 3.0, 7.0]), np.array([60.0, 25.0, 5.0, 9.0])
    statistic, freedom = ring_samples._chi_square(counts, expected, 100)
    assert (statistic, freedom) == (pytest.approx(25 / 25 + 25 / 15), 2)
    statistic, freedom = ring_samples._chi_square(counts[:2], np.array([66.0, 30.0]), 100)
    assert (statistic, freedom) == (0.0, 1)  # the rest, 10 seen and 4 expected, joins the first bin


def test_every_study_returns_a_table_without_gaps():
    table, _ = projection.finite(eps=1.0, p=[0.5, 0.5], q0=[0.25, 0.75])
    assert isinstance(table, pd.DataFrame)
    assert table.notna().all(axis=None)
