r"""Checks of the range of a count, and of rounding and truncating a private answer to that range. Exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from flint import ctx

from mollified._validate import _echo, check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.finite_mechanisms import (
    Relation,
    data_sets,
    largest_excess,
    neighbour_pairs,
    random_table,
    truncated_geometric,
)
from mollified.instances import random_fraction
from mollified.integer_mechanisms import BITS, geometric_masses, rounded_laplace_masses

__all__ = [
    "Cap",
    "count_range",
    "natural_outputs",
    "rounded_laplace",
    "rounding_preserves",
    "truncated_bias",
    "truncated_to_size",
]

Cap = Literal["size", "public"]
ONE = Fraction(1)


def count_range(*, records: int = 6, missing: int = 0) -> Check:
    r"""Check that a count over a data set of n records is one of 0, ..., n: every data set, every condition. Exact.

    Up to `records` records of up to 3 values; the condition is a set of values. `missing` claims 0, ..., n - missing.
    Raises TypeError or ValueError for bad arguments.
    """
    records, missing = check_count("records", records), check_count("missing", missing, minimum=0)
    tally = Tally("exact")
    for values in (1, 2, 3):
        for counts in data_sets(records, values):
            for chosen in range(2**values):
                answer = sum(count for value, count in enumerate(counts) if chosen >> value & 1)
                slack = min(answer, sum(counts) - missing - answer)
                tally.add(float(slack), D=counts, condition=chosen)
    return tally.check()


def natural_outputs(rng: np.random.Generator, instances: int, *, truncate: bool) -> Check:
    r"""Check that an estimate of a count never leaves the natural numbers, and is private. Exact.

    The count v plus two-sided geometric noise; `truncate`: negative outputs become 0. Private: on 0..v+9 no output is
    more than $e^\varepsilon$ times likelier than with v + 1. Without truncation
    $P[\text{output}<0]=\alpha^{v+1}/(1+\alpha)$. The first instance is v = 0, $e^\varepsilon=2$. Raises TypeError or
    ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(truncate, bool):
        raise TypeError(f"truncate must be True or False, got {truncate!r}")
    tally = Tally("exact", keep="first")
    for index in range(instances):
        count = int(rng.integers(0, 8)) if index else 0
        level = 1 + random_fraction(rng, Fraction(1, 50), Fraction(3)) if index else Fraction(2)
        laws = [_from_zero(level, v, count + 9) if truncate else geometric_masses(level, -v, count + 9 - v)
                for v in (count, count + 1)]  # fmt: skip
        above = [level ** -(count + 10 - v) / (1 + 1 / level) for v in (count, count + 1)]
        negative = 1 - sum(laws[0]) - above[0]
        ratio = max(max(p / q, q / p) for p, q in zip(*laws, strict=True))
        holds = negative == 0 and ratio <= level
        tally.add(float(min(-negative, level - ratio)), decided=holds, count=count, exp_eps=level, negative=negative)
    return tally.check()


def _from_zero(level: Fraction, count: int, high: int) -> tuple[Fraction, ...]:
    """Return the masses at 0..high of the count plus geometric noise, negative outputs moved to 0."""
    return (level**-count / (1 + 1 / level), *geometric_masses(level, 1 - count, high - count))


