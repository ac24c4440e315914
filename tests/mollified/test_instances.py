from fractions import Fraction

import numpy as np

from mollified.laws import member_of_box, random_law, random_root

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
