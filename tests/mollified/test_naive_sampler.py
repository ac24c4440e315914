"""The naive sampler of randomised response: laws, the closest member of its hull and around a law."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mollified.convex_hull import naive_sampler_law, randomised_response
from mollified.instances import random_law, random_sparse_law
from mollified.naive_sampler import (
    closest_in_hull,
    closest_in_relative,
    response_law,
)

F = Fraction


def test_the_law_is_that_of_the_float_randomiser():
    rng = np.random.default_rng(3)
    for _ in range(30):
        p = random_law(rng, int(rng.integers(2, 7)))
        law = naive_sampler_law(randomised_response(len(p), math.log(3)), np.array([float(x) for x in p]))
        assert np.allclose(law, [float(x) for x in response_law(p, F(3))], rtol=0, atol=1e-14)


def test_closest_in_hull_by_hand():
    assert closest_in_hull((F(1), F(0), F(0)), F(4)) == (F(3, 2), (F(2, 3), F(1, 6), F(1, 6)))
    inside = (F(1, 2), F(1, 4), F(1, 4))
    assert closest_in_hull(inside, F(4)) == (F(1), inside)  # P lies in the hull


def test_closest_in_hull_beats_a_grid_of_members():
    p, ratio = (F(7, 10), F(2, 10), F(1, 10)), F(2)
    _, best = closest_in_hull(p, ratio)

    def loss(q):
        return math.fsum(float(a) * math.log(a / b) for a, b in zip(p, q, strict=True))

    grid = [(i, j, 40 - i - j) for i in range(41) for j in range(41 - i)]
    members = [response_law(tuple(F(n, 40) for n in weights), ratio) for weights in grid]
    assert min(map(loss, members)) >= loss(best) - 1e-15
    assert min(map(loss, members)) - loss(best) < 1e-3


def test_the_two_sets_are_equal_at_the_threshold():
    """With r = k - 1 the closest members agree, where (8) has a constant and where it has none."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        size = int(rng.integers(3, 7))
        p = random_sparse_law(rng, size)
        uniform = (F(1, size),) * size
        root = F(size - 1)
        one, two = closest_in_hull(p, root**2)[1], closest_in_relative(p, uniform, root)
        assert all(a == b for mass, a, b in zip(p, one, two, strict=True) if mass > 0)
