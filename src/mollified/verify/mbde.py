r"""Checks for the pages on MBDE: step sizes, range, membership, and the level that T rounds spend."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_fractions, check_trials
from mollified.ball_mbde import BITS, ball, ball_mbde, ball_membership, ball_theta
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.instances import random_run

__all__ = ["absolute_range", "circular_step", "membership", "product_form", "range_lemma"]


ONE = Fraction(1)


def membership(rng: np.random.Generator, instances: int, *, limit: Fraction = ONE, width: Fraction = ONE) -> Check:
    r"""Check $Q_T\in\mathcal M_{\varepsilon,Q_0}$ (v3 Theorem 4) for random classifiers, references, eps and T.

    Certified. Ball arithmetic decides every instance. `limit` > 1 lets classifiers leave $[-\log2,\log2]$; `width` <
    1 claims a mollifier of that share of the level.
    """
    rng, instances = check_trials(rng, instances)
    limit = check_fraction("limit", limit, above=0)
    width = check_fraction("width", width, above=0)
    tally = Tally("certified")
    for _ in range(instances):
        base, rows, level = random_run(rng, limit)
        assert level.eps is not None
        claimed = ExactLevel(eps=level.eps * width)
        inside, x, slack = ball_membership(ball_mbde(base, rows, level), base, claimed)
        tally.add(slack, decided=inside, Q0=base, c=rows, eps=level.eps, x=x)
    return tally.check()


def range_lemma(
    rng: np.random.Generator, instances: int, *, forget_normaliser: bool = False, quarter: bool = False
) -> Check:
    r"""Check Lemma 10, $|\langle\theta,c\rangle-\varphi|\le\varepsilon/2$, and its two halves (25), (27). Certified.

    `quarter` claims $\varepsilon/4$ for the difference; `forget_normaliser` tests $\langle\theta,c\rangle$ alone
    against $\varepsilon/4$, which is (25) and true.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            base, rows, level = random_run(rng, ONE)
            assert level.eps is not None
            eps = ball(level.eps)
            steps = ball_theta(level, len(rows))
            pairing = [
                arb(2).log()
                * sum(
                    (step * ball(row[x]) for step, row in zip(steps, rows, strict=True)),
                    arb(0),
                )
                for x in range(len(base))
            ]
            log_z = sum(
                (ball(q) * s.exp() for q, s in zip(base, pairing, strict=True)),
                arb(0),
            ).log()
            bound = eps / 4 if quarter or forget_normaliser else eps / 2
            for s in pairing:
                slack = bound - abs(s if forget_normaliser else s - log_z)
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
            if forget_normaliser:
                slack = bound - abs(log_z)
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=rows, eps=level.eps)
    return tally.check()


def product_form(rng: np.random.Generator, instances: int, *, skip_normaliser: bool = False) -> Check:
    r"""Check that T normalised updates give the product form (6)-(7): $Q_T=e^{\langle\theta,c\rangle-\varphi}Q_0$.

    Certified. The recursion and the closed form are computed in balls of 1024 bits and must overlap to within 2^-200;
    `skip_normaliser` leaves out $\varphi$.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            base, rows, level = random_run(rng, ONE)
            closed = ball_mbde(base, rows, level)
            current = [ball(q) for q in base]
            log2 = arb(2).log()
            for step, row in zip(ball_theta(level, len(rows)), rows, strict=True):
                raised = [q * (step * ball(s) * log2).exp() for q, s in zip(current, row, strict=True)]
                total = arb(1) if skip_normaliser else sum(raised, arb(0))
                current = [q / total for q in raised]
            gaps = [abs(a - b) for a, b in zip(closed, current, strict=True)]
            same = all(gap.upper() < arb(2) ** -200 for gap in gaps)
            tally.add(-max(float(gap.upper()) for gap in gaps), decided=same, Q0=base, c=rows, eps=level.eps)
    return tally.check()


def absolute_range(*, densities: Sequence[Fraction], level: ExactLevel | None = None) -> Check:
    r"""Check Theorem 5 of v1 and v2 read absolutely: $Q_T(x)\in[e^{-\varepsilon/2},e^{\varepsilon/2}]$. Certified.

    $Q_0$ has the two given density values on the halves of [0, 1] (mass one: they add up to 2), T = 1, c = -log 2 on
    the first half and +log 2 on the second, $\varepsilon=1/5$. Values 1/2 and 3/2 refute it; the uniform values 1, 1
    do not. What is true for every $Q_0$ is the bound on $Q_T/Q_0$.
    """
    values = check_fractions("densities", densities, size=2)
    if min(values) <= 0 or sum(values) != 2:
        raise ValueError(f"densities must be two values > 0 that add up to 2, got {densities!r}")
    if level is not None and not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel or None, got {level!r}")
    level = level or ExactLevel(eps=Fraction(1, 5))
    base = tuple(value / 2 for value in values)
    learned = ball_mbde(base, [(-ONE, ONE)], level)
    uniform = (Fraction(1, 2),) * 2
    inside, x, slack = ball_membership(learned, uniform, level)
    tally = Tally("certified")
    tally.add(
        slack,
        decided=inside,
        Q0=base,
        c="(-log 2, log 2)",
        eps=level.eps,
        T=1,
        x=x,
        Q1=[float(2 * q.mid()) for q in learned],
    )
    return tally.check()


def circular_step(*, use_previous: bool) -> Check:
    r"""Check that line 3 of Algorithm 1 can be executed: find a classifier that agrees with its own density. Exact.

    As printed, $c_t\leftarrow\mathrm{WL}(P,Q_t)$ with $Q_t\propto Q_{t-1}e^{\theta_tc_t}$: $c_t$ must be a fixed point.
    On two points with $P=(3,2)/5$, $Q_0=(1,1)/2$, $\theta_1=1/2$ ($\varepsilon=4\log2$) and the learner that returns
    $\log2\,\mathrm{sign}(P-Q)$, the candidates $\pm$ give $Q_1=(2,1)/3$ and $(1,2)/3$, on which the learner answers the
    opposite sign: no execution exists. With `use_previous` the learner sees $Q_0$ and answers (+, -) at once.
    """
    target = (Fraction(3, 5), Fraction(2, 5))
    start = (Fraction(1, 2), Fraction(1, 2))
    tally = Tally("exact")
    answers = {}
    for sign in (1, -1):
        # exp(theta c) = 2^{+-1/2}; the ratio of the two weights is 2^{sign}, rational
        heavy = Fraction(2, 3)
        updated = (heavy, 1 - heavy) if sign == 1 else (1 - heavy, heavy)
        seen = start if use_previous else updated
        difference = target[0] - seen[0]
        answers[sign] = (difference > 0) - (difference < 0)
    consistent = [sign for sign, answer in answers.items() if sign == answer]
    tally.add(
        1.0 if consistent else -1.0,
        decided=bool(consistent),
        P=target,
        Q0=start,
        theta="1/2",
        answers=answers,
    )
    return tally.check()
