"""The claim of the page on accounting that needs a condition, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F
from math import comb

from tests.counterexamples.rational import ball, is_law, precision, sign

VERIFIED = {"LEC-comp-adv": "test_four_times_the_runs_need_more_than_three_times_the_level"}

DELTA = F(1, 10**5)


def delta(eps, r, runs):
    """Return the hockey stick at eps of so many randomised responses with odds r to 1, as a ball."""
    law = [comb(runs, b) * r**b / (1 + r) ** runs for b in range(runs + 1)]
    assert is_law(law)
    total = ball(0)
    for b, p in enumerate(law):
        loss = (2 * b - runs) * ball(r).log()
        if sign(loss - ball(eps)) == 1:
            total += ball(p) * (1 - (ball(eps) - loss).exp())
    return total


def test_four_times_the_runs_need_more_than_three_times_the_level():
    with precision():
        level = F(6863, 250)
        assert delta(level, F(3), 25) <= ball(DELTA)
        assert delta(3 * level, F(3), 100) > ball(DELTA)
        # the level that the root of K would allow: 10 log 3 (sqrt(2 log 10^5) + 1/2) is below 59
        assert ball(10) * ball(3).log() * ((2 * ball(10**5).log()).sqrt() + ball(F(1, 2))) < ball(59)
        assert delta(F(59), F(3), 100) > ball(DELTA)
        # sound: K eps0^2 <= 1 for the larger number of runs
        small = F(11, 10)
        assert 100 * ball(small).log() ** 2 < 1
        level = F(1785, 1000)
        assert delta(level, small, 25) <= ball(DELTA)
        assert delta(3 * level, small, 100) <= ball(DELTA)
        assert delta(F(49, 10), small, 100) <= ball(DELTA)  # below 10 log(11/10) (sqrt(2 log 10^5) + 1/2) = 5.05
