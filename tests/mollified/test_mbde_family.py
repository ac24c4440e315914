"""The densities that MBDE can output: extreme members and brute force find nothing closer than the projection."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mollified.boosting.mbde_family import family_gain, family_projection


def projected(p, q, root):
    return family_projection([p], [q], [np.log(root)])[0]


def test_the_coin():
    assert projected([0.75, 0.25], [0.5, 0.5], 2) == pytest.approx([2 / 3, 1 / 3], rel=1e-12)


def test_a_target_inside_is_its_own_projection():
    p, q = [0.5, 0.3, 0.2], [1 / 3] * 3
    assert projected(p, q, 2.5) == pytest.approx(p, rel=1e-12)
    assert projected(p, q, 2.25) != pytest.approx(p, rel=1e-3)


def test_no_member_is_closer():
    """The divergence is convex, and linear functions are largest at the extreme members: of two values of Q/Q0."""
    rng = np.random.default_rng(2)
    for _ in range(60):
        size, root = int(rng.integers(2, 6)), float(rng.uniform(1.01, 9))
        p, q = rng.dirichlet(np.ones(size)), rng.dirichlet(np.ones(size))
        law = projected(p, q, root)
        assert law.sum() == pytest.approx(1, rel=1e-11)
        assert max(law / q) <= root * min(law / q) * (1 + 1e-12)
        for chosen in product((1, root), repeat=size):
            member = q * chosen / (q @ chosen)
            assert p @ (member / law) <= 1 + 1e-9


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
