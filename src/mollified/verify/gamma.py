r"""Checks of the scalar steps behind the lower bound of the gain: the function Gamma and the sums of (67) to (72)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx, fmpq_poly

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.bounds import gamma_function, log_moment
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.interval_proof import combine, prove_positive, prove_root

__all__ = [
    "constant_of_gain",
    "edge_with_log2",
    "gamma_at_rationals",
    "gamma_below_line",
    "gamma_in_sum",
    "moment_of_step",
    "sum_of_steps",
]

ONE, ZERO, HALF, THIRD = Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 3)


def _log2() -> arb:
    return arb(2).log()


def _ratio(rng: np.random.Generator) -> Fraction:
    r"""Return a rational $\theta_1\in(0,1)$; any such number is $\theta_1(\varepsilon)$ for some $\varepsilon$."""
    return Fraction(1 + int(rng.integers(998)), 1000)


def gamma_at_rationals(*, reverse: bool) -> Check:
    r"""Check $\Gamma(x)\ge x\log2$ at rationals x in [1/3, 1), or with `reverse` that $\Gamma(x)<x\log2$. Exact.

    With x = m/n the sign is that of $4^n-2^m(5-3x)^n$. The first point is 1/3, where $\Gamma=0$.
    Source: v1 and v2, the sentence after (72).
    """
    tally = Tally("exact", keep="first")
    for n in (3, 60):
        for m in range(n // 3, n):
            x = Fraction(m, n)
            left, right = (4 / (5 - 3 * x)) ** n, Fraction(2) ** m
            holds = left < right if reverse else left >= right
            slack = float(gamma_function(float(x)) - float(x) * np.log(2.0))
            tally.add(-slack if reverse else slack, decided=holds, x=x, exp_Gamma=4 / (5 - 3 * x))
    return tally.check()


def gamma_below_line(*, slope: Fraction = ONE) -> Check:
    r"""Prove $\Gamma(x)<x\log2$ on [0, 1), with equality at 1, by ball arithmetic. Certified, universal.

    On [0, 1/2] by bisection; on [1/2, 1] the difference is zero at 1 and its derivative $\log2-3/(5-3x)$ negative.
    `slope` replaces the line by $s\,x\log2$: below it for s < 1 the statement fails at x = 1.
    """
    slope = check_fraction("slope", slope, above=0)
    scale = ball(slope)
    left = prove_positive(lambda x: scale * _log2() * x - gamma_function(x), [(ZERO, HALF)])
    corner = Tally("certified", scope="universal")
    corner.add(float(slope - 1), decided=slope >= 1, x=ONE)
    parts = [left, corner.check()]
    if slope == 1:
        parts.append(prove_root(lambda x: _log2() - 3 / (5 - 3 * x), [(HALF, ONE)], root="high"))
    return combine(*parts)


def gamma_in_sum(rng: np.random.Generator, instances: int, *, reverse: bool) -> Check:
    r"""Check (69), $\sum_{t<T}\theta_t(\gamma_P\log2+\Gamma(\gamma_Q))\ge(\gamma_P+\gamma_Q)\log2\sum_{t<T}\theta_t$.

    Certified, T >= 2, edges in [1/3, 1); `reverse` claims the strict opposite. The first instance has T = 2,
    $\theta_1=1/2$, $\gamma_P=79/100$ and $\gamma_Q=1/3$, where $\Gamma$ is zero.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            r, rounds = _ratio(rng), int(rng.integers(2, 51))
            edge_p, edge_q = (random_fraction(rng, THIRD, Fraction(999, 1000)) for _ in range(2))
            if index == 0:
                r, rounds, edge_p, edge_q = HALF, 2, Fraction(79, 100), THIRD
            total = ball(sum((r**t for t in range(1, rounds)), ZERO))
            left = total * (ball(edge_p) * _log2() + gamma_function(ball(edge_q)))
            right = total * ball(edge_p + edge_q) * _log2()
            slack = right - left if reverse else left - right
            tally.add(float(slack.mid()), decided=bool(slack > 0), T=rounds, theta_1=r, gamma_P=edge_p, gamma_Q=edge_q)
    return tally.check()


