r"""Checks of the high-probability bound on the largest error of the Gaussian mechanism, and of its proof."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
from flint import ctx

from mollified._validate import _echo, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.bounds import Form
from mollified.checks import Check, Tally
from mollified.gaussian_mechanism import coverage, error_multiple
from mollified.instances import random_fraction

__all__ = ["error_bound", "union_bound"]

BITS = 512
ONE, TWO = Fraction(1), Fraction(2)
SAME = Fraction(1, 10**30)
EXAMPLES = ((1, Fraction(1, 20)), (10, Fraction(1, 20)), (10_000, Fraction(1, 20)))


def _query(rng: np.random.Generator) -> tuple[int, Fraction]:
    """Return a number of values up to 10^6 and a failure probability, half of them tiny (down to 1e-100)."""
    size = int(10 ** rng.uniform(0, 6)) if rng.integers(3) else 1
    if rng.integers(2):
        return size, random_fraction(rng, Fraction(1, 100), ONE, 100)
    return size, Fraction(1, math.ceil(10 ** rng.uniform(0.5, 15)) ** int(rng.integers(1, 8)))


def error_bound(rng: np.random.Generator, instances: int, *, form: Form = "printed", claimed: Fraction = ONE) -> Check:
    r"""Check $P[\lVert Y\rVert_\infty<r]\ge1-\beta$, $Y$ the noise of K values, r the threshold. Certified.

    The probability is $(1-2Q(r/\sigma))^K$; $r/\sigma$ depends on K and beta alone. `claimed` scales r. First tried:
    $\beta=\frac1{20}$ and K = 1, 10, 10000. Source: lecture, Theorem (high probability bound, Gaussian mechanism).
    """
    rng, instances = check_trials(rng, instances)
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size, beta = EXAMPLES[index] if index < len(EXAMPLES) else _query(rng)
            multiple = ball(claimed) * error_multiple(beta, size, form)
            found = coverage(multiple, size)
            slack = found - ball(1 - beta)
            tally.add(float(slack.mid()), decided=bool(slack >= 0), K=size, beta=beta, probability=float(found.mid()))
    return tally.check()


def union_bound(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Literal["printed", "slides", "sharper"] = "printed",
    claimed: Fraction = ONE,
) -> Check:
    r"""Check that a tail and a union bound over K values give at most $\beta$ at the threshold u. Certified.

    Printed: $2Ke^{-u^2/2}$ at $u=\sqrt{\ln(K/\beta)}$. Slides: the same at $u=\sqrt{2\ln(2K/\beta)}$. Sharper:
    $Ke^{-u^2/2}$ at $u=\sqrt{2\ln(K/\beta)}$. The last two are equal to $\beta$ (within 1e-30, relatively). `claimed`
    scales u, which is in units of sigma. First tried: K = 1, $\beta=\frac14$. Source: lecture, "same technique as for
    Laplace".
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(form, str) or form not in ("printed", "slides", "sharper"):
        raise ValueError(f"form must be printed, slides or sharper, got {_echo(form)}")
    claimed, tally = check_fraction("claimed", claimed, above=0), Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            size, beta = (1, Fraction(1, 4)) if index == 0 else _query(rng)
            if beta == 1 and size == 1:
                beta = Fraction(1, 2)
            sides = 1 if form == "sharper" else 2
            if form == "printed":
                u = error_multiple(beta, size, "printed")
            else:
                u = error_multiple(beta / sides, size, "corrected")
            bound = sides * size * (-((ball(claimed) * u) ** 2) / 2).exp()
            relative = bound / ball(beta)
            tally.add(
                float((1 + ball(SAME) - relative).mid()), decided=bool(relative < 1 + ball(SAME)), K=size, beta=beta,
                bound=float(bound.mid()),
            )  # fmt: skip
    return tally.check()
