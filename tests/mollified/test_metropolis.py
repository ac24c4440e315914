from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mollified.metropolis import (
    detailed_balance_gap,
    law_after,
    metropolis_kernel,
    metropolis_sample,
    neighbour_proposal,
)
from tests.mollified.sampling_tests import ALPHA, chi_square, ks


def gaussian(x):
    return -0.5 * x[:, 0] ** 2 - 7.0


def random_kernel(rng, k):
    law = rng.dirichlet(np.ones(k))
    proposal = rng.dirichlet(np.full(k, 0.5), size=k)
    return law, proposal, metropolis_kernel(np.log(law) + 3.0, proposal)


def test_kernels_are_stochastic_and_reversible():
    rng = np.random.default_rng(31)
    for k in (1, 2, 3, 10):
        for _ in range(20):
            law, proposal, kernel = random_kernel(rng, k)
            assert (kernel >= 0).all()
            np.testing.assert_allclose(kernel.sum(axis=1), 1.0, rtol=1e-14)
            assert detailed_balance_gap(kernel, law) < 1e-16
            np.testing.assert_allclose(law @ kernel, law, atol=1e-15)
            if k > 1:  # control: the proposal alone is not reversible
                assert detailed_balance_gap(proposal, law) > 1e-4


def test_kernel_of_two_states_in_closed_form():
    kernel = metropolis_kernel(np.log([0.2, 0.8]), np.full((2, 2), 0.5))
    np.testing.assert_allclose(kernel, [[0.5, 0.5], [0.125, 0.875]], rtol=1e-14)


def test_states_of_density_zero_are_left_and_not_entered():
    kernel = metropolis_kernel(np.array([0.0, -np.inf, 0.0]), np.full((3, 3), 1 / 3))
    assert kernel[0, 1] == kernel[2, 1] == 0.0
    np.testing.assert_allclose(kernel[1], 1 / 3)
    assert detailed_balance_gap(kernel, [0.5, 0.0, 0.5]) < 1e-16


def test_a_proposal_that_cannot_be_reversed_is_never_taken():
    kernel = metropolis_kernel(np.zeros(3), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    np.testing.assert_array_equal(kernel, np.eye(3))


def test_neighbour_proposal_is_symmetric_and_stochastic():
    for size in (1, 2, 5):
        matrix = neighbour_proposal(size)
        np.testing.assert_array_equal(matrix, matrix.T)
        np.testing.assert_array_equal(matrix.sum(axis=1), 1.0)
    assert neighbour_proposal(3).tolist() == [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]]


def test_law_tends_to_the_target_and_differs_from_it_after_any_number_of_steps():
    target = np.array([0.1, 0.2, 0.3, 0.4])
    kernel = metropolis_kernel(np.log(target), neighbour_proposal(4))
    start = np.array([1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(law_after(kernel, start, 0), start)
    np.testing.assert_allclose(law_after(kernel, start, 7), start @ np.linalg.matrix_power(kernel, 7), rtol=1e-13)
    gaps = [np.abs(law_after(kernel, start, steps) - target).max() for steps in (1, 10, 30, 60)]
    assert gaps == sorted(gaps, reverse=True)
    assert 1e-9 < gaps[-1] < 0.02
    np.testing.assert_allclose(law_after(kernel, target, 100), target, rtol=1e-12)


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
