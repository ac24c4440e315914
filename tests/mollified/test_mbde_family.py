"""The densities that MBDE can output: exact and float projections agree, and brute force finds nothing closer."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from mollified.instances import random_law, random_root
from mollified.mbde_family import exact_family_projection, extreme_members, family_gain, family_projection


def test_the_coin():
    assert exact_family_projection((F(3, 4), F(1, 4)), (F(1, 2), F(1, 2)), F(2)) == (F(2, 3), (F(2, 3), F(1, 3)))


def test_a_target_inside_is_its_own_projection():
    p = (F(1, 2), F(3, 10), F(1, 5))
    assert exact_family_projection(p, (F(1, 3),) * 3, F(5, 2))[1] == p
    assert exact_family_projection(p, (F(1, 3),) * 3, F(9, 4))[1] != p


def test_floats_agree_with_rationals():
    rng = np.random.default_rng(2)
    for _ in range(60):
        size = int(rng.integers(2, 6))
        p, q, root = random_law(rng, size), random_law(rng, size), random_root(rng)
        _, exact = exact_family_projection(p, q, root)
        rows = [np.array([law], dtype=float) for law in (p, q)]
        found = family_projection(*rows, [np.log(float(root))])[0]
        assert found == pytest.approx(np.array(exact, dtype=float), rel=1e-11)
        ratios = [a / b for a, b in zip(exact, q, strict=True)]
        assert max(ratios) <= root * min(ratios)


def test_no_point_of_a_fine_mesh_of_the_simplex_is_closer():
    p, q, width = np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.3, 0.5]), 0.8
    gain = float(family_gain([p], [q], [width])[0])
    steps = np.arange(1, 400) / 400
    a, b = (m.ravel() for m in np.meshgrid(steps, steps))
    mesh = np.stack([a, b, 1 - a - b], axis=1)[a + b < 1 - 1e-9]
    ratios = np.log(mesh / q)
    inside = mesh[np.ptp(ratios, axis=1) <= width]
    gains = (p * np.log(inside / q)).sum(axis=1)
    assert gains.max() <= gain
    assert gains.max() > gain - 0.01


def test_extreme_members_have_the_full_oscillation():
    base = (F(1, 2), F(1, 3), F(1, 6))
    members = extreme_members(base, F(3))
    assert len(members) == 7
    assert len(set(members)) == 7
    for member in members:
        ratios = [a / b for a, b in zip(member, base, strict=True)]
        assert sum(member) == 1
        assert max(ratios) / min(ratios) in (1, 3)
