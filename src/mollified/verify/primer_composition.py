r"""Checks of simple and parallel composition: on finite algorithms, and over all data sets of small universes."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from mollified._validate import check_count, check_fraction, check_trials
from mollified.checks import Check, Tally
from mollified.composition import canonical_pair, exact_hockey_stick
from mollified.exact_level import Law
from mollified.instances import random_law, random_sparse_law

__all__ = [
    "distinct_inputs",
    "parallel",
    "shared_coins",
    "simple_composition",
    "tight_composition",
]

ONE = Fraction(1)
Pair = tuple[Law, Law]


def _joint(laws: list[Law]) -> Law:
    return tuple(prod(entries, start=ONE) for entries in product(*laws))


def _both(one: Law, two: Law, factor: Fraction) -> Fraction:
    return max(exact_hockey_stick(one, two, factor), exact_hockey_stick(two, one, factor))


def _level(rng: np.random.Generator) -> Fraction:
    return 1 + Fraction(int(rng.integers(1, 300)), 100)


def _pair(rng: np.random.Generator, index: int, *, pure: bool) -> tuple[Pair, Fraction, Fraction]:
    """Return two laws with a factor r = e^eps and the least delta at it, of both orders."""
    r = _level(rng)
    if index % 4 == 0:
        delta = Fraction(0) if pure else Fraction(1, int(rng.integers(60, 4000)))
        laws = canonical_pair(r, delta)
        return (laws[0][1:3], laws[1][1:3]) if pure else laws, r, delta
    size = int(rng.integers(2, 4))
    if pure:
        found = random_law(rng, size, spread=5), random_law(rng, size, spread=5)
        r = max(max(a / b, b / a) for a, b in zip(*found, strict=True))
        return found, max(r, Fraction(101, 100)), Fraction(0)
    found = random_sparse_law(rng, size), random_sparse_law(rng, size)
    return found, r, _both(*found, r)


def simple_composition(
    rng: np.random.Generator,
    instances: int,
    *,
    kind: Literal["pure", "approximate", "adaptive"] = "approximate",
    claimed: Fraction = ONE,
) -> Check:
    r"""Check that the epsilons and the deltas add up, on pairs of laws of 1 to 3 independent algorithms. Exact.

    Every fourth instance has the canonical pairs, others are random, with zeros where delta may be positive; both
    orders. "pure": all likelihood ratios of the joint law against `claimed` times $\prod e^{\varepsilon_k}$.
    "approximate": the joint hockey stick at $\prod e^{\varepsilon_k}$ against `claimed` times $\sum\delta_k$.
    "adaptive": the same for two algorithms, the second one (its two laws) being chosen by the output of the first.
    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    if kind not in ("pure", "approximate", "adaptive"):
        raise ValueError(f"kind must be pure, approximate or adaptive, got {kind!r}")
    tally = Tally("exact")
    for index in range(instances):
        if kind == "adaptive":
            one, two, factor, delta = _adaptive(rng, index)
        else:
            runs = [_pair(rng, index, pure=kind == "pure") for _ in range(2 if index == 0 else 1 + index % 3)]
            one, two = (_joint([run[0][side] for run in runs]) for side in (0, 1))
            factor, delta = prod((run[1] for run in runs), start=ONE), sum((run[2] for run in runs), Fraction(0))
        if kind == "pure":
            worst = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
            slack = 1 - worst / (claimed * factor)
        else:
            slack = claimed * delta - _both(one, two, factor)
        tally.add(float(slack), decided=slack >= 0, one=one, two=two, exp_eps=factor, delta=delta)
    return tally.check()


def _adaptive(rng: np.random.Generator, index: int) -> tuple[Law, Law, Fraction, Fraction]:
    """Return the joint laws of two algorithms, the second chosen by the first, with the product and the sum."""
    first, r, delta = _pair(rng, index, pure=False)
    factor = _level(rng)
    small = Fraction(1, 3000)
    if index % 4 == 0:
        later: list[Pair] = [
            canonical_pair(factor, small) if x % 2 else canonical_pair(factor, small)[::-1] for x in range(4)
        ]
    else:
        later = [(random_sparse_law(rng, 2), random_sparse_law(rng, 2)) for _ in first[0]]
    one, two = (tuple(p * q for p, pair in zip(first[side], later, strict=True) for q in pair[side]) for side in (0, 1))
    return one, two, r * factor, delta + max(_both(*pair, factor) for pair in later)


