import math
from fractions import Fraction

import numpy as np
import pytest

from mollified.privacy import ExactLevel

HALF = Fraction(1, 2)


def test_comparison_with_e_is_decided_beyond_floats():
    """e to 40 digits: truncated it is below, with its last digit raised it is above; floats cannot tell the two."""
    digits = 2718281828459045235360287471352662497757
    level = ExactLevel(eps=Fraction(1))
    below, above = Fraction(digits, 10**39), Fraction(digits + 1, 10**39)
    assert float(below) == float(above)
    assert (level.compare(below), level.compare(above)) == (-1, 1)
    assert level.at_most(below)
    assert not level.at_most(above)


@pytest.mark.parametrize("power", [Fraction(1), HALF, -HALF, Fraction(-1), Fraction(3, 7)])
def test_signs_agree_with_floats_where_those_can_tell(power):
    rng = np.random.default_rng(50)
    for _ in range(200):
        eps = Fraction(int(rng.integers(1, 20_000)), 1000)
        value = Fraction(int(rng.integers(1, 10**6)), int(rng.integers(1, 10**6)))
        gap = math.log(value) - float(power * eps)
        assert abs(gap) > 1e-9
        assert ExactLevel(eps=eps).compare(value, power) == (1 if gap > 0 else -1)


@pytest.mark.parametrize(
    ("value", "power", "sign"),
    [(2, HALF, 0), (4, 1, 0), (HALF, -HALF, 0), (2, Fraction(1, 3), 1), (1, 0, 0), (2, 0, 1), (0, 0, -1), (0, -1, -1)],
)
def test_rational_levels_know_equality(value, power, sign):
    assert ExactLevel(exp_eps=Fraction(4)).compare(value, power) == sign


def test_float_is_the_level_in_nats():
    assert float(ExactLevel(eps=Fraction(1, 3))) == 1 / 3
    assert float(ExactLevel(exp_eps=Fraction(4))) == math.log(4)
    huge = ExactLevel(exp_eps=Fraction(10**400, 3))
    assert float(huge) == pytest.approx(400 * math.log(10) - math.log(3), rel=1e-15)


def test_working_precision_is_restored():
    from flint import ctx

    before = ctx.prec
    ExactLevel(eps=Fraction(1)).compare(Fraction(3))
    assert ctx.prec == before


def test_a_thousand_digits_are_not_too_close():
    """The continued fraction of e: a convergent with 500 terms differs from e by about 10^-1200."""
    terms = [2, *[x for k in range(1, 200) for x in (1, 2 * k, 1)]]
    value = Fraction(terms[-1])
    for term in reversed(terms[:-1]):
        value = term + 1 / value
    nearby = terms[:-1]
    other = Fraction(nearby[-1])
    for term in reversed(nearby[:-1]):
        other = term + 1 / other
    level = ExactLevel(eps=Fraction(1))
    assert {level.compare(value), level.compare(other)} == {-1, 1}  # convergents alternate around e
