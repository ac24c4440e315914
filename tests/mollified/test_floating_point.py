"""The textbook Laplace sampler in floats: enumeration against rationals, and the search in doubles."""

import math
from collections import Counter
from fractions import Fraction as F

import pytest

from mollified.privacy import counts_delta, impossible_share, textbook_law
from mollified.privacy.floating_point import rounded_log


def nearest(value, bits):
    """Round a rational to `bits` digits, ties to even, by whole-number arithmetic alone."""
    unit = F(1)
    while abs(value) >= unit * 2**bits:
        unit *= 2
    while 0 < abs(value) < unit * 2 ** (bits - 1):
        unit /= 2
    return round(value / unit) * unit


def test_rounded_logarithms_are_the_library_ones_to_the_last_bit_of_a_double():
    """The C library errs by less than one unit in the last place, so the two are neighbours at most."""
    for j in (1, 2, 3, 7, 12345, 2**52 - 1, 2**52):
        ours, theirs = float(rounded_log(F(j, 2**52), 53)), math.log(j / 2**52)
        assert abs(ours - theirs) <= math.ulp(theirs)
    # 1.0986: multiples of 1/8 in [1, 2)
    assert [rounded_log(x, 4) for x in (F(3), F(1, 3), F(1))] == [F(9, 8), -F(9, 8), 0]


@pytest.mark.parametrize(("answer", "scale", "bits"), [(0, 1, 6), (1, 1, 6), (3, 2, 5), (-1, 3, 7), (5, 1, 4)])
def test_the_law_is_that_of_the_formula_in_rationals(answer, scale, bits):
    """Each operation of f - sign(u) b ln(1 - 2|u|) in turn, in rationals."""
    seen = Counter()
    for k in range(1, 2**bits):
        u = F(k, 2**bits) - F(1, 2)
        sign = (u > 0) - (u < 0)
        noise = nearest(scale * nearest(rounded_log(1 - 2 * abs(u), 60), bits), bits)
        seen[float(nearest(answer - sign * noise, bits))] += 1
    law = textbook_law(answer, scale, bits)
    assert dict(zip(law.values.tolist(), law.counts.tolist(), strict=True)) == dict(seen)
    assert law.total == 2**bits - 1


@pytest.mark.parametrize("spacing", [None, F(1, 4)])
def test_share_and_delta_are_those_of_a_table(spacing):
    one, two = (textbook_law(answer, 1, 8, *([spacing] if spacing else [])) for answer in (0, 1))
    first, second = (dict(zip(x.values.tolist(), x.counts.tolist(), strict=True)) for x in (one, two))
    assert not spacing or all(value % spacing == 0 for value in first)
    share = F(sum(c for v, c in first.items() if v not in second), 255)
    assert impossible_share(one, two) == share > impossible_share(one, one) == 0
    for eps in (F(0), F(1), F(7, 2)):
        slow = sum(max(0.0, c - math.exp(eps) * second.get(v, 0)) for v, c in first.items()) / 255
        assert float(counts_delta(one, two, eps).mid()) == pytest.approx(slow, rel=1e-12)
    assert abs(counts_delta(one, one, F(0))) < 1e-70
