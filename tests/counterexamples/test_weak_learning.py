"""The counterexamples of the page on weak learning, verified from the rationals typed here."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from flint import arb

from tests.counterexamples.rational import ball, divergence, is_law, precision, sign

VERIFIED = {
    "MBDE-D1-any": "test_equal_laws_have_no_classifier",
    "MBDE-D1b": "test_one_edge_is_more_than_two",
    "MBDE-D1c": "test_a_bounded_classifier_gains_less",
    "MBDE-D1e": "test_failure_with_a_large_divergence",
}


def excluded(p, q, first, second, weight):
    """Tell whether the weight proves that no classifier has edges above (first, second)."""
    assert is_law(p)
    assert is_law(q)
    assert 0 <= weight <= 1
    best = sum(abs(weight * a - (1 - weight) * b) for a, b in zip(p, q, strict=True))
    return best <= weight * first + (1 - weight) * second


def two_edges(c, p, q):
    top = max(map(abs, c))
    return sum(a * v for a, v in zip(p, c, strict=True)) / top, -sum(b * v for b, v in zip(q, c, strict=True)) / top


def test_equal_laws_have_no_classifier():
    half = (F(1, 2), F(1, 2))
    assert excluded(half, half, F(1, 10), F(1, 10), F(1, 2))
    assert excluded(half, half, F(1, 10**9), F(1, 10**9), F(1, 2))
    # two laws that are apart: a classifier exists, and no weight excludes it
    other = (F(4, 5), F(1, 5))
    assert min(two_edges((F(1), F(-1, 2)), other, (F(1, 5), F(4, 5)))) > F(1, 10)
    assert not any(excluded(other, (F(1, 5), F(4, 5)), F(1, 10), F(1, 10), F(n, 100)) for n in range(101))


def test_one_edge_is_more_than_two():
    p, q = (F(1), F(0)), (F(1, 2), F(1, 2))
    assert sum(two_edges((1, -1), p, q)) / 2 == F(1, 2)  # the single edge
    assert excluded(p, q, F(1, 2), F(1, 2), F(1, 3))  # two such edges are not possible
    assert excluded(p, q, F(1, 3), F(1, 3), F(1, 3))  # not even two above 1/3
    assert two_edges((F(1, 3), F(-1)), p, q) == (F(1, 3), F(1, 3))  # the sound variant: 1/3 = g/(2 - g) is attained
    grid = [F(n, 12) for n in range(-12, 13)]
    assert max(min(two_edges(c, p, q)) for c in product(grid, repeat=2) if any(c)) == F(1, 3)


def drop(p, q, c):
    """KL(P, Q) - KL(P, Q1) for one step of length 1/2 with the classifier c log 2."""
    log2 = arb(2).log()
    mean = sum(a * v for a, v in zip(p, c, strict=True))
    moment = sum((ball(b) * (ball(v / 2) * log2).exp() for b, v in zip(q, c, strict=True)), arb(0))
    return ball(mean / 2) * log2 - moment.log()


def test_a_bounded_classifier_gains_less():
    p, q = (F(15, 16), F(1, 16)), (F(1, 16), F(15, 16))
    large, small = (F(2), F(-2)), (F(1), F(-1))
    assert two_edges(large, p, q) == two_edges(small, p, q)  # no edge is lost
    with precision():
        assert sign(drop(p, q, large) - drop(p, q, small)) == 1
        # the sound variant: where the large classifier oversteps, shrinking gains
        near = (F(9, 16), F(7, 16))
        assert sign(drop(near, (F(1, 2), F(1, 2)), large) - drop(near, (F(1, 2), F(1, 2)), small)) == -1


def test_failure_with_a_large_divergence():
    tiny = F(1, 10**6)
    p, q = (F(9, 10), F(1, 10)), (1 - tiny, tiny)
    assert excluded(p, q, F(1, 10), F(1, 10), F(1, 2))
    with precision():
        assert sign(divergence(p, q) - 1) == 1
        smaller = F(1, 10**2000)
        assert sign(divergence(p, (1 - smaller, smaller)) - 400) == 1  # any bound is exceeded
        # the sound variant: the total variation obeys its bound, and a mild pair is near in both senses
        assert sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2 <= 2 * F(1, 10) / (1 + F(1, 10))
        assert sign(divergence(p, (F(19, 20), F(1, 20))) - 1) == -1


def test_stumps_fail_on_laws_without_a_common_point():
    p, q = (F(1, 2), F(0), F(1, 2)), (F(0), F(1), F(0))
    for cut, s in product(range(4), (1, -1)):
        assert min(two_edges(tuple(s if x < cut else -s for x in range(3)), p, q)) <= 0
    assert two_edges((1, -1, 1), p, q) == (1, 1)
