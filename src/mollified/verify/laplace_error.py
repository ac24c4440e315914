r"""Checks of the errors of the Laplace mechanism: the expected l1 error and the high-probability bound."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np
from flint import acb, arb, ctx

from mollified._validate import _echo, check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.instances import random_fraction
from mollified.laplace_mechanism import BITS, coverage, error_multiple, promised_coverage

__all__ = [
    "bound_form",
    "error_is_norm",
    "exact_promise",
    "exact_quantile",
    "expected_error",
    "threshold_bound",
    "union_bound",
]

SAME = Fraction(1, 10**30)
ZERO, ONE = Fraction(0), Fraction(1)


def _size(rng: np.random.Generator) -> int:
    return int(rng.integers(1, 7)) if rng.random() < 0.5 else int(10 ** rng.uniform(0, 4))


def _share(rng: np.random.Generator) -> Fraction:
    """Return a beta in (0, 1]."""
    return random_fraction(rng, Fraction(1, 1000), ONE, 999)


def _weighted(power: int, z: acb, _: object) -> acb:
    return z**power * (-z).exp()


def expected_error(rng: np.random.Generator, instances: int, *, factor: Literal["K", "root", "one"] = "K") -> Check:
    r"""Check $E\lVert Y\rVert_1=K\,\Delta_1/\varepsilon$ within 1e-30, K <= 8. Certified.

    $\lVert Y\rVert_1/b$ is a sum of K independent exponential variables, with density $z^{K-1}e^{-z}/(K-1)!$, whose
    mean is integrated in balls: a route other than the linearity of the mean. `factor` "root", "one": $\sqrt K$ or 1 in
    the place of K. Raises ValueError for another factor.
    """
    rng, instances = check_trials(rng, instances)
    if factor not in ("K", "root", "one"):
        raise ValueError(f"factor must be K, root or one, got {_echo(factor)}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            size = int(rng.integers(1, 9))
            b = random_fraction(rng, Fraction(1, 50), Fraction(20), 997)
            # Beyond 250 the integral adds less than 250^8 e^(-250), which is below 1e-89.
            mean = acb.integral(partial(_weighted, size), acb(0), acb(250)).real
            claimed = {"K": arb(size), "root": arb(size).sqrt(), "one": arb(1)}[factor]
            wrong = abs(ball(b) * mean / math.factorial(size - 1) - ball(b) * claimed)
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), K=size, scale=b)
    return tally.check()


def threshold_bound(rng: np.random.Generator, instances: int, *, share: Fraction = ONE) -> Check:
    r"""Check $P[\lVert Y\rVert_\infty<c\ln(K/\beta)\,b]\ge1-\beta$ for c = `share` = 1, from the exact probability.

    For c = 1 the probability is the rational $(1-\beta/K)^K$, and the comparison exact (equality for K = 1); else it is
    $(1-e^{-t})^K$ in balls. Reported as certified. K up to 10^4. Raises TypeError or ValueError for a share <= 0.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("share", share, above=0)
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size, beta = (_size(rng), _share(rng)) if index else (1, Fraction(1, 2))
            if share == 1:
                if size <= 100:
                    slack = promised_coverage(beta, size) - (1 - beta)
                    tally.add(float(slack), decided=slack >= 0, K=size, beta=beta)
                    continue
                room = (1 - ball(beta) / size) ** size - (1 - ball(beta))
            else:
                room = coverage(ball(share) * error_multiple(beta, size), size) - (1 - ball(beta))
            tally.add(float(room.mid()), decided=bool(room >= 0), K=size, beta=beta)
    return tally.check()


