r"""Checks of the KL drop of one step: its identity and shape, v1 Lemma 11, and the bounds of v1 Theorem 6."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS as IDENTITY_BITS
from mollified.ball_mbde import ball
from mollified.bounds import exponential_moment, kl_drop, kl_drop_hoeffding
from mollified.checks import Check, Tally
from mollified.finite_runs import FiniteRuns
from mollified.instances import random_law, random_sparse_law
from mollified.sweep import edges_below, sweep
from mollified.weak_round import BITS, high_example, low_example, random_round

__all__ = [
    "concave",
    "drop_bound",
    "drop_identity",
    "drop_swept",
    "jensen",
    "one_parameter_family",
    "optimal_step",
]

#: The bounds on the drop: printed by regime, (43), Jensen with the corrected Lemma 14, and the sharp one.
Bound = Literal["low", "high", "hoeffding", "jensen", "sharp"]

ONE, ZERO = Fraction(1), Fraction(0)
BOUNDS = ("low", "high", "hoeffding", "jensen", "sharp")
#: Rounds of the runs of a sweep.
ROUNDS = 5


def _check_bound(bound: object) -> None:
    if not isinstance(bound, str) or bound not in BOUNDS:
        raise ValueError(f"bound must be one of {', '.join(BOUNDS)}, got {bound!r}")


def _bound(bound: Bound, theta: Any, c_star: Any, gamma_p: Any, gamma_q: Any) -> Any:
    """Return one of the bounds in the arithmetic of its arguments."""
    if bound == "hoeffding":
        return kl_drop_hoeffding(theta, c_star, gamma_p, gamma_q)
    if bound == "jensen":
        return theta * (c_star * gamma_p - np.log(exponential_moment(c_star, gamma_q, form="corrected")))
    if bound == "sharp":
        return kl_drop(theta, c_star, gamma_p, gamma_q, form="corrected")
    return kl_drop(theta, c_star, gamma_p, gamma_q, form="printed", regime=bound)


def drop_identity(rng: np.random.Generator, instances: int, *, skip_normaliser: bool = False) -> Check:
    r"""Check v1 Lemma 11 and (29)-(32): every line of the proof has one value. Certified to within $2^{-200}$.

    KL(P, Q) - KL(P, Q_theta) by its definition, $\int\log\frac{Q_\theta}{Q}dP$, $\int(\theta c-\varphi)dP$ and
    $\theta\int c\,dP-\varphi$, for any classifier, $\theta$ up to 64, P with zeros. `skip_normaliser` leaves $\varphi$
    out of the last line.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(IDENTITY_BITS):
        for _ in range(instances):
            size = int(rng.integers(2, 6))
            p, q = random_sparse_law(rng, size), random_law(rng, size)
            c = tuple(Fraction(int(k), 32) for k in rng.integers(-22, 23, size))
            theta = Fraction(int(2 ** rng.uniform(0, 12)), 64)
            grown = [ball(b) * ball(theta * x).exp() for b, x in zip(q, c, strict=True)]
            total = sum(grown, arb(0))
            there = [x for x in range(size) if p[x] > 0]
            before = sum((ball(p[x]) * ball(p[x] / q[x]).log() for x in there), arb(0))
            after = sum((ball(p[x]) * (ball(p[x]) * total / grown[x]).log() for x in there), arb(0))
            ratio = sum((ball(p[x]) * (grown[x] / total / ball(q[x])).log() for x in there), arb(0))
            phi = total.log()
            inside = sum((ball(p[x]) * (ball(theta * c[x]) - phi) for x in there), arb(0))
            last = ball(theta * sum((p[x] * c[x] for x in there), ZERO)) - (0 if skip_normaliser else phi)
            gap = max((abs(before - after - line) for line in (ratio, inside, last)), key=lambda g: float(g.upper()))
            tally.add(-float(gap.upper()), decided=bool(gap < arb(2) ** -200), P=p, Q=q, c=c, theta=theta)
    return tally.check()


