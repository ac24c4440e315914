r"""Checks of what protecting groups of records costs: noise, levels of rows, and the weaker model with a delta."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
from flint import ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde
from mollified.budget_bounds import geometric_variance, laplace_variance, variance_ratio
from mollified.checks import Check, Tally
from mollified.instances import random_family, random_law, random_level

__all__ = [
    "diverging_variance",
    "group_variance",
    "publish_one",
    "square_is_enough",
    "subadditive_sensitivity",
    "weaker_model",
    "whole_input",
    "wiped_out",
]

Noise = Literal["laplace", "geometric"]


def _check_noise(noise: object) -> None:
    if noise not in ("laplace", "geometric"):
        raise ValueError(f"noise must be laplace or geometric, got {noise!r}")


def group_variance(
    rng: np.random.Generator, instances: int, *, form: Literal["printed", "corrected"] = "corrected"
) -> Check:
    r"""Check the factor on the variance of Laplace noise that protects groups of k instead of one record. Exact.

    The scale b must give $k\Delta/b\le\varepsilon$; the least one is taken, and a scale smaller by 1 % is seen to fail.
    The first instance is k = 2, $\Delta=\varepsilon=1$. Source: v1 section 1 (`form` "printed", the factor k) and v2
    Figure 1 (the other).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        sensitivity, eps = (Fraction(int(rng.integers(1, 1000)), int(rng.integers(1, 1000))) for _ in range(2))
        group = int(rng.integers(2, 1000))
        if index == 0:
            sensitivity, eps, group = Fraction(1), Fraction(1), 2
        scale = group * sensitivity / eps
        tight = group * sensitivity / scale <= eps < group * sensitivity / (scale * Fraction(99, 100))
        one = laplace_variance(sensitivity, eps)
        factor = 2 * scale**2 / one
        gap = factor / variance_ratio(Fraction(group), form=form) - 1
        tally.add(-abs(float(gap)), decided=tight and gap == 0, k=group, Delta=sensitivity, eps=eps, factor=factor)
    return tally.check()


def square_is_enough(rng: np.random.Generator, instances: int, *, noise: Noise = "laplace") -> Check:
    r"""Check "up to its square": groups of m multiply the variance by at most $m^2$ (v2). Exact.

    Laplace noise, for a sensitivity over groups of at most m times that over one record; or its counterpart on the
    integers, two-sided geometric noise, for a count: with $q=e^{\varepsilon/m}$ rational the variance goes from
    $2q^m/(q^m-1)^2$ to $2q/(q-1)^2$. The first instance is m = 2, q = 2.
    """
    rng, instances = check_trials(rng, instances)
    _check_noise(noise)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        group, root = int(rng.integers(2, 20)), 1 + Fraction(int(rng.integers(1, 300)), 100)
        share = Fraction(int(rng.integers(1, 101)), 100)
        if index == 0:
            group, root, share = 2, Fraction(2), Fraction(1)
        if noise == "laplace":
            one, many = laplace_variance(Fraction(1), root), laplace_variance(max(share * group, Fraction(1)), root)
        else:
            one, many = geometric_variance(root**group), geometric_variance(root)
        slack = 1 - many / (group**2 * one)
        values = {"m": group, "variance_one": one, "variance_group": many}
        tally.add(float(slack), decided=slack >= 0, **values, **({"q": root} if noise == "geometric" else {}))
    return tally.check()


