r"""Checks of the steps in the proof of Theorem 4, (31)-(37), on pairs of neighbours of the relaxed mechanism.

Pairs and the set A are those of `mollified.relaxed_pairs`. Source: bootstrapping paper, Appendix D.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.relaxed_pairs import THREE_OUTPUTS, TWO_OUTPUTS, WeightPair, random_pair, weight_pairs

__all__ = [
    "complement_mass",
    "factors_bounded",
    "ratio_from_below",
    "ratio_over_typical",
    "rearranged",
    "splitting",
]

ONE = Fraction(1)


def ratio_over_typical(rng: np.random.Generator, instances: int, *, conditional: bool) -> Check:
    r"""Check (31): $P(r)/P'(r)$ is the ratio of weights normalised over A. Exact.

    `conditional` takes the probabilities given A, for which it is true. First instance: the two outputs of the page.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for pair in weight_pairs(rng, instances, TWO_OUTPUTS):
        (one, two), (mass, other), cut = pair.laws, pair.masses, pair.typical
        over_one, over_two = sum(pair.one[:cut]), sum(pair.two[:cut])
        for r in range(cut):
            left = one[r] / two[r] * (other / mass if conditional else 1)
            right = pair.one[r] / over_one / (pair.two[r] / over_two)
            tally.add(-float(abs(left - right)), decided=left == right, **pair.values, r=r, left=left, right=right)
    return tally.check()


def rearranged(rng: np.random.Generator, instances: int, *, inverted: bool) -> Check:
    r"""Check (32): the right side of (31) is $\frac{w(r)}{w'(r)}\frac{\sum_Aw}{\sum_Aw'}$, `inverted` as printed.

    Exact. First instance: one response in A, weights 1 and 2.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    first = WeightPair((ONE, ONE), (Fraction(2), ONE), 1, Fraction(2))
    for pair in weight_pairs(rng, instances, first):
        over_one, over_two = sum(pair.one[: pair.typical], Fraction(0)), sum(pair.two[: pair.typical], Fraction(0))
        for r in range(pair.typical):
            left = pair.one[r] / over_one / (pair.two[r] / over_two)
            last = over_one / over_two if inverted else over_two / over_one
            right = pair.one[r] / pair.two[r] * last
            tally.add(-float(abs(left - right)), decided=left == right, **pair.values, r=r, left=left, right=right)
    return tally.check()


def factors_bounded(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (34): (33), with its last factor as printed or turned over, is at most $e^\varepsilon=\rho^2$. Exact.

    `claimed` < 1 asks for that share of the bound; it is attained where the ratio of weights is the same on all of A.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        pair = random_pair(rng, even=index % 3 == 0)
        one, two = (pair.two, pair.one) if index % 3 == 0 else (pair.one, pair.two)
        last = sum(one[: pair.typical], Fraction(0)) / sum(two[: pair.typical], Fraction(0))
        for r in range(pair.typical):
            largest = one[r] / two[r] * max(last, 1 / last)
            slack = claimed * pair.root**2 - largest
            tally.add(float(slack), decided=slack >= 0, **pair.values, r=r, value=largest)
    return tally.check()


def ratio_from_below(rng: np.random.Generator, instances: int, *, outside: bool) -> Check:
    r"""Check $P(r)/P'(r)\ge e^{-\varepsilon}$ on A, as printed.

    `outside` asks for $(1-\delta)e^{-\varepsilon}$ with $\delta=1-P(A)$. Exact. First instance: scores (-6, 0, -4)
    and (-5, -1, -10), A the first two, $e^\varepsilon=4$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for pair in weight_pairs(rng, instances, THREE_OUTPUTS):
        (one, two), (mass, other) = pair.laws, pair.masses
        floor = (mass if outside else 1) / pair.root**2
        for r in range(pair.typical):
            slack = one[r] / two[r] - floor
            tally.add(
                float(slack), decided=slack >= 0, **pair.values, r=r, ratio=one[r] / two[r], mass=mass, other=other
            )
    return tally.check()


def complement_mass(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $P(A)\ge1-\delta$ gives $P(A^c)\le\delta$; `claimed` < 1 asks for that share of $\delta$. Exact."""
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index, pair in enumerate(weight_pairs(rng, instances)):
        one, mass = pair.laws[0], pair.masses[0]
        delta = 1 - mass if index % 2 else 1 - random_fraction(rng, Fraction(0), mass)
        slack = claimed * delta - sum(one[pair.typical :])
        tally.add(float(slack), decided=slack >= 0, **pair.values, delta=delta)
    return tally.check()


def splitting(rng: np.random.Generator, instances: int, *, forget: bool = False) -> Check:
    r"""Check (35), (36): $P(S)=P(S\cap A)+P(S\cap A^c)$ for all S; `forget` drops the second part. Exact."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for pair in weight_pairs(rng, instances):
        law, size = pair.laws[0], len(pair.one)
        for code in range(1, 2**size):
            event = [r for r in range(size) if code >> r & 1]
            typical = sum(law[r] for r in event if r < pair.typical)
            rest = Fraction(0) if forget else sum(law[r] for r in event if r >= pair.typical)
            left = sum(law[r] for r in event)
            tally.add(-float(abs(left - typical - rest)), decided=left == typical + rest, **pair.values, event=event)
    return tally.check()