def one_parameter_family(
    rng: np.random.Generator, instances: int, *, normalised: bool = True, varying: bool = True
) -> Check:
    r"""Check that $Q_\theta=e^{\theta c-\varphi(\theta)}Q$ is an exponential family with one parameter. Exact.

    Base Q, statistic c, parameter $\theta$: every $Q_\theta$ is a density; that over $Q_\alpha$ is this one moved,
    $(Q_\alpha)_\beta=Q_{\alpha+\beta}$, $\varphi(\alpha+\beta)=\varphi(\alpha)+\varphi_\alpha(\beta)$;
    different parameters give different densities. c has integer multiples of log 2/8 and is not constant, as the
    assumption excludes that; $2^{\theta/8}$ is rational. Without `normalised` $\varphi$ is left out, without `varying`
    c is constant. Source: v1 proof of Lemma 11, v2 of Lemma 12.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    while tally.instances < instances:
        size = int(rng.integers(2, 6))
        q, steps = random_law(rng, size), [int(k) for k in rng.integers(-8, 9, size)]
        if not varying:
            steps = [steps[0]] * size
        elif min(steps) == max(steps):
            continue
        one, two = (1 + Fraction(int(k), 4096) for k in rng.choice(np.arange(1, 360), 2, replace=False))

        def member(base: tuple[Fraction, ...], power: Fraction) -> tuple[tuple[Fraction, ...], Fraction]:
            """Return the density with e^{theta log(2)/8} = `power`, and the integral of the tilted base."""
            tilted = [b * power**k for b, k in zip(base, steps, strict=True)]  # noqa: B023
            total = sum(tilted, ZERO)
            return tuple(x / total if normalised else x for x in tilted), total

        (first, mean), (second, _), (both, whole) = member(q, one), member(q, two), member(q, one * two)
        moved, rest = member(first, two)
        unit = all(sum(law, ZERO) == 1 and min(law) > 0 for law in (first, second, both))
        holds = unit and moved == both and (not normalised or whole == mean * rest) and first != second
        gap = max(abs(sum(law, ZERO) - 1) for law in (first, second, both))
        tally.add(0.0 if holds else -max(float(gap), 1e-3), decided=holds, Q=q, c=steps, powers=(one, two))
    return tally.check()


def concave(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that the drop is concave in $\theta$: $M(\frac{a+b}2)^2\le M(a)M(b)$. Exact.

    Here $M(\theta)=\mathbb E_Qe^{\theta c}$. The drop is linear minus log M, and continuous, so that midpoints suffice.
    c has integer multiples of log 2 and $2^{a/2},2^{b/2}$ are rational, so that all is rational. `claimed` multiplies
    the right side; 0.98 is too small.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        q, steps = random_law(rng, size), [int(k) for k in rng.integers(-3, 4, size)]
        one, two = (Fraction(int(k), 32) for k in rng.integers(1, 129, 2))
        middle, left, right = (
            sum((b * grown**k for b, k in zip(q, steps, strict=True)), ZERO) for grown in (one * two, one**2, two**2)
        )
        slack = factor * left * right - middle**2
        tally.add(float(slack), decided=slack >= 0, Q=q, c=steps, powers=(one**2, two**2))
    return tally.check()


def optimal_step(rng: np.random.Generator, instances: int, *, inside: bool) -> Check:
    r"""Check that the drop has a maximiser among $\theta\ge0$. Exact; c is an integer multiple of log 2.

    The sign of $\operatorname{DROP}'(\theta)=\mathbb E_P[c]-\mathbb E_{Q_\theta}[c]$ is that of
    $\sum_xQ(x)y^{n(x)}(\mathbb E_P[n]-n(x))$, $y=2^\theta$. Where P does not sit on the largest values (`inside`) it is
    negative at some $y=2^k$, so that a maximiser lies before. Else no term is negative and one is positive: the drop
    grows for ever. The first instance is then $P=(1,0)$, $Q=(1,1)/2$, $c=(\log2,-\log2)$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    while tally.instances < instances:
        size = int(rng.integers(2, 6))
        q, steps = random_law(rng, size), [int(k) for k in rng.integers(-3, 4, size)]
        p = random_law(rng, size)
        if not inside:
            top = max(range(size), key=lambda x: steps[x])
            p = tuple(ONE if x == top else ZERO for x in range(size))
            if not tally.instances:
                p, q, steps = (ONE, ZERO), (Fraction(1, 2),) * 2, [1, -1]
        if min(steps) == max(steps):
            continue
        mean = sum((a * k for a, k in zip(p, steps, strict=True)), ZERO)
        terms = [b * (mean - k) for b, k in zip(q, steps, strict=True)]
        if min(terms) >= 0:
            exists = max(terms) == 0
        else:
            exists = any(
                sum((term * Fraction(2) ** (j * k) for term, k in zip(terms, steps, strict=True)), ZERO) < 0
                for j in range(64)
            )
            if not exists:
                raise ArithmeticError(f"the derivative of the drop is positive up to 2^63 for {p}, {q}, {steps}")
        tally.add(0.0 if exists else -1.0, decided=exists, P=p, Q=q, c=steps)
    return tally.check()


