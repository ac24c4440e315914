"""The counterexample of the page on the naive sampler, verified from the rationals typed here."""

from __future__ import annotations

from fractions import Fraction as F

VERIFIED = {"V3-AR-mend": "test_a_member_around_uniform_is_farther_than_the_naive_sampler"}


def naive_atom(size, root):
    """What randomised response at exp(eps) = root^2 keeps of a point mass on `size` points."""
    channel = [[root**2 if x == y else F(1) for y in range(size)] for x in range(size)]
    rows = [[value / sum(row) for value in row] for row in channel]
    ratio = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert ratio == root**2  # the level is exactly eps
    return rows[0][0]


def largest_atom(size, root):
    """What a member of the mollifier around the uniform law gives to one point at most."""
    return min(root / size, 1 - (size - 1) / (size * root))


def test_a_member_around_uniform_is_farther_than_the_naive_sampler():
    # KL(point mass, Q) = -log Q(point): a larger atom is closer
    assert naive_atom(3, F(3, 2)) == F(9, 17)
    assert largest_atom(3, F(3, 2)) == F(1, 2)
    assert naive_atom(3, F(3, 2)) > largest_atom(3, F(3, 2))
    # the sound variant: at root = k - 1 the two sets are equal
    assert naive_atom(3, F(2)) == largest_atom(3, F(2)) == F(2, 3)


def test_an_even_target_is_served_better_around_uniform():
    """P = (2, 1, 1)/4 at root 3/2 lies in the mollifier around the uniform law; the naive sampler moves it."""
    p, root = (F(1, 2), F(1, 4), F(1, 4)), F(3, 2)
    assert all(F(1, 3) / root <= x <= root * F(1, 3) for x in p)
    floor = 1 / (root**2 + 2)
    naive = tuple(floor * (1 + (root**2 - 1) * x) for x in p)
    assert sum(naive) == 1
    assert naive != p
