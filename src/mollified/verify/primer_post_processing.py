r"""The check of what may be public of a private algorithm, and what not. Exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_trials
from mollified.checks import Check, Tally
from mollified.finite_mechanisms import Table, largest_excess
from mollified.instances import random_law

__all__ = ["published_noise"]

ONE = Fraction(1)


def _level(rng: np.random.Generator) -> Fraction:
    return 1 + Fraction(int(rng.integers(0, 200)), 100)


def published_noise(rng: np.random.Generator, instances: int, *, published: bool = True) -> Check:
    r"""Check that no $(\varepsilon,\delta)$ with delta < 1 holds where the noise is published next to the answer.

    f(D) + Y and Y, f the number of records, Y random on three integers: the least delta is 1. Without `published` the
    sum alone has a delta below one. Source: lecture, "only the randomness needs to remain hidden".
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        level, noise = _level(rng), random_law(rng, 3)
        seen = [(total, y) for total in range(5) for y in range(3)]
        table: Table = {(n,): tuple(noise[y] * int(total == n + y) for total, y in seen) for n in range(3)}
        if not published:
            table = {
                key: tuple(
                    sum((p for p, (t, _) in zip(law, seen, strict=True) if t == total), 0 * ONE) for total in range(5)
                )
                for key, law in table.items()
            }
        least = largest_excess(table, level)
        tally.add(float(least - 1), decided=least == 1, noise=noise, exp_eps=level, least=least)
    return tally.check()