def drop_bound(
    rng: np.random.Generator, instances: int, *, bound: Bound, largest: bool = False, claimed: Fraction = ONE
) -> Check:
    r"""Check one bound on the drop of a round, for rational rounds that meet the assumption. Certified.

    "low" and "high" are v1 Theorem 6 (8)-(9) in their regimes, and (58) is "high"; "hoeffding" is (43), "sharp" the
    bound of this book, "jensen" (58) with the corrected Lemma 14: these three in any regime. With `largest`
    $c^*=\log2$. The first instance is `low_example` for "low", `high_example` for "high" unless `largest`. `claimed`
    multiplies the bound.
    """
    rng, instances = check_trials(rng, instances)
    _check_bound(bound)
    factor = check_fraction("claimed", claimed, above=0)
    examples = {"low": low_example, "high": high_example}
    tally = Tally("certified", keep="first")
    for index in range(instances):
        regime: Any = bound if bound in examples else None
        one = random_round(rng, regime=regime, largest=largest)
        if index == 0 and bound in examples and not (largest and bound == "high"):
            one = examples[bound]()
        with ctx.workprec(BITS):
            theta, *edges = (ball(x) for x in (one.theta, one.gamma_p, one.gamma_q))
            slack = one.drop - ball(factor) * _bound(bound, theta, one.c_star, *edges)
            tally.add(float(slack.mid()), decided=bool(slack > 0), **one.text())
    return tally.check()


def _swept(
    rng: object,
    instances: object,
    claimed: object,
    certified: bool,
    margin: Callable[[FiniteRuns, Any], tuple[Any, Any]],
) -> Check:
    generator, count = check_trials(rng, instances)
    factor = check_fraction("claimed", claimed, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        balls = np.asarray(runs.eps).dtype == object
        return margin(runs, ball(factor) if balls else float(factor))

    found = sweep(generator, count, statement, most_rounds=ROUNDS)
    return found.certified if certified else found.floats


def drop_swept(
    rng: np.random.Generator, instances: int, *, bound: Bound, claimed: Fraction = ONE, certified: bool = False
) -> Check:
    r"""Check "hoeffding", "jensen" or "sharp" of `drop_bound` on random runs, or "high" on rounds with $c^*=\log2$.

    All in floats, or with `certified` the 200 of least margin in balls; margins in units of u. Edges are the exact ones
    less $2^{-30}$ of them. `claimed` multiplies the bound (where it is positive). Raises ValueError for "low".
    """
    _check_bound(bound)
    if bound == "low":
        raise ValueError(f"bound must not be low, which is false, got {bound!r}")

    def margin(runs: FiniteRuns, factor: Any) -> tuple[Any, Any]:
        edge_p, edge_q = edges_below(runs)
        value = _bound(bound, runs.theta, runs.c_star, edge_p, edge_q)
        applies = runs.learnable
        if bound == "high":
            applies = applies & (edge_q >= 1 / 3) & (runs.scale == 1)
        raised = np.where(value > 0, value * factor, value)
        return (runs.drop - raised) / runs.u, applies

    return _swept(rng, instances, claimed, certified, margin)


def jensen(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, certified: bool = False) -> Check:
    r"""Check $\log\mathbb E_Qe^{\theta c}\le\theta\log\mathbb E_Qe^{c}$ for $\theta<1$, v1 (53)-(57).

    Any classifier that is not constant (else both sides agree); arithmetic as in `drop_swept`, margins in units of
    $\theta$. `claimed` multiplies the right side.
    """

    def margin(runs: FiniteRuns, factor: Any) -> tuple[Any, Any]:
        laws = np.concatenate([np.asarray(runs.q0)[:, np.newaxis, :], runs.laws[:, :-1, :]], axis=1)
        whole = np.log1p((laws * np.expm1(runs.c_star[:, :, np.newaxis] * runs.shape)).sum(axis=2))
        slack = factor * whole - runs.log_z / runs.theta
        varies = np.asarray(runs.shape != runs.shape[:, :, :1], dtype=bool).any(axis=2)
        return slack, varies

    return _swept(rng, instances, claimed, certified, margin)
