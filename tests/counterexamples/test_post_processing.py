"""The claims of the page on post-processing that fail as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

from tests.counterexamples.rational import is_law

VERIFIED = {
    "V2-L9": "test_two_draws_or_the_data_as_an_input_leave_the_level_of_one_draw",
    "V2-L9-wlog": "test_a_seed_that_depends_on_the_data_is_no_fixed_mixture",
}


def level(one, two):
    """Return e^eps of a pair of laws on two points: points suffice, as events are sums of them."""
    assert is_law(one)
    assert is_law(two)
    return max(max(a / b, b / a) for a, b in zip(one, two, strict=True))


def probability(law, draws, decide):
    """Return the probability that f says yes; f sees the set of the values drawn."""
    total = F(0)
    for sequence in product(range(len(law)), repeat=draws):
        mass = F(1)
        for x in sequence:
            mass *= law[x]
        total += mass * decide(frozenset(sequence))
    return total


def test_two_draws_or_the_data_as_an_input_leave_the_level_of_one_draw():
    one, two = (F(2, 3), F(1, 3)), (F(1, 3), F(2, 3))
    assert level(one, two) == 2

    def only_first(seen):
        return int(seen == {0})

    own, other = (probability(law, 2, only_first) for law in (one, two))
    assert (own, other) == (F(4, 9), F(1, 9))
    assert own > 2 * other
    assert own <= 2**2 * other  # at the level of two draws
    # one draw: no f violates it
    for values in product((0, 1), repeat=2):
        own, other = (probability(law, 1, lambda seen, v=values: v[min(seen)]) for law in (one, two))
        assert own <= 2 * other
        assert other <= 2 * own
    # f is given the data: it says yes under D and no under D'
    own, other = (probability(law, 1, lambda seen, d=d: d) for d, law in ((1, one), (0, two)))
    assert (own, other) == (1, 0)
    assert own > 2 * other


def test_a_seed_that_depends_on_the_data_is_no_fixed_mixture():
    coin = (F(1, 2), F(1, 2))
    assert level(coin, coin) == 1  # private at every level, so also at log 2
    maps = [(1, 1), (0, 0)]  # f_w says yes for w = 0

    def yes(law, seed):
        assert is_law(seed)
        return sum(r * law[x] * maps[w][x] for w, r in enumerate(seed) for x in range(2))

    own, other = yes(coin, (F(3, 4), F(1, 4))), yes(coin, (F(1, 4), F(3, 4)))
    assert own > 2 * other
    assert yes(coin, (F(3, 4), F(1, 4))) == own <= 2 * own  # the same seed under both
