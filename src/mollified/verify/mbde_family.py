r"""Checks of what MBDE can output at all: its oscillation, the member closest to P, and half of the best gain."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel, exact_probabilities
from mollified.exact_projection import exact_projection
from mollified.instances import random_fraction, random_law, random_root, random_run
from mollified.mbde_family import exact_family_projection, extreme_members

__all__ = ["closest_member", "half_gain", "limit_reached", "never_below_family", "oscillation"]

ONE = Fraction(1)
HALF = Fraction(1, 2)


def _divergence(p: tuple[Fraction, ...], q: tuple[arb, ...] | list[arb]) -> arb:
    return sum((ball(a) * (ball(a) / b).log() for a, b in zip(p, q, strict=True) if a), arb(0))


def oscillation(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that $\log(Q_T/Q_0)$ oscillates by at most $\frac\varepsilon2(1-\theta_T)$. Certified.

    Equality is reached by constant signs and decided up to $2^{-200}$. `claimed` < 1 states that share of it.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            base, rows, level = random_run(rng, ONE)
            assert level.eps is not None
            ratios = [(a / ball(b)).log() for a, b in zip(ball_mbde(base, rows, level), base, strict=True)]
            bound = ball(level.eps) / 2 * (1 - ball_theta(level, len(rows))[-1]) * ball(claimed)
            slack = min((bound - (a - b) for a in ratios for b in ratios), key=lambda s: float(s.mid()))
            tally.add(float(slack.mid()), decided=bool(slack > -(arb(2) ** -200)), Q0=base, c=rows, eps=level.eps)
    return tally.check()


def closest_member(rng: np.random.Generator, instances: int, *, mix: Fraction = Fraction(0)) -> Check:
    r"""Check that $\min\{\max\{P,mQ_0\},rmQ_0\}$ is the closest member to P in KL(P, .). Exact.

    KL(P, .) is convex, so Q is closest if and only if $\sum_x\frac{P}{Q}(Q'-Q)\le0$ for all members Q'; it is enough to
    test the $2^k-1$ extreme ones. `mix` > 0 tests the mixture with that share of $Q_0$ instead, a worse member.
    """
    rng, instances = check_trials(rng, instances)
    mix = check_fraction("mix", mix, minimum=0, maximum=1)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        p, base, root = random_law(rng, size), random_law(rng, size), random_root(rng)
        law = tuple(
            (1 - mix) * a + mix * b for a, b in zip(exact_family_projection(p, base, root)[1], base, strict=True)
        )
        best = max(
            sum(a / b * e for a, b, e in zip(p, law, member, strict=True)) for member in extreme_members(base, root)
        )
        slack = 1 - best  # the sum over x of (P/Q) Q is one
        tally.add(float(slack), decided=slack >= 0, P=p, Q0=base, root=root, Q=law)
    return tally.check()


def limit_reached(*, p: tuple[Fraction, ...], reference: tuple[Fraction, ...], root: Fraction) -> Check:
    r"""Check that some output of MBDE is as close to P as the mollification at level $2\log r$. Certified.

    Whatever T and the classifiers, $\operatorname{KL}(P,Q_T)$ is at least that of the closest density of oscillation
    $\log r$. $P=(3,1)/4$, $Q_0=(1,1)/2$, r = 2 refutes it: P lies in the mollifier, the closest output is (2, 1)/3.
    """
    base = exact_probabilities("reference", reference)
    target, root = exact_probabilities("p", p, size=len(base)), check_fraction("root", root, above=1)
    mollification = exact_projection(target, base, root)[1]
    closest = exact_family_projection(target, base, root)[1]
    tally = Tally("certified")
    with ctx.workprec(BITS):
        gap = _divergence(target, [ball(q) for q in closest]) - _divergence(target, [ball(q) for q in mollification])
        same = mollification == closest
        if not same and not (gap > 0 or gap < 0):
            raise ArithmeticError(f"the gap {gap} is not decided at {BITS} bits")
        tally.add(
            0.0 if same else -float(gap.mid()),
            decided=same or bool(gap < 0),
            P=target,
            Q0=base,
            root=root,
            mollification=mollification,
            closest=closest,
        )
    return tally.check()


def never_below_family(rng: np.random.Generator, instances: int, *, narrow: Fraction = ONE) -> Check:
    r"""Check $\operatorname{KL}(P,Q_T)\ge\operatorname{KL}(P,Q)$ for the closest Q of oscillation $\log r$. Certified.

    $\varepsilon=2\log r$; classifiers are random signs and, half of the time, the sign of $P-Q_0$ in every round.
    `narrow` < 1 compares with the closest density for $1+\text{narrow}(r-1)$ in place of r, which runs do beat.
    """
    rng, instances = check_trials(rng, instances)
    narrow = check_fraction("narrow", narrow, above=0, maximum=1)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, _ = random_run(rng, ONE)
            p, root = random_law(rng, len(base)), 1 + Fraction(int(rng.integers(1, 800)), 100)
            if index % 2 == 0:
                rows = [tuple(ONE if a > b else -ONE for a, b in zip(p, base, strict=True))] * len(rows)
            learned = ball_mbde(base, rows, ExactLevel(exp_eps=root**2))
            closest = exact_family_projection(p, base, 1 + narrow * (root - 1))[1]
            slack = _divergence(p, learned) - _divergence(p, [ball(q) for q in closest])
            tally.add(float(slack.mid()), decided=bool(slack > -(arb(2) ** -200)), P=p, Q0=base, c=rows, root=root)
    return tally.check()


def half_gain(rng: np.random.Generator, instances: int, *, share: Fraction = HALF) -> Check:
    r"""Check that the closest density of oscillation $\varepsilon/2$ has half of the best gain. Certified.

    The best gain is that of the mollification $\hat P=Q_0e^h$, $|h|\le\varepsilon/2$.
    $\psi(s)=\log\mathbb E_{Q_0}e^{sh}$ is convex with $\psi(0)=\psi(1)=0$, so $Q_0e^{h/2-\psi(1/2)}$ gains at least
    $\frac12\mathbb E_Ph$. One half cannot be improved: a fair coin with a small level, every fourth instance, comes
    as close as one likes.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = int(rng.integers(2, 6))
            p, base, root = random_law(rng, size), random_law(rng, size, spread=4), random_root(rng)
            if index % 4 == 0:
                heavy = random_fraction(rng, Fraction(6, 10), Fraction(95, 100))
                p, base, root = (heavy, 1 - heavy), (HALF, HALF), 1 + Fraction(1, 1000 + int(rng.integers(9000)))
            support = all(a > 0 for a in p)
            assert support  # so that the mollification has the form (8)
            start = _divergence(p, [ball(q) for q in base])
            gains = [
                start - _divergence(p, [ball(q) for q in law])
                for law in (exact_family_projection(p, base, root)[1], exact_projection(p, base, root)[1])
            ]
            slack = gains[0] - ball(share) * gains[1]
            tally.add(float(slack.mid()), decided=bool(slack > -(arb(2) ** -200)), P=p, Q0=base, root=root)
    return tally.check()
