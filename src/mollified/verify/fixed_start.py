r"""Checks for the page on stopped chains: chains from a fixed state, their cost, and exact rejection beside them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import mollifier_box, random_fraction, random_law
from mollified.stopped_chain import (
    BITS,
    hockey_stick,
    independence_proposal,
    independence_ratio,
    metropolis_rows,
    point_start,
    steps_needed,
    stopped_laws,
    total_variation,
    worst_ratio,
)
from mollified.verify.stopped_chains import extreme_pair, member_pair

__all__ = [
    "bounds_reached",
    "coalescence",
    "cost_bracket",
    "delta_from_point",
    "distance_shrinks",
    "distance_to_delta",
    "truncated_rejection",
]

ONE = Fraction(1)


def delta_from_point(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check $(\varepsilon,(1-e^{-\varepsilon/2})^n)$-privacy of the independence sampler from a point. Rationals.

    The exact $\delta$ of the two laws after n = 1, ..., 6 steps, at $e^\varepsilon=r^2$, is at most $(1-1/r)^n$;
    `shift` claims the power n + shift. Tried first: r = 2, the start has mass 1/1024 under Q_0.
    """
    rng, instances = check_trials(rng, instances)
    early = check_count("shift", shift, minimum=0)
    tally = Tally("exact", keep="first")
    for at in range(instances):
        if at == 0:
            root = Fraction(2)
            base, one, two = extreme_pair(root, Fraction(1, 1024))
        else:
            base, root, one, two = member_pair(rng)
        steps, proposal = int(rng.integers(1, 7)), independence_proposal(base)
        start = point_start(len(base), 0)
        laws = [stopped_laws(metropolis_rows(target, proposal), start, steps)[-1] for target in (one, two)]
        delta, bound = hockey_stick(laws[0], laws[1], root**2), (1 - 1 / root) ** (steps + early)
        tally.add(float(bound - delta), decided=delta <= bound, Q0=base, Q=one, Q2=two, root=root, steps=steps)
    return tally.check()


def distance_shrinks(rng: np.random.Generator, instances: int, *, shift: int = 0) -> Check:
    r"""Check $\mathrm{TV}(L_n,Q)\le(1-e^{-\varepsilon/2})^n\,\mathrm{TV}(L_0,Q)$, proposals from Q_0. Rationals.

    n = 1, ..., 6; the start is a point, a random law, or Q_0 itself, for which the right-hand side has
    $\tanh(\varepsilon/4)=(r-1)/(r+1)$ in place of the distance. `shift` claims the power n + shift. Equality where the
    start is a point with $Q=rQ_0$, as in the first instance.
    """
    rng, instances = check_trials(rng, instances)
    early = check_count("shift", shift, minimum=0)
    tally = Tally("exact", keep="first")
    for at in range(instances):
        if at == 0:
            root = Fraction(2)
            base, one, _ = extreme_pair(root, Fraction(1, 3))
        else:
            base, root, one, _ = member_pair(rng)
        start = (point_start(len(base), 0), random_law(rng, len(base)), base)[at % 3]
        steps = int(rng.integers(1, 7))
        law = stopped_laws(metropolis_rows(one, independence_proposal(base)), start, steps)[-1]
        far = (root - 1) / (root + 1) if at % 3 == 2 else total_variation(start, one)
        bound = (1 - 1 / root) ** (steps + early) * far
        slack = bound - total_variation(law, one)
        tally.add(float(slack), decided=slack >= 0, Q0=base, Q=one, start=start, root=root, steps=steps)
    return tally.check()


