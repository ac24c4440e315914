"""The readings of MBDE side by side: hard pairs, the closed form of a perfect learner, and what the studies report."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from mollified.boosting.variants import VARIANTS
from mollified.experiments import variant_runs as study
from mollified.experiments.hard_pairs import HARD_PAIRS, hard_inputs, pair_levels
from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import mixture_1d


def test_the_inputs_are_what_their_names_say():
    plane, line = hard_inputs(2), hard_inputs(1)
    x = np.array([[1.0, 2.0], [-0.5, 3.7]])
    angle = math.pi / 8
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    np.testing.assert_allclose(plane["turned"].log_prob(x @ turn.T), plane["ring"].log_prob(x), rtol=1e-12)
    np.testing.assert_allclose(plane["left"].log_prob(-x), plane["right"].log_prob(x), rtol=1e-12)
    points = np.array([[0.3], [0.7]])
    np.testing.assert_allclose(line["mirrored"].log_prob(-points), line["mixture"].log_prob(points), rtol=1e-12)
    for dim, pairs in HARD_PAIRS.items():
        assert all(name in hard_inputs(dim) for pair in pairs for name in pair)


def test_bounded_readings_keep_their_promise_on_pairs_and_the_raw_logit_does_not():
    table = pair_levels(1, [1.0], ["clip", "successors", "released"], "fast", 3, samples=1000)
    assert len(table) == 3 * len(HARD_PAIRS[1])
    for row in table.itertuples():
        assert row.level <= row.promised
        if row.variant == "released":
            assert row.level > 1.0
        else:
            assert 0.02 < row.level < 1.0


def test_pair_level_is_symmetric_and_below_both_spendings(monkeypatch):
    """sup |log Q/Q'| <= sup |log Q/Q0| + sup |log Q'/Q0|, and swapping the pair changes nothing."""
    one = pair_levels(1, [1.0], ["clip"], "fast", 3, samples=500, most=1)
    monkeypatch.setitem(HARD_PAIRS, 1, tuple(pair[::-1] for pair in HARD_PAIRS[1]))
    two = pair_levels(1, [1.0], ["clip"], "fast", 3, samples=500, most=1)
    assert one["level"].tolist() == two["level"].tolist()
    assert one["level"].iloc[0] <= VARIANTS["clip"].level(1.0, 3)


def test_perfect_gain_of_shifted_gaussians_against_the_closed_form(monkeypatch):
    """P = N(m, 1): the path is N(lambda m, 1), so that the gain is m^2 (1 - (1 - lambda)^2) / 2."""
    shift = 1.5
    monkeypatch.setattr(study, "domain", lambda name: hard_shift(shift))
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(2.0, 3))
    expected = shift**2 * (1 - (1 - share) ** 2) / 2
    assert study.perfect_gain("mixture-sd", 2.0) == pytest.approx(expected, rel=1e-6)


def hard_shift(shift):
    from mollified.laws.mixture import Mixture

    return Mixture([Gaussian(np.array([shift]), 1.0)], np.ones(1))


def test_perfect_gain_on_the_mixture_against_adaptive_quadrature():
    share = 1 - math.prod(1 - step for step in VARIANTS["released"].steps(1.0, 3))
    target = mixture_1d()

    def log_p(x):
        return float(target.log_prob(np.array([[x]]))[0])

    edges = [-8.0, 0.2, 0.28, 0.3, 0.32, 0.4, 1.2, 8.0]
    pieces = list(pairwise(edges))
    mass = sum(quad(lambda x: math.exp(share * log_p(x) + (1 - share) * norm.logpdf(x)), a, b)[0] for a, b in pieces)
    mean = sum(quad(lambda x: math.exp(log_p(x)) * (log_p(x) - norm.logpdf(x)), a, b)[0] for a, b in pieces)
    assert study.perfect_gain("mixture-sd", 1.0) == pytest.approx(share * mean - math.log(mass), rel=1e-6)


def test_gains_and_budgets_are_ordered_as_theory_says():
    table, facts = study.gains(["mixture-sd"], [1.0], ["clip", "successors"], ["fast"], [2], 500, 3)
    runs = table[table["recipe"] == "fast"]
    assert len(runs) == 4
    assert (runs["spent"] >= 2 * runs["gain"] - 1e-9).all()
    order = [facts[f"gain_mixture-sd_{key}_1"] for key in ("family", "family-limit", "mollification", "half")]
    assert order == sorted(order)
    assert (runs[runs["variant"] == "clip"]["gain"] <= order[0] + 1e-9).all()
    assert facts["spent_mixture-sd_fast_successors_1"] <= 0.5
    levels, more = study.budgets(
        ["mixture-sd"], [1.0], ["clip"], ["fast"], [1], 500, [1.0], ["clip"], "fast", [500], [1], 3
    )
    assert set(levels["kind"]) == {"run", "pair"}
    assert more["pair_mixture-sd_clip_1"] == levels[levels["kind"] == "pair"]["level"].max() <= 1.0


def test_pictures_agree_with_the_runs_that_they_show():
    table, facts = study.line_ratios([1.0], ["clip", "released"], "fast", 500, 3)
    assert table["clip"].abs().max() <= facts["spent_clip_1"] / 2 + 1e-4
    assert table["projection"].abs().max() == pytest.approx(0.5, abs=1e-4)
    assert facts["gain_projection_1"] == pytest.approx(0.5, abs=1e-3)
    plane, seen = study.ring_pictures([5.0], ["clip"], "fast", 300, 20, 3)
    assert len(plane) == len(plane[["x", "y"]].drop_duplicates())
    centre = plane[(plane["x"] == 0) & (plane["y"] == 0)]
    # log10 of 1/(2 pi) plus what the output may move
    assert abs(float(centre["clip"].iloc[0]) - math.log10(1 / (2 * math.pi))) <= 2.5 / math.log(10) + 0.01
    assert seen["spent_projection_5"] == pytest.approx(5.0, abs=1e-6)
    assert 0 <= seen["modes_clip_5"] <= 8
