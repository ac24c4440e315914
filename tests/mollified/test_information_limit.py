"""The studies behind the page on the information limit."""

from __future__ import annotations

import numpy as np
import pytest

from mollified.experiments.information_limit import curves
from mollified.experiments.reference_worth import (
    turned_ring,
)
from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import ring

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