def rounding_preserves(rng: np.random.Generator, instances: int, *, independent: bool = True) -> Check:
    r"""Check that rounding and truncating a private answer cost nothing, at every $e^\varepsilon$. Exact.

    Random mechanisms on data sets of at most 3 records over 2 values, with answers -2, -3/2, ..., 5; the answer is
    rounded (halves to even) and truncated to a random range. Not `independent`: truncated to 0..n instead, n the number
    of records. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(independent, bool):
        raise TypeError(f"independent must be True or False, got {independent!r}")
    tally = Tally("exact")
    data = data_sets(3, 2)
    answers = [Fraction(k, 2) for k in range(-4, 11)]
    for _ in range(instances):
        table = random_table(rng, data, len(answers))
        level = 1 + random_fraction(rng, Fraction(0), Fraction(3))
        low, high = sorted(int(end) for end in rng.integers(-2, 6, 2))
        mended: dict[tuple[int, ...], Law] = {}
        for counts, law in table.items():
            ends = (low, high) if independent else (0, sum(counts))
            masses = [Fraction(0)] * 8  # of the outputs -2..5
            for answer, mass in zip(answers, law, strict=True):
                masses[min(max(round(answer), ends[0]), ends[1]) + 2] += mass
            mended[counts] = tuple(masses)
        slack = largest_excess(table, level) - largest_excess(mended, level)
        tally.add(float(slack), decided=slack >= 0, exp_eps=level, low=low, high=high)
    return tally.check()


def rounded_laplace(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that Laplace noise on a count, rounded to an integer, is $\varepsilon$-DP, and not better. Certified.

    Outputs -12..13 for the counts 0 and 1; `claimed` is the share of eps that is claimed: with 1 no loss exceeds
    $\varepsilon$ by more than 1e-30, and 0.98 fails. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps = random_fraction(rng, Fraction(1, 20), Fraction(4))
            masses = rounded_laplace_masses(eps, -13, 13)
            worst = max((abs((p / q).log()) for q, p in pairwise(masses)), key=float)
            slack = ball(claimed * eps + Fraction(1, 10**30)) - worst
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps)
    return tally.check()


def truncated_to_size(
    rng: np.random.Generator, instances: int, *, relation: Relation = "add-remove", cap: Cap = "size"
) -> Check:
    r"""Check that a private count stays private when it is truncated to 0..n, n the number of records. Exact.

    How many records have the first value, plus geometric noise; data sets of at most 3 records over 2 values, each
    ordered pair of neighbours, each output. `cap` "public": truncated to 0..3 for every data set. First instance: one
    record with that value against none, $e^\varepsilon=2$. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if cap not in get_args(Cap):
        raise ValueError(f"cap must be size or public, got {_echo(cap)}")
    tally = Tally("exact", keep="first")
    pairs = neighbour_pairs(data_sets(3, 2), relation)
    pairs.sort(key=lambda pair: (sum(pair[0]) + sum(pair[1]), pair[0][1] + pair[1][1], -pair[0][0]))
    for index in range(instances):
        level = 1 + random_fraction(rng, Fraction(1, 50), Fraction(3)) if index else Fraction(2)
        for one, two in pairs:
            first, second = (_capped(counts, level, 3 if cap == "public" else sum(counts)) for counts in (one, two))
            slack = min(level * q - p for p, q in zip(first, second, strict=True))
            tally.add(float(slack), decided=slack >= 0, D=one, D2=two, exp_eps=level, P=first, P2=second)
    return tally.check()


def _capped(counts: tuple[int, ...], level: Fraction, high: int) -> tuple[Fraction, ...]:
    """Return the masses at 0..3 of the noisy count of the first value, truncated to 0..high."""
    law = truncated_geometric([counts[0]], 0, high, level)[counts[0]] if high else (ONE,)
    return law + (Fraction(0),) * (4 - len(law))


def truncated_bias(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check the mean of the geometric mechanism on 0..N for the count 0: $\alpha(1-\alpha^N)/(1-\alpha^2)$. Exact.

    `factor` multiplies it; 0 claims no bias. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, minimum=0)
    tally = Tally("exact")
    for _ in range(instances):
        level, high = 1 + random_fraction(rng, Fraction(1, 50), Fraction(3)), int(rng.integers(1, 15))
        law = truncated_geometric([0], 0, high, level)[0]
        mean = sum((output * mass for output, mass in enumerate(law)), Fraction(0))
        alpha = 1 / level
        gap = mean - factor * alpha * (1 - alpha**high) / (1 - alpha**2)
        tally.add(-abs(float(gap)), decided=gap == 0, exp_eps=level, high=high)
    return tally.check()
