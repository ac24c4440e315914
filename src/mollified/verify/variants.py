r"""Checks of what each reading of MBDE may spend: the successors' half, and no limit for an unbounded logit.

In both the step sizes are $\theta_t=r^t$ with $r=\varepsilon/(\varepsilon+4)$, so that
$\sum_{t\le T}\theta_t=\frac\varepsilon4(1-\theta_T)$ is rational.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.instances import random_law, random_level, random_run

__all__ = ["perfect_learner_path", "raw_logit_level", "successors_level"]

ONE = Fraction(1)
#: Precision for laws with atoms far below the others.
WIDE = 4 * BITS


def _steps(eps: Fraction, rounds: int) -> list[Fraction]:
    ratio = eps / (eps + 4)
    return [ratio**t for t in range(1, rounds + 1)]


def _normalised(weights: Sequence[arb]) -> list[arb]:
    total = sum(weights, arb(0))
    return [weight / total for weight in weights]


def successors_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that classifiers in [0, 1] with $\theta_t=(\varepsilon/(\varepsilon+4))^t$ spend at most half the budget.

    Certified. The level of two outputs is at most $2\sum_t\theta_t=\frac\varepsilon2(1-\theta_T)$; every fourth
    instance is an extreme pair, one against zero on an atom down to $2^{-80}$, so that `claimed` 0.98 is too little.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for index in range(instances):
            base, rows, level = random_run(rng, ONE)
            others = random_run(rng, ONE)[1]
            assert level.eps is not None
            one = [tuple((1 + s) / 2 for s in row) for row in rows]
            two = [tuple((1 + others[t % len(others)][x % 2]) / 2 for x in range(len(base))) for t in range(len(rows))]
            if index % 4 == 0:
                atom = Fraction(1, 2 ** int(rng.integers(40, 80)))
                base = (atom, 1 - atom)
                one, two = [(ONE, Fraction(0))] * len(rows), [(Fraction(0), ONE)] * len(rows)
            steps = _steps(level.eps, len(rows))
            laws = []
            for chosen in (one, two):
                sums = [
                    sum((h * row[x] for h, row in zip(steps, chosen, strict=True)), Fraction(0))
                    for x in range(len(base))
                ]
                laws.append(_normalised([ball(q) * ball(s).exp() for q, s in zip(base, sums, strict=True)]))
            bound = ball(claimed * level.eps / 2 * (1 - steps[-1]))
            for a, b in zip(*laws, strict=True):
                slack = bound - abs((a / b).log())
                tally.add(float(slack.mid()), decided=bool(slack > 0), Q0=base, c=one, c2=two, eps=level.eps)
    return tally.check()


def _learned(
    target: Sequence[Fraction], base: Sequence[Fraction], steps: Sequence[Fraction], limit: int | None
) -> list[arb]:
    r"""Return $Q_T$ where $c_t$ is the logit of least cross-entropy, $\log P/Q_{t-1}$, clipped to $\pm$`limit`."""
    law = [ball(q) for q in base]
    for step in steps:
        logits = [(ball(p) / q).log() for p, q in zip(target, law, strict=True)]
        if limit is not None:
            logits = [c.min(arb(limit)).max(arb(-limit)) for c in logits]
        law = _normalised([q * (ball(step) * c).exp() for q, c in zip(law, logits, strict=True)])
    return law


def raw_logit_level(
    rng: np.random.Generator, instances: int, *, limit: int | None = None, exceeds: bool = False
) -> Check:
    r"""Check the level of the released update, $\log Q_t=\log Q_{t-1}+\theta_t\ell_t$ up to a constant. Certified.

    The logit $\ell_t=\log P/Q_{t-1}$ is that of least cross-entropy. The claim is that the level is at most
    $\varepsilon$; with `exceeds`, that the pair goes beyond $M\varepsilon$. M is 1, 10 or 1000. $P$ and $P'$ have on
    two points odds of $2^k$ and $2^{-k}$ times those of $Q_0$; k is the least integer with
    $\lambda k\log2>M\varepsilon$, $\lambda=1-\prod_t(1-\theta_t)$. The first instance has $\varepsilon=1$, T = 3, M = 1
    and a fair $Q_0$. `limit` clips the logit: at 1 the level is kept, at 2 it is not.
    """
    rng, instances = check_trials(rng, instances)
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit must be an integer >= 1 or None, got {limit!r}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(WIDE):
        for index in range(instances):
            eps, rounds, times = random_level(rng).eps, int(rng.integers(1, 7)), int(rng.choice([1, 10, 1000]))
            atom = Fraction(1, 2) if index % 2 == 0 else Fraction(1, 2 ** int(rng.integers(40, 80)))
            assert eps is not None
            if index == 0:
                eps, rounds, times = ONE, 3, 1
            steps = _steps(eps, rounds)
            share = 1 - math.prod(1 - step for step in steps)
            power = _least_power(times * eps / share)
            inputs = []
            for factor in (Fraction(2) ** power, Fraction(1, 2**power)):
                odds = factor * atom / (1 - atom)
                inputs.append((odds / (1 + odds), 1 / (1 + odds)))
            one, two = (_learned(target, (atom, 1 - atom), steps, limit) for target in inputs)
            level = max(
                (abs((a / b).log()) for a, b in zip(one, two, strict=True)), key=lambda value: float(value.mid())
            )
            slack = level - ball(times * eps) if exceeds else ball(eps) - level
            tally.add(
                float(slack.mid()),
                decided=bool(slack > 0),
                Q0=(atom, 1 - atom),
                P=inputs[0],
                P2=inputs[1],
                eps=eps,
                T=rounds,
                level=float(level.mid()),
            )
    return tally.check()


def _least_power(need: Fraction) -> int:
    """Return the least integer k with k log 2 > need."""
    log2 = arb(2).log()
    power = max(math.floor(float(need) / math.log(2.0)) - 1, 0)
    while not power * log2 > ball(need):
        power += 1
    return power


def perfect_learner_path(rng: np.random.Generator, instances: int, *, add_steps: bool = False) -> Check:
    r"""Check $Q_T\propto P^\lambda Q_0^{1-\lambda}$, $\lambda=1-\prod_t(1-\theta_t)$, for the released update.

    Certified: recursion and closed form, both in balls, overlap to within $2^{-200}$. The learner is perfect, that is
    $\ell_t=\log P/Q_{t-1}$. `add_steps` takes $\lambda=\sum_t\theta_t$, which is right for one round only: instances
    have two to six.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            size, rounds, eps = int(rng.integers(2, 6)), int(rng.integers(2, 7)), random_level(rng).eps
            assert eps is not None
            target, base, steps = random_law(rng, size), random_law(rng, size), _steps(eps, rounds)
            while target == base:
                target = random_law(rng, size)
            product = Fraction(math.prod(1 - step for step in steps))
            share = sum(steps, Fraction(0)) if add_steps else 1 - product
            found = _learned(target, base, steps, None)
            path = _normalised(
                [
                    (ball(share) * ball(p).log() + ball(1 - share) * ball(q).log()).exp()
                    for p, q in zip(target, base, strict=True)
                ]
            )
            gap = max((abs(a - b) for a, b in zip(found, path, strict=True)), key=lambda value: float(value.upper()))
            same = bool(gap.upper() < arb(2) ** -200)
            tally.add(-float(gap.upper()), decided=same, P=target, Q0=base, eps=eps, T=rounds)
    return tally.check()
