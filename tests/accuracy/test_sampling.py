"""What the docstrings of `mollified.sampling` say of accuracy, in rationals and word by
word."""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy import stats

from mollified.laws import Gaussian, Uniform, member_of_box, random_law
from mollified.privacy import ExactLevel
from mollified.sampling import (
    FiniteSampler,
    acceptance_rates,
    nearest_weights,
    rejection,
    rejection_sample,
    smallest_bits,
    time_delta,
    uniform_integers,
    weight_ratio,
)
from tests.accuracy import states
from tests.mollified.helpers import ALPHA, Words, chi_square, ks

HALF = F(1, 2)
UNIT = Uniform([0.0], [1.0])
LINE = Gaussian.standard(1)
TILT_BOUND = 1 - math.log(math.e - 1)
#: Levels at both ends: 1e-18 needs the most bits that there are, at 1,400 a bound is
#: far beyond the total.
LEVELS = (
    ExactLevel(eps=F(1, 10**6)),
    ExactLevel(exp_eps=F(9, 4)),
    ExactLevel(eps=F(1400)),
)


@states(
    "sampling.FiniteSampler",
    "Sample on the points",
    "`reference` is $Q_0$ in rationals, `level` the exact level",
)
@states("sampling.FiniteSampler.guarantee", "Return")
@states("sampling.smallest_bits", "Return the least b")
def test_bounds_against_their_definition_and_bits_against_a_scan():
    """Each bound fits and the next integer does not, up to 62 bits, decided without
    floats."""
    rng = np.random.default_rng(4)
    drawn = [
        ExactLevel(eps=F(round(1000 * float(np.exp(rng.uniform(0, 9.9)))), 10**6))
        for _ in range(30)
    ]
    for level in [*LEVELS, *drawn]:
        reference = random_law(rng, 3, spread=10)
        least = smallest_bits(reference, level)
        for bits in range(1, least):
            with pytest.raises(ValueError, match=r"^bits must"):
                FiniteSampler(reference, level, bits)
        for bits in {least, int(rng.integers(least, 63)), 62}:
            sampler = FiniteSampler(reference, level, bits)
            total = 1 << bits
            assert level.at_most(sampler.guarantee())
            for q, low, high in zip(reference, sampler.low, sampler.high, strict=True):
                assert (
                    level.compare(F(low) / (total * q), -HALF)
                    >= 0
                    > level.compare(F(low - 1) / (total * q), -HALF)
                )
                assert level.at_most(F(high) / (total * q), HALF)
                assert high == total or not level.at_most(
                    F(high + 1) / (total * q), HALF
                )


@states(
    "sampling.FiniteSampler.weights",
    "Return weights of total",
    "The entries,",
    "A member of the mollifier",
)
def test_weights_are_in_their_bounds_and_members_move_by_at_most_a_unit_a_point():
    rng = np.random.default_rng(5)
    shifts = []
    for size, level in product((2, 3, 12), LEVELS):
        reference = random_law(rng, size, spread=8)
        root = F(math.exp(min(float(level), 40.0) / 2) * (1 - 1e-12))
        for bits in (smallest_bits(reference, level), 62):
            sampler = FiniteSampler(reference, level, bits)
            for _ in range(20):
                law = member_of_box(
                    rng,
                    tuple(q / root for q in reference),
                    tuple(q * root for q in reference),
                )
                made = sampler.weights(law)
                shifts.append(
                    sum(
                        abs(F(w, 1 << bits) - p) for w, p in zip(made, law, strict=True)
                    )
                    / 2
                )
                assert shifts[-1] <= F(size, 1 << bits)
                assert made == sampler.weights([7 * p for p in law])
            wild = np.exp(rng.uniform(-700, 700, size))
            for law in (wild, list(np.eye(size)[0]), [F(1, 3)] + [0] * (size - 1)):
                made = sampler.weights(law)
                assert sum(made) == 1 << bits
                assert all(
                    a <= w <= b
                    for w, a, b in zip(made, sampler.low, sampler.high, strict=True)
                )
    assert max(shifts) > 0


@states(
    "sampling.FiniteSampler.sample", "Draw n points from the weights of a law, exactly"
)
def test_each_word_leads_to_its_point_so_the_law_is_that_of_the_weights():
    """All 2^b words once each: no word is drawn again, and each point is hit exactly as
    often as its weight says."""
    base = (F(1, 8), F(3, 8), F(3, 8), F(1, 8))
    sampler = FiniteSampler(base, LEVELS[1], 10)
    law = [0.1, 0.4, 0.4, 0.1]
    words = Words((7 << 10) + low for low in range(1024))  # the low ten bits count
    drawn = sampler.sample(law, 1024, words)
    assert np.bincount(drawn, minlength=4).tolist() == list(sampler.weights(law))
    assert words.asked == [8192]
    wide = FiniteSampler(
        base, LEVELS[1], 62
    )  # the first and the last word of each point
    ends = np.cumsum(wide.weights(law)).tolist()
    drawn = wide.sample(
        law,
        8,
        Words([0, *(end + move for end in ends[:3] for move in (-1, 0)), ends[3] - 1]),
    )
    assert drawn.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


@states("sampling.nearest_weights", "Each is within one of")
@pytest.mark.parametrize(
    ("size", "bits"), [(2, 1), (1000, 1), (1000, 10), (1000, 62), (1, 62)]
)
def test_nearest_weights_are_within_one_and_no_others_are_nearer(size, bits):
    law = random_law(np.random.default_rng(size), size, spread=40)
    total = 1 << bits
    made = nearest_weights(law, bits)
    assert sum(made) == total
    assert all(abs(w - total * p) < 1 for w, p in zip(made, law, strict=True))
    moved = [w - total * p for w, p in zip(made, law, strict=True)]
    assert (
        max(moved) - min(moved) <= 1
    )  # a unit moved from one point to another would bring nothing


