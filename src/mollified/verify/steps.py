r"""Checks of the step sizes of MBDE: the geometric series behind the privacy proof."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq_poly

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.instances import random_level

__all__ = [
    "geometric_identity",
    "geometric_ratio",
    "limit_identity",
    "missing_index",
    "steps_vanish",
    "sum_below_limit",
    "unused_share",
]


def geometric_identity(rounds: int, *, exponent_shift: int = 0) -> Check:
    r"""Prove $(1-r)\sum_{t=1}^Tr^t=r-r^{T+1}$ for every T: the case T = 1 and the step from T to T + 1.

    The step adds $(1-r)r^{T+1}=r^{T+1}-r^{T+2}$ to both sides; divided by $r^{T+1}$ that is an identity of polynomials,
    as are the cases T <= `rounds`, which are listed too. With $r=\varepsilon/(\varepsilon+4\log2)\in(0,1)$ this is
    (18)-(19), and $r^{T+1}>0$ gives Lemma 9. `exponent_shift` puts a wrong power on the right.
    Raises ValueError or TypeError for rounds < 1 or a shift that is not an integer.
    """
    rounds = check_count("rounds", rounds)
    check_count("exponent_shift", exponent_shift, minimum=-1)
    tally = Tally("exact", scope="universal")
    for last in range(1, rounds + 1):
        left = fmpq_poly([1, -1]) * fmpq_poly([0] + [1] * last)
        right = fmpq_poly([0, 1]) - fmpq_poly([0] * (last + 1 + exponent_shift) + [1])
        tally.add(0.0 if left == right else -1.0, decided=left == right, T=last)
    step = fmpq_poly([1, -1]) == fmpq_poly([1]) - fmpq_poly([0, 1])
    tally.add(0.0 if step else -1.0, decided=step, T="from T to T + 1")
    return tally.check()


def sum_below_limit(rng: np.random.Generator, instances: int, *, divisor: int = 4) -> Check:
    r"""Check Lemma 9, $\sum_{t\le T}\theta_t<\varepsilon/(4\log2)$, in ball arithmetic; T up to 50. Certified.

    `divisor` 5 states a limit that is too small.
    """
    rng, instances = check_trials(rng, instances)
    divisor = check_count("divisor", divisor)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            level, rounds = random_level(rng), int(rng.integers(1, 51))
            assert level.eps is not None
            total = sum(ball_theta(level, rounds), arb(0))
            limit = ball(level.eps) / (divisor * arb(2).log())
            slack = limit - total
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=level.eps, T=rounds)
    return tally.check()


def steps_vanish(rng: np.random.Generator, instances: int, *, faster: int = 0) -> Check:
    r"""Check $\theta_t(\varepsilon)\le(\varepsilon/(4\log2))^t$, hence $\theta_t\to0$ as $\varepsilon\to0$. Certified.

    `faster` claims the power t + `faster`, which fails for small $\varepsilon$.
    """
    rng, instances = check_trials(rng, instances)
    faster = check_count("faster", faster, minimum=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            level, t = random_level(rng), int(rng.integers(1, 9))
            assert level.eps is not None
            step = ball_theta(level, t)[-1]
            bound = (ball(level.eps) / (4 * arb(2).log())) ** (t + faster)
            slack = (bound / step).log()
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=level.eps, t=t)
    return tally.check()


def geometric_ratio(rounds: int, *, additive: bool = False) -> Check:
    r"""Check $\theta_t=r\,\theta_{t-1}$ for $\theta_t=r^t$, as polynomials in r, for t up to `rounds`.

    `additive` claims $\theta_t=r+\theta_{t-1}$.
    """
    rounds = check_count("rounds", rounds)
    tally = Tally("exact")
    r = fmpq_poly([0, 1])
    for t, (before, after) in enumerate(pairwise(fmpq_poly([0] * k + [1]) for k in range(1, rounds + 2)), start=2):
        same = after == (r + before if additive else r * before)
        tally.add(0.0 if same else -1.0, decided=same, t=t)
    return tally.check()


def limit_identity(*, constant: int = 1) -> Check:
    r"""Prove $r/(1-r)=\varepsilon/K$ for $r=\varepsilon/(\varepsilon+K)$, (21), for all positive $\varepsilon$ and K.

    Cleared of denominators both sides are polynomials of degree at most 2 in each variable: agreement on a 3 x 3 grid
    of rationals proves the identity. `constant` = 2 puts a wrong factor in.
    """
    constant = check_count("constant", constant)
    tally = Tally("exact", scope="universal")
    for eps in (Fraction(1), Fraction(2), Fraction(5)):
        for k in (Fraction(1), Fraction(3), Fraction(7)):
            r = eps / (eps + k)
            gap = r / (1 - r) - constant * eps / k
            tally.add(float(-abs(gap)), decided=gap == 0, eps=eps, K=k)
    return tally.check()


def missing_index(*, indexed: bool) -> Check:
    r"""Check Lemma 9 for the update as v2 prints it, with a step size that lacks its index. Exact.

    Read as one number, $\theta(\varepsilon)=\theta_1$ in every round; at $\varepsilon=4\log2$ (r = 1/2) three rounds
    add up to 3/2, above the limit 1 that Lemma 9 promises and Lemma 10 needs. With the index they add up to 7/8.
    """
    r, rounds = Fraction(1, 2), 3
    total = sum((r**t if indexed else r for t in range(1, rounds + 1)), Fraction(0))
    tally = Tally("exact")
    tally.add(float(1 - total), decided=total < 1, r=r, T=rounds, total=total)
    return tally.check()


def unused_share(*, eps: Fraction, share: Fraction, rounds: int = 3) -> Check:
    r"""Check that after T rounds at most `share` of the budget is left: $\theta_T(\varepsilon)\le$ `share`. Certified.

    $\theta_T$ grows with $\varepsilon$, so the check at one $\varepsilon$ covers all smaller ones.
    """
    eps = check_fraction("eps", eps, above=0)
    share = check_fraction("share", share, minimum=0, maximum=1)
    rounds = check_count("rounds", rounds)
    left = ball_theta(ExactLevel(eps=eps), rounds)[-1]
    slack = ball(share) - left
    tally = Tally("certified")
    tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, T=rounds, left=float(left.mid()))
    return tally.check()
