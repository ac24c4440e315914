from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mollified.laws.random_laws import (
    member_of_box,
    random_fraction,
    random_law,
    random_root,
    random_signs,
)

ONE = Fraction(1)


def test_laws_are_positive_sum_to_one_and_reach_small_atoms():
    rng = np.random.default_rng(90)
    smallest = ONE
    for _ in range(300):
        law = random_law(rng, int(rng.integers(1, 8)), spread=20)
        assert sum(law) == 1
        assert min(law) > 0
        smallest = min(smallest, *law)
    assert smallest < Fraction(1, 2**14)
    assert min(random_law(rng, 2, spread=63)) > 0


def test_members_fill_the_box_and_reach_its_faces():
    rng = np.random.default_rng(91)
    touched = 0
    for _ in range(300):
        base, root = random_law(rng, int(rng.integers(2, 7))), random_root(rng)
        low, high = tuple(q / root for q in base), tuple(min(root * q, ONE) for q in base)
        member = member_of_box(rng, low, high)
        assert sum(member) == 1
        assert all(a <= m <= b for a, m, b in zip(low, member, high, strict=True))
        touched += any(m in (a, b) for a, m, b in zip(low, member, high, strict=True))
    assert touched > 100


@pytest.mark.parametrize(
    ("low", "high"), [((ONE, ONE), (ONE, ONE)), ((0, 0), (Fraction(1, 3),) * 2), ((Fraction(1, 2), 0), (0, ONE))]
)
def test_boxes_without_a_law_are_refused(low, high):
    with pytest.raises(ValueError, match="low and high must leave room"):
        member_of_box(np.random.default_rng(0), low, high)


def test_fractions_hit_their_ends_and_stay_inside():
    rng = np.random.default_rng(92)
    drawn = [random_fraction(rng, Fraction(-1), Fraction(2)) for _ in range(400)]
    assert min(drawn) == -1
    assert max(drawn) == 2
    assert random_fraction(rng, ONE, ONE) == 1


def test_roots_cover_levels_from_tiny_to_twenty():
    rng = np.random.default_rng(93)
    roots = [random_root(rng) for _ in range(1000)]
    assert 1 < min(roots) < Fraction(101, 100)
    assert 10_000 < max(roots) < 20_000


def test_signs_are_within_the_limit_and_often_at_it():
    rng = np.random.default_rng(94)
    rows = [random_signs(rng, 3, Fraction(3, 2)) for _ in range(200)]
    assert all(abs(s) <= Fraction(3, 2) for row in rows for s in row)
    assert sum(all(abs(s) == Fraction(3, 2) for s in row) for row in rows) > 60


def test_the_same_seed_gives_the_same_instances():
    assert random_law(np.random.default_rng(7), 5) == random_law(np.random.default_rng(7), 5)
    assert random_law(np.random.default_rng(7), 5) != random_law(np.random.default_rng(8), 5)
