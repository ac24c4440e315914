r"""Checks of the projection (v3 (7)): optimal, unique where P is positive, and what it does to modes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from mollified._validate import check_fraction, check_fractions, check_trials
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, exact_probabilities
from mollified.exact_projection import (
    exact_contains,
    exact_projection,
)
from mollified.instances import mollifier_box, random_law, random_root, random_sparse_law

__all__ = ["best_linear", "divergence_defined", "minimum_attained", "mode_can_move", "optimal", "unique_on_support"]
Law = tuple[Fraction, ...]

ONE = Fraction(1)

#: The smallest target without a constant in (8): a point mass on a quarter of $Q_0$, at $e^{\varepsilon/2}=2$.
POINT_MASS: tuple[Law, Law, Fraction] = (
    (ONE, Fraction(0)),
    (Fraction(1, 4), Fraction(3, 4)),
    Fraction(2),
)


def best_linear(weights: Law, base: Law, root: Fraction) -> Fraction:
    r"""Return $\max_{Q\in\mathcal M}\sum_xw_xQ(x)$ exactly: fill the atoms of largest weight first."""
    base, root = exact_probabilities("base", base), check_fraction("root", root, above=1)
    weights = check_fractions("weights", weights, size=len(base))
    low, high = mollifier_box(base, root)
    left, value = 1 - sum(low), Fraction(0)
    for x in sorted(range(len(base)), key=lambda index: -weights[index]):
        extra = min(high[x] - low[x], left)
        value += weights[x] * (low[x] + extra)
        left -= extra
    return value


def optimal(rng: np.random.Generator, instances: int, *, shift: Fraction = Fraction(0)) -> Check:
    r"""Check that v3 (8) solves (7), wherever its constant exists, by the exact condition for an optimum.

    $\operatorname{KL}(P,\cdot)$ is convex on the convex set $\mathcal M$, so $\hat P$ is a minimiser if and only if
    $\sum_x P(x)Q(x)/\hat P(x)\le1$ for every member Q; the left side is linear in Q and its maximum is exact. P may
    have zeros. `shift` > 0 moves that share of the mass of one atom of $\hat P$ to another, inside $\mathcal M$.
    """
    rng, instances = check_trials(rng, instances)
    shift = check_fraction("shift", shift, minimum=0, maximum=1)
    tally = Tally("exact")
    for _ in range(instances):
        size, root = int(rng.integers(2, 7)), random_root(rng)
        base, target = random_law(rng, size), random_sparse_law(rng, size)
        if sum(q for p, q in zip(target, base, strict=True) if p > 0) * (1 + root) < 1:
            continue
        _, best = exact_projection(target, base, root)
        if shift:
            moved = _shifted(best, base, target, root, shift)
            if moved is None:
                continue
            best = moved
        ratios = tuple(p / q for p, q in zip(target, best, strict=True))
        inside = exact_contains(best, base, ExactLevel(exp_eps=root**2)) is None
        slack = 1 - best_linear(ratios, base, root)
        tally.add(float(slack), decided=slack >= 0 and inside, P=target, Q0=base, root=root, best=best)
    return tally.check()


def _shifted(best: Law, base: Law, target: Law, root: Fraction, share: Fraction) -> Law | None:
    """Move mass between two atoms that both have room, at least one of them in the support of P."""
    low, high = mollifier_box(base, root)
    for x in range(len(best)):
        for y in range(len(best)):
            amount = share * best[x]
            if x != y and target[x] > 0 and best[x] - amount >= low[x] and best[y] + amount <= high[y]:
                moved = list(best)
                moved[x] -= amount
                moved[y] += amount
                return tuple(moved)
    return None


def unique_on_support(rng: np.random.Generator, instances: int, *, off_support: bool = False) -> Check:
    r"""Check that the minimiser is unique on $\{P>0\}$ by exhibiting none other; off the support it need not be.

    Each instance has P zero on two atoms and $Q_0$ of the support below $1/(1+r)$, where a completion is free. Two
    different completions have the same values where P > 0, hence the same divergence; `off_support` claims that
    they agree everywhere. Exact.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        root = 1 + Fraction(int(rng.integers(5, 150)), 100)
        inner = Fraction(int(rng.integers(1, 90)), 100) / (1 + root)
        share = Fraction(int(rng.integers(20, 81)), 100)
        base = (inner, (1 - inner) * share, (1 - inner) * (1 - share))
        low, high = mollifier_box(base, root)
        first = root * inner
        members = []
        for tilt in (Fraction(0), ONE):
            bottom, top = max(low[1], 1 - first - high[2]), min(high[1], 1 - first - low[2])
            value = bottom + tilt * (top - bottom)
            members.append((first, value, 1 - first - value))
        level = ExactLevel(exp_eps=root**2)
        both = all(exact_contains(member, base, level) is None for member in members)
        both = both and all(best_linear((1 / m[0], Fraction(0), Fraction(0)), base, root) <= 1 for m in members)
        agree = members[0] == members[1] if off_support else members[0][0] == members[1][0]
        gap = max(abs(a - b) for a, b in zip(*members, strict=True)) if off_support else Fraction(0)
        tally.add(
            float(-gap),
            decided=both and agree,
            P=(1, 0, 0),
            Q0=base,
            root=root,
            one=members[0],
            two=members[1],
        )
    return tally.check()


