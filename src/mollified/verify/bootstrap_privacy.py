r"""Checks of section 4 of the bootstrapping paper: population uniques, thresholds on m, the worst-case loss.

Exact: brute force over all data sets, neighbours and outputs of small cases, in rational numbers.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.type_laws import TypeLaw, compositions, hockey_stick, largest_ratio, neighbours, type_law

__all__ = [
    "all_ones",
    "infinite_loss",
    "least_delta",
    "needs_delta",
    "pure_threshold",
    "records_allowed",
    "repeated_values",
    "single_draw",
    "small_budget",
    "smoothing_bounds",
    "unique_appears",
]

ONE = Fraction(1)
FEW_BITS = 192
#: A prime: a delta with this denominator is no 1 - (1 - 1/n)^m, so no comparison is a tie.
PRIME = 1_000_003


def _setting(rng: np.random.Generator, *, most_m: int = 4) -> tuple[int, int, int]:
    """Return n, |Sigma| and m of a case small enough for brute force."""
    size = int(rng.integers(2, 4))
    return int(rng.integers(1, 6 if size == 2 else 4)), size, int(rng.integers(1, most_m + 1))


def _pairs(n: int, size: int, k: int, m: int) -> list[tuple[TypeLaw, TypeLaw]]:
    """Return the laws of the outputs for all ordered pairs of neighbours."""
    laws = {counts: type_law([c + k for c in counts], m) for counts in compositions(n, size)}
    return [(laws[one], laws[two]) for one in laws for two in neighbours(one)]


def _level(rng: np.random.Generator, most: int) -> Fraction:
    """Return a rational e^eps in [1, most]."""
    return 1 + Fraction(int(rng.integers(0, 100 * (most - 1) + 1)), 100)


def _floor(value: arb) -> int:
    """Return the integer part of a ball; ArithmeticError where it is not decided."""
    whole = value.floor().unique_fmpz()
    if whole is None:
        raise ArithmeticError(f"the integer part of {value} is not decided")
    return int(whole)


def unique_appears(*, most: int = 8, union: bool = False) -> Check:
    r"""Check $P[D^*\text{ contains the unique value}]=1-(1-\frac1n)^m$, exactly, for n = 2..most and m = 1..most.

    Summed over all outputs that contain a one. `union` claims $m/n$, the union bound. Source: section 4.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for n in range(2, most + 1):
        for m in range(1, most + 1):
            law = type_law((n - 1, 1), m)
            found = sum((p for kind, p in law.items() if kind[1] > 0), Fraction(0))
            claimed = Fraction(m, n) if union else 1 - (1 - Fraction(1, n)) ** m
            tally.add(-abs(float(found - claimed)), decided=found == claimed, n=n, m=m, probability=found)
    return tally.check()


def infinite_loss(*, most: int = 6, without: bool = False) -> Check:
    r"""Check that every output with a one has $P>0$ and $P'=0$: an infinite loss. n = 2..most, m = 1..most.

    `without` takes the outputs without a one instead, for which it is false. Source: section 4.
    """
    most, tally = check_count("most", most, minimum=2), Tally("exact", keep="first")
    for n in range(2, most + 1):
        for m in range(1, most + 1):
            one, two = type_law((n - 1, 1), m), type_law((n, 0), m)
            for kind, p in one.items():
                if (kind[1] == 0) == without:
                    infinite = p > 0 and two[kind] == 0
                    tally.add(float(p) if infinite else -float(two[kind]), decided=infinite, n=n, output=kind)
    return tally.check()


def needs_delta(rng: np.random.Generator, instances: int, *, k: int = 0) -> Check:
    r"""Check that no level $\varepsilon$ helps: the least delta over all pairs is at least $1/n$, exactly.

    Brute force over all neighbours and outputs, $e^\varepsilon$ rational up to 1000; `k` > 0 smooths first, and the
    statement is false. Source: abstract and section 4, "pure bootstrapping".
    """
    rng, instances = check_trials(rng, instances)
    k, tally = check_count("k", k, minimum=0), Tally("exact")
    for _ in range(instances):
        n, size, m = _setting(rng)
        level = _level(rng, 1000)
        delta = max(hockey_stick(one, two, level) for one, two in _pairs(n, size, k, m))
        slack = delta - Fraction(1, n)
        tally.add(float(slack), decided=slack >= 0, n=n, size=size, m=m, exp_eps=level, delta=delta)
    return tally.check()


