r"""Checks of the limit in which both edges tend to one: the gain tends to the barrier, and so to the best gain."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_theta
from mollified.bounds import gain_share, gain_upper
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.instances import random_fraction

__all__ = ["gain_at_high_edges", "mollification_in_limit", "share_tangent"]

ONE = Fraction(1)


def gain_at_high_edges(rng: np.random.Generator, instances: int, *, full: bool) -> Check:
    r"""Check the corrected share of the barrier $\frac\varepsilon2(1-\theta_T)$ for edges near one. Certified.

    $P=(1-a,a)$, $Q_0=(a,1-a)$ and $c_t=\pm c^*$ with a so small that the run stays in the high regime; the share tends
    to one as a -> 0. `full` has $c^*=\log2$; else $c^*=(\log2)/10$ or less, for which the remark does not hold.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            eps, rounds = random_fraction(rng, Fraction(1, 100), Fraction(10)), int(rng.integers(1, 21))
            atom = Fraction(1, 2 ** int(rng.integers(22, 60)))
            scale = ONE if full else Fraction(1, int(rng.integers(10, 60)))
            if index == 0:
                eps, rounds, atom = Fraction(1), 3, Fraction(1, 2**22)
                scale = ONE if full else Fraction(1, 10)
            level = ExactLevel(eps=eps)
            rows, base = [(scale, -scale)] * rounds, (atom, 1 - atom)
            learned, before = ball_mbde(base, rows, level), [ball(q) for q in base]
            if rounds > 1:
                before = ball_mbde(base, rows[:-1], level)
            edge_p, edge_q = ball(1 - 2 * atom), before[1] - before[0]  # the edge over Q is smallest in the last round
            assert edge_q > ball(Fraction(1, 3))
            gain = sum(
                (ball(w) * (a / ball(b)).log() for w, a, b in zip((1 - atom, atom), learned, base, strict=True)), arb(0)
            )
            share = gain_share(edge_p, edge_q, form="corrected")
            slack = gain - share * gain_upper(ball(eps), rounds, form="corrected")
            tally.add(
                float(slack.mid()), decided=bool(slack > 0), P=(1 - atom, atom), Q0=base, c=rows[0], eps=eps, T=rounds
            )
    return tally.check()


def share_tangent(*, slope: Fraction = Fraction(3, 2)) -> Check:
    r"""Prove $\Gamma(z)\ge\log2-\frac32(1-z)$ on [0, 1], so that the share is $1-O(1-\gamma)$. Exact, universal.

    The two agree at z = 1, so it is enough that $\Gamma'(z)=\frac3{5-3z}\le\frac32$ on [0, 1], that is
    $\frac32(5-3z)-3\ge0$: a linear function of z, which the two ends decide. `slope` is put in the place of 3/2.
    """
    slope = check_fraction("slope", slope)
    tally = Tally("exact", scope="universal")
    for z in (Fraction(0), ONE):
        slack = slope * (5 - 3 * z) - 3
        tally.add(float(slack), decided=slack >= 0, z=z, slope=slope)
    return tally.check()


def mollification_in_limit(rng: np.random.Generator, instances: int, *, full: bool) -> Check:
    r"""Check that for edges near one the gain of MBDE tends to that of the mollification. Certified.

    $P=(1-a,a)$, $Q_0=(a,1-a)$, $c_t=\pm c^*$; the mollification is $(ae^{\varepsilon/2},1-ae^{\varepsilon/2})$.
    States $\Delta(\hat P)-\Delta(Q_T)\le\frac\varepsilon2(\theta_T+\frac{1-\gamma_P}2+\frac{3(1-\gamma_Q)}{4\log2})$,
    which vanishes as the edges tend to one and T grows. `full` has $c^*=\log2$; else it is a tenth of that or less.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            eps, rounds = random_fraction(rng, Fraction(1, 100), Fraction(10)), int(rng.integers(4, 21))
            atom = Fraction(1, 2 ** int(rng.integers(30, 60)))
            scale = ONE if full else Fraction(1, int(rng.integers(10, 60)))
            if index == 0:
                eps, rounds, atom = Fraction(1), 20, Fraction(1, 2**30)
                scale = ONE if full else Fraction(1, 10)
            level, rows, base = ExactLevel(eps=eps), [(scale, -scale)] * rounds, (atom, 1 - atom)
            learned, last = ball_mbde(base, rows, level), ball_mbde(base, rows[:-1], level)
            best = ball(atom) * (ball(eps) / 2).exp()
            gap = ball(1 - atom) * (best / learned[0]).log() + ball(atom) * ((1 - best) / learned[1]).log()
            edges_missing = ball(atom) + 3 * (1 - (last[1] - last[0])) / (4 * arb(2).log())
            bound = ball(eps) / 2 * (ball_theta(level, rounds)[-1] + edges_missing)
            slack = bound - gap
            p = (1 - atom, atom)
            tally.add(float(slack.mid()), decided=bool(slack > 0), P=p, Q0=base, c=(scale, -scale), eps=eps, T=rounds)
    return tally.check()
