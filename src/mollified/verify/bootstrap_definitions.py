r"""Checks of the definitions and first facts of the bootstrapping paper, sections 2 to 4, on all small cases. Exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np

from mollified._validate import check_trials
from mollified.checks import Check, Tally
from mollified.instances import random_law

__all__ = [
    "two_forms",
]


def two_forms(rng: np.random.Generator, instances: int, *, absolute: bool = False) -> Check:
    r"""Check that $\max_S(P(S)-e^\varepsilon P'(S))=\sum(P-e^\varepsilon P')_+$ over all subsets S, exactly.

    Random laws on 2 to 5 points and rational $e^\varepsilon>1$: Definition 1 asks for one number to be at most delta.
    `absolute` takes $\frac12\sum|P-e^\varepsilon P'|$, which is right at eps = 0 only. Source: Definition 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        one, two = random_law(rng, size, spread=4), random_law(rng, size, spread=4)
        level = 1 + Fraction(int(rng.integers(1, 300)), 100)
        gaps = [p - level * q for p, q in zip(one, two, strict=True)]
        subsets = [sum(chosen, Fraction(0)) for r in range(size + 1) for chosen in combinations(gaps, r)]
        parts = [abs(gap) / 2 if absolute else max(gap, Fraction(0)) for gap in gaps]
        found = sum(parts, Fraction(0))
        tally.add(-abs(float(found - max(subsets))), decided=found == max(subsets), P=one, P2=two, exp_eps=level)
    return tally.check()
