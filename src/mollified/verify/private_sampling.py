r"""Check of privacy of outputs read as events, for the primer on privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.instances import random_family

__all__ = ["event_bound"]


def event_bound(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Check Lemma 4: members of an $\varepsilon$-mollifier satisfy $Q(S)\le e^\varepsilon Q'(S)$ for every event.

    Random rational families; $e^\varepsilon$ is the exact ratio of the family times `claimed`, and all $2^k-1$ events
    and all ordered pairs of data sets are tried. Exact. `claimed` < 1 is a wrong statement.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        family = random_family(rng, int(rng.integers(2, 5)), int(rng.integers(2, 6)))
        level = max(a / b for one, two in product(family, repeat=2) for a, b in zip(one, two, strict=True)) * claimed
        for (i, one), (j, two) in product(enumerate(family), repeat=2):
            if i == j:
                continue
            events = (event for count in range(1, len(one) + 1) for event in combinations(range(len(one)), count))
            for event in events:
                above = sum(one[x] for x in event)
                below = sum(two[x] for x in event)
                slack = 1 - above / (level * below)
                tally.add(float(slack), decided=slack >= 0, Q=one, Q2=two, S=event, exp_eps=level)
    return tally.check()
