"""The counterexamples of the page on mode capture, verified from the rationals typed here."""

from __future__ import annotations

from fractions import Fraction as F

from flint import arb

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-L15-E75": "test_inverted_ratio",
    "MBDE-L15-r": "test_part_grows_while_whole_falls",
    "MBDE-L16-E81": "test_exponential_in_place_of_exponent",
    "MBDE-L16-E82": "test_exponential_above_half_the_level",
    "MBDE-E90": "test_gain_below_the_mean_edge",
}


def step(q0, signs, power):
    """Return Q1 for c = signs log 2 and theta = power, as balls: weights Q0 2^(power sign)."""
    assert is_law(q0)
    weights = [ball(q) * (ball(power * s) * arb(2).log()).exp() for q, s in zip(q0, signs, strict=True)]
    total = sum(weights, arb(0))
    return [w / total for w in weights]


def is_step(q0, signs, power, claimed):
    """Tell whether a rational law is Q1, by the ratios (Q1(x)/Q0(x)) up to a common factor, as exact powers."""
    assert is_law(claimed)
    n = power.denominator
    ratios = [(b / a) ** n for a, b in zip(q0, claimed, strict=True)]
    wanted = [F(2) ** int(power * n * s) for s in signs]
    return all(r * wanted[0] == ratios[0] * w for r, w in zip(ratios, wanted, strict=True))


def mass_sides(p, q, region, inverse):
    assert is_law(p)
    assert is_law(q)
    left = sum(p[x] - q[x] for x in region)
    right = sum((1 - (p[x] / q[x] if inverse else q[x] / p[x])) * p[x] for x in region)
    return left, right


def test_inverted_ratio():
    p, q = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))
    assert mass_sides(p, q, (0,), True) == (F(1, 2), F(-3, 2))
    left, right = mass_sides(p, q, (0,), False)
    assert left == right


def part(p, q, region):
    return sum((ball(p[x]) * (ball(p[x]) / ball(q[x])).log() for x in region), arb(0))


def grows(p, q0, q1, region):
    """Tell whether the whole divergence falls and its part on the region grows."""
    return sign(divergence(p, q0) - divergence(p, q1)) > 0 and sign(part(p, q1, region) - part(p, q0, region)) > 0


def test_part_grows_while_whole_falls():
    p, q0 = (F(3, 10), F(3, 5), F(1, 10)), (F(1, 5), F(1, 5), F(3, 5))
    q1, signs = (F(1, 6), F(1, 3), F(1, 2)), (-1, 1, -1)
    assert is_step(q0, signs, F(1, 2), q1)
    assert not is_step(q0, signs, F(1, 2), (F(1, 5), F(1, 3), F(7, 15)))
    assert sum(a * s for a, s in zip(p, signs, strict=True)) > 0
    assert -sum(a * s for a, s in zip(q0, signs, strict=True)) >= F(1, 3)
    with precision():
        assert grows(p, q0, q1, (0,))
        assert not grows(p, q0, q1, (1,))
        # under the condition: the part is at most KL + sqrt(KL/2)
        whole = divergence(p, q1)
        assert sign(whole + (whole / 2).sqrt() - part(p, q1, (0,))) > 0


def test_exponential_in_place_of_exponent():
    p, q0, q1 = (F(3, 4), F(1, 4)), (F(1, 2), F(1, 2)), (F(2, 3), F(1, 3))
    assert is_step(q0, (1, -1), F(1, 2), q1)  # eps = 4 log 2
    with precision():
        ratio = ball(q1[1] / q0[1])
        left, before = part(p, q1, (1,)), part(p, q0, (1,))
        assert sign(left - (before - ball(p[1]) * ratio)) > 0
        assert (left - (before - ball(p[1]) * ratio.log())).contains(0)


def test_exponential_above_half_the_level():
    p, q0 = (F(3, 4), F(1, 4)), (F(1, 2), F(1, 2))
    with precision():
        half = arb(2).log() / 2  # eps = log 2, theta = 1/5
        ratio = step(q0, (1, -1), F(1, 5))[1] / ball(q0[1])
        assert sign(ball(p[1]) * ratio - ball(p[1]) * half) > 0
        assert sign(ball(p[1]) * ratio.log() - ball(p[1]) * half) < 0


def gain_falls_short(p, q0, q1, share):
    """Tell whether KL(P, Q0) - KL(P, Q1) < share log 2."""
    return sign(divergence(p, q0) - divergence(p, q1) - ball(share) * arb(2).log()) < 0


def test_gain_below_the_mean_edge():
    p, q0, q1 = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)), (F(2, 5), F(3, 5))
    assert is_step(q0, (1, -1), F(1, 2), q1)  # eps = 4 log 2, theta_1 = 1/2, so eps/2 (1 - theta_1) = log 2
    edge = p[0] - p[1]
    assert edge == q0[1] - q0[0] == F(1, 2)
    gamma = F(9, 20)
    assert F(1, 3) <= gamma < edge
    assert F(2048, 625) ** 5 < 2**9
    with precision():
        assert gain_falls_short(p, q0, q1, gamma)
        # the corrected bound, (gamma_P + Gamma(gamma_Q)/log 2)/2 with Gamma = log(4/(5 - 3 gamma))
        corrected = (ball(gamma) * arb(2).log() + ball(F(4) / (5 - 3 * gamma)).log()) / 2
        assert sign(divergence(p, q0) - divergence(p, q1) - corrected) > 0
    assert not gain_falls_short(p, q0, q1, F(2, 5))


def fat_region(x):
    """Tell whether a region with P(B) >= 1/2 has a mass above its divergence, for P = (1 - x, x), Q0 = (x, 1 - x)."""
    p, q0 = (1 - x, x), (x, 1 - x)
    regions = [r for r in ((0,), (1,), (0, 1)) if sum(p[i] for i in r) >= F(1, 2)]
    return any(sign(ball(sum(p[i] for i in r)) - part(p, q0, r)) > 0 for r in regions)


def test_no_fat_region_of_small_divergence():
    """The example of the page after the remark on fat regions."""
    with precision():
        assert not fat_region(F(1, 10))  # both edges are 4/5
        assert fat_region(F(1, 4))
