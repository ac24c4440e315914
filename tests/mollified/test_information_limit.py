"""The studies behind the page on the information limit."""

import math

import numpy as np
import pytest

from mollified.experiments.reference_worth import matched_variance, tuned_gains, turned_ring
from mollified.laws import Gaussian, ring

pytestmark = pytest.mark.slow


def test_the_turned_ring_has_the_log_ratio_of_the_ring():
    target = turned_ring(np.random.default_rng(1), 4)
    means = np.stack([item.mean for item in target.components])
    first, second = means[0] / 4, means[2] / 4
    points = Gaussian.standard(4).sample(50, np.random.default_rng(2))
    flat = points @ np.stack([first, second], axis=1)
    ratio = target.log_prob(points) - Gaussian.standard(4).log_prob(points)
    assert np.allclose(ratio, ring().log_prob(flat) - Gaussian.standard(2).log_prob(flat), atol=1e-9)


def test_the_matched_variance_of_the_ring_and_what_matching_saves():
    assert math.isclose(matched_variance(ring()), 8.25)
    tuned = tuned_gains(["mixture-sd"], 1, [1.0], None).iloc[0]
    assert tuned["tuned"] < tuned["unit"]
