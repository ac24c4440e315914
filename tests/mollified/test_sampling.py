"""Rejection, chains of Metropolis, times, and the finite sampler with levels as rationals, exact word by word."""

import math
from fractions import Fraction
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx
from scipy import stats

from mollified.laws import Gaussian, Uniform, random_law
from mollified.privacy import ExactLevel
from mollified.sampling import FiniteSampler, metropolis_sample, rejection, rejection_sample, smallest_bits, time_delta
from tests.mollified.helpers import ALPHA, Words, chi_square, ks

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
    with pytest.raises(ValueError, match=r"log_ratio must not exceed log_bound = 0\.5, and"):
        rejection_sample(LINE, lambda x: 0.5 * np.tanh(x[:, 0]) + 0.2, 0.5, 10**3, rng())
    close = rejection_sample(LINE, lambda x: np.full(len(x), 0.5 + 1e-13), 0.5, 10, rng())
    assert close.proposals == 10  # rounding is let pass
    with pytest.raises(RuntimeError, match="50 proposals gave fewer than 10 draws"):
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


HALF = Fraction(1, 2)
ONE = ExactLevel(eps=Fraction(1))


def test_comparison_with_e_is_decided_beyond_floats_and_the_precision_restored():
    """e to 40 digits: truncated it is below, with its last digit raised it is above; floats cannot tell the two."""
    digits, before = 2718281828459045235360287471352662497757, ctx.prec
    below, above = Fraction(digits, 10**39), Fraction(digits + 1, 10**39)
    assert (ONE.compare(below), ONE.compare(above)) == (-1, 1)
    assert (ONE.at_most(below), ONE.at_most(above)) == (True, False)
    assert ctx.prec == before


@pytest.mark.parametrize("power", [Fraction(1), HALF, -HALF, Fraction(3, 7)])
def test_signs_agree_with_floats_where_those_can_tell(power):
    rng = np.random.default_rng(50)
    for eps, over, under in rng.integers(1, 20_000, (200, 3)).tolist():
        level, value = Fraction(eps, 1000), Fraction(over, under)
        gap = math.log(value) - float(power * level)
        assert abs(gap) > 1e-9
        assert ExactLevel(eps=level).compare(value, power) == (1 if gap > 0 else -1)


@pytest.mark.parametrize(
    ("value", "power", "sign"),
    [(2, HALF, 0), (4, 1, 0), (HALF, -HALF, 0), (2, Fraction(1, 3), 1), (1, 0, 0), (2, 0, 1), (0, 0, -1), (0, -1, -1)],
)
def test_rational_levels_know_equality(value, power, sign):
    assert ExactLevel(exp_eps=Fraction(4)).compare(value, power) == sign


THIRDS = (F(1, 3),) * 3
BASE = (F(1, 8), F(3, 8), F(3, 8), F(1, 8))
LEVEL = ExactLevel(exp_eps=F(9, 4))


def test_bounds_and_weights_by_hand():
    """2^5 / 3 = 10.67; times 10/11 is 9.70, times 11/10 is 11.73. On two points a bound that is met is kept."""
    level = ExactLevel(exp_eps=F(121, 100))
    sampler = FiniteSampler(THIRDS, level, 5)
    assert (sampler.low, sampler.high, sampler.guarantee()) == ((10, 10, 10), (11, 11, 11), F(11, 10))
    assert (sampler.weights([1, 0, 0]), sampler.weights([0, 0, 1])) == ((11, 11, 10), (11, 10, 11))
    assert smallest_bits(THIRDS, level) == 5
    halves = FiniteSampler((F(1, 2), F(1, 2)), ExactLevel(exp_eps=F(4)), 3)
    assert (halves.low, halves.high, halves.weights([F(1, 4), F(3, 4)])) == ((2, 2), (8, 8), (2, 6))


def test_bounds_against_their_definition_and_bits_against_a_scan():
    """Each bound fits and the next integer does not, up to 62 bits, decided without floats."""
    rng, half = np.random.default_rng(4), F(1, 2)
    for _ in range(30):
        reference = random_law(rng, 3, spread=10)
        level = ExactLevel(eps=F(round(1000 * float(np.exp(rng.uniform(0, 9.9)))), 10**6))
        least = smallest_bits(reference, level)
        for bits in range(1, least):
            with pytest.raises(ValueError, match="bits must be larger"):
                FiniteSampler(reference, level, bits)
        bits = int(rng.integers(least, 63))
        sampler, total = FiniteSampler(reference, level, bits), 1 << bits
        for q, low, high in zip(reference, sampler.low, sampler.high, strict=True):
            assert level.compare(F(low) / (total * q), -half) >= 0 > level.compare(F(low - 1) / (total * q), -half)
            assert level.at_most(F(high) / (total * q), half)
            assert high == total or not level.at_most(F(high + 1) / (total * q), half)


def test_each_word_leads_to_its_point_so_the_law_is_that_of_the_weights():
    """All 2^b words once each: no word is drawn again, and each point is hit exactly as often as its weight says."""
    sampler, law = FiniteSampler(BASE, LEVEL, 10), [0.1, 0.4, 0.4, 0.1]
    words = Words((7 << 10) + low for low in range(1024))  # the low ten bits count
    drawn = sampler.sample(law, 1024, words)
    assert np.bincount(drawn, minlength=4).tolist() == list(sampler.weights(law))
    assert words.asked == [8192]
