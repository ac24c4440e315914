r"""Checks of data sets as histograms, and of the two relations of neighbours: what each says of the other. Exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from mollified._validate import check_count, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.finite_mechanisms import (
    Relation,
    data_sets,
    largest_excess,
    neighbour_pairs,
    pure_ratio,
    random_table,
    sharp_replacement,
)
from mollified.type_laws import Counts

__all__ = [
    "deterministic_constant",
    "histogram_entries",
    "multisets",
    "near_by_one_record",
    "replaced_level",
    "replaced_records",
]

ONE = Fraction(1)


def _count(data: tuple[int, ...], values: int) -> Counts:
    return tuple(data.count(value) for value in range(values))


def multisets(*, most: int = 4, ordered: bool = False) -> Check:
    r"""Check that n records over K values form $\binom{n+K-1}n$ data sets, for n, K = 2..most.

    Multisets, as the lecture says; `ordered` counts the tuples of $\mathcal X^n$ themselves, of which there are $K^n$.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for n, values in product(range(2, most + 1), repeat=2):
        tuples = list(product(range(values), repeat=n))
        found = len(tuples) if ordered else len({tuple(sorted(data)) for data in tuples})
        wanted = comb(n + values - 1, n)
        tally.add(float(wanted - found), decided=found == wanted, n=n, K=values, data_sets=found)
    return tally.check()


def histogram_entries(*, most: int = 4, distinct: bool = False) -> Check:
    r"""Check that the histogram tells data sets apart exactly up to order, and that $n=\|D\|_1$.

    All tuples of 0..most records over 2 or 3 values: equal histograms iff equal after sorting; the entries sum to n.
    `distinct` records only which values occur (a set), which is wrong from n = 2 on.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for values in (2, 3):
        seen: dict[Counts, tuple[int, ...]] = {}
        for n in range(most + 1):
            for data in product(range(values), repeat=n):
                entries = _count(data, values)
                if distinct:
                    entries = tuple(min(entry, 1) for entry in entries)
                first = seen.setdefault(entries, tuple(sorted(data)))
                fine = first == tuple(sorted(data)) and sum(entries) == n
                tally.add(float(sum(entries) - n), decided=fine, data=data, histogram=entries)
    return tally.check()


def near_by_one_record(*, most: int = 4, radius: int = 1) -> Check:
    r"""Check that $\|D-D'\|_1\le1$ iff D' is D, or D with one record more, or with one less; a symmetric relation.

    All pairs of data sets of at most `most` records over 2 or 3 values, the records added and removed one by one.
    `radius` 2 admits replaced records too.
    """
    most, radius = check_count("most", most, minimum=2), check_count("radius", radius)
    tally = Tally("exact", keep="first")
    for values in (2, 3):
        for one, two in product(data_sets(most, values), repeat=2):
            records = [value for value, count in enumerate(one) for _ in range(count)]
            by_hand = {one}
            by_hand |= {_count((*records, value), values) for value in range(values)}
            by_hand |= {_count((*records[:at], *records[at + 1 :]), values) for at in range(len(records))}
            apart = sum(abs(a - b) for a, b in zip(one, two, strict=True))
            back = sum(abs(b - a) for a, b in zip(one, two, strict=True)) <= radius
            fine = (apart <= radius) == (two in by_hand) == back
            tally.add(0.0 if fine else -1.0, decided=fine, D=one, D2=two, distance=apart)
    return tally.check()


def replaced_records(*, most: int = 4, distance: int = 2) -> Check:
    r"""Check that replacing one record means equal sizes and $\|D-D'\|_1=2$: one step down, one up.

    All pairs of data sets of one size up to `most` over 2 or 3 values, against tuples that differ in one place.
    `distance` 1 would be the relation of the definition before.
    """
    most, distance = check_count("most", most), check_count("distance", distance)
    tally = Tally("exact", keep="first")
    for values in (2, 3):
        data = data_sets(most, values)
        steps = set(neighbour_pairs(data, "add-remove"))
        found: dict[Counts, set[Counts]] = {}
        for n in range(1, most + 1):
            for records in product(range(values), repeat=n):
                for at, value in product(range(n), range(values)):
                    other = (*records[:at], value, *records[at + 1 :])
                    if value != records[at]:
                        found.setdefault(_count(records, values), set()).add(_count(other, values))
        for one, two in product(data, repeat=2):
            if sum(one) != sum(two) or one == two:
                continue
            apart = sum(abs(a - b) for a, b in zip(one, two, strict=True))
            middle = any((one, between) in steps and (between, two) in steps for between in data)
            replaced = two in found.get(one, set())
            fine = replaced == (apart == distance) and (middle or not replaced)
            tally.add(0.0 if fine else -1.0, decided=fine, D=one, D2=two, distance=apart)
    return tally.check()


def replaced_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $(\varepsilon,\delta)$-DP gives $(2\varepsilon,(1+e^\varepsilon)\delta)$ for a replaced record.

    Random mechanisms on data sets of at most two records, their least delta at a random rational $e^\varepsilon$, and
    at their own pure level; every third one is `sharp_replacement`. `claimed` is the share of
    $e^{2\varepsilon}$ (pure) or of $(1+e^\varepsilon)\delta$ that is claimed.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        level = 1 + Fraction(int(rng.integers(1, 300)), 100)
        if index % 3 == 0:
            level = Fraction(2) if index == 0 else level
            small = Fraction(0) if index == 0 else Fraction(int(rng.integers(0, 50)), 100) / (1 + level)
            table = sharp_replacement(level, small)
        else:
            table = random_table(rng, data_sets(2, 2), int(rng.integers(2, 4)))
        pure = pure_ratio(table)
        assert pure is not None
        replaced = pure_ratio(table, "replace")
        assert replaced is not None
        slack = share * pure**2 - replaced
        tally.add(float(slack), decided=slack >= 0, table=list(table.items()), exp_eps=pure, replaced=replaced)
        small = largest_excess(table, level)
        if small > 0:
            other = largest_excess(table, level**2, "replace")
            slack = share * (1 + level) * small - other
            tally.add(float(slack), decided=slack >= 0, table=list(table.items()), exp_eps=level, delta=small)
    return tally.check()


def deterministic_constant(*, delta: Fraction = Fraction(99, 100), relation: Relation = "add-remove") -> Check:
    r"""Check that a deterministic algorithm that is not constant fails (1) at every level, for delta < 1.

    All maps from the six data sets of at most two records over two values to three outputs: some neighbours have
    different outputs, and the event of one of them has probabilities 1 and 0. `delta` = 1 allows everything; with
    `relation` "replace" the size n may be published.
    """
    small = check_fraction("delta", delta, minimum=0)
    data, tally = data_sets(2, 2), Tally("exact", keep="first")
    near = neighbour_pairs(data, relation)
    for outputs in product(range(3), repeat=len(data)):
        if len(set(outputs)) == 1:
            continue
        values = dict(zip(data, outputs, strict=True))
        worst = max((Fraction(int(values[one] != values[two])) for one, two in near), default=Fraction(0))
        tally.add(float(worst - small), decided=worst > small, outputs=outputs, data=data)
    return tally.check()
