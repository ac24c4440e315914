"""Rejection, chains of Metropolis, and what the number of proposals tells."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mollified.laws import Discrete, Gaussian, Uniform
from mollified.sampling import acceptance_rates, metropolis_sample, rejection, rejection_sample, time_delta
from tests.mollified.sampling_tests import ALPHA, chi_square, geometric_p_value, ks

Q0 = np.array([0.1, 0.2, 0.3, 0.4])


def tilted(x):
    """The log ratio of the law on [0, 1] with density a e^(a x) / (e^a - 1), a = 1, to the uniform law."""
    return x[:, 0] - math.log(math.e - 1)


TILT_BOUND = 1 - math.log(math.e - 1)


def test_draws_follow_the_target_exactly():
    """False alarm 1e-6; control: the reference itself, and the target with a tilt off by 10 %."""
    result = rejection_sample(Uniform([0.0], [1.0]), tilted, TILT_BOUND, 50_000, np.random.default_rng(21))
    assert result.samples.shape == (50_000, 1)

    def cdf(a):
        return lambda x: np.expm1(a * x) / math.expm1(a)

    assert ks(result.samples[:, 0], cdf(1.0)) > ALPHA
    assert ks(result.samples[:, 0], cdf(1.15)) < ALPHA
    assert ks(result.samples[:, 0], stats.uniform.cdf) < ALPHA


def test_numbers_of_proposals_are_geometric():
    """False alarm 1e-6; control: a rate off by 5 %."""
    result = rejection_sample(Uniform([0.0], [1.0]), tilted, TILT_BOUND, 50_000, np.random.default_rng(22))
    assert result.proposals == result.proposals_each.sum()
    assert result.proposals_each.min() >= 1
    rate = math.exp(-TILT_BOUND)
    assert geometric_p_value(result.proposals_each, rate) > ALPHA
    assert geometric_p_value(result.proposals_each, 0.95 * rate) < ALPHA


def test_a_draw_does_not_depend_on_its_number_of_proposals():
    """Two samples, split by the count: false alarm 1e-6; control: split by the draw before itself."""
    result = rejection_sample(Uniform([0.0], [1.0]), tilted, TILT_BOUND, 50_000, np.random.default_rng(23))
    draws = result.samples[:, 0]
    first = result.proposals_each == 1
    assert stats.ks_2samp(draws[first], draws[~first]).pvalue > ALPHA
    assert stats.ks_2samp(draws[draws < 0.6], draws[draws >= 0.4]).pvalue < ALPHA


@pytest.mark.parametrize("batch", [1, 7])
def test_batches_do_not_change_the_law(monkeypatch, batch):
    """The count runs on from batch to batch: false alarm 1e-6 each."""
    monkeypatch.setattr(rejection, "LARGEST_BATCH", batch)
    result = rejection_sample(Uniform([0.0], [1.0]), tilted, TILT_BOUND, 3000, np.random.default_rng(24))
    assert geometric_p_value(result.proposals_each, math.exp(-TILT_BOUND)) > ALPHA
    assert ks(result.samples[:, 0], lambda x: np.expm1(x) / math.expm1(1.0)) > ALPHA


def test_one_batch_holds_the_draws_in_order():
    """The draws are the accepted proposals, in the order of the proposals, with the gaps as counts."""
    seen = []

    class Recorder(Uniform):
        def sample(self, n, rng):
            seen.append(super().sample(n, rng))
            return seen[-1]

    result = rejection_sample(Recorder([0.0], [1.0]), tilted, TILT_BOUND, 500, np.random.default_rng(25))
    proposals = np.concatenate(seen)
    assert np.array_equal(result.samples, proposals[np.cumsum(result.proposals_each) - 1])


def test_finite_space_with_a_zero_in_the_target():
    """False alarm 1e-6; control: the reference."""
    log_ratio = np.array([-np.inf, 0.5, 0.0, 0.0])
    law = Q0 * np.exp(log_ratio)
    law /= law.sum()
    result = rejection_sample(
        Discrete(Q0), lambda x: log_ratio[x[:, 0].astype(int)], 0.5, 20_000, np.random.default_rng(26)
    )
    counts = np.bincount(result.samples[:, 0].astype(int), minlength=4)
    assert counts[0] == 0
    assert chi_square(counts[1:], law[1:]) > ALPHA
    assert chi_square(counts[1:], Q0[1:] / Q0[1:].sum()) < ALPHA


def test_a_ratio_above_the_bound_is_an_error_and_never_cut_off():
    with pytest.raises(ValueError, match=r"log_ratio must not exceed log_bound = 0\.5, got 0\.\d+ at the proposal"):
        rejection_sample(Gaussian([0.0], 1.0), lambda x: 0.5 * np.tanh(x[:, 0]) + 0.2, 0.5, 10**3, rng())
    # rounding is let pass
    close = rejection_sample(Gaussian([0.0], 1.0), lambda x: np.full(len(x), 0.5 + 1e-13), 0.5, 10, rng())
    assert close.proposals == 10


@pytest.mark.parametrize(
    "log_ratio",
    [
        lambda x: np.full(len(x), np.nan),
        lambda x: x,
        lambda x: 0.0,
        lambda x: np.zeros(3),
        lambda x: np.full(len(x), np.inf),
    ],
)
def test_a_log_ratio_of_another_form_is_named(log_ratio):
    with pytest.raises(ValueError, match="log_ratio must"):
        rejection_sample(Gaussian([0.0], 1.0), log_ratio, 0.5, 10, rng())


def test_too_few_proposals_is_an_error_and_not_a_shorter_sample():
    with pytest.raises(RuntimeError, match="50 proposals gave 0 of 10 draws"):
        rejection_sample(Gaussian([0.0], 1.0), lambda x: np.full(len(x), -np.inf), 0.0, 10, rng(), 50)


def rng():
    return np.random.default_rng(27)


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


F = Fraction


@pytest.mark.parametrize(
    ("rate", "other", "exp_eps", "delta"),
    [
        (F(1, 2), F(1), F(10), F(1, 2)),  # two proposals cannot happen under the other
        (F(1), F(1, 2), F(1), F(1, 2)),
        (F(1), F(1, 2), F(2), F(0)),  # the ratio at one proposal is exactly 2
        (F(1, 2), F(1, 2), F(1), F(0)),
        (F(1, 4), F(1, 2), F(1), F(3, 4) ** 2 - F(1, 2) ** 2),  # N >= 2 and N >= 3 serve alike: 1/4 < 5/16
    ],
)
def test_small_cases(rate, other, exp_eps, delta):
    assert time_delta(rate, other, exp_eps) == delta


def test_best_event_among_all_thresholds():
    for a, b, factor in ((F(1, 3), F(1, 2), F(3, 2)), (F(2, 3), F(1, 5), F(2)), (F(1, 5), F(1, 4), F(4))):
        tails = [(1 - a) ** n - factor * (1 - b) ** n for n in range(80)]
        heads = [1 - (1 - a) ** n - factor * (1 - (1 - b) ** n) for n in range(80)]
        assert time_delta(a, b, factor) == max(max(tails), max(heads), 0)


def test_the_rarer_acceptance_is_betrayed_at_every_level():
    deltas = [time_delta(F(1, 4), F(1, 2), F(10) ** power) for power in range(6)]
    assert all(delta > 0 for delta in deltas)
    assert deltas == sorted(deltas, reverse=True)


def test_the_constant_envelope_has_one_rate():
    rates = [acceptance_rates(mass, F(5, 4)) for mass in (F(241, 200), F(169, 200))]
    assert rates[0][1] == rates[1][1] == F(16, 25)
    assert rates[0][0] != rates[1][0]
