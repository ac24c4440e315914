"""A stopped chain from a fixed point: one step on two points exceeds the level of exact draws."""

from __future__ import annotations

from fractions import Fraction as F

from tests.counterexamples.rational import is_law

VERIFIED = {"MBDE-X-mh": "test_one_step_from_a_point_exceeds_the_level"}


def one_step(law, start):
    """Propose the point itself or the other one with probability 1/2 each, accept with min(1, q(y)/q(x))."""
    leave = [min(F(1), law[1] / law[0]) / 2, min(F(1), law[0] / law[1]) / 2]
    return (start[0] * (1 - leave[0]) + start[1] * leave[1], start[1] * (1 - leave[1]) + start[0] * leave[0])


def level(one, two):
    return max(max(a / b, b / a) for a, b in zip(one, two, strict=True))


def test_one_step_from_a_point_exceeds_the_level():
    one, two = (F(1, 2), F(1, 2)), (F(2, 3), F(1, 3))
    assert is_law(one)
    assert is_law(two)
    assert level(one, two) == F(3, 2)
    point = (F(1), F(0))
    assert level(one_step(one, point), one_step(two, point)) == 2
    # a start from Q itself stays there: the level of exact draws
    assert level(one_step(one, one), one_step(two, two)) == F(3, 2)
    # and a start from one law for both, here the uniform one, does not exceed it
    assert level(one_step(one, one), one_step(two, one)) <= F(3, 2)
