import numpy as np
import pytest
from scipy import stats

from mollified.sampling import metropolis_sample
from tests.mollified.sampling_tests import ALPHA, chi_square, ks


def gaussian(x):
    return -0.5 * x[:, 0] ** 2 - 7.0


def test_chains_follow_the_kernel():
    """A random walk on the line: the share of moves in closed form; false alarm 1e-6.

    From 0, a proposal y of N(0, s^2) is accepted with probability E min(1, e^(-y^2/2)) = (1 + s^2)^(-1/2).
    Control: a rate off by 0.01.
    """
    result = metropolis_sample(gaussian, np.zeros((200_000, 1)), 1, 2.0, np.random.default_rng(32))
    moved = int(np.sum(result.states != 0.0))
    assert result.acceptance_rate == moved / 200_000
    assert chi_square([moved, 200_000 - moved], [5**-0.5, 1 - 5**-0.5]) > ALPHA
    assert chi_square([moved, 200_000 - moved], [5**-0.5 + 0.01, 1 - 5**-0.5 - 0.01]) < ALPHA


def test_chains_reach_the_target():
    """After 200 steps the law is the Gaussian for all a sample of 20,000 can tell: false alarm 1e-6.

    Control: after 2 steps it is not.
    """
    start = np.full((20_000, 1), 3.0)
    late = metropolis_sample(gaussian, start, 200, 2.4, np.random.default_rng(33))
    early = metropolis_sample(gaussian, start, 2, 2.4, np.random.default_rng(33))
    assert ks(late.states[:, 0], stats.norm.cdf) > ALPHA
    assert ks(early.states[:, 0], stats.norm.cdf) < ALPHA
    assert (start == 3.0).all()


def test_chains_are_independent_in_the_plane():
    """Correlation between neighbouring chains: false alarm 1e-6; control: a chain with a tenth of another."""
    result = metropolis_sample(
        lambda x: -0.5 * np.sum(x**2, axis=1), np.zeros((10_000, 2)), 50, 1.5, np.random.default_rng(34)
    )
    a, b = result.states[::2, 0], result.states[1::2, 0]
    assert stats.pearsonr(a, b).pvalue > ALPHA
    assert stats.pearsonr(a, b + 0.1 * a).pvalue < ALPHA


def test_chains_do_not_leave_the_support():
    def half_line(x):
        return np.where(x[:, 0] > 0, -x[:, 0], -np.inf)

    result = metropolis_sample(half_line, np.ones((1000, 1)), 50, 3.0, np.random.default_rng(35))
    assert (result.states > 0).all()
    with pytest.raises(ValueError, match="start must have positive density"):
        metropolis_sample(half_line, -np.ones((3, 1)), 5, 1.0, np.random.default_rng(36))


def test_a_log_density_of_another_form_is_named():
    for bad in (lambda x: x, lambda x: np.full(len(x), np.nan)):
        with pytest.raises(ValueError, match="log_density must"):
            metropolis_sample(bad, np.zeros((3, 1)), 5, 1.0, np.random.default_rng(37))