def moment_of_step(rng: np.random.Generator, instances: int, *, linear: bool = False) -> Check:
    r"""Check $\psi(\theta\log2,\gamma)<-\theta\,\Gamma(\gamma)$ for $\theta\in(0,1)$, $\gamma\in[0,1)$. Certified.

    The left side bounds $\log\mathbb E_Qe^{\theta c}$; it is convex in $\theta$, so the closed form of the lower bound
    is at most the sum. `linear` puts $\gamma\log2$ for $\Gamma(\gamma)$, as (69) does: by Jensen's inequality that
    always fails.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            step, edge = _ratio(rng), random_fraction(rng, ZERO, Fraction(999, 1000))
            rate = ball(edge) * _log2() if linear else gamma_function(ball(edge))
            slack = -ball(step) * rate - log_moment(ball(step) * _log2(), ball(edge))
            tally.add(float(slack.mid()), decided=bool(slack > 0), theta=step, gamma=edge)
    return tally.check()


def edge_with_log2(rng: np.random.Generator, instances: int, *, full: bool, reverse: bool = False) -> Check:
    r"""Check (67)-(68): $\sum_{t<T}\theta_t(c_t^*\gamma_P^t+\Gamma(\gamma_Q^t))$ falls if log 2 replaces $c_t^*$.

    The claim is that it is at least $\sum_{t<T}\theta_t(\gamma_P\log2+\Gamma(\gamma_Q))$.
    Certified; edges $\gamma^t\ge\gamma$ in the high regime, $c_t^*=s_t\log2$ with rational $s_t\le1$, all one where
    `full`. `reverse` claims the strict opposite for edges that are the same in all rounds. The first instance has
    T = 2, $\theta_1=1/2$, $s_1=1/10$ and all edges 49/100: on two points P = (3, 1)/4 and $Q_0$ = (1, 3)/4.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            r, rounds = _ratio(rng), int(rng.integers(2, 8))
            edge_p, edge_q = (random_fraction(rng, THIRD, ONE) for _ in range(2))
            shares = [ONE if full else Fraction(int(rng.integers(1, 100)), 100) for _ in range(1, rounds)]
            by_round = [
                (edge_p, edge_q) if reverse else (random_fraction(rng, edge_p, ONE), random_fraction(rng, edge_q, ONE))
                for _ in shares
            ]
            if index == 0:
                r, rounds, shares = HALF, 2, [ONE if full else Fraction(1, 10)]
                edge_p = edge_q = Fraction(49, 100)
                by_round = [(edge_p, edge_q)]
            steps = [r**t for t in range(1, rounds)]
            linear = sum((w * (s * p - edge_p) for w, s, (p, _) in zip(steps, shares, by_round, strict=True)), ZERO)
            ratios = [(5 - 3 * edge_q) / (5 - 3 * q) for _, q in by_round]
            gap = _log2() * ball(linear)
            for w, x in zip(steps, ratios, strict=True):
                gap += ball(w) * ball(x).log()
            same = linear == 0 and all(x == 1 for x in ratios)
            slack = -gap if reverse else gap
            tally.add(
                0.0 if same else float(slack.mid()),
                decided=not reverse if same else bool(slack > 0),
                T=rounds,
                theta_1=r,
                c=shares,
                gamma_P=edge_p,
                gamma_Q=edge_q,
                edges=by_round,
            )
    return tally.check()


def sum_of_steps(rounds: int, *, missing: int = 0) -> Check:
    r"""Check (71), $\sum_{t\le T-k}\theta_t=\theta_1(1-\theta_T)/(1-\theta_1)$ with k = `missing`. Exact.

    As polynomials in $r=\theta_1$, for T = 1 to `rounds`, and for k = 0 the step from T to T + 1, which adds
    $(1-r)r^{T+1}$ to both sides (divided by $r^{T+1}$ an identity), so every T. Printed is k = 1: at T = 1 and
    $r=1/2$ the sum is empty, the right side 1/2.
    """
    rounds, missing = check_count("rounds", rounds), check_count("missing", missing, minimum=0)
    tally = Tally("exact", scope="universal", keep="first")
    for last in range(1, rounds + 1):
        kept = max(last - missing, 0)
        left = fmpq_poly([1, -1]) * fmpq_poly([0] + [1] * kept)
        right = fmpq_poly([0, 1]) * (fmpq_poly([1]) - fmpq_poly([0] * last + [1]))
        values = (sum((HALF**t for t in range(1, kept + 1)), ZERO), 1 - HALF**last)
        same = left == right
        tally.add(
            float(-abs(values[0] - values[1])), decided=same, T=last, theta_1=HALF, sum=values[0], claim=values[1]
        )
    step = fmpq_poly([1, -1]) == fmpq_poly([1]) - fmpq_poly([0, 1])
    tally.add(0.0 if step else -1.0, decided=step, T="from T to T + 1")
    return tally.check()


def constant_of_gain(*, divisor: int = 4) -> Check:
    r"""Prove (72): $\log2\,\theta_1/(1-\theta_1)=\varepsilon/4$ for $\theta_1=\varepsilon/(\varepsilon+4\log2)$. Exact.

    It is proved for any positive number in place of log 2: cleared of denominators both sides are polynomials of
    degree at most 2 in each of it and $\varepsilon$, so agreement on a 3 x 3 grid of rationals proves the identity.
    `divisor` replaces 4 on the right.
    """
    divisor = check_count("divisor", divisor)
    tally = Tally("exact", scope="universal")
    for eps in (Fraction(1), Fraction(2), Fraction(5)):
        for log2 in (Fraction(1), Fraction(3), Fraction(7)):
            r = eps / (eps + 4 * log2)
            gap = log2 * r / (1 - r) - eps / divisor
            tally.add(float(-abs(gap)), decided=gap == 0, eps=eps, log2=log2)
    return tally.check()
