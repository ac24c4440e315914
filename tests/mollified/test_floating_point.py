"""The textbook Laplace sampler in floats: enumeration against numpy's half precision, and the search in doubles."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from mollified.privacy import counts_delta, double_release, impossible_share, is_possible, textbook_law
from mollified.privacy.floating_point import rounded_log


def nearest(value, bits):
    """Round a rational to `bits` digits, ties to even, by whole-number arithmetic alone."""
    if value == 0:
        return Fraction(0)
    exponent = 0
    while abs(value) >= 2 ** (exponent + 1) * Fraction(1):
        exponent += 1
    while abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent + 1 - bits)
    return round(value / unit) * unit


def test_rounded_logarithms_are_the_library_ones_to_the_last_bit_of_a_double():
    """The C library errs by less than one unit in the last place, so the two are neighbours at most."""
    for j in (1, 2, 3, 7, 12345, 2**52 - 1, 2**52):
        value = Fraction(j, 2**52)
        ours, theirs = float(rounded_log(value, 53)), math.log(value)
        assert abs(ours - theirs) <= math.ulp(theirs)
    assert rounded_log(Fraction(3), 4) == Fraction(9, 8)  # 1.0986: multiples of 1/8 in [1, 2)
    assert rounded_log(Fraction(1, 3), 4) == -Fraction(9, 8)
    assert rounded_log(Fraction(1), 4) == 0


@pytest.mark.parametrize(("answer", "scale", "bits"), [(0, 1, 6), (1, 1, 6), (3, 2, 5), (-1, 3, 7), (5, 1, 4)])
def test_the_law_is_that_of_the_formula_in_rationals(answer, scale, bits):
    """Each operation of f - sign(u) b ln(1 - 2|u|) in turn, in rationals."""
    seen = Counter()
    for k in range(1, 2**bits):
        u = Fraction(k, 2**bits) - Fraction(1, 2)
        v = 1 - 2 * abs(u)
        sign = (u > 0) - (u < 0)
        noise = nearest(scale * nearest(rounded_log(v, 60), bits), bits)
        seen[float(nearest(answer - sign * noise, bits))] += 1
    law = textbook_law(answer, scale, bits)
    assert dict(zip(law.values.tolist(), law.counts.tolist(), strict=True)) == dict(seen)
    assert law.total == 2**bits - 1


def test_share_and_delta_are_those_of_a_table():
    one, two = textbook_law(0, 1, 8), textbook_law(1, 1, 8)
    first, second = (dict(zip(x.values.tolist(), x.counts.tolist(), strict=True)) for x in (one, two))
    share = Fraction(sum(c for v, c in first.items() if v not in second), 255)
    assert impossible_share(one, two) == share
    for eps in (Fraction(0), Fraction(1), Fraction(7, 2)):
        slow = sum(max(0.0, c - math.exp(eps) * second.get(v, 0)) for v, c in first.items()) / 255
        assert float(counts_delta(one, two, eps).mid()) == pytest.approx(slow, rel=1e-12)
    assert impossible_share(one, one) == 0
    assert abs(counts_delta(one, one, Fraction(0))) < 1e-70


def test_delta_never_falls_below_the_share_of_outputs_that_betray():
    one, two = textbook_law(0, 1), textbook_law(1, 1)
    far = counts_delta(one, two, Fraction(30))
    assert float(far.mid()) == pytest.approx(float(impossible_share(one, two)), rel=1e-12)
    assert float(impossible_share(one, two)) > 0.8


def test_rounding_the_output_makes_the_supports_agree_but_for_the_tails():
    one, two = (textbook_law(f, 1, 16, Fraction(1)) for f in (0, 1))
    extra = set(one.values.tolist()) - set(two.values.tolist())
    assert extra == {one.values.min()}
    assert set(two.values.tolist()) - set(one.values.tolist()) == {two.values.max()}


def test_the_formula_in_doubles_and_the_search_among_its_uniforms():
    rng = np.random.default_rng(3)
    for index in [1, 2, 2**52 - 1, 2**52, 2**52 + 1, 2**53 - 1, *(int(k) for k in rng.integers(1, 2**53, 200))]:
        u = index / 2**53 - 0.5
        v = 1 - 2 * abs(u)
        released = double_release(2.0, index)
        direct = 2.0 - math.copysign(1.0, u) * math.log(v)
        assert abs(released - direct) <= 2 * math.ulp(released)
        assert is_possible(released, 2.0)
    assert double_release(2.0, 2**52) == 2.0


def test_an_output_between_two_neighbouring_uniforms_is_impossible():
    """Near noise ln 2 the uniforms are 2^-52 apart and their noise 2^-51, so every other double at most is reached."""
    start = double_release(0.0, 3 * 2**51)  # v = 1/2
    reached, value = [], start
    for _ in range(64):
        reached.append(is_possible(value, 0.0))
        value = math.nextafter(value, 1.0)
    assert reached[0]
    ours = {double_release(0.0, 3 * 2**51 + step) for step in range(-40, 41)}
    grid, value = [], start
    for _ in range(64):
        grid.append(value in ours)
        value = math.nextafter(value, 1.0)
    assert reached == grid
    assert 0 < sum(reached) < 40
