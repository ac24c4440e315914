r"""Checks of what the papers' network may return, and of what a run on the ring can show."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_fractions, check_trials
from mollified.ball_mbde import BITS, ball, ball_theta
from mollified.checks import Check, Tally
from mollified.classifiers import BOUNDINGS, Bounding, bounded
from mollified.exact_level import ExactLevel, Law
from mollified.instances import random_law, random_run
from mollified.theta import LOG2

__all__ = ["bounded_classifiers", "no_ring", "sigmoid_edge", "sigmoid_level", "sigmoid_values"]


ONE = Fraction(1)


def sigmoid_edge(rng: np.random.Generator, instances: int, *, centred: bool = False) -> Check:
    r"""Check that a classifier with values in (0, 1) can satisfy both inequalities of the assumption (3). Exact.

    The printed network ends in a sigmoid; then $\mathbb E_Q[-c]<0$ for every Q, so the second inequality fails for
    every $\gamma_Q>0$. Each instance is a law P and its mirror image Q, with the values 9/10 where P > Q, 1/10 where
    P < Q, 1/2 where they agree; the smaller of the two edges must be positive. `centred` takes 2c - 1, for which both
    edges are $\frac8{10}\mathrm{TV}(P,Q)/c^*$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact", keep="first")
    while tally.instances < instances:
        target: Law = (Fraction(3, 4), Fraction(1, 4))
        if tally.instances > 0:
            target = random_law(rng, int(rng.integers(2, 6)))
        current = target[::-1]
        if target == current:
            continue
        values = [Fraction(5 + 4 * ((p > q) - (p < q)), 10) for p, q in zip(target, current, strict=True)]
        if centred:
            values = [2 * value - 1 for value in values]
        largest = max(abs(value) for value in values)
        edges = [sum((m * v for m, v in zip(law, values, strict=True)), Fraction(0)) for law in (target, current)]
        edge_p, edge_q = edges[0] / largest, -edges[1] / largest
        slack = min(edge_p, edge_q)
        tally.add(float(slack), decided=slack > 0, P=target, Q=current, c=values, edge_P=edge_p, edge_Q=edge_q)
    return tally.check()


def bounded_classifiers(rng: np.random.Generator, instances: int, *, method: Bounding) -> Check:
    r"""Check that a bounded logit is a classifier: values in $[-\log2,\log2]$, sign kept. Floats, tolerance 0.

    Logits are normal draws scaled up to 700. `method` "none" leaves the range.
    """
    rng, instances = check_trials(rng, instances)
    if method not in BOUNDINGS:
        raise ValueError(f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}")
    tally = Tally("float")
    logits = rng.standard_normal(instances) * np.exp(rng.uniform(-3, 6.5, instances))
    for logit, value in zip(logits, bounded(logits, method), strict=True):
        kept = np.sign(value) == np.sign(logit)
        tally.add(LOG2 - abs(float(value)) if kept else -1.0, logit=logit, value=value)
    return tally.check()


def sigmoid_values(*, centred: bool) -> Check:
    r"""Check that the printed output range of the network, (0, 1), lies within $[-\log2,\log2]$. Certified.

    The value 9/10 exceeds log 2 = 0.693...; the `centred` value 9/10 - 1/2 does not.
    """
    value = Fraction(9, 10) - (Fraction(1, 2) if centred else 0)
    slack = arb(2).log() - ball(value)
    tally = Tally("certified")
    tally.add(float(slack.mid()), decided=bool(slack > 0), value=value)
    return tally.check()


def sigmoid_level(rng: np.random.Generator, instances: int, *, divisor: int = 2) -> Check:
    r"""Check that classifiers with values in (0, 1) spend less than $\varepsilon/(2\log2)$. Certified.

    Adding a constant to $c_t$ changes nothing, and its oscillation is at most 1. `divisor` 4 claims half of that level.
    """
    rng, instances = check_trials(rng, instances)
    divisor = check_count("divisor", divisor)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, level = random_run(rng, ONE, 3)
            assert level.eps is not None
            if index % 4 == 0:
                base = (Fraction(1, 2**60), 1 - Fraction(1, 2**60))
                rows = [(ONE, -ONE)] * len(rows)
            laws = []
            for sign in (1, -1):
                eps = ball(level.eps)
                exponents = [
                    sum(
                        (
                            step * ball((1 + sign * row[x]) / 2)
                            for step, row in zip(ball_theta(level, len(rows)), rows, strict=True)
                        ),
                        arb(0),
                    )
                    for x in range(len(base))
                ]
                weights = [ball(q) * s.exp() for q, s in zip(base, exponents, strict=True)]
                laws.append([w / sum(weights, arb(0)) for w in weights])
            bound = arb(eps) / (divisor * arb(2).log())
            for a, b in zip(laws[0], laws[1], strict=True):
                slack = bound - abs((a / b).log())
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
    return tally.check()


def no_ring(*, eps: Fraction, radii: Sequence[Fraction], shows: bool, rounds: int = 3) -> Check:
    r"""Check whether an output of MBDE from $Q_0=N(0,I)$ can be higher at a radius than at the origin. Certified.

    $\log Q_T/Q_0$ varies by at most $\frac\varepsilon2(1-\theta_T)$, and $\log Q_0$ falls by $\rho^2/2$: a ring at
    radius $\rho$ needs $\rho^2/2<\frac\varepsilon2(1-\theta_T)$. With `shows` the claim is that the ring can be
    there, without it that it cannot.
    """
    eps = check_fraction("eps", eps, above=0)
    values = check_fractions("radii", radii)
    rounds = check_count("rounds", rounds)
    reach = ball(eps) / 2 * (1 - ball_theta(ExactLevel(eps=eps), rounds)[-1])
    tally = Tally("certified")
    for radius in values:
        fall = radius**2 / 2
        slack = (reach - ball(fall)) * (1 if shows else -1)
        tally.add(
            float(slack.mid()), decided=bool(slack > 0), eps=eps, T=rounds, radius=radius, reach=float(reach.mid())
        )
    return tally.check()
