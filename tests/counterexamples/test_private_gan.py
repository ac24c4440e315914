"""The claim of the page on private GANs that fails as printed, from rationals alone."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from flint import arb

from tests.counterexamples.rational import ball, precision

VERIFIED = {"MBDE-X-gan5000": "test_the_formula_for_one_loop_does_not_give_5000_for_the_run"}

RATE, DELTA, LEVEL, LOOP, STEPS = F(128, 10_000), F(1, 10), F(5000), 5, 10_000


def tail(x):
    """Return the mass of N(0, 1) above a ball."""
    return (x / arb(2).sqrt()).erfc() / 2


def excess(sigma, steps):
    """Return Pr(E | record) - delta - e^eps Pr(E | no record), E: some noisy sum exceeds 1/2; positive refutes.

    A sum is N(0, sigma^2), or N(1, sigma^2) in the steps in which the record is drawn. The last term is bounded above.
    """
    without = tail(1 / (2 * sigma))
    drawn = ball(RATE) * (1 - without) + ball(1 - RATE) * without
    return 1 - (1 - drawn) ** steps - ball(DELTA) - ball(LEVEL).exp() * steps * without


def test_the_formula_for_one_loop_does_not_give_5000_for_the_run():
    with precision(512):
        sigma = 2 * ball(RATE) * (LOOP * (1 / ball(DELTA)).log()).sqrt() / ball(LEVEL)
        assert ball(F(173725, 10**10)) < sigma < ball(F(173726, 10**10))
        assert excess(sigma, STEPS) > ball(F(89, 100))
        assert excess(sigma, 9) > 0
        assert excess(sigma, LOOP) < 0  # the loop for which the formula is stated
        # even 10^8 nats are not enough for the run
        without = tail(1 / (2 * sigma))
        assert (STEPS * without).log() < -(10**8)


def test_one_loop_needs_no_noise():
    def drawn(steps):
        return 1 - (1 - RATE) ** steps

    assert drawn(LOOP) < drawn(8) <= DELTA < drawn(9)


@pytest.mark.parametrize(
    ("steps", "most", "sigma", "less"),
    [(STEPS, 145, F(1, 8), F(1, 9)), (5 * STEPS, 675, F(27, 100), F(1, 8)), (79 * STEPS, 10_240, F(21, 20), F(1))],
)
def test_a_noise_is_enough_for_the_run_by_each_reading_of_an_epoch(steps, most, sigma, less):
    """The condition: at most so many draws but with probability beta, and then as many Gaussian mechanisms."""
    with precision(512):
        term = inside = ball(1 - RATE) ** steps
        for j in range(most):
            term = term * ball(RATE / (1 - RATE)) * (steps - j) / (j + 1)
            inside += term
        for noise, enough in ((sigma, True), (less, False)):
            mu = ball(F(most)).sqrt() / ball(noise)
            spent = 1 - inside + tail(ball(LEVEL) / mu - mu / 2)
            assert (spent < ball(DELTA)) if enough else (spent > ball(DELTA))


def test_an_eighth_is_not_enough_where_an_epoch_is_a_step_of_the_generator():
    """In 50,000 critic steps 250 sums exceed 1 in 99 % of the runs with the record, and in almost none without it."""
    with precision(512):
        steps, least = 5 * STEPS, 250
        without = tail(ball(F(8)))
        drawn = ball(RATE) / 2 + ball(1 - RATE) * without
        term = fewer = (1 - drawn) ** steps
        for j in range(least - 1):
            term = term * drawn / (1 - drawn) * (steps - j) / (j + 1)
            fewer += term
        subsets = sum((arb(steps - j) / (j + 1)).log() for j in range(least))
        assert fewer < ball(F(1, 100))
        assert (1 - fewer - ball(DELTA)).log() - subsets - least * without.log() > ball(LEVEL)
