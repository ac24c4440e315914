"""Rejection, chains of Metropolis, and what the number of proposals tells."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

from mollified.laws import Gaussian, Uniform
from mollified.sampling import metropolis_sample, rejection, rejection_sample, time_delta
from tests.mollified.helpers import ALPHA, chi_square, ks

UNIT, LINE = Uniform([0.0], [1.0]), Gaussian.standard(1)
TILT_BOUND = 1 - math.log(math.e - 1)


def rng():
    return np.random.default_rng(27)


def tilted(x):
    """The log ratio of the law on [0, 1] with density a e^(a x) / (e^a - 1), a = 1, to the uniform law."""
    return x[:, 0] - math.log(math.e - 1)


def tilted_cdf(a):
    return lambda x: np.expm1(a * x) / math.expm1(a)


@pytest.mark.parametrize(("batch", "n"), [(7, 3000), (rejection.LARGEST_BATCH, 50_000)])
def test_draws_and_numbers_of_proposals_have_their_laws(monkeypatch, batch, n):
    """False alarm 1e-6 each; controls: a tilt off by 15 % and a rate off by 5 %."""
    monkeypatch.setattr(rejection, "LARGEST_BATCH", batch)
    result = rejection_sample(UNIT, tilted, TILT_BOUND, n, rng())
    assert result.samples.shape == (n, 1)
    assert result.proposals == result.proposals_each.sum()
    draws, rate = result.samples[:, 0], math.exp(-TILT_BOUND)
    assert ks(draws, tilted_cdf(1.0)) > ALPHA
    counts = np.bincount(result.proposals_each, minlength=99)
    assert chi_square(counts, stats.geom(rate).pmf(np.arange(counts.size))) > ALPHA
    first = result.proposals_each == 1
    assert stats.ks_2samp(draws[first], draws[~first]).pvalue > ALPHA  # a draw does not depend on its number
    if n == 50_000:
        assert ks(draws, tilted_cdf(1.15)) < ALPHA
        assert chi_square(counts, stats.geom(0.95 * rate).pmf(np.arange(counts.size))) < ALPHA


def test_a_ratio_above_the_bound_is_an_error_and_never_cut_off():
    with pytest.raises(ValueError, match=r"log_ratio must not exceed log_bound = 0\.5, got 0\.\d+ at the proposal"):
        rejection_sample(LINE, lambda x: 0.5 * np.tanh(x[:, 0]) + 0.2, 0.5, 10**3, rng())
    close = rejection_sample(LINE, lambda x: np.full(len(x), 0.5 + 1e-13), 0.5, 10, rng())
    assert close.proposals == 10  # rounding is let pass
    with pytest.raises(RuntimeError, match="50 proposals gave 0 of 10 draws"):
        rejection_sample(LINE, lambda x: np.full(len(x), -np.inf), 0.0, 10, rng(), 50)


@pytest.mark.parametrize("function", [lambda x: x, lambda x: 0.0, lambda x: x[:, 0] * np.nan])
def test_functions_of_another_form_are_named(function):
    with pytest.raises(ValueError, match="log_ratio must"):
        rejection_sample(LINE, function, 0.5, 10, rng())
    with pytest.raises(ValueError, match="log_density must"):
        metropolis_sample(function, np.zeros((4, 1)), 5, 1.0, rng())


def gaussian(x):
    return -0.5 * x[:, 0] ** 2 - 7.0


def test_one_step_of_a_chain_moves_as_often_as_it_must():
    """From 0, a proposal y of N(0, s^2) is accepted with probability E min(1, e^(-y^2/2)) = (1 + s^2)^(-1/2)."""
    result = metropolis_sample(gaussian, np.zeros((200_000, 1)), 1, 2.0, rng())
    moved = int(np.sum(result.states != 0.0))
    assert result.acceptance_rate == moved / 200_000
    for rate, right in ((5**-0.5, True), (5**-0.5 + 0.01, False)):
        assert (chi_square([moved, 200_000 - moved], [rate, 1 - rate]) > ALPHA) == right


def test_chains_reach_the_target():
    """After 200 steps the law is the Gaussian for all that 20,000 draws can tell, after 2 it is not."""
    start = np.full((20_000, 1), 3.0)
    for steps, there in ((200, True), (2, False)):
        states = metropolis_sample(gaussian, start, steps, 2.4, rng()).states[:, 0]
        assert (ks(states, stats.norm.cdf) > ALPHA) == there
    assert (start == 3.0).all()


@pytest.mark.parametrize(
    ("rate", "other", "exp_eps"),
    [(F(1, 2), F(1), F(10)), (F(1), F(1, 2), F(2)), (F(1, 4), F(1, 2), F(1)), (F(2, 3), F(1, 5), F(2))],
)
def test_delta_of_the_time_is_that_of_the_best_threshold(rate, other, exp_eps):
    tails = [(1 - rate) ** n - exp_eps * (1 - other) ** n for n in range(80)]
    heads = [1 - (1 - rate) ** n - exp_eps * (1 - (1 - other) ** n) for n in range(80)]
    assert time_delta(rate, other, exp_eps) == max(*tails, *heads, 0)
