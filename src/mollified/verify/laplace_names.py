r"""Checks of the lecture's example of first names: the error of 10,000 counts, and which names come out first."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from flint import ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.laplace_mechanism import BITS, coverage, error_multiple, swap_probability, top_probability

__all__ = ["errors_within", "order_kept", "pair_ordered", "rounded_threshold", "top_gap"]

ONE = Fraction(1)
NAMES, BETA = 10_000, Fraction(1, 20)


def errors_within(*, share: Fraction = ONE, threshold: Fraction | None = None) -> Check:
    r"""Check that with probability >= 0.95 none of 10,000 counts is off by more than c ln(10000/.05). Certified.

    Noise Lap(1), i.e. $\varepsilon=\Delta_1=1$; c = `share` = 1. `threshold` takes the place of the logarithm. Raises
    TypeError or ValueError for values <= 0.
    """
    share = check_fraction("share", share, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        if threshold is None:
            at = ball(share) * error_multiple(BETA, NAMES)
        else:
            at = ball(check_fraction("threshold", threshold, above=0))
        slack = coverage(at, NAMES) - (1 - ball(BETA))
        tally.add(float(slack.mid()), decided=bool(slack >= 0), K=NAMES, beta=BETA, share=share, threshold=threshold)
    return tally.check()


def rounded_threshold(*, claimed: int = 12) -> Check:
    r"""Check that ln(10000/.05) rounds to `claimed`: it lies within 1/2 of it. Certified. Raises for a count < 1."""
    claimed = check_count("claimed", claimed)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        room = ball(Fraction(1, 2)) - abs(error_multiple(BETA, NAMES) - claimed)
        tally.add(float(room.mid()), decided=bool(room > 0), claimed=claimed, argument=NAMES / BETA)
    return tally.check()


def order_kept(rng: np.random.Generator, instances: int, *, multiple: Fraction = Fraction(2)) -> Check:
    r"""Check that errors below $\alpha$ keep the order of counts `multiple` = 2 times $\alpha$ apart, or more. Exact.

    2 to 8 counts and errors up to $\alpha$ in size, about a third of them near $\pm\alpha$. Raises TypeError or
    ValueError for a multiple <= 0.
    """
    rng, instances = check_trials(rng, instances)
    multiple = check_fraction("multiple", multiple, above=0)
    tally = Tally("exact")
    near = Fraction(999, 1000)
    for _ in range(instances):
        size, alpha = int(rng.integers(2, 9)), random_fraction(rng, ONE, Fraction(20), 97)
        counts = [Fraction(0)]
        for _ in range(size - 1):
            extra = random_fraction(rng, Fraction(0), alpha, 8)
            counts.append(counts[-1] + multiple * alpha + extra)
        errors = [alpha * near * random_fraction(rng, -ONE, ONE, 8) for _ in range(size)]
        noisy = [c + e for c, e in zip(counts, errors, strict=True)]
        slack = min(b - a for a, b in itertools.pairwise(noisy))
        tally.add(float(slack), decided=slack > 0, counts=counts, errors=errors, alpha=alpha)
    return tally.check()


def pair_ordered(*, gap: int = 1, beta: Fraction = BETA) -> Check:
    r"""Check that two counts `gap` apart come out in the right order with probability >= $1-\beta$, eps = 1. Certified.

    The exact probability of the wrong order is $\frac12e^{-g}(1+\frac g2)$. Raises TypeError or ValueError for a gap
    < 1.
    """
    gap, share = check_count("gap", gap), check_fraction("beta", beta, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        slack = ball(share) - swap_probability(Fraction(gap))
        tally.add(float(slack.mid()), decided=bool(slack >= 0), counts=(gap, 0), beta=share, eps=1)
    return tally.check()


def top_gap(*, gap: Fraction, others: int = NAMES - 1, beta: Fraction = BETA) -> Check:
    r"""Check that a count `gap` above all `others` comes out first with probability >= $1-\beta$ at eps = 1. Certified.

    From the exact probability for others that are all equal, the worst case for given gap. Raises TypeError or
    ValueError for a gap <= 0, others < 1, beta <= 0.
    """
    gap, share = check_fraction("gap", gap, above=0), check_fraction("beta", beta, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        slack = top_probability(gap, others) - (1 - ball(share))
        tally.add(float(slack.mid()), decided=bool(slack >= 0), gap=gap, others=others, beta=share)
    return tally.check()