def tight_composition(runs: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that the largest likelihood ratio of K randomised responses is exactly `claimed` times $r^K$, r = 2.

    Exact. All outputs are enumerated, for K = 1 to `runs`. With `claimed` = 1: the sum $K\varepsilon_0$ is attained at
    $\delta=0$. Raises TypeError or ValueError for bad arguments.
    """
    runs, claimed = check_count("runs", runs), check_fraction("claimed", claimed, above=0)
    one, two = (Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))
    tally = Tally("exact")
    for k in range(1, runs + 1):
        worst = max(a / b for a, b in zip(_joint([one] * k), _joint([two] * k), strict=True))
        slack = -abs(worst / 2**k - claimed)
        tally.add(float(slack), decided=slack == 0, K=k, largest_ratio=worst, claimed=claimed * 2**k)
    return tally.check()


def shared_coins(*, shared: bool = False) -> Check:
    r"""Check simple composition for a masked bit $b\oplus Z$ and its mask Z, or (not `shared`) another coin like Z.

    $P[Z=1]=\frac12,\frac13,\frac14$: the masked bit is randomised response with $e^\varepsilon=1,2,3$, the mask alone
    does not depend on b. The definition at $(\varepsilon,0)$ is tested for both values of b and all outputs; the bits
    written are $(0,0),(0,1),(1,0),(1,1)$. The fair mask comes first. Exact.
    """
    tally = Tally("exact", keep="first")
    for heads in (Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)):
        laws = []
        for bit in (0, 1):
            law = dict.fromkeys(product((0, 1), repeat=2), Fraction(0))
            for mask, other in product((0, 1), repeat=2):
                chance = heads if mask else 1 - heads
                if shared:
                    law[bit ^ mask, mask] += chance if other == 0 else 0
                else:
                    law[bit ^ mask, other] += chance * (heads if other else 1 - heads)
            laws.append(tuple(law.values()))
        factor = (1 - heads) / heads
        worst = _both(laws[0], laws[1], factor)
        tally.add(float(-worst), decided=worst == 0, heads=heads, b0=laws[0], b1=laws[1], exp_eps=factor)
    return tally.check()


Split = Literal["fixed", "ranks"]


def _parts(data: tuple[int, ...], split: Split) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the two parts of a multiset: records equal to 1 and the others, or odd and even ranks."""
    if split == "ranks":
        rows = sorted(data)
        return tuple(rows[::2]), tuple(rows[1::2])
    return tuple(x for x in data if x == 1), tuple(x for x in data if x != 1)


def distinct_inputs(
    *,
    split: Split = "fixed",
    neighbours: Literal["add", "replace"] = "add",
    coins: Literal["independent", "shared"] = "independent",
    level: Literal["max", "sum"] = "max",
) -> Check:
    r"""Check that two algorithms on distinct inputs have the larger of their levels, over all small data sets.

    Records are 1, 2, 3, three at most. Algorithm k answers "is the value $v_k$ in my part?" by randomised response with
    $e^{\varepsilon}=2$, so that adding or removing one record of its part changes its likelihoods by a factor 2 at
    most; all 9 choices of $(v_1,v_2)$, all pairs of neighbouring multisets. Parts: records 1 and others ("fixed"), or
    odd and even ranks of the sorted records ("ranks"). "shared" coins: both answers are flipped together. `level` "sum"
    claims $2\varepsilon$. The first violation found, in order of the size of D, is kept. Exact, all cases. Raises
    ValueError.
    """
    for name, value, names in (
        ("split", split, ("fixed", "ranks")),
        ("neighbours", neighbours, ("add", "replace")),
        ("coins", coins, ("independent", "shared")),
        ("level", level, ("max", "sum")),
    ):
        if value not in names:
            raise ValueError(f"{name} must be one of {names}, got {value!r}")
    bound = Fraction(2) if level == "max" else Fraction(4)
    tally = Tally("exact", keep="first")
    multisets = [data for n in range(4) for data in product((1, 2, 3), repeat=n) if list(data) == sorted(data)]
    truth = {True: (Fraction(1, 3), Fraction(2, 3)), False: (Fraction(2, 3), Fraction(1, 3))}
    for data, other in product(multisets, repeat=2):
        if not _neighbours(data, other, neighbours):
            continue
        for asked in product((1, 2, 3), repeat=2):
            laws = []
            for rows in (data, other):
                bits = [v in part for v, part in zip(asked, _parts(rows, split), strict=True)]
                if coins == "independent":
                    laws.append(_joint([truth[bit] for bit in bits]))
                else:
                    place = 2 * bits[0] + bits[1]
                    laws.append(tuple(Fraction(2 * (x == place) + (x == 3 - place), 3) for x in range(4)))
            slack = -exact_hockey_stick(laws[0], laws[1], bound)
            tally.add(float(slack), decided=slack == 0, D=data, D2=other, asked=asked, one=laws[0], two=laws[1])
    return tally.check()


def _neighbours(data: tuple[int, ...], other: tuple[int, ...], relation: str) -> bool:
    """Tell whether two sorted tuples are neighbours: one record more or fewer, or one record another."""
    far = sum(abs(data.count(v) - other.count(v)) for v in (1, 2, 3))
    return far == 1 if relation == "add" else far == 2 and len(data) == len(other)


def parallel(
    rng: np.random.Generator,
    instances: int,
    *,
    neighbours: Literal["add", "between", "inside"] = "add",
    claimed: Fraction = ONE,
    level: Literal["right", "max"] = "right",
) -> Check:
    r"""Check parallel composition on 2 or 3 parts, each with random laws for the data sets that may occur. Exact.

    "add": one part gains a record: $(\max\varepsilon_k,\max\delta_k)$. "between": a record leaves part j and another
    enters part k: $(\varepsilon_j+\varepsilon_k,\delta_j+\delta_k)$. "inside": a record of part j is replaced by
    another of the part: $(2\varepsilon_j,(1+e^{\varepsilon_j})\delta_j)$. `claimed` is a factor of delta where that is
    not 0, else of $e^\varepsilon$; `level` "max" claims $(\max\varepsilon_k,\max\delta_k)$. Even instances are
    canonical or extreme, and every third is pure. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    for name, value, names in (
        ("neighbours", neighbours, ("add", "between", "inside")),
        ("level", level, ("right", "max")),
    ):
        if value not in names:
            raise ValueError(f"{name} must be one of {names}, got {value!r}")
    tally = Tally("exact")
    for index in range(instances):
        pure = index % 3 == 0
        parts = [_pair(rng, 4 if index % 2 == 0 else 1, pure=pure) for _ in range(2 + index % 2)]
        one, two = [part[0][0] for part in parts], [part[0][0] for part in parts]
        two[0] = parts[0][0][1]
        if neighbours == "between":
            one[1], two[1] = parts[1][0][1], parts[1][0][0]
        elif neighbours == "inside":
            (one[0], two[0]), r, delta = _replaced(rng, index, pure=pure)
            parts[0] = ((one[0], two[0]), r, delta)
        factor, delta = max(part[1] for part in parts), max(part[2] for part in parts)
        if level == "right" and neighbours != "add":
            r, d = parts[0][1:]
            factor, delta = (r * parts[1][1], d + parts[1][2]) if neighbours == "between" else (r * r, (1 + r) * d)
        if delta == 0:
            factor *= claimed
        joint = _joint(one), _joint(two)
        slack = (claimed * delta if delta else delta) - _both(*joint, factor)
        tally.add(float(slack), decided=slack >= 0, one=joint[0], two=joint[1], exp_eps=factor, delta=delta)
    return tally.check()


def _replaced(rng: np.random.Generator, index: int, *, pure: bool) -> tuple[Pair, Fraction, Fraction]:
    """Return laws with one record and with another, where both are near one law without either; r and delta."""
    r = _level(rng)
    if index % 2 == 0:  # a rare output: probabilities a, ra + delta, r(ra + delta) + delta
        delta = Fraction(0) if pure else Fraction(1, int(rng.integers(200, 4000)))
        least = Fraction(1, 1000) if pure else Fraction(0)
        chain = [least, r * least + delta, r * (r * least + delta) + delta]
        laws: list[Law] = [(p, 1 - p) for p in chain]
        return (laws[0], laws[2]), r, delta
    laws = [(random_law if pure else random_sparse_law)(rng, 3) for _ in range(3)]
    if pure:
        r = max(max(laws[1][x] / laws[k][x], laws[k][x] / laws[1][x]) for k in (0, 2) for x in range(3))
    return (laws[0], laws[2]), r, max(_both(laws[1], laws[k], r) for k in (0, 2))
