r"""Checks for the page on typical sets: the mechanism, types, Lemma 1 with its steps, and Theorem 7.

Every probability here is exact: rationals from sums over all outcomes, or from the dynamic program of `typical_set`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, permutations, product
from typing import Literal

import numpy as np
from flint import ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_mechanism import count_records, smoothed_law
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import random_fraction, random_law
from mollified.typical_set import cdf_gap_probability, is_typical, type_probability, types, typical_probability

__all__ = [
    "augmented_size",
    "cdf_bound",
    "cdf_halves",
    "likely_set",
    "mass_bound",
    "mechanism_law",
    "probability_chain",
    "theorem_seven",
    "type_definition",
    "typical_definition",
]

BITS = 160
HALF, TWO = Fraction(1, 2), Fraction(2)


def _records(rng: np.random.Generator, size: int, most: int) -> list[int]:
    return [int(x) for x in rng.integers(size, size=int(rng.integers(1, most + 1)))]


def mechanism_law(rng: np.random.Generator, instances: int, *, replacement: bool = True) -> Check:
    r"""Check that the output has the law $\prod_j h^{\tilde D}(x^*_j)$, which depends on $\tilde D$ only. Exact.

    The augmented data set is written out, and every way to draw m = 2 or 3 of its records is counted. Without
    `replacement` the law is another one.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, k, m = int(rng.integers(2, 4)), int(rng.integers(1, 3)), int(rng.integers(2, 4))
        data = _records(rng, size, 3)
        augmented = data + [symbol for symbol in range(size) for _ in range(k)]
        draws = product(augmented, repeat=m) if replacement else permutations(augmented, min(m, len(augmented)))
        seen = Counter(draws)
        total, law = sum(seen.values()), smoothed_law(count_records(data, range(size)), k)
        gap = Fraction(0)
        for output in product(range(size), repeat=m):
            expected = Fraction(1)
            for symbol in output:
                expected *= law[symbol]
            gap = max(gap, abs(Fraction(seen[output], total) - expected))
        tally.add(-float(gap), D=data, k=k, m=m)
    return tally.check()


