"""The counterexample of the primer's page on post-processing, from rationals alone, with sound variants beside it."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from tests.counterexamples.rational import is_law

VERIFIED = {"LEC-aux": "test_with_a_delta_the_odds_can_become_infinite"}


def posterior(one, two, prior, output):
    """The probability of D after the output, by Bayes' rule."""
    return prior * one[output] / (prior * one[output] + (1 - prior) * two[output])


def private(one, two, level, delta):
    """Tell whether P(S) <= level P'(S) + delta for all sets of outputs, in both orders."""
    assert is_law(one)
    assert is_law(two)
    return all(
        sum((p for p, chosen in zip(a, S, strict=True) if chosen), F(0))
        <= level * sum((q for q, chosen in zip(b, S, strict=True) if chosen), F(0)) + delta
        for a, b in ((one, two), (two, one))
        for S in product((0, 1), repeat=len(one))
    )


def test_with_a_delta_the_odds_can_become_infinite():
    one, two = (F(99, 100), F(1, 100)), (F(1), F(0))  # a record is published with probability 1/100
    for level in (F(101, 100), F(2), F(1000)):
        assert private(one, two, level, F(1, 100))
    assert posterior(one, two, F(1, 2), 1) == 1
    assert 1 * (1 - F(1, 2)) > 1000 * F(1, 2) * (1 - 1)  # odds after against 1000 times the odds before
    # sound variant: tests, by all events
    for level, test in product((F(101, 100), F(2)), product((F(0), F(1, 2), F(1)), repeat=2)):
        for here, there in ((one, two), (two, one)):
            beta, alpha = (sum(p * t for p, t in zip(law, test, strict=True)) for law in (here, there))
            assert beta <= level * alpha + F(1, 100)
    # sound variant: delta = 0, every prior
    one, two = (F(2, 3), F(1, 3)), (F(1, 3), F(2, 3))
    assert private(one, two, F(2), F(0))
    for prior, output in product((F(1, 10), F(1, 2), F(9, 10)), range(2)):
        after = posterior(one, two, prior, output)
        assert F(1, 2) <= after / (1 - after) / (prior / (1 - prior)) <= 2