def least_delta(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that plain bootstrapping is $(\varepsilon,\delta)$-DP iff $\delta\ge1-(1-\frac1n)^m$, at every eps.

    Brute force over all neighbours and outputs. `claimed` is that share of the printed delta. The book's addition to
    section 4, which has "only if".
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    for _ in range(instances):
        n, size, m = _setting(rng)
        level = _level(rng, 1000)
        delta = max(hockey_stick(one, two, level) for one, two in _pairs(n, size, 0, m))
        wanted = share * (1 - (1 - Fraction(1, n)) ** m)
        tally.add(-abs(float(delta - wanted)), decided=delta == wanted, n=n, size=size, m=m, exp_eps=level, delta=delta)
    return tally.check()


def records_allowed(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that one record more than $\log(1-\delta)/\log(1-\frac1n)$ breaks $(\varepsilon,\delta)$-DP, exactly.

    n = 2..1000, random rational delta; at the next integer m the unique value appears with probability above delta.
    `claimed` is that share of the threshold. Source: section 4.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("exact")
    with ctx.workprec(FEW_BITS):
        for index in range(instances):
            n, delta = int(rng.integers(2, 1001)), Fraction(int(rng.integers(1, PRIME)), PRIME)
            if index % 2:
                delta = Fraction(int(rng.integers(1, PRIME // 10)), PRIME)
            threshold = ball(1 - delta).log() / ball(1 - Fraction(1, n)).log()
            m = _floor(ball(share) * threshold) + 1
            excess = (1 - delta) * n**m - (n - 1) ** m
            tally.add(float(Fraction(excess, n**m)), decided=excess > 0, n=n, delta=delta, m=m)
    return tally.check()


def single_draw(rng: np.random.Generator, instances: int, *, below: bool = True) -> Check:
    r"""Check that for $\delta<1/n$ not one record can be drawn, exactly: the pair of the text has $\delta=1/n$.

    `below` False draws $\delta\ge1/n$. Source: section 4, "difficult to bootstrap a dataset of reasonable size".
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        n = int(rng.integers(2, 1001))
        share = Fraction(int(rng.integers(1, 1000)), 1000)
        delta = share / n if below else Fraction(1, n) + share * (1 - Fraction(1, n))
        found = hockey_stick(type_law((n - 1, 1), 1), type_law((n, 0), 1), _level(rng, 100))
        tally.add(float(found - delta), decided=found > delta, n=n, delta=delta)
    return tally.check()


def repeated_values(rng: np.random.Generator, instances: int, *, least: int = 2, smoothed: bool = False) -> Check:
    r"""Check that the loss is at most $m\log\frac k{k-1}$ in absolute value where each value occurs k times or more.

    All neighbours and outputs of random data with smallest count k >= `least`; exact on ratios. `least` = 1 makes the
    loss infinite; `smoothed` claims the constant $\frac{k+1}k$ of the smoothed data. Source: section 4, paragraph 4.
    """
    rng, instances = check_trials(rng, instances)
    least, tally = check_count("least", least), Tally("exact")
    for _ in range(instances):
        size, m = int(rng.integers(2, 4)), int(rng.integers(1, 5))
        k = least + int(rng.integers(0, 4))
        counts = [k + int(rng.integers(0, 4)) for _ in range(size)]
        counts[int(rng.integers(size))] = k
        for other in neighbours(counts):
            one, two = type_law(counts, m), type_law(other, m)
            ratios = [largest_ratio(one, two), largest_ratio(two, one)]
            finite = [r for r in ratios if r is not None]
            bound = Fraction(k + 1, k) ** m if smoothed else Fraction(k, k - 1) ** m if k > 1 else None
            held = len(finite) == 2 and bound is not None and max(finite) <= bound
            slack = math.log(bound / max(finite)) if len(finite) == 2 and bound is not None else -1.0
            tally.add(slack, decided=held, counts=counts, other=other, m=m)
    return tally.check()


def all_ones(*, most: int = 5, shift: int = 0) -> Check:
    r"""Check the ratio of the all-ones output, $\bigl(\frac{k+1}{n+2k}/\frac k{n+2k}\bigr)^m=(\frac{k+1}k)^m$.

    n, k, m = 1..most, exactly. `shift` claims $\frac{k+1+\text{shift}}{k+\text{shift}}$. Source: section 4.
    """
    most, shift = check_count("most", most), check_count("shift", shift, minimum=0)
    tally = Tally("exact", keep="first")
    for n in range(1, most + 1):
        for k in range(1, most + 1):
            for m in range(1, most + 1):
                one, two = type_law((n + k - 1, k + 1), m), type_law((n + k, k), m)
                ratio = one[0, m] / two[0, m]
                claimed = Fraction(k + 1 + shift, k + shift) ** m
                tally.add(-abs(float(ratio - claimed)), decided=ratio == claimed, n=n, k=k, m=m, ratio=ratio)
    return tally.check()


def smoothing_bounds(rng: np.random.Generator, instances: int, *, least: int = 1, shift: int = 0) -> Check:
    r"""Check that the largest loss of the mechanism is $m\log\frac{k+1}k$, exactly, so that smoothing gives DP.

    All data sets, neighbours and outputs of small random cases, k >= `least`; `least` = 0 admits plain bootstrapping,
    and `shift` claims $\frac{k+1+\text{shift}}{k+\text{shift}}$. Source: section 4; that no output is worse is added.
    """
    rng, instances = check_trials(rng, instances)
    least, shift = check_count("least", least, minimum=0), check_count("shift", shift, minimum=0)
    tally = Tally("exact")
    for index in range(instances):
        n, size, m = _setting(rng, most_m=3)
        k = least + index % 4
        ratios = [largest_ratio(one, two) for one, two in _pairs(n, size, k, m)]
        finite = [r for r in ratios if r is not None]
        found = max(finite) if len(finite) == len(ratios) else None
        claimed = Fraction(k + 1 + shift, k + shift) ** m if k + shift else None
        slack = -1.0 if found is None or claimed is None else -abs(math.log(found / claimed))
        tally.add(slack, decided=found is not None and found == claimed, n=n, size=size, k=k, m=m)
    return tally.check()


def pure_threshold(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $(\varepsilon,0)$-DP holds at $m=\lfloor\varepsilon/\lambda\rfloor$ and at no larger m.

    $\lambda=\log\frac{k+1}k$, eps rational; the largest ratio of one draw over all pairs, to the power m, is compared
    with $e^\varepsilon$ exactly. `claimed` is that share of the threshold. Source: section 4 ("only if").
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(FEW_BITS):
        for _ in range(instances):
            n, size, _ = _setting(rng)
            k, eps = int(rng.integers(1, 41)), Fraction(int(rng.integers(1, 1000)), 200)
            single = max(r for r in (largest_ratio(*pair) for pair in _pairs(n, size, k, 1)) if r is not None)
            m = _floor(ball(share * eps) / (ball(Fraction(k + 1, k))).log())
            level = ExactLevel(eps=eps)
            held = (m == 0 or level.at_most(single**m)) and not level.at_most(single ** (m + 1))
            slack = (m + 1) * math.log(single) - float(eps)
            tally.add(slack, decided=held, n=n, size=size, k=k, eps=eps, m=m)
    return tally.check()


def small_budget(rng: np.random.Generator, instances: int, *, below: bool = True) -> Check:
    r"""Check that for $\varepsilon<\log\frac{k+1}k$ no $m\ge1$ is $(\varepsilon,0)$-DP: one draw breaks it. Certified.

    `below` False draws $\varepsilon>\log\frac{k+1}k$. Source: section 4.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    for _ in range(instances):
        n, size, _ = _setting(rng)
        k = int(rng.integers(1, 41))
        share = Fraction(int(rng.integers(1, 1000)), 1000)
        # 1/(k + 1) < log((k + 1)/k) < 1/k
        eps = share / (k + 1) if below else Fraction(1, k) + share
        single = max(r for r in (largest_ratio(*pair) for pair in _pairs(n, size, k, 1)) if r is not None)
        tally.add(math.log(single) - float(eps), decided=not ExactLevel(eps=eps).at_most(single), k=k, eps=eps)
    return tally.check()
