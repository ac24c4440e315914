r"""Checks of two simpler rules for k, the exercises of the page on the recipe. Certified."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bootstrap_recipe import certified_lower, certified_upper, least_records
from mollified.checks import Check, Tally
from mollified.verify.bootstrap_recipe import EXAMPLES, Setting

__all__ = ["simple_rule", "without_gamma"]

ONE = Fraction(1)
BITS = 256


def _setting(rng: np.random.Generator) -> Setting:
    return Setting(
        Fraction(int(rng.integers(10, 990)), 1000),
        Fraction(int(rng.integers(1, 900)), 1000),
        Fraction(int(rng.integers(10, 2000)), 1000),
        int(np.exp(rng.uniform(0, math.log(1e6)))),
        int(rng.integers(2, 100)),
    )


def simple_rule(rng: np.random.Generator, instances: int, *, rounded: bool = True) -> Check:
    r"""Check that the least integer $k\ge(\frac1n+2\gamma)\lceil L\rceil/\varepsilon$ leaves an integer in [L, U].

    `rounded` False puts L, for which it is false. k >= 2; the examples of the page come first.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            s = EXAMPLES[index] if index < len(EXAMPLES) else _setting(rng)
            least = least_records(s.gamma, s.delta)
            low = arb(least) if rounded else certified_lower(s.gamma, s.delta)
            bound = ball((Fraction(1, s.n) + 2 * s.gamma) / s.eps) * low
            k = max(2, math.ceil(float(bound.upper())))
            slack = certified_upper(s.gamma, s.eps, s.n, s.size, k) - least
            tally.add(float(slack.mid()), decided=bool(slack >= 0), **s._asdict(), k=k)
    return tally.check()


def without_gamma(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that m meets (1)-(2) for $\gamma^2=\frac2m\log\frac2\delta$ and $k\ge\frac m\varepsilon(\frac1n+2\gamma)$.

    m a little above $2\log\frac2\delta$ up to 1e6; n from 1000, so that the last 2 % matter; `claimed` is that share of
    k. The margin is $U-m$ with this irrational gamma, relative to m.
    """
    rng, instances = check_trials(rng, instances)
    share, tally = check_fraction("claimed", claimed, above=0), Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            s = _setting(rng)
            log_delta = ball(2 / s.delta).log()
            m = 1 + int(float((2 * log_delta).upper()) * math.exp(float(rng.uniform(0, 12))))
            gamma, n = (2 * log_delta / m).sqrt(), 1000 + s.n
            k = max(2, math.ceil(float((ball(share * m / s.eps) * (ball(Fraction(1, n)) + 2 * gamma)).upper())))
            upper = ball(s.eps) / ((ball(Fraction(1, n + k * s.size)) + 2 * gamma) * ball(Fraction(k + 1, k)).log())
            slack = upper / m - 1
            held = bool(slack >= 0) and bool(gamma < 1)
            tally.add(float(slack.mid()), decided=held, delta=s.delta, eps=s.eps, n=n, size=s.size, m=m, k=k)
    return tally.check()
