"""Exact training draws, the ideal learner, and the studies of what the papers leave open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.special import logsumexp

from mollified.boosting.grid_mbde import grid_mbde
from mollified.boosting.ideal_learner import ideal_log_ratios
from mollified.boosting.theta import LOG2
from mollified.boosting.variants import VARIANTS
from mollified.experiments import open_settings, optimisers
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid
from mollified.training import exact_training
from mollified.training.exact_training import exact_draw_mbde
from mollified.training.logit_stack import LogitStack
from mollified.training.recipes import FAST
from tests.mollified.sampling_tests import ALPHA, ks

TARGET, REFERENCE = Gaussian([1.5], 0.25), Gaussian.standard(1)
GRID = Grid([-9.0], [9.0], 1001)
SHORT = replace(FAST, epochs=10)


def test_exact_draws_follow_the_current_density():
    """Against the distribution function on a fine grid, for two untrained networks."""
    stacks = [LogitStack(1, [torch.Generator().manual_seed(seed)], device=torch.device("cpu")) for seed in (1, 2)]
    thetas = np.array([0.9, 0.6])
    grid = Grid([-9.0], [9.0], 20_001)
    for name in ("clip", "tanh", "sigmoid"):
        variant = open_settings.SIGMOID if name == "sigmoid" else VARIANTS[name]
        statistic = exact_training._statistic(stacks, thetas, variant, grid.points)
        logs = REFERENCE.log_prob(grid.points) + statistic
        mass = np.exp(logs - logsumexp(logs + np.log(grid.weights))) * grid.weights
        table = np.column_stack([grid.points[:, 0], np.cumsum(mass) - mass / 2])
        rng = np.random.default_rng(5)
        drawn = exact_training._draw(stacks, thetas, variant, REFERENCE, 4000, rng)[:, 0]
        assert ks(drawn, lambda x, t=table: np.interp(x, t[:, 0], t[:, 1])) > ALPHA
        assert ks(drawn + 0.2, lambda x, t=table: np.interp(x, t[:, 0], t[:, 1])) < ALPHA


def test_a_run_on_exact_draws_gains_what_one_on_cells_gains():
    weights = np.exp(TARGET.log_prob(GRID.points)) * GRID.weights
    gains = []
    for seed in range(3):
        exact = exact_draw_mbde(
            TARGET, REFERENCE, GRID, 2.0, VARIANTS["clip"], 3, np.random.default_rng(seed), SHORT, 4000
        )
        cells = grid_mbde(
            TARGET,
            REFERENCE,
            GRID,
            [2.0],
            [VARIANTS["clip"]],
            3,
            np.random.default_rng(seed),
            samples=4000,
            recipe=SHORT,
        )[0]
        assert exact.largest <= LOG2
        assert 2 * np.abs(exact.log_ratio).max() <= exact.variant.level(2.0, 3)
        density = np.exp(REFERENCE.log_prob(GRID.points) + exact.log_ratio)
        assert density @ GRID.weights == pytest.approx(1, abs=1e-9)
        gains.append([weights @ exact.log_ratio, weights @ cells.log_ratio])
        np.testing.assert_allclose(exact.losses, cells.losses, atol=0.03)
    first, second = np.mean(gains, axis=0)
    assert first == pytest.approx(second, abs=0.02)


def test_the_ideal_learner_by_hand():
    """One round: c is the clipped log-ratio of the laws; far apart it saturates, and the gain nears the cap."""
    eps, variant = 1.0, VARIANTS["clip"]
    start, first = ideal_log_ratios(TARGET, REFERENCE, GRID, eps, variant, 1)
    assert not start.any()
    c = np.clip(TARGET.log_prob(GRID.points) - REFERENCE.log_prob(GRID.points), -LOG2, LOG2)
    step = float(variant.steps(eps, 1)[0])
    cells = np.exp(REFERENCE.log_prob(GRID.points)) * GRID.weights
    expected = step * c - np.log(cells @ np.exp(step * c))
    np.testing.assert_allclose(first, expected, atol=1e-12)
    far = Gaussian([5.0], 0.01)
    weights = np.exp(far.log_prob(GRID.points)) * GRID.weights
    gain = weights @ ideal_log_ratios(far, REFERENCE, GRID, eps, variant, 3)[-1]
    cap = variant.level(eps, 3) / 2
    assert 0.99 * cap < gain < cap


def test_no_classifier_has_a_smaller_test_loss_than_the_ideal_one():
    table = optimisers.problems_of_repeat("mixture-variance", 0, 1, 5.0, 3, 500)
    assert (table["loss"] > table["least"]).all()
    assert (table["share"] < 1).all()
    assert list(dict.fromkeys(table["problem"])) == [
        "round 1",
        "clip, round 2",
        "clip, round 3",
        "released, round 2",
        "released, round 3",
    ]
    assert set(table["variant"]) == {"printed", "fast", "one epoch"}


def test_a_problem_does_not_depend_on_which_recipes_are_tried(monkeypatch):
    both = optimisers.problems_of_repeat("mixture-sd", 1, 1, 1.0, 2, 200).set_index(["problem", "variant"])
    monkeypatch.setattr(optimisers, "RECIPES", {"fast": FAST})
    alone = optimisers.problems_of_repeat("mixture-sd", 1, 1, 1.0, 2, 200).set_index(["problem", "variant"])
    np.testing.assert_allclose(alone["loss"], both["loss"].reindex(alone.index), rtol=1e-5)


def test_ahead_is_the_loss_of_the_printed_recipe_minus_ones_own(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_BACKEND", "sequential")
    table, facts = optimisers.equal_problems(["mixture-variance"], 2, 1.0, 1, 200, 1)
    wide = table.pivot_table(index="repeat", columns="variant", values=["loss", "ahead"])
    expected = wide["loss"]["printed"] - wide["loss"]["fast"]
    np.testing.assert_allclose(wide["ahead"]["fast"], expected, atol=2e-6)
    assert not wide["ahead"]["printed"].any()
    assert facts["problems"] == 2
    assert facts["margin"] == pytest.approx(expected.min(), abs=2e-6)
    assert not table.duplicated(["place_0", "place_1", "variant"]).any()


def test_outcomes_pair_runs_of_one_data_set(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_BACKEND", "sequential")
    table, facts = optimisers.outcomes(["random-1d"], ["clip", "released"], 2, [1.0], 200, 1)
    assert len(table) == facts["pairs"] == 4
    again, _ = optimisers.outcomes(["random-1d"], ["clip", "released"], 2, [1.0], 200, 1)
    pd.testing.assert_frame_equal(table, again)
    change = table["gain_fast"] - table["gain_own"]
    assert (facts["gain_low"], facts["gain_high"]) == pytest.approx((change.min(), change.max()))
    bounded = table[table["variant"] == "clip"]
    assert (bounded[["spent_own", "spent_fast"]] <= 1.0).all(axis=None)


def test_shares_of_rounds_end_at_one_and_follow_theory(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_BACKEND", "sequential")
    table, facts = optimisers.rounds_share(["ring"], ["clip"], 1, [5.0], [1, 4], 400, 1)
    assert table[table["rounds"] == 4]["share"].tolist() == [1.0]
    theta = 5 / (5 + 4 * LOG2)
    expected = (1 - theta) / (1 - theta**4)
    assert table[table["rounds"] == 1]["theory"].item() == pytest.approx(expected)
    assert facts["share_1_5"] == pytest.approx(expected, abs=0.03)


def test_each_setting_changes_one_thing():
    ring, line = (open_settings.SETTINGS[f"{name}-base"] for name in ("ring", "mixture"))
    for setting in open_settings.SETTINGS.values():
        base = ring if setting.domain == "ring" else line
        names = [name for name in vars(base) if name not in ("name", "title")]
        changed = [name for name in names if getattr(setting, name) != getattr(base, name)]
        assert len(changed) == (0 if setting is base else 1), setting
    titles = [setting.title for setting in open_settings.SETTINGS.values() if setting.domain == "ring"]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("setting", ["ring-exact", "mixture-half", "mixture-batches"])
def test_a_setting_is_measured_within_its_cap(setting):
    table = open_settings.run_setting(setting, 0, 1, (1.0, 5.0), 300, 41)
    assert table["eps"].tolist() == [1.0, 5.0]
    assert (table["gain"] <= table["cap"]).all()
    assert (table["spent"] <= table["eps"]).all()
    assert (table["modes"] >= 0).all() == setting.startswith("ring")
    assert table["coverage"].between(0, 1 + 1e-12).all()


def test_sensitivity_says_mean_and_range(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_BACKEND", "sequential")
    names = ["mixture-base", "mixture-variance"]
    table, facts = open_settings.sensitivity(names, [1.0], 2, 300, None, 1)
    runs = [open_settings.run_setting("mixture-variance", repeat, 1, (1.0,), 300) for repeat in (0, 1)]
    gains = [float(run["gain"].iloc[0]) for run in runs]
    row = table.set_index("setting").loc["mixture-variance"]
    assert row[["gain_low", "gain", "gain_high"]].tolist() == pytest.approx(
        [min(gains), np.mean(gains), max(gains)], abs=1e-6
    )
    assert row["learned"] == pytest.approx(row["gain"] / row["ideal"], abs=1e-4)
    assert row["share"] == pytest.approx(row["gain"] / row["cap"], abs=1e-4)
    assert facts["settings"] == 2
    assert facts["mixture_gain_1_high"] == table["gain"].max()
