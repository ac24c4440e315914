r"""Checks of what may be done with a private sample afterwards: version 2's Lemma 9 and what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np

from mollified._validate import check_count, check_each, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import Law, exact_probabilities
from mollified.instances import random_family, random_law, random_sparse_law

__all__ = [
    "family_ratio",
    "image_of_draws",
    "kernel_level",
    "majority_of_three",
    "mixture_of_maps",
    "preimage_chain",
    "stopping_rule",
]

ONE, TWO, HALF = Fraction(1), Fraction(2), Fraction(1, 2)
#: The smallest pair of laws at level log 2.
PAIR: list[Law] = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]


def family_ratio(family: Sequence[Law]) -> Fraction:
    r"""Return $e^{\varepsilon}$ of a family of rational laws without zeros: the largest ratio of two members.

    Exact. Raises TypeError or ValueError where an entry is no rational law, or has a zero.
    """
    laws = check_each("family", family, exact_probabilities)
    if len({len(law) for law in laws}) > 1 or min(min(law) for law in laws) == 0:
        raise ValueError(f"family must have laws of one size without zeros, got {family!r}")
    level: Fraction = max(a / b for one in laws for two in laws for a, b in zip(one, two, strict=True))
    return level


def _events(outcomes: int) -> list[tuple[int, ...]]:
    return [event for size in range(1, outcomes) for event in combinations(range(outcomes), size)]


def _event_slack(laws: list[list[Fraction]], level: Fraction) -> tuple[Fraction, tuple[int, ...]]:
    """Return the smallest of 1 - P(T)/(level P'(T)) over events and ordered pairs, with the event; -1 for P'(T) = 0."""
    worst: Fraction = ONE
    where: tuple[int, ...] = (0,)
    for event in _events(len(laws[0])):
        masses = [sum((law[t] for t in event), Fraction(0)) for law in laws]
        low, high = min(masses), max(masses)
        slack = ONE if high == 0 else -ONE if low == 0 else 1 - high / (level * low)
        if slack < worst:
            worst, where = slack, event
    return worst, where


def _attaining(family: Sequence[Law], level: Fraction) -> tuple[int, int]:
    """Return the member with the smaller mass, and the point, where the level of a family is attained."""
    return next(
        (number, x)
        for number, law in enumerate(family)
        for x in range(len(law))
        if max(other[x] for other in family) == level * law[x]
    )


def kernel_level(rng: np.random.Generator, instances: int, *, read: Fraction = Fraction(0)) -> Check:
    r"""Check that a random step after a private mechanism keeps its level, for every event. Exact.

    Random tables of laws at their exact level, random kernels K(t|x), some entries zero. Every other kernel tells
    whether the draw was the point where the level is attained, and so attains it itself. With `read` $=\eta>0$ all do,
    and one data set has a kernel of its own, which differs by a share $\eta$ of the answers at that point. Source: v1
    section 2; v2 abstract and section 1.
    """
    rng, instances = check_trials(rng, instances)
    read = check_fraction("read", read, minimum=0, maximum=1)
    tally = Tally("exact")
    for index in range(instances):
        size, outcomes = int(rng.integers(2, 5)), int(rng.integers(2, 5))
        family = random_family(rng, int(rng.integers(2, 5)), size)
        level = family_ratio(family)
        least, point = _attaining(family, level)
        kernel: list[Law] = [random_sparse_law(rng, outcomes) for _ in range(size)]
        if read > 0 or index % 2 == 0:
            kernel = [(Fraction(0), *random_sparse_law(rng, outcomes - 1)) for _ in range(size)]
            kernel[point] = (ONE, *[Fraction(0)] * (outcomes - 1))
        kernels = [list(kernel) for _ in family]
        kernels[least][point] = tuple(
            (1 - read) * a + read * b for a, b in zip(kernel[point], kernel[point - 1], strict=True)
        )
        laws = [list(exact_mixture(rows, law)) for rows, law in zip(kernels, family, strict=True)]
        slack, event = _event_slack(laws, level)
        tally.add(float(slack), decided=slack >= 0, laws=family, kernels=kernels, T=event, exp_eps=level)
    return tally.check()


def image_of_draws(
    rng: np.random.Generator,
    instances: int,
    *,
    draws: int = 1,
    counted: int = 1,
    as_set: bool = False,
    reads_data: bool = False,
) -> Check:
    r"""Check Lemma 9 of v2 for an f of `draws` independent draws, at the level of `counted` draws. Exact.

    f is a random map to three outcomes from the sequence of draws, or (`as_set`) from the set of their values; all
    events are tried. With `reads_data` f has the data set as a further input. The first instance is the pair
    (2/3, 1/3), (1/3, 2/3), where f tells whether only the first point was drawn, or names the data set.
    """
    rng, instances = check_trials(rng, instances)
    draws, counted = check_count("draws", draws), check_count("counted", counted)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        family = PAIR if index == 0 else random_family(rng, 2, int(rng.integers(2, 4)))
        laws = []
        maps: dict[object, int] = {}
        for number, law in enumerate(family):
            masses = [Fraction(0)] * 3
            for sequence in product(range(len(law)), repeat=draws):
                seen: object = (frozenset(sequence) if as_set else sequence, number if reads_data else 0)
                if seen not in maps:
                    first = number if reads_data else 0 if set(sequence) == {0} else 1
                    maps[seen] = first if index == 0 else int(rng.integers(3))
                masses[maps[seen]] += prod((law[x] for x in sequence), start=ONE)
            laws.append(masses)
        level = family_ratio(family) ** counted
        slack, event = _event_slack(laws, level)
        tally.add(
            float(slack),
            decided=slack >= 0,
            Q=family[0],
            Q2=family[1],
            law=laws[0],
            law2=laws[1],
            T=event,
            exp_level=level,
        )
    return tally.check()


def preimage_chain(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check (14) of v2 for all maps from 2 or 3 points to 2 or 3 outcomes and all events. Exact.

    Each equality is checked by itself, the law of f's output being summed outcome by outcome; `claimed` is the share
    of $e^\varepsilon$ that is claimed.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size, outcomes = int(rng.integers(2, 4)), int(rng.integers(2, 4))
        one, two = random_family(rng, 2, size)
        level = family_ratio([one, two]) * claimed
        for values in product(range(outcomes), repeat=size):
            for event in _events(outcomes):
                images = [
                    [sum((law[x] for x in range(size) if values[x] == t), Fraction(0)) for t in event]
                    for law in (one, two)
                ]
                preimage = [x for x in range(size) if values[x] in event]
                sums = [sum((law[x] for x in preimage), Fraction(0)) for law in (one, two)]
                slack = level * sums[1] - sums[0]
                equal = all(sum(image) == total for image, total in zip(images, sums, strict=True))
                tally.add(float(slack), decided=equal and slack >= 0, Q=one, Q2=two, f=values, T=event, exp_eps=level)
    return tally.check()


def mixture_of_maps(rng: np.random.Generator, instances: int, *, seed_depends: bool = False) -> Check:
    r"""Check that a randomised f is a mixture of maps with fixed weights, and so keeps the level. Exact.

    f has three seeds w with probabilities $\rho(w)$: $\Pr[f\circ\mathcal A(D)\in T]=\sum_w\rho(w)\Pr[\mathcal A(D)\in
    f_w^{-1}(T)]$. With `seed_depends` the law of the seed differs between D and D'; the first instance is then a fair
    coin as $\mathcal A$, f(x, w) = w with $\rho=(3/4,1/4)$ under D and (1/4, 3/4) under D', at the level log 2.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size, outcomes, seeds = int(rng.integers(2, 5)), 3, 3
        family, level = random_family(rng, 2, size), None
        weights = [random_law(rng, seeds)] * 2
        maps = [[int(rng.integers(outcomes)) for _ in range(size)] for _ in range(seeds)]
        if seed_depends:
            weights = random_family(rng, 2, seeds)
        if seed_depends and index == 0:
            family, level = [(HALF, HALF)] * 2, TWO
            weights = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
            maps = [[0, 0], [1, 1]]
        level = level or family_ratio(family)
        laws = [[Fraction(0)] * outcomes for _ in family]
        for law, image, rho in zip(family, laws, weights, strict=True):
            for (w, share), (x, mass) in product(enumerate(rho), enumerate(law)):
                image[maps[w][x]] += share * mass
        mixed = [
            sum(
                (
                    r * sum((q for x, q in enumerate(family[1]) if maps[w][x] == t), Fraction(0))
                    for w, r in enumerate(weights[0])
                ),
                Fraction(0),
            )
            for t in range(outcomes)
        ]
        slack, event = _event_slack(laws, level)
        good = slack >= 0 and (mixed == laws[1] if weights[0] == weights[1] else True)
        tally.add(
            float(slack),
            decided=good,
            Q=family[0],
            Q2=family[1],
            rho=weights[0],
            rho2=weights[1],
            f=tuple(map(tuple, maps)),
            T=event,
            exp_eps=level,
        )
    return tally.check()


def stopping_rule(rng: np.random.Generator, instances: int, *, per_draw: bool = True) -> Check:
    r"""Check what an f spends that draws until it sees the second point, at most k times, and tells how often. Exact.

    At most $k\varepsilon$ for k = 1..5; with `per_draw` False the level $\varepsilon$ of one draw is claimed. The first
    instance is the pair (2/3, 1/3), (1/3, 2/3) with k = 2.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        family, most = random_family(rng, 2, 2), int(rng.integers(1, 6))
        if index == 0:
            family, most = PAIR, 2
        level = family_ratio(family) ** (most if per_draw else 1)
        laws = [[law[0] ** (n - 1) * law[1] for n in range(1, most + 1)] + [law[0] ** most] for law in family]
        slack, event = _event_slack(laws, level)
        tally.add(float(slack), decided=slack >= 0, Q=family[0], Q2=family[1], k=most, T=event, exp_level=level)
    return tally.check()


def majority_of_three(rng: np.random.Generator, instances: int, *, claimed: int = 2) -> Check:
    r"""Check that the majority of three draws on two points spends at most $2\varepsilon$, not $3\varepsilon$. Exact.

    $m(p)=p^2(3-2p)$ has $p\,m'(p)/m(p)=6(1-p)/(3-2p)\le2$. `claimed` = 1 is refuted by (2/3, 1/3), (1/3, 2/3).
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_count("claimed", claimed)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        family = PAIR if index == 0 else random_family(rng, 2, 2)
        laws = [[p**2 * (3 - 2 * p) for p in law] for law in family]
        level = family_ratio(family) ** claimed
        slack, event = _event_slack(laws, level)
        tally.add(
            float(slack),
            decided=slack >= 0,
            Q=family[0],
            Q2=family[1],
            law=laws[0],
            law2=laws[1],
            exp_level=level,
            T=event,
        )
    return tally.check()
