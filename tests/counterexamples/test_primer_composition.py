"""The claims of the page on composition that need a condition, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from tests.counterexamples.rational import is_law

VERIFIED = {
    "LEC-par-worst": "test_a_masked_bit_and_its_mask_are_private_alone_and_not_together",
    "LEC-par": "test_distinct_inputs_are_not_enough",
    "LEC-par-table": "test_the_table_needs_two_levels_for_a_replacement_and_noises_of_their_own",
}


def private(one, two, factor):
    """Tell whether two laws satisfy the definition at e^eps = factor, delta = 0: all events, both orders."""
    assert is_law(one)
    assert is_law(two)
    points = range(len(one))
    events = [[x for x in points if mask >> x & 1] for mask in range(2 ** len(one))]
    return all(
        sum(p[x] for x in event) <= factor * sum(q[x] for x in event)
        for p, q in ((one, two), (two, one))
        for event in events
    )


def test_a_masked_bit_and_its_mask_are_private_alone_and_not_together():
    half = F(1, 2)
    pairs = {bit: [F(0)] * 4 for bit in (0, 1)}
    for bit, coin in product((0, 1), repeat=2):
        pairs[bit][2 * (bit ^ coin) + coin] += half
    assert pairs == {0: [half, 0, 0, half], 1: [0, half, half, 0]}
    for law in pairs.values():
        assert (law[0] + law[1], law[0] + law[2]) == (half, half)  # both outputs are fair coins alone
    assert not private(pairs[0], pairs[1], F(1))
    assert not private(pairs[0], pairs[1], F(10**6))
    fresh = [F(1, 4)] * 4  # sound: another coin
    assert private(fresh, fresh, F(1))


def answers(bits):
    """Return the law of two answers by randomised response with odds 2 : 1, in the order 00, 01, 10, 11."""
    truth = {False: (F(2, 3), F(1, 3)), True: (F(1, 3), F(2, 3))}
    return [truth[bits[0]][x] * truth[bits[1]][y] for x, y in product((0, 1), repeat=2)]


def test_distinct_inputs_are_not_enough():
    # odd and even ranks; D = {2}, D' = {1, 2}; "is 1 in the first part", "is 2 in the second part"
    parts = {rows: (rows[::2], rows[1::2]) for rows in ((2,), (1, 2))}
    one, two = (answers((1 in odd, 2 in even)) for odd, even in parts.values())
    assert (one[3], two[3]) == (F(1, 9), F(4, 9))
    assert not private(one, two, F(2))
    assert private(one, two, F(4))
    # a record replaced: D = {1}, D' = {2}, parts {1} and {2, 3} of the domain
    one, two = answers((True, False)), answers((False, True))
    assert not private(one, two, F(2))
    assert private(one, two, F(4))
    # sound: a fixed partition and one record added change one answer
    for before, after in (((False, False), (True, False)), ((True, False), (True, True))):
        assert private(answers(before), answers(after), F(2))


def ratio(before, after):
    """Return the largest likelihood ratio of a count with noise of weights 2^-|z|, between two counts."""
    return max(F(2) ** (abs(y - after) - abs(y - before)) for y in range(-60, 120))


def test_the_table_needs_two_levels_for_a_replacement_and_noises_of_their_own():
    counts = (20, 32, 27, 9, 18, 40, 35, 10)
    added = [ratio(n, n + 1) for n in counts] + [ratio(n + 1, n) for n in counts]
    assert set(added) == {F(2)}  # sound: one cell, one level
    assert ratio(27, 26) * ratio(18, 19) == 4 > 2
    # one Z for all cells: the difference of the first two counts has no noise at all
    differences = {counts[0] - counts[1]}, {counts[0] + 1 - counts[1]}
    assert differences[0].isdisjoint(differences[1])