def exact_promise(rng: np.random.Generator, instances: int, *, power: int = 0) -> Check:
    r"""Check that the event of the theorem has the probability $(1-\beta/K)^K$, within 1e-30. Certified.

    The left side is $\prod_k P[|Y_k|<\ln(K/\beta)b]$, each factor integrated numerically from the density in balls.
    `power` adds to the exponent K of the right side. Raises TypeError or ValueError for a power < 0.
    """
    rng, instances = check_trials(rng, instances)
    extra = check_count("power", power, minimum=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            size, beta = _size(rng), _share(rng)
            reach = error_multiple(beta, size)
            inside = acb.integral(lambda z, _: (-z).exp(), acb(0), acb(reach)).real
            claimed = (1 - ball(beta) / size) ** size * (1 - ball(beta) / (size + 1)) ** extra
            wrong = abs(inside**size - claimed)
            tally.add(float((ball(SAME) - wrong).mid()), decided=bool(wrong < ball(SAME)), K=size, beta=beta)
    return tally.check()


def union_bound(rng: np.random.Generator, instances: int, *, missing: int = 0) -> Check:
    r"""Check $1-(1-x)^K\le(K-m)x$ for $x=e^{-t}$, m = `missing` = 0, and $Kx=\beta$ at $t=\ln(K/\beta)$. Exact.

    x is a rational in (0, 1], K up to 100. First tried: K = 1, an equality. Raises TypeError or ValueError for
    missing < 0.
    """
    rng, instances = check_trials(rng, instances)
    missing = check_count("missing", missing, minimum=0)
    tally = Tally("exact", keep="first")
    for index in range(instances):
        size, beta = (int(rng.integers(1, 101)), _share(rng)) if index else (1, ONE / 2)
        x = beta / size if index % 2 else random_fraction(rng, Fraction(1, 1000), ONE, 999)
        slack = (size - missing) * x - (1 - (1 - x) ** size)
        tally.add(float(slack), decided=slack >= 0, K=size, x=x)
    return tally.check()


def error_is_norm(rng: np.random.Generator, instances: int, *, absolute: bool = True) -> Check:
    r"""Check that the l1 error is >= 0, and 0 for the output f(D) only. Exact; not `absolute`: signed sums."""
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size = int(rng.integers(2, 5))
        f, o = ([random_fraction(rng, -ONE * 5, ONE * 5, 10) for _ in range(size)] for _ in range(2))
        if rng.random() < 0.2:
            o = f
        errors = [abs(a - b) if absolute else a - b for a, b in zip(o, f, strict=True)]
        total = sum(errors, ZERO)
        tally.add(float(total), decided=total >= 0 and (total == 0) == (o == f), f=f, output=o, error=total)
    return tally.check()


def bound_form(rng: np.random.Generator, instances: int, *, smaller: bool = False) -> Check:
    r"""Check that a larger $\alpha$ keeps the bound: $(1-e^{-t})^K$ grows with t. Exact in $x=e^{-t}$.

    So for each $\beta\in(0,1]$ there is one smallest $\alpha$; for $\beta=0$ no finite one, since x > 0. `smaller`:
    that a smaller $\alpha$ keeps it.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("exact")
    for _ in range(instances):
        size, x = int(rng.integers(1, 40)), random_fraction(rng, Fraction(1, 100), Fraction(99, 100), 97)
        nearer = x * random_fraction(rng, Fraction(1, 10), Fraction(9, 10), 8)
        gain = (1 - nearer) ** size - (1 - x) ** size
        slack = -gain if smaller else gain
        tally.add(float(slack), decided=slack > 0 and (1 - nearer) ** size < 1, K=size, x=x, x2=nearer)
    return tally.check()


def exact_quantile(*, size: int, beta: Fraction, low: Fraction, high: Fraction) -> Check:
    r"""Check that the least threshold with probability $1-\beta$ for K errors lies in (low, high]. Certified.

    In scales: the exact probability is below $1-\beta$ at `low`, and at least $1-\beta$ at `high`. Raises TypeError
    or ValueError for a size < 1, beta outside (0, 1], ends that are not rationals >= 0.
    """
    ends = check_fraction("low", low, minimum=0), check_fraction("high", high, minimum=0)
    error_multiple(beta, size)
    share = check_fraction("beta", beta, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for at, sign in zip(ends, (-1, 1), strict=True):
            slack = sign * (coverage(at, size) - (1 - ball(share)))
            tally.add(float(slack.mid()), decided=bool(slack > 0), threshold=at, K=size, beta=share)
    return tally.check()
