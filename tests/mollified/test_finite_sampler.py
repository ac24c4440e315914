"""Levels as rationals, and the finite sampler: its bounds, identical supports, and its exact law word by word."""

import math
from fractions import Fraction
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx

from mollified.laws import random_law
from mollified.privacy import ExactLevel
from mollified.sampling import FiniteSampler, smallest_bits

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
    sampler, law, asked = FiniteSampler(BASE, LEVEL, 10), [0.1, 0.4, 0.4, 0.1], []

    def words(size):
        asked.append(size)
        return (np.arange(1024, dtype="<u8") + (7 << 10)).tobytes()  # the low ten bits count

    drawn = sampler.sample(law, 1024, words)
    assert np.bincount(drawn, minlength=4).tolist() == list(sampler.weights(law))
    assert asked == [8192]
