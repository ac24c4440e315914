from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from tests.mollified.sampling_tests import ALPHA, ks


def two():
    return Mixture([Gaussian([-1.0], 0.25), Gaussian([2.0], 1.0)], [0.3, 0.7])


def test_density_is_the_weighted_sum():
    x = np.linspace(-5, 5, 41)[:, np.newaxis]
    expected = 0.3 * stats.norm(-1, 0.5).pdf(x[:, 0]) + 0.7 * stats.norm(2, 1).pdf(x[:, 0])
    np.testing.assert_allclose(np.exp(two().log_prob(x)), expected, rtol=1e-12)


def test_log_density_survives_the_underflow_of_every_component():
    logs = two().log_prob(np.array([[100.0]]))
    assert logs[0] == pytest.approx(np.log(0.7) + stats.norm(2, 1).logpdf(100.0), rel=1e-12)


def test_draws_follow_the_density():
    """False alarm 1e-6; control: weights off by 0.01 are told apart."""
    draws = two().sample(100_000, np.random.default_rng(4))[:, 0]

    def cdf(weight):
        return lambda x: weight * stats.norm(-1, 0.5).cdf(x) + (1 - weight) * stats.norm(2, 1).cdf(x)

    assert ks(draws, cdf(0.3)) > ALPHA
    assert ks(draws, cdf(0.31)) < ALPHA