def mode_can_move(rng: np.random.Generator, instances: int, *, uniform: bool) -> Check:
    r"""Check that the mollification keeps the mode of P: true for uniform $Q_0$ (up to ties), not in general. Exact.

    The first instance is P = (2, 3)/5, Q0 = (4, 1)/5 at r = 5/4: the mode moves from the second point to the
    first, (3, 1)/4. For uniform $Q_0$ the map is increasing in P, so the largest atom stays a largest atom.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    cases: list[tuple[Law, Law, Fraction]] = []
    if not uniform:
        fifth = Fraction(1, 5)
        cases.append(((2 * fifth, 3 * fifth), (4 * fifth, fifth), Fraction(5, 4)))
    for _ in range(instances):
        size = int(rng.integers(2, 7))
        base = (Fraction(1, size),) * size if uniform else random_law(rng, size, spread=4)
        cases.append((random_law(rng, size, spread=4), base, random_root(rng)))
    for target, base, root in cases:
        _, best = exact_projection(target, base, root)
        mode = max(range(len(target)), key=lambda x: target[x])
        slack = best[mode] - max(best)
        tally.add(float(slack), decided=slack >= 0, P=target, Q0=base, root=root, best=best)
    return tally.check()


def minimum_attained(*, closed: bool) -> Check:
    r"""Check that (7) has a minimiser in the mollifier of laws $(t,1-t)$, $1/3\le t$, with an open or closed upper end.

    Exact. The set $\{1/3\le t<1/2\}$ is a mollifier ($e^\varepsilon=3/2$) and $P=(1,0)$ wants t as large as possible:
    to every t there is the better member $(t+1/2)/2$. With `closed` the end t = 1/2 belongs to it and is the
    minimiser.
    """
    tally = Tally("exact")
    end = Fraction(1, 2)
    candidates = [end] if closed else [end - Fraction(1, 10**k) for k in range(1, 13)]
    for t in candidates:
        better = min((t + end) / 2, end)
        beaten = better > t
        tally.add(float(t - better), decided=not beaten, P=(1, 0), t=t, better=better)
    return tally.check()


def divergence_defined(rng: np.random.Generator, instances: int, *, heavy: bool = False) -> Check:
    r"""Check that $\operatorname{KL}(P,Q)\ge0$ on pairs of densities, and is 0 for P = Q. Certified (ball arithmetic).

    `heavy` multiplies Q by 1.5, so that it is no density: the divergence is then negative for P = Q.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    for index in range(instances):
        p = random_law(rng, int(rng.integers(2, 6)))
        q = p if index % 3 == 0 else random_law(rng, len(p))
        factor = Fraction(3, 2) if heavy else ONE
        if p == q and not heavy:
            tally.add(0.0, decided=all(a == b for a, b in zip(p, q, strict=True)), P=p, Q=q)
            continue
        total = arb(0)
        for a, b in zip(p, q, strict=True):
            ratio = a / (factor * b)
            total += fmpq(a.numerator, a.denominator) * arb(fmpq(ratio.numerator, ratio.denominator)).log()
        tally.add(float(total.mid()), decided=bool(total > 0), P=p, Q=q)
    return tally.check()
