"""The counterexample of the primer's page on privacy, from rationals alone, with sound variants beside it."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from tests.counterexamples.rational import is_law

VERIFIED = {"LEC-dp-outputs": "test_single_outputs_say_less_than_sets_of_outputs"}


def worst_event(one, two, level):
    """The largest P(S) - level P'(S), all sets S of outputs tried one by one."""
    return max(
        sum((p - level * q for p, q, chosen in zip(one, two, S, strict=True) if chosen), F(0))
        for S in product((0, 1), repeat=len(one))
    )


def worst_output(one, two, level):
    return max(p - level * q for p, q in zip(one, two, strict=True))


def both_orders(worst, one, two, level):
    assert is_law(one)
    assert is_law(two)
    return max(worst(one, two, level), worst(two, one, level))


def test_single_outputs_say_less_than_sets_of_outputs():
    one, two, level = (F(1, 3), F(1, 3), F(1, 3)), (F(1, 12), F(1, 12), F(5, 6)), 2
    assert both_orders(worst_output, one, two, level) == F(1, 6)
    assert both_orders(worst_event, one, two, level) == F(1, 3) > F(1, 6)
    # disjoint supports: the data set is told with certainty, each output has an excess of 1/N
    for N in (2, 3, 5):
        one, two = (F(1, N),) * N + (F(0),) * N, (F(0),) * N + (F(1, N),) * N
        assert both_orders(worst_output, one, two, 100) == F(1, N)
        assert both_orders(worst_event, one, two, 100) == 1
    # sound variants: two outputs, where each event that matters is a single output; and delta = 0
    for a, b in product(range(1, 12), repeat=2):
        one, two = (F(a, 12), F(12 - a, 12)), (F(b, 12), F(12 - b, 12))
        for level in (F(1), F(3, 2), F(4)):
            singles = max(F(0), both_orders(worst_output, one, two, level))
            assert both_orders(worst_event, one, two, level) == singles
    one, two = (F(1, 6), F(1, 3), F(1, 2)), (F(1, 3), F(1, 3), F(1, 3))
    assert both_orders(worst_output, one, two, 2) == 0
    assert both_orders(worst_event, one, two, 2) == 0
