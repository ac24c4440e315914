r"""Checks of the projection (v3 (7)): optimal, unique where P is positive, and what it does to modes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb

from mollified._validate import check_fraction, check_fractions, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, Law, exact_probabilities
from mollified.exact_projection import (
    exact_contains,
    exact_projection,
)
from mollified.instances import member_of_box, mollifier_box, random_law, random_root, random_sparse_law

__all__ = [
    "best_linear",
    "divergence_defined",
    "member_keeps_mode",
    "minimum_attained",
    "mode_can_move",
    "objective_convex",
    "optimal",
    "unique_on_support",
]


ONE = Fraction(1)


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
    r"""Check that the minimiser is unique on $\{P>0\}$: any member that differs there is strictly worse. Certified.

    Another member Q of the mollifier is drawn; where it differs from $\hat P$ on the support of P the gap
    $\operatorname{KL}(P,Q)-\operatorname{KL}(P,\hat P)=\sum P\log(\hat P/Q)$ must be positive, decided in ball
    arithmetic. `off_support` takes instead two completions of one projection, which differ off the support only and
    claims that they too differ in divergence.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    target: Law
    base: Law
    while tally.instances < instances:
        if off_support:
            target, root = (ONE, Fraction(0), Fraction(0)), 2
            base = (Fraction(1, 6), Fraction(1, 2), Fraction(1, 3))
            best: Law = (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
            tilt = Fraction(int(rng.integers(1, 10)), 120)
            other: Law = (best[0], best[1] + tilt, best[2] - tilt)
            inside = all(q / root <= m <= root * q for m, q in zip(other, base, strict=True))
            if not inside:
                raise ArithmeticError(f"completion {other!r} leaves the mollifier")
        else:
            size, level = int(rng.integers(2, 6)), random_root(rng)
            base, target = random_law(rng, size, spread=6), random_sparse_law(rng, size)
            if sum(q for p, q in zip(target, base, strict=True) if p > 0) * (1 + level) < 1:
                continue
            best = exact_projection(target, base, level)[1]
            other = member_of_box(rng, *mollifier_box(base, level))
            if all(a == b for p, a, b in zip(target, best, other, strict=True) if p > 0):
                continue
        gap = arb(0)
        for p, a, b in zip(target, best, other, strict=True):
            if p > 0:
                gap += ball(p) * ball(a / b).log()
        tally.add(float(gap.mid()), decided=bool(gap > 0), P=target, Q0=base, best=best, Q=other)
    return tally.check()


def mode_can_move(rng: np.random.Generator, instances: int, *, uniform: bool) -> Check:
    r"""Check that the mollification keeps the mode of P: true for uniform $Q_0$ (up to ties), not in general. Exact.

    The first instance is P = (2, 3)/5, Q0 = (4, 1)/5 at r = 5/4: the mode moves from the second point to the
    first, (3, 1)/4. For uniform $Q_0$ the map is non-decreasing in P, so the largest atom stays a largest atom.
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
            total += ball(a) * ball(ratio).log()
        tally.add(float(total.mid()), decided=bool(total > 0), P=p, Q=q)
    return tally.check()


def objective_convex(rng: np.random.Generator, instances: int, *, reverse: bool = False) -> Check:
    r"""Check $\operatorname{KL}(P,(1-s)Q+sQ')\le(1-s)\operatorname{KL}(P,Q)+s\operatorname{KL}(P,Q')$. Certified.

    With a convex set of densities this makes (7) a convex problem. Strict for members of a relative mollifier that
    differ where P > 0, and 0 < s < 1; `reverse` claims the other direction.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    while tally.instances < instances:
        size = int(rng.integers(2, 6))
        base, target = random_law(rng, size, spread=6), random_sparse_law(rng, size)
        low, high = mollifier_box(base, random_root(rng))
        one, two = member_of_box(rng, low, high), member_of_box(rng, low, high)
        if all(a == b for p, a, b in zip(target, one, two, strict=True) if p > 0):
            continue
        s = Fraction(int(rng.integers(1, 64)), 64)
        gap = arb(0)
        for p, a, b in zip(target, one, two, strict=True):
            if p > 0:
                mixed = (1 - s) * a + s * b
                gap += ball(p) * (ball(mixed).log() - ball(1 - s) * ball(a).log() - ball(s) * ball(b).log())
        if reverse:
            gap = -gap
        tally.add(float(gap.mid()), decided=bool(gap > 0), P=target, Q=one, Q2=two, s=s)
    return tally.check()


def member_keeps_mode(*, uniform: bool) -> Check:
    r"""Check that some member of the mollifier has its mode where P has it. Exact.

    P = (2, 3)/5, Q0 = (4, 1)/5, $e^{\varepsilon/2}=5/4$: every member has at least 16/25 on the first point, so none
    has its mode on the second, as P does. With `uniform` $Q_0$ some member does (P itself, here).
    """
    base = (Fraction(1, 2),) * 2 if uniform else (Fraction(4, 5), Fraction(1, 5))
    target, root = (Fraction(2, 5), Fraction(3, 5)), Fraction(5, 4)
    low, high = mollifier_box(base, root)
    most = min(high[1], 1 - low[0])
    tally = Tally("exact")
    tally.add(float(2 * most - 1), decided=2 * most >= 1, P=target, Q0=base, root=root, most_on_second=most)
    return tally.check()