def distance_to_delta(rng: np.random.Generator, instances: int, *, whole: bool = True) -> Check:
    r"""Check $(\varepsilon,(1+e^\varepsilon)\tau)$-privacy of laws within $\tau$ of members of a mollifier. Rationals.

    The exact $\delta$ of random pairs; `whole` false claims $e^\varepsilon\tau$ alone. Tried first: two points,
    $e^\varepsilon=4$, $Q=(2/3,1/3)$, $Q'=(1/6,5/6)$, and mass 1/12 moved on to the first point of Q and off that of Q',
    where the bound is attained.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    base: Law
    one: Law
    two: Law
    for at in range(instances):
        if at == 0:
            base, root = (Fraction(1, 3), Fraction(2, 3)), Fraction(2)
            one, two = (Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 6), Fraction(5, 6))
            moved: list[Law] = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 12), Fraction(11, 12))]
        else:
            base, root, one, two = member_pair(rng)
            share, other = random_fraction(rng, Fraction(0), ONE), random_law(rng, len(base))
            near = tuple((1 - share) * q + share * u for q, u in zip(one, other, strict=True))
            other = random_law(rng, len(base))
            moved = [near, tuple((1 - share) * q + share * u for q, u in zip(two, other, strict=True))]
        tau = max(total_variation(moved[0], one), total_variation(moved[1], two))
        bound = ((1 if whole else 0) + root**2) * tau
        slack = bound - hockey_stick(moved[0], moved[1], root**2)
        tally.add(float(slack), decided=slack >= 0, L=moved[0], L2=moved[1], Q=one, Q2=two, root=root, tau=tau)
    return tally.check()


def bounds_reached(*, share: Fraction = Fraction(98, 100)) -> Check:
    r"""Check that no smaller level, and no smaller delta, serves the independence sampler. Rationals.

    For r = 5/4, 2, 4 and n = 1, ..., 12 the pair `extreme_pair` with an atom of $10^{-9}$ reaches `share` of
    $e^{\varepsilon_n}$ from a draw of Q_0, and `share` of $(1-1/r)^n$ from that atom.
    """
    claimed = check_fraction("share", share, above=0)
    tally = Tally("exact")
    for root in (Fraction(5, 4), Fraction(2), Fraction(4)):
        base, one, two = extreme_pair(root, Fraction(1, 10**9))
        kernels = [metropolis_rows(target, independence_proposal(base)) for target in (one, two)]
        drawn, fixed = ([stopped_laws(k, start, 12) for k in kernels] for start in (base, point_start(2, 0)))
        for n in range(1, 13):
            ratio = worst_ratio(drawn[0][n], drawn[1][n])
            delta = hockey_stick(fixed[0][n], fixed[1][n], root**2)
            reached = Fraction(0) if ratio is None else ratio / independence_ratio(root, n)
            worst = min(reached, delta / (1 - 1 / root) ** n)
            tally.add(float(worst - claimed), decided=worst >= claimed, root=root, steps=n, ratio=ratio, delta=delta)
    return tally.check()


def cost_bracket(rng: np.random.Generator, instances: int, *, claimed: int = 1) -> Check:
    r"""Check $\ell(e^{\varepsilon/2}-1)\le n<\ell e^{\varepsilon/2}+1$ for the steps needed. Balls.

    n is the smallest number with $(1-e^{-\varepsilon/2})^n\le\delta$ and $\ell=\log(1/\delta)$, for random rational
    $\varepsilon$ from 0.01 to 12 and $\delta=10^{-1},\dots,10^{-9}$. `claimed` = 0 claims
    $\ell e^{\varepsilon/2}$ on the left.
    """
    rng, instances = check_trials(rng, instances)
    less = check_count("claimed", claimed, minimum=0)
    tally = Tally("certified")
    for _ in range(instances):
        eps = Fraction(round(1000 * float(np.exp(rng.uniform(2.3, 9.39)))), 10**6)
        delta = Fraction(1, 10 ** int(rng.integers(1, 10)))
        found = steps_needed(eps, delta)
        with ctx.workprec(BITS):
            long, growth = -ball(delta).log(), (ball(eps) / 2).exp()
            gaps = [arb(found) - long * (growth - less), long * growth + 1 - found]
        worst = min(float(gap) for gap in gaps)
        tally.add(worst, decided=bool(gaps[0] >= 0) and bool(gaps[1] > 0), eps=eps, delta=delta, steps=found)
    return tally.check()


def truncated_rejection(rng: np.random.Generator, instances: int, *, fixed: bool = False) -> Check:
    r"""Check that rejection cut off after n proposals, then a draw of Q_0, stays in the mollifier. Rationals.

    The law is $(1-(1-1/r)^n)Q+(1-1/r)^nQ_0$, computed from the acceptance probabilities $Q/(rQ_0)$. `fixed` returns the
    first point where nothing was accepted.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root, one, _ = member_pair(rng)
        steps = int(rng.integers(1, 9))
        accepted = [q0 * (q / (root * q0)) for q0, q in zip(base, one, strict=True)]
        rest = 1 - sum(accepted, Fraction(0))
        instead = point_start(len(base), 0) if fixed else base
        tries = sum((rest**k for k in range(steps)), Fraction(0))
        law = tuple(a * tries + rest**steps * u for a, u in zip(accepted, instead, strict=True))
        low, high = mollifier_box(base, root)
        slack = min(min(p - a, b - p) for p, a, b in zip(law, low, high, strict=True))
        tally.add(float(slack), decided=sum(law) == 1 and slack >= 0, Q0=base, Q=one, root=root, steps=steps, law=law)
    return tally.check()


def coalescence(rng: np.random.Generator, instances: int, *, by_level: bool = False) -> Check:
    r"""Check that a proposal is accepted from every point with probability $1/\max w$, $w=Q/Q_0$. Rationals.

    One uniform number decides for all points, so that the probability is
    $\sum_yQ_0(y)\min_x\min\{1,w(y)/w(x)\}$. `by_level` claims $e^{-\varepsilon/2}$ instead, which is right only where w
    reaches $e^{\varepsilon/2}$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        base, root, one, _ = member_pair(rng)
        weights = [q / q0 for q, q0 in zip(one, base, strict=True)]
        found = sum((q0 * min(ONE, v / max(weights)) for q0, v in zip(base, weights, strict=True)), Fraction(0))
        gap = abs(found - 1 / (root if by_level else max(weights)))
        tally.add(float(-gap) if gap else 0.0, decided=gap == 0, Q0=base, Q=one, root=root, found=found)
    return tally.check()
