"""Checks of what makes the accountant exact: which pair of neighbours dominates; delta against k, m and n."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np

from mollified._validate import check_count, check_trials
from mollified.bootstrap_accountant import Neighbours, check_neighbours
from mollified.bootstrap_brute import exact_delta, output_weights
from mollified.checks import Check, Tally
from mollified.type_laws import compositions

__all__ = ["binomial_dominates", "monotone", "more_records", "pair_dominates", "worst_pair_changes"]


def _counts(rng: np.random.Generator, index: int) -> tuple[list[int], int]:
    """Return smoothed counts, the first of a symbol that is held, and k; every fourth time the extreme ones."""
    size, k = int(rng.integers(2, 7)), int(rng.integers(1, 50))
    records = [int(c) for c in rng.integers(0, 30, size)]
    records[0] = max(records[0], 1)
    if index % 4 == 0:
        records[0], records[1] = 1, 0
    return [c + k for c in records], k


def _image(law: list[Fraction], kernel: list[list[Fraction]]) -> list[Fraction]:
    return [sum((p * row[j] for p, row in zip(law, kernel, strict=True)), Fraction(0)) for j in range(len(kernel[0]))]


def _is_image(
    kernel: list[list[Fraction]], sources: list[list[Fraction]], targets: list[list[Fraction]]
) -> tuple[bool, Fraction]:
    """Say whether a kernel carries both sources to the targets, and return its smallest entry."""
    fits = all(sum(row) == 1 for row in kernel) and all(
        _image(source, kernel) == target for source, target in zip(sources, targets, strict=True)
    )
    least = min(min(row) for row in kernel)
    return fits and least >= 0, least


def pair_dominates(rng: np.random.Generator, instances: int, *, more: int = 0) -> Check:
    r"""Check that one draw from $(c_1,c_2,\dots)\to(c_1-1,c_2+1,\dots)$ is a post-processing of $(k+1,k)\to(k,k+1)$.

    The kernel keeps both symbols and spreads the rest: its rows are laws and carry both laws where they should. Exact;
    slack is the smallest entry of the kernel. `more` is added to both counts of the pair: a pair that is less extreme
    does not dominate. Raises ValueError or TypeError for a bad rng, instances < 1 or more < 0.
    """
    rng, instances = check_trials(rng, instances)
    more = check_count("more", more, minimum=0)
    tally, zero, one = Tally("exact"), Fraction(0), Fraction(1)
    for index in range(instances):
        counts, k = _counts(rng, index)
        total, a, b = sum(counts), k + 1 + more, k + more
        rest = total - a - b
        if rest <= 0:
            continue
        others = [zero] * (len(counts) - 2)
        spread = [Fraction(c, rest) for c in (counts[0] - a, counts[1] - b, *counts[2:])]
        kernel = [[one, zero, *others], [zero, one, *others], spread]
        sources = [[Fraction(c, total) for c in law] for law in ((a, b, rest), (a - 1, b + 1, rest))]
        targets = [[Fraction(c, total) for c in law] for law in (counts, [counts[0] - 1, counts[1] + 1, *counts[2:]])]
        good, least = _is_image(kernel, sources, targets)
        tally.add(float(least), decided=good, counts=tuple(counts), k=k, entry=least)
    return tally.check()


def binomial_dominates(rng: np.random.Generator, instances: int, *, more: int = 0) -> Check:
    r"""Check that adding a record to count c is a post-processing of adding it to count k, of N. Exact.

    One draw from $\operatorname{Bernoulli}(\frac kN)$ against $\operatorname{Bernoulli}(\frac{k+1}{N+1})$, "no" spread
    over all symbols; `more` and slack as in `pair_dominates`. Raises as that.
    """
    rng, instances = check_trials(rng, instances)
    more = check_count("more", more, minimum=0)
    tally, zero, one = Tally("exact"), Fraction(0), Fraction(1)
    for index in range(instances):
        counts, k = _counts(rng, index)
        total, a = sum(counts), k + more
        if total <= a:
            continue
        spread = [Fraction(c, total - a) for c in (counts[0], counts[1] - a, *counts[2:])]
        kernel = [[zero, one, *[zero] * (len(counts) - 2)], spread]
        sources = [[Fraction(a, total), Fraction(total - a, total)]]
        sources.append([Fraction(a + 1, total + 1), Fraction(total - a, total + 1)])
        grown = [counts[0], counts[1] + 1, *counts[2:]]
        targets = [[Fraction(c, total) for c in counts], [Fraction(c, total + 1) for c in grown]]
        good, least = _is_image(kernel, sources, targets)
        tally.add(float(least), decided=good, counts=tuple(counts), k=k, entry=least)
    return tally.check()


def _pair_deltas(level: Fraction, n: int, size: int, k: int, m: int) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    """Return delta of every ordered pair of data sets that differ in one record, for a rational e^eps."""
    total = (n + k * size) ** m
    laws = {data: output_weights([c + k for c in data], m) for data in compositions(n, size)}
    found: dict[tuple[tuple[int, ...], ...], Fraction] = {}
    for one, first in laws.items():
        for two, second in laws.items():
            if sum(abs(a - b) for a, b in zip(one, two, strict=True)) == 2:
                excess = (a - level * b for a, b in zip(first, second, strict=True))
                found[one, two] = sum((part for part in excess if part > 0), Fraction(0)) / total
    return found


def worst_pair_changes(size: int) -> Check:
    r"""Check that no pair of data sets is the worst at every $\varepsilon$: n = m = 2, k = 1, $e^\varepsilon$ = 5/4, 2.

    True for two symbols, false for more; slack: by how much delta of the best compromise falls short, exact. Raises
    ValueError or TypeError for size < 2.
    """
    size = check_count("size", size, minimum=2)
    tables = [_pair_deltas(level, 2, size, 1, 2) for level in (Fraction(5, 4), Fraction(2))]
    short = {pair: max(max(table.values()) - table[pair] for table in tables) for pair in tables[0]}
    pair = min(short, key=lambda found: short[found])
    tally = Tally("exact")
    tally.add(float(short[pair]), decided=short[pair] > 0, D=pair[0], D2=pair[1])
    return tally.check()


def monotone(
    rng: np.random.Generator, instances: int, *, neighbours: Neighbours = "replace", reverse: bool = False
) -> Check:
    r"""Check that delta does not fall in m and does not grow in k, over all neighbours and outputs, exactly.

    n, m up to 4, k up to 4, 2 or 3 symbols, rational $e^\varepsilon$; both differences are instances. `reverse` states
    the opposite for k. Raises ValueError or TypeError for a bad rng, instances < 1, or other neighbours.
    """
    rng, instances = check_trials(rng, instances)
    neighbours = check_neighbours(neighbours)
    tally = Tally("exact")
    for _ in range(-(-instances // 2)):
        n, m, k, size = (int(rng.integers(*ends)) for ends in ((1, 5), (1, 5), (1, 5), (2, 4)))
        level = 1 + Fraction(int(rng.integers(0, 100)), 100 * k)
        here, longer, smoother = (
            exact_delta(level, n, size, *at, neighbours=neighbours) for at in ((k, m), (k, m + 1), (k + 1, m))
        )
        fall = smoother - here if reverse else here - smoother
        for gain in (longer - here, fall):
            tally.add(float(gain), n=n, size=size, k=k, m=m, exp_eps=level, difference=gain)
    return tally.check()


def more_records(*, neighbours: Neighbours) -> Check:
    r"""Check that delta does not grow with n at fixed k and m: k = m = 1, three symbols, $e^\varepsilon$ = 3/2, n to 8.

    True for "replace", false for "remove" and true here for "add"; exact. Raises ValueError for other neighbours.
    """
    neighbours = check_neighbours(neighbours)
    tally = Tally("exact", keep="first")
    deltas = [exact_delta(Fraction(3, 2), n, 3, 1, 1, neighbours=neighbours) for n in range(1, 10)]
    for n, (here, after) in enumerate(pairwise(deltas), start=1):
        tally.add(float(here - after), n=n, delta=here, next=after)
    return tally.check()
