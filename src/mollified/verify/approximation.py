r"""Checks of the gain of a density over the start: the barrier from above, the lower bounds from below."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.bounds import gain_lower, gain_share, gain_upper, kl_drop
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.finite_runs import FiniteRuns
from mollified.instances import member_of_box, mollifier_box, random_law, random_root, random_run
from mollified.sweep import Statement, edges_below, sweep

__all__ = ["barrier", "drops_summed", "gain_identity", "lower_bound", "members_gain", "two_sided"]

ONE, ZERO = Fraction(1), Fraction(0)
Lower = Literal["printed", "corrected", "closed"]


def _divergence(p: Any, q: Any) -> arb:
    return sum((a * (a / b).log() for a, b in zip(p, q, strict=True)), arb(0))


def gain_identity(rng: np.random.Generator, instances: int, *, swapped: bool = False) -> Check:
    r"""Check (60)-(62): the gain of $Q_T$ is $\mathbb E_P[\langle\theta,c\rangle]-\varphi(\theta)$. Certified.

    So the gain is a finite number, the mean of $\log Q_T/Q_0$ under P. `swapped` exchanges the arguments of both
    divergences. The worst slack is minus the distance of the two sides, at most the width of balls of 1024 bits.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            base, rows, level = random_run(rng, ONE)
            target = random_law(rng, len(base))
            p, q0, q = [ball(x) for x in target], [ball(x) for x in base], ball_mbde(base, rows, level)
            gain = _divergence(q0, p) - _divergence(q, p) if swapped else _divergence(p, q0) - _divergence(p, q)
            steps, log2 = ball_theta(level, len(rows)), arb(2).log()
            statistic = [
                sum((w * ball(row[x]) for w, row in zip(steps, rows, strict=True)), arb(0)) * log2
                for x in range(len(base))
            ]
            normaliser = sum((a * s.exp() for a, s in zip(q0, statistic, strict=True)), arb(0)).log()
            gap = abs(gain - sum((a * s for a, s in zip(p, statistic, strict=True)), arb(0)) + normaliser)
            slack = -float(gap.upper())
            tally.add(slack, decided=bool(gap < arb(2) ** -900), P=target, Q0=base, c=rows, eps=level.eps)
    return tally.check()


def _gain_at_most(p: Law, q0: Law, q: Law, root: Fraction, claimed: Fraction) -> tuple[bool, float]:
    r"""Decide $\sum_xP(x)\log(Q/Q_0)\le$ claimed $\log$ root by powers of rationals; with the slack as a float."""
    n = lcm(*(x.denominator for x in p))
    product = ONE
    for weight, a, b in zip(p, q, q0, strict=True):
        if weight:
            product *= (a / b) ** int(weight * n)
    gain = sum(float(w) * float(np.log(float(a / b))) for w, a, b in zip(p, q, q0, strict=True) if w)
    slack = float(claimed) * float(np.log(float(root))) - gain
    return product**claimed.denominator <= root ** (n * claimed.numerator), slack


