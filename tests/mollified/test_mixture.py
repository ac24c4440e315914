from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.uniform import Uniform
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


def test_draws_come_in_no_order():
    """The label of a draw does not depend on that of the draw before: false alarm 1e-6; control: sorted."""
    draws = Mixture([Uniform([0.0], [1.0]), Uniform([1.0], [2.0])], [0.5, 0.5]).sample(
        20_000, np.random.default_rng(5)
    )[:, 0]
    for order, apart in ((draws, False), (np.sort(draws), True)):
        same = int(np.sum((order[1:] < 1) == (order[:-1] < 1)))
        assert (stats.binomtest(same, order.size - 1, 0.5).pvalue < ALPHA) == apart


def test_components_of_weight_zero_count_for_nothing():
    lone = Mixture([Gaussian([0.0], 1.0), Gaussian([50.0], 1.0)], [1.0, 0.0])
    x = np.array([[0.3], [50.0]])
    np.testing.assert_array_equal(lone.log_prob(x), Gaussian([0.0], 1.0).log_prob(x))
    assert np.array_equal(lone.box(1e-6)[1], Gaussian([0.0], 1.0).box(1e-6)[1])


def test_box_leaves_the_mass_said():
    lower, upper = two().box(1e-4)
    left, right = stats.norm(-1, 0.5), stats.norm(2, 1)
    outside = 0.3 * (left.cdf(lower[0]) + left.sf(upper[0])) + 0.7 * (right.cdf(lower[0]) + right.sf(upper[0]))
    assert 0.1e-4 < outside <= 1e-4


def test_a_component_without_a_box_is_named():
    class Boxless:
        dim = 1

        def log_prob(self, x):
            return np.zeros(len(x))

        def sample(self, n, rng):
            return np.zeros((n, 1))

    with pytest.raises(TypeError, match=r"components must have a method box\(\)"):
        Mixture([Boxless()], [1.0]).box(1e-3)
