from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from mollified.exact_level import ExactLevel
from mollified.instances import random_family
from mollified.mollifier import exact_violation, is_mollifier, mollifier_level, subset_level


def slow_level(family):
    return max(a / b for one, two in permutations(family, 2) for a, b in zip(one, two, strict=True))


def test_level_against_all_ordered_pairs():
    """Floats of logs: two roundings of numbers below 10 each, 4 * 10 * 2**-53 < 1e-14."""
    rng = np.random.default_rng(60)
    for _ in range(100):
        family = random_family(rng, int(rng.integers(2, 5)), int(rng.integers(1, 6)))
        exact = slow_level(family)
        level = mollifier_level(np.log([[float(q) for q in law] for law in family]))
        assert level == pytest.approx(math.log(exact), abs=1e-13)
        assert exact_violation(family, ExactLevel(exp_eps=max(exact, Fraction(1001, 1000)))) is None
        if exact > Fraction(1001, 1000):
            found = exact_violation(family, ExactLevel(exp_eps=exact * Fraction(9999, 10000)))
            assert found is not None
            i, j, x = found
            assert family[i][x] > exact * Fraction(9999, 10000) * family[j][x]


def test_is_mollifier_on_both_sides_of_the_level():
    logs = np.log([[0.5, 0.5], [0.25, 0.75]])
    assert is_mollifier(logs, math.log(2) * 1.001)
    assert not is_mollifier(logs, math.log(2) * 0.999)


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


def test_events_and_points_have_the_same_level():
    """The mediant inequality; both are logs of sums of at most 6 floats: rounding below 1e-14 relative to 10."""
    rng = np.random.default_rng(61)
    for _ in range(50):
        p, q = rng.dirichlet(np.ones(6)) + 1e-6, rng.dirichlet(np.ones(6)) + 1e-6
        p, q = p / p.sum(), q / q.sum()
        assert subset_level(p, q) == pytest.approx(np.log(p / q).max(), abs=1e-12)
        assert subset_level(p, q) < np.log(p / q).max() + 0.1  # control: the tolerance is what decides
    assert subset_level([0.5, 0.5], [1.0, 0.0]) == math.inf
    assert subset_level([1.0, 0.0], [0.5, 0.5]) == math.log(2)
