r"""A check of what k draws from a released density spend."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from mollified._validate import check_trials
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import Law
from mollified.instances import random_family

__all__ = ["released_density"]

ONE = Fraction(1)


def _largest_ratio(one: list[Fraction], two: list[Fraction]) -> Fraction:
    return max(max(a / b, b / a) for a, b in zip(one, two, strict=True))


def _of_draws(law: Law, draws: int) -> list[Fraction]:
    """Return the probabilities of all sequences of independent draws."""
    return [prod(entries, start=ONE) for entries in product(law, repeat=draws)]


def released_density(rng: np.random.Generator, instances: int, *, released: bool = True) -> Check:
    r"""Check that k draws from a *released* density have the level of the release, whatever k is. Exact.

    A mechanism of exact level $\log r$ picks one of a few densities and publishes it; k = 1..4 draws follow. With
    `released` False each data set has its own density, of which only draws are seen, and the level of one is claimed.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for index in range(instances):
        size, draws = int(rng.integers(2, 5)), 2 + index % 3
        densities, picks = random_family(rng, 3, size), random_family(rng, 2, 3)
        ratio = _largest_ratio(list(picks[0]), list(picks[1]))
        sequences = [_of_draws(density, draws) for density in densities]
        if released:
            laws = [
                [
                    sum((w * p for w, p in zip(pick, column, strict=True)), Fraction(0))
                    for column in zip(*sequences, strict=True)
                ]
                for pick in picks
            ]
        else:
            own = [exact_mixture(densities, pick) for pick in picks]
            ratio = _largest_ratio(list(own[0]), list(own[1]))
            laws = [_of_draws(law, draws) for law in own]
        slack = 1 - _largest_ratio(*laws) / ratio
        tally.add(float(slack), decided=slack >= 0, densities=densities, picks=picks, k=draws, exp_eps=ratio)
    return tally.check()
