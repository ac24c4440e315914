r"""Checks of the lecture's theorem on post-processing, of its proof steps, and of what may be public. Exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np

from mollified._validate import check_each, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.convex_hull import exact_mixture
from mollified.exact_level import Law, exact_probabilities
from mollified.finite_mechanisms import (
    Table,
    data_sets,
    excess,
    largest_excess,
    random_table,
)
from mollified.instances import random_law, random_sparse_law

__all__ = [
    "kernel_as_maps",
    "kernel_excess",
    "mixed_algorithms",
    "mixture_of_maps",
    "preimage_equalities",
    "public_choice",
    "published_noise",
]

ONE, HALF = Fraction(1), Fraction(1, 2)


def _level(rng: np.random.Generator) -> Fraction:
    return 1 + Fraction(int(rng.integers(0, 200)), 100)


def kernel_excess(
    rng: np.random.Generator, instances: int, *, shared_coins: bool = False, reads_data: bool = False
) -> Check:
    r"""Check that no function of the output, random or not, has a larger delta, at any level: the theorem.

    Random mechanisms on data sets of at most two records, zeros included, and kernels K(t|o) of which half are
    deterministic. With `shared_coins` the mechanism adds a fair coin modulo 2 to the number of records, and f knows the
    coin; with `reads_data` it is a fair coin and f names the data set. Both have delta 0 before and 1 after.
    """
    rng, instances = check_trials(rng, instances)
    data, tally = data_sets(2, 2), Tally("exact", keep="first")
    for _ in range(instances):
        level = _level(rng)
        size, outcomes = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        table = random_table(rng, data, size, zeros=0.3)
        kernel: list[Law] = [random_sparse_law(rng, outcomes) for _ in range(size)]
        if rng.random() < 0.5:
            values = [int(rng.integers(outcomes)) for _ in range(size)]
            kernel = [tuple(Fraction(int(t == value)) for t in range(outcomes)) for value in values]
        after: Table = {counts: exact_mixture(kernel, law) for counts, law in table.items()}
        if shared_coins or reads_data:
            table = dict.fromkeys(data, (HALF, HALF))
        if shared_coins:  # o = n + coin mod 2, and f(o) = o - coin mod 2
            after = {counts: tuple(Fraction(int(sum(counts) % 2 == t)) for t in range(2)) for counts in data}
        elif reads_data:
            after = {counts: tuple(Fraction(int(counts == other)) for other in data) for counts in data}
        before, later = largest_excess(table, level), largest_excess(after, level)
        tally.add(float(before - later), decided=later <= before, exp_eps=level, delta=before, after=later)
    return tally.check()


def preimage_equalities(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the displayed chain of the proof for all maps f from 2 or 3 outputs to 2 or 3 and all events S'.

    Both equalities by themselves, the law of f's output being summed value by value; the inequality with the least
    delta of the pair. `claimed` is a share of the right side. Random pairs, zeros included.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for _ in range(instances):
        size, outcomes = int(rng.integers(2, 4)), int(rng.integers(2, 4))
        one, two = random_table(rng, [(0,), (1,)], size, zeros=0.3).values()
        level = _level(rng)
        delta = max(excess(one, two, level), excess(two, one, level))
        for values in product(range(outcomes), repeat=size):
            images = [
                [sum((law[o] for o in range(size) if values[o] == t), 0 * ONE) for t in range(outcomes)]
                for law in (one, two)
            ]
            for event in (e for r in range(1, outcomes + 1) for e in combinations(range(outcomes), r)):
                direct = [sum((image[t] for t in event), 0 * ONE) for image in images]
                pulled = [sum((law[o] for o in range(size) if values[o] in event), 0 * ONE) for law in (one, two)]
                slack = share * (level * pulled[1] + delta) - pulled[0]
                fine = direct == pulled and slack >= 0
                tally.add(float(slack), decided=fine, P=one, P2=two, f=values, S=event, exp_eps=level, delta=delta)
    return tally.check()


def kernel_as_maps(kernel: list[Law]) -> list[tuple[Fraction, tuple[int, ...]]]:
    r"""Return weights and maps whose mixture is a randomised function K(t|o): one seed, uniform on [0, 1).

    $f_u(o)$ is the value t whose interval of length K(t|o) holds u; between the at most |O|(|O'|-1) cuts the map is
    the same. Raises TypeError or ValueError for what are no laws of one size.
    """
    rows = check_each("kernel", kernel, exact_probabilities)
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f"kernel must have laws of one size, got {kernel!r}")
    cuts = sorted({sum(row[:t], 0 * ONE) for row in rows for t in range(len(row))} | {ONE})
    parts = []
    for low, high in pairwise(cuts):
        values = tuple(next(t for t in range(len(row)) if low < sum(row[: t + 1])) for row in rows)
        parts.append((high - low, values))
    return parts


def mixture_of_maps(rng: np.random.Generator, instances: int, *, whole: bool = True) -> Check:
    r"""Check that a randomised function is a convex combination of deterministic ones: `kernel_as_maps`.

    Random kernels with zeros: the weights sum to one, each $\sum_w\rho(w)1[f_w(o)=t]$ is K(t|o), and at most
    |O|(|O'|-1)+1 maps are used. Without `whole` the map of least weight is left out, and the rest rescaled.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, outcomes = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        kernel = [random_sparse_law(rng, outcomes) for _ in range(size)]
        parts = kernel_as_maps(kernel)
        if not whole and len(parts) > 1:
            parts = sorted(parts)[1:]
            total = sum(weight for weight, _ in parts)
            parts = [(weight / total, values) for weight, values in parts]
        gap = max(
            abs(kernel[o][t] - sum((weight for weight, values in parts if values[o] == t), 0 * ONE))
            for o, t in product(range(size), range(outcomes))
        )
        fine = gap == 0 and sum(weight for weight, _ in parts) == 1 and len(parts) <= size * (outcomes - 1) + 1
        tally.add(-float(gap), decided=fine, K=kernel, maps=len(parts))
    return tally.check()


def mixed_algorithms(rng: np.random.Generator, instances: int, *, weights_read_data: bool = False) -> Check:
    r"""Check that convex combinations of $(\varepsilon,\delta)$-DP algorithms are $(\varepsilon,\delta)$-DP.

    With fixed weights: two or three random mechanisms, at the largest of their least deltas. With
    `weights_read_data` two constant algorithms are mixed, by weights that depend on the number of records.
    """
    rng, instances = check_trials(rng, instances)
    data, tally = data_sets(2, 2), Tally("exact", keep="first")
    for _ in range(instances):
        level, size = _level(rng), int(rng.integers(2, 4))
        tables = [random_table(rng, data, size, zeros=0.3) for _ in range(int(rng.integers(2, 4)))]
        weights = dict.fromkeys(data, random_law(rng, len(tables)))
        if weights_read_data:
            tables = [dict.fromkeys(data, (ONE * (1 - k), ONE * k)) for k in range(2)]
            weights = {counts: (1 - Fraction(sum(counts), 2), Fraction(sum(counts), 2)) for counts in data}
        mixed = {counts: exact_mixture([table[counts] for table in tables], weights[counts]) for counts in data}
        delta = max(largest_excess(table, level) for table in tables)
        slack = delta - largest_excess(mixed, level)
        tally.add(float(slack), decided=slack >= 0, exp_eps=level, delta=delta, mixed=list(mixed.items()))
    return tally.check()


def _choices(rng: np.random.Generator, *, obscure: bool) -> Iterator[Table]:
    """Return the algorithms that may have been chosen: private ones, or all shifts of the number of records."""
    data = data_sets(2, 2)
    if obscure:
        for shift in range(3):
            yield {c: tuple(Fraction(int((sum(c) + shift) % 3 == t)) for t in range(3)) for c in data}
    else:
        for _ in range(3):
            yield random_table(rng, data, 3, zeros=0.2)


def public_choice(rng: np.random.Generator, instances: int, *, obscure: bool = False) -> Check:
    r"""Check that an adversary who is told which algorithm was used gains nothing beyond (1).

    One of three private algorithms is chosen at random and named; the pair (name, output) has the largest of their
    deltas, or less. `obscure` takes as delta that of the output alone, and hides a deterministic answer behind a secret
    shift: private as long as the shift is secret, and no longer. Source: lecture, "The algorithm A can be public".
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for _ in range(instances):
        level, tables = _level(rng), list(_choices(rng, obscure=obscure))
        weights = (Fraction(1, 3),) * 3 if obscure else random_law(rng, 3)
        named = {c: tuple(w * p for w, table in zip(weights, tables, strict=True) for p in table[c]) for c in tables[0]}
        delta = max(largest_excess(table, level) for table in tables)
        if obscure:
            delta = largest_excess({c: exact_mixture([table[c] for table in tables], weights) for c in named}, level)
        slack = delta - largest_excess(named, level)
        tally.add(float(slack), decided=slack >= 0, exp_eps=level, delta=delta)
    return tally.check()


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