def augmented_size(rng: np.random.Generator, instances: int, *, every_symbol: bool = True) -> Check:
    r"""Check $|\tilde D|=n+k|\Sigma|$ by writing $\tilde D$ out. Exact; control: k records are added in all."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, k = int(rng.integers(2, 9)), int(rng.integers(1, 9))
        data = _records(rng, size, 20)
        augmented = data + [symbol for symbol in range(size if every_symbol else 1) for _ in range(k)]
        tally.add(-abs(len(augmented) - len(data) - k * size), D=data, k=k, size=size)
    return tally.check()


def likely_set(rng: np.random.Generator, instances: int, *, second: bool = False) -> Check:
    r"""Check: $P\le e^\varepsilon P'$ on a set of P-probability $1-\delta$ gives $\delta(\varepsilon)\le\delta$. Exact.

    Random laws and sets, $e^\varepsilon$ the largest ratio there, $\delta(\varepsilon)=\sum(P-e^\varepsilon P')_+$.
    With `second` the probability of the set is taken under P', which is not enough.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 8))
        one, two = random_law(rng, size), random_law(rng, size)
        inside = [x for x in range(size) if rng.random() < 0.7] or [0]
        level = max(Fraction(1), *(one[x] / two[x] for x in inside))
        missed = 1 - sum(((two if second else one)[x] for x in inside), Fraction(0))
        delta = sum((max(p - level * q, Fraction(0)) for p, q in zip(one, two, strict=True)), Fraction(0))
        tally.add(float(missed - delta), decided=delta <= missed, P=one, Q=two, set=inside, exp_eps=level)
    return tally.check()


def type_definition(rng: np.random.Generator, instances: int, *, distinct: bool = False) -> Check:
    """Check that a type is a law and holds the fraction of each value, by counting. Exact.

    With `distinct` every value that occurs counts once, which is no law in general.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 7))
        data = _records(rng, size, 12)
        counts = [int(c > 0) if distinct else int(c) for c in count_records(data, range(size))]
        kind = [Fraction(count, len(data)) for count in counts]
        shares = [Fraction(data.count(symbol), len(data)) for symbol in range(size)]
        gap = abs(sum(kind, Fraction(-1))) + max(abs(a - b) for a, b in zip(kind, shares, strict=True))
        tally.add(-float(gap), D=data)
    return tally.check()


def _edge(rng: np.random.Generator, law: Law, m: int) -> Fraction:
    """Return a gap in (0, 1), half of the time one that a type of m draws attains exactly."""
    if rng.random() < 0.5:
        gap = abs(Fraction(int(rng.integers(m + 1)), m) - law[int(rng.integers(len(law)))])
        if 0 < gap < 1:
            return gap
    return random_fraction(rng, Fraction(1, 50), Fraction(49, 50), 48)


def typical_definition(rng: np.random.Generator, instances: int, *, strict: bool = False) -> Check:
    r"""Check that the types with $\max_i|h^{D^*}(d_i)-h^{\tilde D}(d_i)|\le\gamma$ add up to its probability. Exact.

    Sum over all types against the dynamic program. With `strict` the inequality is strict, which is another set.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        law, m = random_law(rng, int(rng.integers(2, 5)), spread=5), int(rng.integers(1, 9))
        gamma = _edge(rng, law, m)
        total = Fraction(0)
        for row in types(len(law), m).tolist():
            gap = max(abs(Fraction(count, m) - p) for count, p in zip(row, law, strict=True))
            if gap < gamma if strict else is_typical(law, row, gamma):
                total += type_probability(law, row)
        tally.add(-float(abs(total - typical_probability(law, m, gamma))), h=law, m=m, gamma=gamma)
    return tally.check()


def _below(probability: Fraction, front: Fraction, exponent: Fraction) -> tuple[float, bool]:
    """Return the margin of probability <= front exp(-exponent), and whether it holds for certain."""
    bound = ball(front) * (-ball(exponent)).exp()
    gap = bound - ball(probability)
    return float(gap.mid()), bool(gap >= 0)


def _laws(
    rng: np.random.Generator, instances: int, first: Sequence[tuple[Law, int, Fraction]]
) -> list[tuple[Law, int, Fraction]]:
    """Return chosen instances (law, m, gap), then random ones: laws with tiny atoms, flat ones, smoothed data."""
    found = list(first)
    while len(found) < instances:
        size, m = int(rng.integers(2, 7)), int(rng.integers(1, 41))
        kind = int(rng.integers(3))
        if kind == 0:
            law = random_law(rng, size, spread=8)
        elif kind == 1:
            law = (Fraction(1, size),) * size
        else:
            law = smoothed_law(count_records(_records(rng, size, 20), range(size)), int(rng.integers(1, 6)))
        found.append((law, m, _edge(rng, law, m)))
    return found[: max(instances, len(first))]


def _bound(
    rng: np.random.Generator,
    instances: int,
    probability: Callable[[Law, int, Fraction], Fraction],
    front: Fraction,
    rate: Fraction,
    first: Sequence[tuple[Law, int, Fraction]],
) -> Check:
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for law, m, t in _laws(rng, instances, first):
            slack, holds = _below(probability(law, m, t), front, rate * m * t * t)
            shown = law if len(law) <= 6 else f"uniform on {len(law)} points"
            tally.add(slack, decided=holds, f=shown, n=m, t=t)
    return tally.check()


def cdf_bound(rng: np.random.Generator, instances: int, *, front: Fraction = TWO) -> Check:
    r"""Check (13), $P[\max_x|F-F_n|>t]\le2e^{-2nt^2}$, exact probability against a ball. Certified.

    `front` is the constant in front: with 1 the bound is that of one side and fails.
    """
    rng, instances = check_trials(rng, instances)
    front = check_fraction("front", front, above=0)
    return _bound(rng, instances, cdf_gap_probability, front, Fraction(2), [((HALF, HALF), 1, Fraction(2, 5))])


def mass_bound(rng: np.random.Generator, instances: int, *, rate: Fraction = HALF) -> Check:
    r"""Check (12), $P[\max_x|f-f_n|>t]\le2e^{-cnt^2}$ with c = `rate`, 1/2 as printed. Certified.

    One draw from a uniform law on 300 points has a gap of 299/300 for certain: so no $c>\log2$ will do.
    """
    rng, instances = check_trials(rng, instances)
    rate = check_fraction("rate", rate, above=0)
    first = [((Fraction(1, 300),) * 300, 1, Fraction(249, 250))]
    return _bound(rng, instances, lambda law, m, t: 1 - typical_probability(law, m, t), TWO, rate, first)


def theorem_seven(rng: np.random.Generator, instances: int, *, factor: Fraction = TWO) -> Check:
    r"""Check Theorem 7: $m\ge\frac c{\gamma^2}\log\frac2\delta$ gives $P[D^*\in T]\ge1-\delta$, c = `factor`. Exact.

    $\delta$ is a rational just above $2e^{-m\gamma^2/c}$; instances without one below 1 are left out. c = 2 as printed;
    c = 1/2 suffices for Theorem 2, not here: one draw from (3, 2, 2, 2)/9 is never within 13/20.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("exact", keep="first")
    first = [(smoothed_law((1, 0, 0, 0), 2), 1, Fraction(13, 20))]
    with ctx.workprec(BITS):
        for law, m, gamma in _laws(rng, 3 * instances, first):
            delta = Fraction(int(float((2 * (-ball(m * gamma**2 / factor)).exp()).upper()) * 10**9) + 2, 10**9)
            if delta >= 1:
                continue
            slack = typical_probability(law, m, gamma) - (1 - delta)
            tally.add(float(slack), decided=slack >= 0, h=law, m=m, gamma=gamma, delta=delta)
    return tally.check()


def _gaps(law: Law, counts: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return the largest gap of the mass functions, and of the distribution functions."""
    gaps = [Fraction(count, sum(counts)) - p for count, p in zip(counts, law, strict=True)]
    return max(abs(gap) for gap in gaps), max(abs(gap) for gap in accumulate(gaps))


def cdf_halves(rng: np.random.Generator, instances: int, *, share: Fraction = HALF) -> Check:
    r"""Check (14), (18)-(23): if all $|F-F_n|\le\frac t2$ then all $|f-f_n|\le t$. Exact.

    t is the larger of both; `share` = 1 asks for a gap t of the distribution functions. Counts are those of draws.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        law = random_law(rng, int(rng.integers(2, 7)), spread=6) if index else (Fraction(1, 4), HALF, Fraction(1, 4))
        drawn = rng.multinomial(int(rng.integers(1, 12)), [float(p) for p in law]) if index else (1, 0, 1)
        mass, cdf = _gaps(law, [int(count) for count in drawn])
        slack = cdf - share * mass
        tally.add(float(slack), decided=slack >= 0, f=law, counts=[int(count) for count in drawn])
    return tally.check()


def probability_chain(rng: np.random.Generator, instances: int, *, step: Literal["half", "whole"] = "half") -> Check:
    r"""Check (15)-(17): $P[\max|f-f_n|>t]\le P[\max|F-F_n|>\frac t2]\le2e^{-nt^2/2}$, both links. Certified.

    With `step` "whole" the middle term has t in place of t/2, and the first link fails.
    """
    rng, instances = check_trials(rng, instances)
    if step not in ("half", "whole"):
        raise ValueError(f"step must be half or whole, got {_echo(step)}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for law, m, t in _laws(rng, instances, [((Fraction(1, 4), HALF, Fraction(1, 4)), 2, Fraction(2, 5))]):
            cut = t / 2 if step == "half" else t
            left, middle = 1 - typical_probability(law, m, t), cdf_gap_probability(law, m, cut)
            slack, holds = _below(middle, TWO, 2 * m * cut * cut)
            link = float(middle - left)
            tally.add(min(slack, link), decided=holds and left <= middle, f=law, n=m, t=t)
    return tally.check()
