r"""Checks for the page on weak learning: what it costs to ask for classifiers with values in [-log 2, log 2]."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_membership
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.instances import random_fraction, random_law, random_level
from mollified.weak_learning import edges

__all__ = ["only_the_range_matters", "rescaling_keeps_edges", "shrinking_loses_nothing"]

ONE, TWO = Fraction(1), Fraction(2)
STEP = Fraction(1, 2)


def _large_classifier(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    """Return values in units of log 2, with the largest absolute value between 9/8 and 4."""
    values = [random_fraction(rng, -ONE, ONE) for _ in range(size)]
    values[int(rng.integers(size))] = ONE if rng.random() < 0.5 else -ONE
    top = random_fraction(rng, Fraction(9, 8), Fraction(4))
    return tuple(top * value for value in values)


def rescaling_keeps_edges(rng: np.random.Generator, instances: int, *, clip: bool = False) -> Check:
    r"""Check that $c\mapsto c\log2/c^*$ brings a bounded classifier into $[-\log2,\log2]$ with the same edges. Exact.

    `clip` cuts the values off at $\pm\log2$ instead, which changes the edges.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 6))
        p, q = random_law(rng, size), random_law(rng, size)
        values = _large_classifier(rng, size)
        top = max(map(abs, values))
        small = tuple(min(max(c, -ONE), ONE) if clip else c / top for c in values)
        gap = max(abs(a - b) for a, b in zip(edges(values, p, q), edges(small, p, q), strict=True))
        tally.add(float(-gap), decided=gap == 0 and max(map(abs, small)) <= 1, P=p, Q=q, c=values)
    return tally.check()


def _drop(p: Law, q: Law, values: Sequence[Fraction]) -> arb:
    r"""Return $\operatorname{KL}(P,Q)-\operatorname{KL}(P,Q_1)=\theta\mathbb E_P[c]-\log\mathbb E_Q[e^{\theta c}]$."""
    log2 = arb(2).log()
    mean = sum((a * c for a, c in zip(p, values, strict=True)), Fraction(0))
    moment = sum((ball(b) * (ball(STEP * c) * log2).exp() for b, c in zip(q, values, strict=True)), arb(0))
    return ball(STEP * mean) * log2 - moment.log()


def shrinking_loses_nothing(rng: np.random.Generator, instances: int, *, measure: Literal["drop", "edges"]) -> Check:
    r"""Check that a classifier with $c^*>\log2$, divided by $c^*/\log2$, serves no worse. Certified.

    "drop": the divergence falls as much in one step with $\theta=\frac12$; the first instance, P = (15, 1)/16,
    Q = (1, 15)/16, c = (2 log 2, -2 log 2), refutes it. "edges": the smaller edge is as large, which is true.
    """
    rng, instances = check_trials(rng, instances)
    if measure not in ("drop", "edges"):
        raise ValueError(f"measure must be drop or edges, got {measure!r}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size = int(rng.integers(2, 6))
            p, q, values = random_law(rng, size), random_law(rng, size), _large_classifier(rng, size)
            if index == 0:
                p, q = (Fraction(15, 16), Fraction(1, 16)), (Fraction(1, 16), Fraction(15, 16))
                values = (TWO, -TWO)
            top = max(map(abs, values))
            small = tuple(c / top for c in values)
            if measure == "edges":
                slack = min(edges(small, p, q)) - min(edges(values, p, q))
                tally.add(float(slack), decided=slack >= 0, P=p, Q=q, c=values, theta=STEP)
                continue
            before, after = _drop(p, q, values), _drop(p, q, small)
            gap = after - before
            tally.add(
                float(gap.mid()),
                decided=bool(gap >= 0),
                P=p,
                Q=q,
                c=values,
                theta=STEP,
                drop=float(before.mid()),
                drop_shrunk=float(after.mid()),
            )
    return tally.check()


def only_the_range_matters(rng: np.random.Generator, instances: int, *, spread: Fraction = TWO) -> Check:
    r"""Check that classifiers with $\sup c-\inf c\le2\log2$, wherever they lie, keep $Q_T$ in the mollifier. Certified.

    Their midpoints are moved by up to 8 log 2; $Q_T$ must be the density of the centred classifiers (to $2^{-200}$)
    and lie in $\mathcal M_{\varepsilon,Q_0}$. `spread` is the range allowed in units of log 2: 3 is too much.
    """
    rng, instances = check_trials(rng, instances)
    spread = check_fraction("spread", spread, above=0)
    tally = Tally("certified")
    for index in range(instances):
        size, rounds = int(rng.integers(2, 6)), int(rng.integers(1, 5))
        base, level = random_law(rng, size, spread=20), random_level(rng)
        shape = [[spread * int(rng.integers(2)) for _ in range(size)] for _ in range(rounds)]
        if index == 0:
            base, shape = (Fraction(1, 100), Fraction(99, 100)), [[spread, Fraction(0)]] * 4
        moves = [random_fraction(rng, Fraction(-8), Fraction(8)) for _ in shape]
        moved = [tuple(c - spread / 2 + move for c in row) for row, move in zip(shape, moves, strict=True)]
        centred = [tuple(c - spread / 2 for c in row) for row in shape]
        learned, other = ball_mbde(base, moved, level), ball_mbde(base, centred, level)
        inside, _, slack = ball_membership(learned, base, level)
        with ctx.workprec(BITS):
            same = all(abs(a - b).upper() < arb(2) ** -200 for a, b in zip(learned, other, strict=True))
        tally.add(slack, decided=inside and same, Q0=base, c=moved, eps=level.eps)
    return tally.check()
