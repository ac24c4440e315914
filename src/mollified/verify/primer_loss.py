r"""Checks of the privacy loss as a random variable: its two orders, and what a bound on it gives. Exact."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.finite_mechanisms import Table, data_sets, excess, neighbour_pairs, random_table

__all__ = ["loss_law", "loss_not_needed", "loss_suffices", "losses_reversed"]

ONE = Fraction(1)


def loss_law(one: Law, two: Law) -> dict[Fraction | None, Fraction]:
    r"""Return the law of $e^L$ for $o\sim P$, L the privacy loss of P against P': ratio to probability, exactly.

    None stands for an infinite loss; outputs of probability zero under P do not occur. Raises TypeError or ValueError
    for what are no laws of one size. Source: lecture, displayed formula of the privacy loss.
    """
    excess(one, two, ONE)  # refuses what are no laws
    law: dict[Fraction | None, Fraction] = defaultdict(Fraction)
    for p, q in zip(one, two, strict=True):
        if p > 0:
            law[p / q if q > 0 else None] += p
    return dict(law)


def _exceeds(one: Law, two: Law, level: Fraction) -> Fraction:
    r"""Return $P[|L|>\varepsilon]$ for $o\sim P$."""
    return sum((mass for r, mass in loss_law(one, two).items() if r is None or r > level or r * level < 1), Fraction(0))


def losses_reversed(rng: np.random.Generator, instances: int, *, weighted: bool = True) -> Check:
    r"""Check that the law of the loss in one order gives that in the other: $P'[L'=-\ell]=e^{-\ell}P[L=\ell]$.

    Random pairs with zeros and repeated ratios; the mass that is missing on either side is that of the infinite loss on
    the other: $P'[L'=\infty]=1-\mathbb E_P[e^{-L}]$. Without `weighted` the laws are taken to be mirror images.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        table = random_table(rng, [(0,), (1,)], int(rng.integers(2, 6)), zeros=0.5)
        one, two = table.values()
        here, there = loss_law(one, two), loss_law(two, one)
        made: dict[Fraction | None, Fraction] = {}
        for ratio, mass in here.items():
            if ratio is not None:
                made[1 / ratio] = mass / ratio if weighted else mass
        rest = 1 - sum(made.values(), Fraction(0))
        if rest != 0:
            made[None] = rest
        gap = max(abs(made.get(key, Fraction(0)) - there.get(key, Fraction(0))) for key in {*made, *there})
        tally.add(-float(gap), decided=gap == 0, P=one, P2=two)
    return tally.check()


def _one_order(rng: np.random.Generator) -> Table:
    """Return a mechanism whose loss is bounded when a record is added, and infinite with probability p when removed.

    "yes" has probability p where there is a record, and zero without.
    """
    p = Fraction(int(rng.integers(1, 50)), 100)
    return {(0,): (ONE, Fraction(0)), (1,): (1 - p, p)}


def loss_suffices(
    rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, both_orders: bool = True
) -> Check:
    r"""Check that $|L|\le\varepsilon$ with probability $1-\delta$ gives $(\varepsilon,\delta)$-DP.

    Random mechanisms on data sets of at most two records, infinite losses included; delta is the largest
    $P[|L|>\varepsilon]$. Every third instance has equality: a record is published with probability delta. Without
    `both_orders` only losses where D is the smaller data set are bounded. `claimed` is a share of delta.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact", keep="first")
    for index in range(instances):
        level = 1 + Fraction(int(rng.integers(1, 200)), 100)
        table = random_table(rng, data_sets(2, 2), int(rng.integers(2, 5)), zeros=0.3)
        if index % 3 == 0:
            table = _one_order(rng)
            level = max(level, 1 / table[(1,)][0])
        near = neighbour_pairs(list(table))
        bounded = [(one, two) for one, two in near if both_orders or sum(one) < sum(two)]
        small = max(_exceeds(table[one], table[two], level) for one, two in bounded)
        least = max(excess(table[one], table[two], level) for one, two in near)
        slack = share * small - least
        tally.add(float(slack), decided=slack >= 0, table=list(table.items()), exp_eps=level, delta=small, least=least)
    return tally.check()


def loss_not_needed(*, exp_eps: Fraction = Fraction(3, 2)) -> Check:
    r"""Check two algorithms that are $(\varepsilon,\delta)$-DP although $|L|>\varepsilon$ surely.

    In both orders, with a delta below one half. The truth with probability 2/3 on one bit, at `exp_eps` (the delta is
    1/6 at 3/2); and (11/20, 9/20) against (1/2, 1/2), at $1+\frac1{10}(e^\varepsilon-1)$. For `exp_eps` >= 2 the
    first loss is within the bound, and the statement is false. Raises TypeError or ValueError for `exp_eps` <= 1.
    """
    level, tally = check_fraction("exp_eps", exp_eps, above=1), Tally("exact", keep="first")
    truth = Fraction(2, 3)
    cases = (
        ((truth, 1 - truth), (1 - truth, truth), level),
        ((Fraction(11, 20), Fraction(9, 20)), (Fraction(1, 2), Fraction(1, 2)), 1 + (level - 1) / 10),
    )
    for one, two, at in cases:
        small = max(excess(one, two, at), excess(two, one, at))
        surely = min(_exceeds(one, two, at), _exceeds(two, one, at))
        fine = small < Fraction(1, 2) and surely == 1
        tally.add(float(surely - small), decided=fine, P=one, P2=two, exp_eps=at, delta=small, exceeds=surely)
    return tally.check()
