from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from mollified.laws import random_law, random_root
from mollified.privacy import ExactLevel
from tests.mollified.exact_projection import exact_contains, exact_projection, projection_mass

ONE = Fraction(1)


def sparse(rng, size):
    law = [q if rng.random() < 0.7 else Fraction(0) for q in random_law(rng, size)]
    return tuple(q / sum(law) for q in law) if sum(law) else (ONE, *[Fraction(0)] * (size - 1))


def test_projection_is_the_formula_with_mass_one():
    """The definition (8), written out again, at the constant returned; 200 instances, targets with zeros."""
    rng = np.random.default_rng(40)
    none = 0
    for _ in range(200):
        size, root = int(rng.integers(1, 7)), random_root(rng)
        p, base = sparse(rng, size), random_law(rng, size)
        support = sum(q for mass, q in zip(p, base, strict=True) if mass > 0)
        if support < 1 / (1 + root):
            none += 1
            with pytest.raises(ValueError, match=r"p has no mollification"):
                exact_projection(p, base, root)
            continue
        constant, best = exact_projection(p, base, root)
        assert best == tuple(min(max(q / root, m / constant), root * q) for m, q in zip(p, base, strict=True))
        assert sum(best) == 1
        assert projection_mass(p, base, root, constant) == 1
        assert exact_contains(best, base, ExactLevel(exp_eps=root**2)) is None
    assert none > 0


def test_mass_decreases_in_the_constant():
    rng = np.random.default_rng(41)
    p, base, root = random_law(rng, 5), random_law(rng, 5), Fraction(3)
    masses = [projection_mass(p, base, root, Fraction(k, 20)) for k in range(1, 200)]
    assert all(a >= b for a, b in pairwise(masses))
    assert masses[0] > 1 > masses[-1]


def test_projection_against_all_members_on_a_grid_of_rationals():
    """Among all members with atoms in multiples of 1/60, none has a larger likelihood prod q(x)^p(x).

    For integer weights w = 60 P the likelihood prod q^w is compared exactly: no logarithm is taken.
    """
    base, root = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)), Fraction(3, 2)
    for weights in [(50, 5, 5), (20, 20, 20), (1, 9, 50), (58, 1, 1)]:
        p = tuple(Fraction(w, 60) for w in weights)
        _, best = exact_projection(p, base, root)

        def likelihood(q, weights=weights):
            value = ONE
            for mass, weight in zip(q, weights, strict=True):
                value *= mass**weight
            return value

        members = 0
        for a, b in product(range(1, 60), repeat=2):
            q = (Fraction(a, 60), Fraction(b, 60), 1 - Fraction(a + b, 60))
            if q[2] > 0 and all(x / root <= y <= root * x for x, y in zip(base, q, strict=True)):
                members += 1
                assert likelihood(q) <= likelihood(best)
        assert members > 50


def test_boundary_is_exact():
    root = Fraction(2)
    base = (Fraction(1, 3), Fraction(2, 3))
    constant, best = exact_projection((1, 0), base, root)
    assert (constant, best) == (Fraction(3, 2), (Fraction(2, 3), Fraction(1, 3)))
    hair = Fraction(1, 10**40)
    with pytest.raises(ValueError, match="no mollification"):
        exact_projection((1, 0), (base[0] - hair, base[1] + hair), root)


def test_target_mass_where_the_reference_has_none_is_dropped():
    constant, best = exact_projection((Fraction(1, 2), Fraction(1, 2)), (Fraction(0), ONE), Fraction(2))
    assert best == (0, 1)
    assert constant == Fraction(1, 2)


def test_contains_reports_the_first_violation_and_its_side():
    base, level = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)), ExactLevel(exp_eps=Fraction(4))
    assert exact_contains((Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)), base, level) is None
    assert exact_contains((Fraction(1, 9), Fraction(1, 8), Fraction(55, 72)), base, level) == (0, "below")
    assert exact_contains((Fraction(1, 4), Fraction(5, 8), Fraction(1, 8)), base, level) == (1, "above")
    assert exact_contains((Fraction(0), Fraction(1, 2), Fraction(1, 2)), base, level) == (0, "below")