@states("sampling.weight_ratio", "It is")
def test_the_ratio_of_weights_is_exact():
    assert weight_ratio((1, 2**62), (2, 2**62 - 1)) == 2
    assert weight_ratio((2**62, 1), (2**62 - 1, 2)) == 2
    assert weight_ratio((2**62 + 1, 2**62), (2**62, 2**62 + 1)) == F(2**62 + 1, 2**62)
    assert weight_ratio((0, 3), (0, 3)) == 1
    assert weight_ratio((0, 3), (1, 2)) is None


@states("sampling.uniform_integers", "They are exactly uniform")
def test_integers_are_uniform_word_by_word():
    """All words of as many bits once each: each integer comes once, and what is too
    large is drawn again."""
    for below in (1, 2, 3, 5, 8, 100):
        bits = (below - 1).bit_length()
        drawn = uniform_integers(
            below,
            below,
            Words([(9 << bits) + low for low in range(1 << bits)] + [0] * 99),
        )
        assert sorted(drawn.tolist()) == list(range(below))
    top = 1 << 62
    assert uniform_integers(top, 2, Words([top - 1, (3 << 62) + 5])).tolist() == [
        top - 1,
        5,
    ]
    assert uniform_integers(top - 1, 2, Words([top - 1, top - 2, 0])).tolist() == [
        top - 2,
        0,
    ]


@states("sampling.time_delta", "Exact rationals")
@pytest.mark.parametrize(
    ("rate", "other", "exp_eps"),
    [
        (HALF, F(1), F(10)),
        (F(1), HALF, F(2)),
        (F(1), F(1), F(1)),
        (F(1, 4), HALF, F(1)),
        (F(2, 3), F(1, 5), F(2)),
        (F(1, 10**9), F(1), F(10**9)),
        (F(1, 3), F(1, 3) + F(1, 10**30), F(1)),
    ],
)
def test_delta_of_the_time_is_that_of_the_best_threshold(rate, other, exp_eps):
    tails = [(1 - rate) ** n - exp_eps * (1 - other) ** n for n in range(80)]
    heads = [1 - (1 - rate) ** n - exp_eps * (1 - (1 - other) ** n) for n in range(80)]
    assert time_delta(rate, other, exp_eps) == max(*tails, *heads, 0)


@states("sampling.acceptance_rates", "`quarter` is")
def test_the_mass_is_taken_up_to_its_ends():
    root = F(3, 2)
    beyond = 1 + F(1, 10**30)
    assert acceptance_rates(root, root) == (1, F(4, 9))
    assert acceptance_rates(1 / root, root) == (F(4, 9), F(4, 9))
    for mass in (root * beyond, 1 / (root * beyond)):
        with pytest.raises(ValueError, match=r"^mass must"):
            acceptance_rates(mass, root)


def tilted(x):
    """The log ratio of the law on [0, 1] with density a e^(a x) / (e^a - 1), a = 1, to
    the uniform law."""
    return x[:, 0] - math.log(math.e - 1)


def tilted_cdf(a):
    return lambda x: np.expm1(a * x) / math.expm1(a)


@states("sampling.RejectionSample", "Hold n exact draws")
@states("sampling.rejection_sample", "Return `n` independent exact draws")
@pytest.mark.parametrize(("batch", "n"), [(7, 3000), (rejection.LARGEST_BATCH, 50_000)])
def test_draws_and_numbers_of_proposals_have_their_laws(monkeypatch, batch, n):
    """False alarm 1e-6 each; controls: a tilt off by 15 % and a rate off by 5 %."""
    monkeypatch.setattr(rejection, "LARGEST_BATCH", batch)
    result = rejection_sample(UNIT, tilted, TILT_BOUND, n, np.random.default_rng(27))
    assert result.samples.shape == (n, 1)
    assert result.proposals == result.proposals_each.sum()
    draws = result.samples[:, 0]
    rate = math.exp(-TILT_BOUND)
    assert ks(draws, tilted_cdf(1.0)) > ALPHA
    counts = np.bincount(result.proposals_each, minlength=99)
    assert chi_square(counts, stats.geom(rate).pmf(np.arange(counts.size))) > ALPHA
    first = result.proposals_each == 1
    assert (
        stats.ks_2samp(draws[first], draws[~first]).pvalue > ALPHA
    )  # a draw does not depend on its number
    if n == 50_000:
        assert ks(draws, tilted_cdf(1.15)) < ALPHA
        assert (
            chi_square(counts, stats.geom(0.95 * rate).pmf(np.arange(counts.size)))
            < ALPHA
        )


@states("sampling.rejection_sample", "Raises ValueError naming `log_ratio`")
def test_a_ratio_above_the_bound_is_an_error_and_never_cut_off():
    rng = np.random.default_rng(27)
    with pytest.raises(ValueError, match=r"^log_ratio must .*log_bound = 0\.5"):
        rejection_sample(LINE, lambda x: 0.5 * np.tanh(x[:, 0]) + 0.2, 0.5, 10**3, rng)
    for bound in (-3.0, 0.0, 0.5, 500.0):
        close = rejection_sample(
            LINE, lambda x, at=bound: np.full(len(x), at + 8e-13), bound, 10, rng
        )
        assert close.proposals == 10  # rounding is let pass
        with pytest.raises(ValueError, match=r"^log_ratio must"):
            rejection_sample(
                LINE, lambda x, at=bound: np.full(len(x), at + 1.2e-12), bound, 10, rng
            )
    with pytest.raises(RuntimeError, match="50 proposals"):
        rejection_sample(LINE, lambda x: np.full(len(x), -np.inf), 0.0, 10, rng, 50)
