r"""Checks of mode capture on runs that attain the bounds, and of the premise (90) of the printed proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb, ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.bounds import captured_mass, gain_share, log_moment
from mollified.checks import Check, Tally
from mollified.finite_runs import FiniteRuns
from mollified.verify.mode_capture import _edges, _regions

__all__ = ["bound_attained", "condition_attained", "relative_gain"]

ONE = Fraction(1)


def _one_run(p: Any, q0: Any, rows: Any, eps: arb) -> FiniteRuns:
    """Return a single run from rationals: laws (k,), classifiers in units of log 2 with largest value one (T, k)."""

    def balls(values: Any) -> Any:
        flat: Any = np.asarray(values, dtype=object)
        out = np.empty(flat.shape, dtype=object)
        for place in np.ndindex(flat.shape):
            out[place] = ball(Fraction(flat[place]))
        return out[np.newaxis]

    ones = np.full((1, len(rows)), arb(1), dtype=object)
    return FiniteRuns(balls(p), balls(q0), balls(rows), ones, np.array([eps], dtype=object))


def _small(rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(1, 1000)), 1000)


def bound_attained(rng: np.random.Generator, instances: int, *, factor: Fraction = ONE) -> Check:
    r"""Check (*) where it is all but attained. Certified.

    $P=Q_1$ within 2^-200, two-valued c, and B that holds all points with c < 0. `factor` multiplies the sum over t
    in (*): 1.02 is too much. Certified; the slack comes from the edges, $1-2^{-30}$ of the exact ones.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            plus = Fraction(1, 4) + _small(rng) / 13  # Q0(c > 0), so that gamma_Q is in [1/3, 1/2]
            out = plus * _small(rng) / 100
            q0, rows = (plus - out, 1 - plus, out), [(ONE, -ONE, ONE)]
            eps = ball(20 + 20 * _small(rng))
            output = _one_run(q0, q0, rows, eps).laws[0, -1]
            weights = [int(str((x.mid() * 2**200).floor().unique_fmpz())) for x in output]
            p = tuple(Fraction(w, sum(weights)) for w in weights)
            runs = _one_run(p, q0, rows, eps)
            edge_p, edge_q, learnable = _edges(runs)
            assert learnable.all()
            assert 3 * edge_q[0, 0] >= 1
            mass, divergence, captured, _ = _regions(runs)
            here = 2  # the region of the first two points
            base = captured_mass(mass[0, here], divergence[0, here], form="printed")
            bound = captured_mass(
                mass[0, here],
                divergence[0, here],
                form="corrected",
                u=runs.u[0],
                gamma_p=edge_p[0, 0],
                gamma_q=edge_q[0, 0],
            )
            slack = captured[0, here] - base - ball(factor) * (bound - base)
            tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=q0, c=rows, eps=str(eps.mid()))
    return tally.check()


def condition_attained(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check the corrected condition where no less mass will do. Certified.

    $Q_1(B)\ge P(B)-\operatorname{KL}(P,Q_0;B)$ at $P(B)=k(1-\gamma_P)/(1+G_1)$, k = `share`. P = Q0 on B, where c
    is constant; elsewhere P sits on $c=\log2$; $\varepsilon$ is small. At k = 1 (and a little more) it holds, at k
    = 0.98 it fails. Certified.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0) * (1 + Fraction(1, 10**6))
    tally = Tally("certified")
    with ctx.workprec(BITS):
        while tally.instances < instances:
            gamma_p, gamma_q = _small(rng), (1 + 2 * _small(rng)) / 3
            eps = Fraction(1, int(rng.integers(10**3, 10**5)))
            u = ball(eps) / (ball(eps) + 4 * arb(2).log()) * arb(2).log()
            rate = -log_moment(u, ball(gamma_q)) / u
            threshold = Fraction((ball(1 - gamma_p) / (1 + rate)).str(30, radius=False))
            mass = share * threshold
            value = 1 - (1 - gamma_p) / mass
            rest = -(gamma_q + mass * value) / (1 - mass) if mass < 1 else Fraction(2)
            if abs(rest) >= 1 or not -1 < value < 1:
                continue
            tiny = Fraction(1, 2**60)
            p = (mass, 1 - mass - tiny, tiny)
            q0 = (mass, (1 - mass) * (1 + rest) / 2, (1 - mass) * (1 - rest) / 2)
            runs = _one_run(p, q0, [(value, ONE, -ONE)], ball(eps))
            slack = runs.laws[0, -1, 0] - ball(mass)
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q0=q0, c=[(value, ONE, -ONE)], eps=eps)
    return tally.check()


def relative_gain(
    rng: np.random.Generator, instances: int, *, form: Literal["printed", "corrected"], factor: Fraction = ONE
) -> Check:
    r"""Check (90), $\frac{2\Delta(Q_T)}\varepsilon\ge ks(1-\theta_T)$, k = `factor`. Certified.

    Two points, T = 1, $c=\pm\log2$. Certified. s is `bounds.gain_share`: printed $\bar\gamma$, which fails;
    corrected $\frac12[\gamma_P+\Gamma(\gamma_Q)/\log2]$. The first instance is $P=(\frac34,\frac14)$,
    $Q_0=(\frac14,\frac34)$, $\varepsilon=4\log2$, with both edges taken as 9/20, below the exact 1/2.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_fraction("factor", factor, above=0)
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {_echo(form)}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            p, q = Fraction(1, 2) + _small(rng) / 2, _small(rng) / 3
            step, below = 1 - _small(rng) ** 2, 1 - Fraction(1, 2**30)
            if index == 0:
                p, q, step, below = Fraction(3, 4), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)
            edges = ((2 * p - 1) * below, (1 - 2 * q) * below)
            if 3 * edges[1] < 1:
                edges = (edges[0], Fraction(1, 3))
            eps = ball(step / (1 - step)) * 4 * arb(2).log()
            runs = _one_run((p, 1 - p), (q, 1 - q), [(ONE, -ONE)], eps)
            share = gain_share(ball(edges[0]), ball(edges[1]), form=form)
            slack = 2 * runs.gain[0] / eps - ball(factor) * share * ball(1 - step)
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                P=(p, 1 - p),
                Q0=(q, 1 - q),
                c=((ONE, -ONE),),
                theta=step,
                gammas=edges,
            )
    return tally.check()
