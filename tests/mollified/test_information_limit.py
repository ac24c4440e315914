"""The studies behind the page on the information limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mollified.gaussian import Gaussian
from mollified.relative_mollifier import clip_constant
from mollified.studies.information_limit import causes, curves, margins
from mollified.studies.mbde_sweep import domain, domain_grid
from mollified.studies.reference_worth import (
    matched_variance,
    reference_worth,
    ten_dimensions,
    tuned_gains,
    turned_ring,
    wide_mixture,
)
from mollified.studies.ring_explorer import log_ratio_pixels, ring_measures
from mollified.studies.splits import closest_in_box, split_gains
from mollified.targets import mixture_1d, ring

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


def test_one_round_leads_with_the_best_classifier_and_learning_costs_little():
    table, facts = causes(**SWEEP)
    assert set(table["eps"]) == {1.0, 5.0}
    assert facts["lead_bayes"] > 0
    assert facts["learning_loss"] < 0.02 < facts["bound_loss"]
    assert facts["runs"] == 4


def test_margins_rise_from_the_range_of_mbde():
    table, facts = margins([1.0, 5.0], 16)
    assert facts["none"] == 0.5
    for _, rows in table.groupby("eps"):
        assert rows["share"].is_monotonic_increasing
        assert rows["share"].iloc[0] >= 0.5


def test_the_turned_ring_has_the_log_ratio_of_the_ring():
    target = turned_ring(np.random.default_rng(1), 4)
    means = np.stack([item.mean for item in target.components])
    first, second = means[0] / 4, means[2] / 4
    points = Gaussian.standard(4).sample(50, np.random.default_rng(2))
    flat = points @ np.stack([first, second], axis=1)
    ratio = target.log_prob(points) - Gaussian.standard(4).log_prob(points)
    assert np.allclose(ratio, ring().log_prob(flat) - Gaussian.standard(2).log_prob(flat), atol=1e-9)


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


def test_the_matched_variance_is_the_best_of_its_neighbours():
    assert math.isclose(matched_variance(ring()), 8.25)
    best = matched_variance(mixture_1d())
    table, facts = reference_worth(["mixture-sd"], 1, [0.9 * best, best, 1.1 * best])
    values = table.set_index("variance")["kl"]
    assert values[best] < min(values[0.9 * best], values[1.1 * best])
    assert math.isclose(table.set_index("variance")["saved"][best], facts["saved_mixture-sd"], abs_tol=1e-6)
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


def test_the_closest_member_of_a_split_is_closer_than_all_others():
    """The gain is concave: no member that is a little to the side of the closest one gains more."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        p, q0 = rng.dirichlet(np.ones(6)), rng.dirichlet(np.ones(6))
        eps, b = 2.0, float(rng.uniform(0.2, 0.9))
        closest = closest_in_box(np.log(p / q0), q0, eps, b)
        assert closest.min() >= np.log(b) - 1e-12
        assert closest.max() <= np.log(b) + eps + 1e-12
        assert q0 @ np.exp(closest) == pytest.approx(1, abs=1e-12)
        for _ in range(20):
            other = b * q0  # a random member: the rest of the mass, up to the ceiling, in random order
            left = 1 - b
            for place in rng.permutation(6):
                taken = min(left, (np.exp(eps) - 1) * b * q0[place])
                other, left = other + taken * np.eye(6)[place], left - taken
            if left < 1e-12:
                mixed = 0.99 * q0 * np.exp(closest) + 0.01 * other
                assert p @ np.log(mixed / q0) <= p @ closest + 1e-12
    with pytest.raises(ValueError, match="floor must lie in"):
        closest_in_box([-1.0, 1.0], [0.5, 0.5], 1.0, 0.3)


def test_the_ring_under_two_splits():
    table, facts = split_gains([1.0, 5.0])
    assert facts["gain_upward_1"] == pytest.approx(0.6201, abs=1e-3)
    assert facts["gain_even_5"] == pytest.approx(2.4995, abs=1e-4)
    assert facts["gain_upward_5"] == pytest.approx(4.2201, abs=1e-3)
    assert facts["covered_upward_5"] == pytest.approx(0.43, abs=5e-3)
    assert facts["covered_even_5"] == pytest.approx(0.13, abs=5e-3)
    assert (table["gain"] <= table["most"]).all()
    reference, grid = domain_grid(domain("ring"))
    log_p, log_q0 = domain("ring").log_prob(grid.points), reference.log_prob(grid.points)
    log_c = clip_constant(log_p, log_q0, grid.weights, 5.0)
    mollified = float((np.exp(log_p) * grid.weights) @ np.clip(log_p - log_q0 - log_c, -2.5, 2.5))
    assert facts["gain_even_5"] == pytest.approx(mollified, abs=1e-6)