def diverging_variance(rng: np.random.Generator, instances: int, *, average: bool) -> Check:
    r"""Check that noise for a group of all m records has a variance that grows beyond every bound B. Exact.

    Laplace noise, level $\varepsilon$, values in [0, 1]: for a count the sensitivity over the group is m and the
    variance passes B from $m\ge\varepsilon\sqrt{B/2}+1$ on (ten such m are tried); for an average it is 1 for every m,
    and the variance stays $2/\varepsilon^2$. The first instance is $\varepsilon=1$, B = 2. Source: v1 section 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        eps, bound = Fraction(int(rng.integers(1, 500)), 100), Fraction(int(rng.integers(1, 10**6)), 100)
        if index == 0:
            eps, bound = Fraction(1), Fraction(2)
        start = int(float(eps) * float(bound / 2) ** 0.5) + 2
        for size in range(start, start + 10):
            record = Fraction(1, size) if average else Fraction(1)
            variance = laplace_variance(size * record, eps)
            tally.add(float(variance - bound), decided=variance > bound, eps=eps, B=bound, m=size, variance=variance)
    return tally.check()


def subadditive_sensitivity(rng: np.random.Generator, instances: int, *, constrained: bool = False) -> Check:
    r"""Check $\Delta_{j+k}\le\Delta_j+\Delta_k$, hence $\Delta_k\le k\Delta_1$, for the change of j, k records. Exact.

    Random functions on all data sets of n = 2..4 records with 2 or 3 values. `constrained` keeps only data sets whose
    values sum to an even number, so that the data set in between, which the argument needs, may be missing. Source: v2
    section 1.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        records, values = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        data = [d for d in product(range(values), repeat=records) if not constrained or sum(d) % 2 == 0]
        heights = {d: int(rng.integers(0, 1 + int(rng.integers(1, 20)))) for d in data}
        changes = [0] * (records + 1)
        for one, two in product(data, repeat=2):
            distance = sum(a != b for a, b in zip(one, two, strict=True))
            changes[distance] = max(changes[distance], abs(heights[one] - heights[two]))
        over = [max(changes[: k + 1]) for k in range(records + 1)]
        slack = min(over[j] + over[k] - over[j + k] for j in range(1, records) for k in range(1, records - j + 1))
        slack = min(slack, *(k * over[1] - over[k] for k in range(1, records + 1)))
        tally.add(slack, decided=slack >= 0, data_sets=data, f=tuple(heights.values()), sensitivities=tuple(over))
    return tally.check()


def wiped_out(rng: np.random.Generator, instances: int, *, fixed: bool = True) -> Check:
    r"""Check that rows released one by one leave groups of m' rows no protection as m' grows. Exact.

    Randomised response with probability p > 1/2 of the truth. The level $m'\log\frac p{1-p}$ passes $B\log2$ once
    $m'\ge B\log2/\log\frac p{1-p}$, and the overlap of the two laws of the answers is at most $(4p(1-p))^{m'/2}$. With
    `fixed` False the bias of the randomiser shrinks with the group: $p_{m'}=\frac12+\frac{2p-1}{2m'}$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        truth = Fraction(1, 2) + Fraction(int(rng.integers(5, 48)), 100)
        bound = int(rng.integers(2, 12))
        rows = next(m for m in range(1, 500) if (truth / (1 - truth)) ** m >= 2**bound)
        for group in (rows, rows + 3):
            p = truth if fixed else Fraction(1, 2) + (2 * truth - 1) / (2 * group)
            level = (p / (1 - p)) ** group
            overlap = _overlap(p, group)
            good = level >= 2**bound and overlap**2 <= (4 * truth * (1 - truth)) ** group
            tally.add(float(level / 2**bound - 1) if level < 2**bound else 0.0, decided=good, p=p, m=group, B=bound)
    return tally.check()


def _overlap(p: Fraction, rows: int) -> Fraction:
    """Return the sum of the smaller of the two probabilities over all answers, which is 1 - TV."""
    total, count = Fraction(0), 1
    for ones in range(rows + 1):
        total += count * min(p**ones * (1 - p) ** (rows - ones), (1 - p) ** ones * p ** (rows - ones))
        count = count * (rows - ones) // (ones + 1)
    return total


def _laplace_log_ratio(counts: tuple[int, int], eps: Fraction, at: list[Fraction]) -> Fraction:
    r"""Return the largest log-ratio, at the points `at`, of two counts with Laplace noise of scale $1/\varepsilon$.

    The densities are $\frac\varepsilon2e^{-\varepsilon|x-n|}$; their logs differ by rationals.
    """
    logs = [[-eps * abs(x - count) for x in at] for count in counts]
    largest: Fraction = max(abs(one - two) for one, two in zip(*logs, strict=True))
    return largest


def whole_input(rng: np.random.Generator, instances: int, *, laplace: bool = False, one_record: bool = False) -> Check:
    r"""Check that an unchanged mechanism protects whole inputs of m = 2..40 records at its level for one. Certified.

    MBDE from a fixed $Q_0$ whose classifiers answer with the sign of the difference between the data and $Q_0$: any two
    data sets, of any sizes, give levels below $\varepsilon$. With `laplace` the mechanism counts the records at the
    first point and adds the noise for one record; the two densities are compared in rationals at both counts and at
    five random points. With `one_record` the second data set differs from the first in one record. Source: v2
    Figure 1 (left).
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            level, points = random_level(rng), int(rng.integers(2, 5))
            data = [rng.integers(0, points, int(rng.integers(2, 41))) for _ in range(2)]
            if one_record:
                data[1] = np.append(data[0][1:], int(rng.integers(points)))
            counts = [[int(n) for n in np.bincount(records, minlength=points)] for records in data]
            assert level.eps is not None
            eps = ball(level.eps)
            if laplace:
                ends = (counts[0][0], counts[1][0])
                at = [Fraction(n) for n in ends] + [Fraction(int(rng.integers(-99, 500)), 10) for _ in range(5)]
                reached = _laplace_log_ratio(ends, level.eps, at)
                gap = level.eps - reached
                tally.add(float(gap), decided=gap >= 0, eps=level.eps, counts=ends, log_ratio=reached)
                continue
            base, rounds = random_law(rng, points), int(rng.integers(1, 7))
            rows = []
            for row in counts:
                signs = tuple(Fraction(1 if Fraction(n, sum(row)) > q else -1) for n, q in zip(row, base, strict=True))
                rows.append([signs] * rounds)
            one, two = (ball_mbde(base, row, level) for row in rows)
            slack = min((eps - abs((a / b).log()) for a, b in zip(one, two, strict=True)), key=lambda s: float(s.mid()))
            tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows[0], c2=rows[1], eps=level.eps)
    return tally.check()


