"""Comparisons of rationals with powers of e^eps: decided, however close, and equality known at rational levels."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from mollified.privacy import ExactLevel

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