def members_gain(
    rng: np.random.Generator,
    instances: int,
    *,
    reading: Literal["relative", "absolute"],
    claimed: Fraction = ONE,
) -> Check:
    r"""Check $\Delta(Q)\le k\,\varepsilon/2$ with k = `claimed` for members of the mollifier. Exact.

    `root` $=e^{\varepsilon/2}$ is rational. "relative": Q within a factor `root` of $Q_0$ (v3), where k = 1 is true.
    "absolute" (v1, v2): the densities of both $Q_0$ and Q with respect to a measure of mass one lie between 1/root and
    root; k = 1 fails, k = 2 is true. The first absolute instance has root 3/2 and an event of measure 1/10 on which
    $Q_0$ is 2/3, Q is 3/2 and P sits. Source: v1 Theorem 7, (10); v3 Theorem 6.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    if reading not in ("relative", "absolute"):
        raise ValueError(f"reading must be relative or absolute, got {_echo(reading)}")
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size, root = int(rng.integers(2, 6)), random_root(rng)
        measure = random_law(rng, size)
        low, high = mollifier_box(measure, root)
        q0 = measure if reading == "relative" else member_of_box(rng, low, high)
        q = member_of_box(rng, low, high)
        p = random_law(rng, size, spread=3)
        if index % 2 == 0:  # the worst target sits where Q/Q0 is largest
            most = max(range(size), key=lambda x: q[x] / q0[x])
            p = tuple(Fraction(x == most) for x in range(size))
        if index == 0 and reading == "absolute":
            root, measure, p = Fraction(3, 2), (Fraction(1, 10), Fraction(9, 10)), (ONE, ZERO)
            q0, q = (Fraction(1, 15), Fraction(14, 15)), (Fraction(3, 20), Fraction(17, 20))
        holds, slack = _gain_at_most(p, q0, q, root, claimed)
        tally.add(slack, decided=holds, measure=measure, P=p, Q0=q0, Q=q, root=root)
    return tally.check()


def _swept(rng: np.random.Generator, instances: int, statement: Statement, *, certified: bool) -> Check:
    rng, instances = check_trials(rng, instances)
    found = sweep(rng, instances, statement)
    return found.certified if certified else found.floats


def _times(bound: Any, share: Fraction) -> Any:
    return bound * share.numerator / share.denominator


def _all(mask: Any) -> Any:
    return np.asarray(mask, dtype=bool).all(axis=1)


def barrier(rng: np.random.Generator, instances: int, *, share: Fraction = ONE, certified: bool = False) -> Check:
    r"""Check $\Delta(Q_T)\le k\min\{\frac\varepsilon2(1-\theta_T),\operatorname{KL}(P,Q_0)\}$ with k = `share`.

    Random runs of MBDE: floats on all, with `certified` balls on the 200 of least margin. The first bound is
    approached, not reached.
    """
    share = check_fraction("share", share, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        first = _times(gain_upper(runs.eps, runs.rounds, form="corrected"), share) - runs.gain
        second = _times(runs.divergence, share) - runs.gain
        return _least(np.stack([first, second], axis=1)), np.ones(len(runs), dtype=bool)

    return _swept(rng, instances, statement, certified=certified)


def lower_bound(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Lower,
    regime: Literal["high", "any"] = "high",
    share: Fraction = ONE,
    certified: bool = False,
) -> Check:
    r"""Check a lower bound on $\Delta(Q_T)$, times `share`, at edges that hold in all rounds, on random runs of MBDE.

    The edges are the smallest exact ones over the rounds, times $1-2^{-30}$ (the assumption is strict). Runs count
    where both edges are positive in every round, and $\gamma_Q\ge1/3$ in the "high" regime. Forms: "printed" (v1 (11)),
    "corrected" (the sum), "closed" (`gain_share` of the barrier, for runs with all $c_t^*=\log2$ only).
    Floats on all runs; with `certified` balls on the 200 of least margin.
    """
    if form not in ("printed", "corrected", "closed"):
        raise ValueError(f"form must be printed, corrected or closed, got {_echo(form)}")
    if regime not in ("high", "any"):
        raise ValueError(f"regime must be high or any, got {_echo(regime)}")
    share = check_fraction("share", share, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        edge_p, edge_q = (edges.min(axis=1) for edges in edges_below(runs))
        if form == "closed":
            bound = gain_share(edge_p, edge_q, form="corrected") * gain_upper(runs.eps, runs.rounds, form="corrected")
        elif form == "printed":
            bound = gain_lower(runs.eps, runs.rounds, edge_p, edge_q, form="printed")
        else:
            bound = gain_lower(runs.eps, runs.rounds, edge_p, edge_q, form="corrected", c_star=runs.c_star)
        applies = _all(runs.learnable)
        if regime == "high":
            applies &= np.asarray(3 * edge_q >= 1, dtype=bool)
        if form == "closed":
            applies &= _all(runs.scale == 1)
        return runs.gain - _times(bound, share), applies

    return _swept(rng, instances, statement, certified=certified)


def two_sided(rng: np.random.Generator, instances: int, *, share: Fraction = ONE, certified: bool = False) -> Check:
    r"""Check $\Delta(Q_T)\le k\sum_tu_t(\text{edge}_P^t+\text{edge}_Q^t)$, k = `share`, on runs as in `lower_bound`.

    The edges are the exact ones; the statement is Jensen's inequality in each round.
    Any regime; runs count where both edges are positive in every round.
    """
    share = check_fraction("share", share, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        bound = (runs.u * (runs.edge_p + runs.edge_q)).sum(axis=1)
        return _times(bound, share) - runs.gain, _all(runs.learnable)

    return _swept(rng, instances, statement, certified=certified)


def drops_summed(rng: np.random.Generator, instances: int, *, full: bool, certified: bool = False) -> Check:
    r"""Check (65)-(66): the last drop is at least $\theta_T\Lambda_T$, the gain at least $\sum_{t<T}\theta_t\Lambda_t$.

    And the gain at least the sum to T, which (72) needs. Runs as in `lower_bound`, in the high regime in every round,
    with $\Lambda_t$ at edges just below the exact ones of round t; `full` keeps those with all $c_t^*=\log2$.
    """

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        edge_p, edge_q = edges_below(runs)
        claimed = kl_drop(runs.theta, runs.c_star, edge_p, edge_q, form="printed", regime="high")
        excess = runs.drop - claimed
        last, before = excess[:, -1], excess[:, :-1].sum(axis=1) + claimed[:, -1]
        margins = np.stack([last, before, excess.sum(axis=1)], axis=1)
        applies = _all(runs.learnable) & _all(3 * edge_q >= 1)
        if full:
            applies &= _all(runs.scale == 1)
        return _least(margins), applies

    return _swept(rng, instances, statement, certified=certified)


def _least(margins: Any) -> Any:
    """Return the least entry of each row, in floats or by the middle of balls."""
    if margins.dtype != object:
        return margins.min(axis=1)
    least = [min(row, key=lambda margin: float(margin.mid())) for row in margins]
    out = np.empty(len(least), dtype=object)
    out[:] = least
    return out
