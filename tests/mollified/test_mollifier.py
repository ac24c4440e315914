from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from mollified.laws.random_laws import random_law
from mollified.mollifiers.exact_level import ExactLevel
from mollified.mollifiers.mollifier import exact_violation, mollifier_level


def slow_level(family):
    return max(a / b for one, two in permutations(family, 2) for a, b in zip(one, two, strict=True))


def test_level_against_all_ordered_pairs():
    """Floats of logs: two roundings of numbers below 10 each, 4 * 10 * 2**-53 < 1e-14."""
    rng = np.random.default_rng(60)
    for _ in range(100):
        members, size = int(rng.integers(2, 5)), int(rng.integers(1, 6))
        family = [random_law(rng, size) for _ in range(members)]
        exact = slow_level(family)
        level = mollifier_level(np.log([[float(q) for q in law] for law in family]))
        assert level == pytest.approx(math.log(exact), abs=1e-13)
        assert exact_violation(family, ExactLevel(exp_eps=max(exact, Fraction(1001, 1000)))) is None
        if exact > Fraction(1001, 1000):
            found = exact_violation(family, ExactLevel(exp_eps=exact * Fraction(9999, 10000)))
            assert found is not None
            i, j, x = found
            assert family[i][x] > exact * Fraction(9999, 10000) * family[j][x]


def test_zeros():
    with np.errstate(divide="ignore"):
        common = np.log([[0.0, 0.5, 0.5], [0.0, 0.25, 0.75]])
        lonely = np.log([[0.0, 1.0], [0.5, 0.5]])
    assert mollifier_level(common) == math.log(0.5) - math.log(0.25)
    assert mollifier_level(lonely) == math.inf
    assert mollifier_level(np.full((2, 2), -np.inf)) == 0.0
    zero, half = Fraction(0), Fraction(1, 2)
    assert exact_violation([(zero, 1), (half, half)], ExactLevel(eps=Fraction(100))) == (1, 0, 0)
    assert exact_violation([(zero, half, half)] * 2, ExactLevel(eps=Fraction(1))) is None


def test_a_single_member_is_a_mollifier_at_every_level():
    assert mollifier_level([[0.0, -3.0]]) == 0.0
    assert exact_violation([(1,)], ExactLevel(eps=Fraction(1, 10**9))) is None
