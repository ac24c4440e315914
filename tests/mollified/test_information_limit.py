"""The studies behind the page on the information limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mollified.experiments.information_limit import causes, curves
from mollified.experiments.reference_worth import (
    matched_variance,
    ten_dimensions,
    tuned_gains,
    turned_ring,
    wide_mixture,
)
from mollified.experiments.ring_explorer import log_ratio_pixels, ring_measures
from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import ring

pytestmark = pytest.mark.slow

SWEEP = {
    "domains": ["mixture-sd"],
    "repeats": 2,
    "seed": 3,
    "eps": [1.0, 5.0],
    "fine": [2.0],
    "recipe": "fast",
    "plane_variants": ["clip"],
    "pool": 2**16,
}


@pytest.fixture(scope="module")
def swept():
    return curves(**SWEEP)


def test_no_method_gains_more_than_the_mollification_and_it_not_more_than_half_the_level(swept):
    table, facts = swept
    wide = table.pivot_table(index="eps", columns="method", values="gain")
    assert (wide["projection"] <= wide.index / 2 + 1e-9).all()
    assert (wide["projection"] <= facts["kl_mixture-sd"] + 1e-9).all()
    for method in ("family", "closed", "bayes", "bayes-tanh"):
        assert (wide[method] <= wide["projection"] + 1e-9).all(), method
    trained = wide.loc[[1.0, 5.0]]
    for method in ("clip", "tanh", "bayes"):
        assert (trained[method] <= trained["family"] + 1e-9).all(), method
    assert (trained["tanh"] < trained["clip"]).all()
    assert wide["clip"].isna().sum() == 1, "MBDE is trained at eps only"
    assert 0.9 < facts["closed_small"] <= 1


def test_the_turned_ring_has_the_log_ratio_of_the_ring():
    target = turned_ring(np.random.default_rng(1), 4)
    means = np.stack([item.mean for item in target.components])
    first, second = means[0] / 4, means[2] / 4
    points = Gaussian.standard(4).sample(50, np.random.default_rng(2))
    flat = points @ np.stack([first, second], axis=1)
    ratio = target.log_prob(points) - Gaussian.standard(4).log_prob(points)
    assert np.allclose(ratio, ring().log_prob(flat) - Gaussian.standard(2).log_prob(flat), atol=1e-9)


def test_one_round_leads_with_the_best_classifier_and_learning_costs_little():
    table, facts = causes(**SWEEP)
    assert set(table["eps"]) == {1.0, 5.0}
    assert facts["lead_bayes"] > 0
    assert facts["learning_loss"] < 0.02 < facts["bound_loss"]
    assert facts["runs"] == 4


def test_the_wide_mixture_has_its_means_on_a_sphere():
    means = np.stack([item.mean for item in wide_mixture(np.random.default_rng(1)).components])
    assert means.shape == (8, 10)
    assert np.allclose(np.linalg.norm(means, axis=1), 3)


def test_ten_dimensions_agree_with_the_ring_in_the_plane():
    table, facts = ten_dimensions(1, [1.0], 2000, 2**14, 2**13, 4)
    turned = table[table["target"] == "turned ring"].iloc[0]
    # .5000 and .4861 are the gains in the plane; five standard errors of a mean of 32,768 draws
    assert math.isclose(turned["best"], 0.5, abs_tol=5 * 0.5 / math.sqrt(2**15))
    assert math.isclose(turned["family"], 0.486, abs_tol=5 * 0.5 / math.sqrt(2**15))
    assert 0.8 < facts["least_share"] < 1


def test_the_matched_variance_of_the_ring_and_what_matching_saves():
    assert math.isclose(matched_variance(ring()), 8.25)
    tuned = tuned_gains(["mixture-sd"], 1, [1.0], None).iloc[0]
    assert tuned["tuned"] < tuned["unit"]


def test_the_explorer_shows_what_is_inside_the_mollifier_and_what_is_not():
    pixels, facts = log_ratio_pixels(1, [2.0], "fast", 5)
    assert pixels.shape == (10, 8)
    assert facts["largest_clip"] <= 1 < facts["largest_released"], "half of the level is one"
    table, _ = ring_measures(1, [2.0], "fast")
    spent = table.set_index("law")["spent"]
    assert spent["clip"] < spent["projection"] <= 2 + 1e-9 < spent["released"]
    middle = pixels[(pixels["variant"] == "clip") & (pixels["y"] == 0)]["x2"].iloc[0]
    assert middle < 0, "the centre loses mass"
