import math

import numpy as np
import pytest
from scipy import stats

from mollified.laws import Discrete, Gaussian, Uniform
from mollified.sampling import rejection, rejection_sample
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