def weaker_model(rng: np.random.Generator, instances: int, *, converse: bool = False) -> Check:
    r"""Check that $\varepsilon$-privacy implies $(\varepsilon,\frac1{10})$-privacy: $\sum(P-rQ)_+\le\frac1{10}$.

    `converse` claims that a pair with $\sum(P-rQ)_+\le\frac1{10}$ in both orders has ratios at most r. Exact. Pairs are
    random laws, r is their exact ratio, or for the converse the smallest power of two with the property.
    """
    rng, instances = check_trials(rng, instances)
    tally, delta = Tally("exact"), Fraction(1, 10)
    for _ in range(instances):
        one, two = random_family(rng, 2, int(rng.integers(2, 6)))
        ratio = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
        if converse:
            level = next(Fraction(2**n) for n in range(64) if _excess(one, two, Fraction(2**n)) <= delta)
            tally.add(float(1 - ratio / level), decided=ratio <= level, P=one, Q=two, exp_eps=level)
        else:
            slack = delta - _excess(one, two, ratio)
            tally.add(float(slack), decided=slack >= 0, P=one, Q=two, exp_eps=ratio)
    return tally.check()


def _excess(one: tuple[Fraction, ...], two: tuple[Fraction, ...], ratio: Fraction) -> Fraction:
    pairs = list(zip(one, two, strict=True))
    return max(
        sum((max(a - ratio * b, Fraction(0)) for a, b in order), Fraction(0))
        for order in (pairs, [(b, a) for a, b in pairs])
    )


def publish_one(*, records: int = 10, delta: Fraction = Fraction(1, 10)) -> Check:
    r"""Check that publishing one record at random is $(0,\delta)$-private, and $\varepsilon$-private for no level.

    Exact. All pairs of neighbouring data sets of `records` bits, by their number of ones; fails for fewer records than
    $1/\delta$. Source: v1, v2 and v3 section 5 ($\delta=10^{-1}$ for the private GAN).
    """
    records, delta = check_count("records", records), check_fraction("delta", delta, above=0)
    tally, revealed = Tally("exact"), False
    for ones in range(records):
        one, two = ((1 - Fraction(n, records), Fraction(n, records)) for n in (ones, ones + 1))
        revealed |= any((a == 0) != (b == 0) for a, b in zip(one, two, strict=True))
        slack = delta - _excess(one, two, Fraction(1))
        tally.add(float(slack), decided=slack >= 0 and (ones > 0 or revealed), law=one, law2=two, delta=delta)
    return tally.check()
