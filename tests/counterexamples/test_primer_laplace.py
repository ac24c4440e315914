"""A query without a maximum, a histogram of given names with sensitivity two, two names in the wrong order."""

from __future__ import annotations

import itertools
from fractions import Fraction as F

from tests.counterexamples.rational import ball, precision

VERIFIED = {
    "LEC-sens-max": "test_no_pair_of_neighbours_has_the_largest_change",
    "LEC-names-sens": "test_a_person_with_two_names_is_in_two_counts",
}


def change(n, weight):
    """Return the change of n + weight/(n + 1) as a record joins n others."""
    return abs((n + 1 + weight / (n + 2)) - (n + weight / (n + 1)))


def test_no_pair_of_neighbours_has_the_largest_change():
    weight = F(1)
    for n in range(200):
        assert change(n, weight) == 1 - F(1, (n + 1) * (n + 2))
        assert change(n, weight) < change(n + 1, weight) < 1
    # for every n: the next change is larger by 2/((n+1)(n+2)(n+3)), and the changes tend to 1
    assert all(change(n + 1, weight) - change(n, weight) == F(2, (n + 1) * (n + 2) * (n + 3)) for n in range(200))
    assert change(10**6, weight) > 1 - F(1, 10**11)
    # the sound variant n - 1/(n+1): the empty data set has the largest change
    assert all(change(n, -weight) <= change(0, -weight) == F(3, 2) for n in range(200))


def moved(before, after, names=4):
    """Return the l1 change of the counts for two lists of people, each a tuple of names."""
    return sum(abs(sum(k in held for held in before) - sum(k in held for held in after)) for k in range(names))


def test_a_person_with_two_names_is_in_two_counts():
    others = [(0,), (3,), (3,)]
    assert moved(others, [*others, (0, 1)]) == 2
    # neighbours by replacement: one name each, and still two
    assert moved([*others, (0,)], [*others, (1,)]) == 2
    # the sound variant: at most one name each, a person added
    people = [(), (0,), (1,), (2,), (3,)]
    for held in itertools.product(people, repeat=3):
        assert max(moved(list(held), [*held, new]) for new in people) == 1


def wrong_order(gap):
    """Return P[Y2 - Y1 >= gap], the integral of (1/2)e^{-|y|} P[Y >= y + gap] over y < -gap, (-gap, 0) and y > 0."""
    g = ball(gap)
    left = (-g).exp() / 2 - (-g).exp() / 8
    middle = g * (-g).exp() / 4
    right = (-g).exp() / 8
    return left + middle + right


def test_two_names_one_person_apart_often_come_out_in_the_wrong_order():
    with precision():
        found = wrong_order(F(1))
        assert abs(found - ball(F(3, 4)) * (-ball(F(1))).exp()) < ball(F(1, 10**60))
        assert found > ball(F(1, 4)) > ball(F(1, 20))
        # the sound variant: 25 people apart
        assert wrong_order(F(25)) < ball(F(1, 10**9))
        assert 2 * (ball(F(10000)) / ball(F(1, 20))).log() < 25
