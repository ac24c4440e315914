r"""Checks of the remarks after Theorem 8: large edges make $\operatorname{KL}(P,Q_0;B)$ large on heavy B.

The sharp bound is the book's: with $x=\frac{1-\gamma_P}2$, $y=\frac{1-\gamma_Q}2$ and $m=P(B)$,
$\operatorname{KL}(P,Q_0;B)\ge(m-x)\log\frac{m-x}y+x\log\frac x{1-y}$ where $(m-x)(1-y)\ge xy$.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.finite_runs import FiniteRuns
from mollified.sweep import edges_below, sweep
from mollified.verify.mode_capture import _regions

__all__ = ["edges_force_divergence", "fat_region_exists", "least_attained", "least_divergence"]

ONE = Fraction(1)


def _least(mass: Any, x: Any, y: Any) -> Any:
    return (mass - x) * np.log((mass - x) / y) + x * np.log(x / (1 - y))


def least_divergence(mass: Any, gamma_p: Any, gamma_q: Any) -> Any:
    r"""Return the least $\operatorname{KL}(P,Q_0;B)$ for the edges of round one and P(B) = `mass`.

    Over all laws and regions. $(m-x)\log\frac{m-x}y+x\log\frac x{1-y}$, $x=\frac{1-\gamma_P}2$,
    $y=\frac{1-\gamma_Q}2$; an infimum, approached on three points. Floats, arrays that broadcast, or balls. Not in
    the papers. Raises ValueError for edges outside (0, 1), a mass outside (0, 1], or where $(m-x)(1-y)<xy$ (for
    edges >= 1/3 that needs m < 1/2). Errs by rounding.
    """
    for name, value in (("mass", mass), ("gamma_p", gamma_p), ("gamma_q", gamma_q)):
        if isinstance(value, bool | str) or value is None:
            raise TypeError(f"{name} must be a number, an array or a ball, got {_echo(value)}")
        inside = np.all((value > 0) & (value <= 1 if name == "mass" else value < 1))
        if not inside:
            raise ValueError(f"{name} must lie in (0, 1{']' if name == 'mass' else ')'}, got {_echo(value)}")
    x, y = (1 - gamma_p) / 2, (1 - gamma_q) / 2
    if not np.all((mass > x) & ((mass - x) * (1 - y) >= x * y)):
        raise ValueError(f"mass must be at least x + xy/(1 - y) for these edges, got {_echo(mass)}")
    return _least(mass, x, y)


def edges_force_divergence(
    rng: np.random.Generator, instances: int, *, excess: Fraction = Fraction(0), certified: bool = False
) -> Check:
    r"""Check `least_divergence` on the first round of random runs, for all regions it covers.

    `excess` claims that share of its size more. Floats on all runs; with `certified` balls on the 200 of least
    margin.
    """
    rng, instances = check_trials(rng, instances)
    excess = check_fraction("excess", excess, minimum=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        mass, divergence, _, _ = _regions(runs)
        edge_p, edge_q = (edge[:, :1] for edge in edges_below(runs))
        x, y = (1 - edge_p) / 2, (1 - edge_q) / 2
        covered = (mass > x) & ((mass - x) * (1 - y) >= x * y)
        covered = np.asarray(covered & np.asarray(runs.learnable)[:, :1], dtype=bool)
        bound = _least(np.where(covered, mass, mass * 0 + 1), x, y)
        return divergence - bound - abs(bound) * excess.numerator / excess.denominator, covered

    found = sweep(rng, instances, statement, certify=200 if certified else 1, most_rounds=1)
    return found.certified if certified else found.floats


def least_attained(rng: np.random.Generator, instances: int, *, excess: Fraction = Fraction(0)) -> Check:
    r"""Check `least_divergence` where it is all but attained: three points, $c=(+,-,+)$, B the first two. Certified.

    P = (m - x, x, 1 - m), Q0 = (y, 1 - y, 2^-200), nearly. `excess` = 0.02 claims 2 % of its size more, and fails.
    """
    rng, instances = check_trials(rng, instances)
    excess = check_fraction("excess", excess, minimum=0)
    tally = Tally("certified")
    tiny = Fraction(1, 2**200)
    with ctx.workprec(BITS):
        for _ in range(instances):
            mass = Fraction(1, 2) + Fraction(int(rng.integers(0, 1000)), 2001)
            x, y = (Fraction(int(rng.integers(1, 333)), 1000) for _ in range(2))
            p, q0 = (mass - x, x, 1 - mass), (y, 1 - y - tiny, tiny)
            gamma_p, gamma_q = (1 - 2 * x), (1 - 2 * y) * (1 - Fraction(1, 2**30))
            local = sum((ball(a) * ball(a / b).log() for a, b in zip(p[:2], q0[:2], strict=True)), arb(0))
            bound = least_divergence(ball(mass), ball(gamma_p), ball(gamma_q))
            slack = local - bound - ball(excess) * abs(bound)
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q0=q0)
    return tally.check()


def fat_region_exists(*, edge: Fraction) -> Check:
    r"""Check that some B has $P(B)\ge\frac12$ and $P(B)>\operatorname{KL}(P,Q_0;B)$, on two points.

    $P=(1-x,x)$, $Q_0=(x,1-x)$, both edges $1-2x$ = `edge`. Certified; regions are listed. It holds for edges up to
    about 0.64 and fails beyond: then the conclusion of Theorem 8 promises no mass at all on any fat region. The
    printed remark lets the edges tend to one.
    """
    edge = check_fraction("edge", edge, above=0)
    if edge >= 1:
        raise ValueError(f"edge must be below 1, got {edge!r}")
    x = (1 - edge) / 2
    p, q0 = (1 - x, x), (x, 1 - x)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        margins = []
        for region in ((0,), (0, 1)):
            local = sum((ball(p[i]) * ball(p[i] / q0[i]).log() for i in region), arb(0))
            margins.append(ball(sum((p[i] for i in region), Fraction(0))) - local)
        best = max(margins, key=lambda m: float(m.mid()))
        tally.add(float(best.mid()), decided=bool(best > 0), P=p, Q0=q0, c=(ONE, -ONE))
    return tally.check()
