from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mollified.laws.uniform import Uniform
from tests.mollified.sampling_tests import ALPHA, ks


def test_log_prob_on_at_the_edge_of_and_off_the_box():
    box = Uniform([0.0, 1.0], [2.0, 4.0])
    logs = box.log_prob(np.array([[1.0, 2.0], [0.0, 4.0], [1.0, 0.9], [2.1, 2.0]]))
    assert logs[:2] == pytest.approx(-np.log(6.0), rel=1e-15)
    assert logs[2:].tolist() == [-np.inf, -np.inf]


def test_draws_follow_the_density():
    """False alarm 1e-6 each; control: a box 5 % wider is told apart."""
    draws = Uniform([-1.0, 5.0], [1.0, 5.5]).sample(100_000, np.random.default_rng(6))
    assert ks(draws[:, 0], stats.uniform(-1, 2).cdf) > ALPHA
    assert ks(draws[:, 1], stats.uniform(5, 0.5).cdf) > ALPHA
    assert ks(draws[:, 0], stats.uniform(-1.05, 2.1).cdf) < ALPHA


def test_box_is_the_box():
    lower, upper = Uniform([0.0], [1.0]).box(1e-3)
    assert (lower.tolist(), upper.tolist()) == ([0.0], [1.0])
