r"""Checks of composition beyond the sum: when $\varepsilon$ grows like $\sqrt K$, and the exact curves."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, prod
from typing import Literal

import numpy as np
from flint import arb, ctx
from scipy.special import gammaln

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.composition import (
    advanced_epsilon,
    certified_response_delta,
    exact_hockey_stick,
    response_epsilon,
)
from mollified.exact_level import Law
from mollified.gaussian_mechanism import delta_ball
from mollified.instances import random_law

__all__ = [
    "advanced_bound",
    "advanced_climb",
    "advanced_sweep",
    "gaussian_tighter",
    "linear_level",
    "optimal_pure",
    "quadrupled",
    "runs_allowed",
    "square_root",
]

ONE = Fraction(1)
#: Relative rounding of sums of at most 65 positive terms, each with logarithms of size below 1e3.
TOLERANCE = 1e-9
Mean = Literal["right", "none"]


def _response(r: Fraction, runs: int) -> Law:
    """Return the law of the number of true answers in so many randomised responses."""
    return tuple(comb(runs, b) * r**b / (1 + r) ** runs for b in range(runs + 1))


def optimal_pure(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check that no $\varepsilon_0$-DP algorithm, run K times, has a larger delta than randomised response. Exact.

    Random pairs of rational laws on two or three outputs with largest ratio $r=e^{\varepsilon_0}$, K = 1 to 4, at
    $\varepsilon=j\varepsilon_0$ and between; `claimed` times the delta of randomised response is the bound. Every
    fourth pair is randomised response itself. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for index in range(instances):
        size, runs = 2 + index % 2, 1 + int(rng.integers(4))
        one, two = random_law(rng, size, spread=4), random_law(rng, size, spread=4)
        if index % 4 == 0:
            r = 1 + Fraction(int(rng.integers(1, 300)), 100)
            one, two = (r / (1 + r), 1 / (1 + r)), (1 / (1 + r), r / (1 + r))
        r = max(max(a / b, b / a) for a, b in zip(one, two, strict=True))
        joint = [tuple(prod(row, start=ONE) for row in product(law, repeat=runs)) for law in (one, two)]
        factor = r ** int(rng.integers(0, runs + 1)) * (1 if rng.random() < 0.5 else 1 + (r - 1) / 3)
        law = _response(r, runs)
        bound = claimed * exact_hockey_stick(law, law[::-1], factor)
        found = max(exact_hockey_stick(a, b, factor) for a, b in (joint, joint[::-1]))
        slack = bound - found
        tally.add(float(slack), decided=slack >= 0, one=one, two=two, K=runs, factor=factor)
    return tally.check()


def _level(eps0: arb, runs: int, delta: arb, form: Literal["lecture-notes", "mean"], mean: Mean) -> arb:
    if mean == "right":
        return advanced_epsilon(eps0, runs, delta, form)  # type: ignore[no-any-return]
    return eps0 * (-2 * runs * delta.log()).sqrt()


def advanced_bound(
    rng: np.random.Generator,
    instances: int,
    *,
    form: Literal["lecture-notes", "mean"] = "mean",
    mean: Mean = "right",
) -> Check:
    r"""Check that `advanced_epsilon` is enough: $\delta_K$ of randomised response there is at most delta. Certified.

    Random $e^{\varepsilon_0}$ from 1.001 to 8, K to 3000, delta from $10^{-9}$ to 1/2; `mean` "none" leaves out the
    mean loss. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    for name, value, names in (("form", form, ("lecture-notes", "mean")), ("mean", mean, ("right", "none"))):
        if value not in names:
            raise ValueError(f"{name} must be one of {names}, got {value!r}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            r = 1 + Fraction(round(1000 * math.exp(rng.uniform(0, 8.8))), 10**6)
            runs = round(math.exp(rng.uniform(0, 8)))
            delta = Fraction(1, round(math.exp(rng.uniform(0.7, 20.7))))
            eps = _level(ball(r).log(), runs, ball(delta), form, mean)
            over = bool(eps >= runs * ball(r).log())
            found = arb(0) if over else certified_response_delta(eps, r, runs)
            slack = 1 - found / ball(delta)
            tally.add(float(slack.mid()), decided=bool(slack >= 0), exp_eps0=r, K=runs, delta=delta)
    return tally.check()


def _deltas(eps: Array, runs: Array, p: Array, q: Array, most: int) -> Array:
    """Return hockey sticks of K runs of a two-output algorithm with probabilities p, q; all arrays of one length."""
    b = np.arange(most + 1)[None, :]
    k = runs[:, None]
    used = b <= k
    rest = np.where(used, k - b, 0)
    count = gammaln(k + 1) - gammaln(b + 1) - gammaln(rest + 1)
    one = count + b * np.log(p)[:, None] + rest * np.log1p(-p)[:, None]
    loss = b * (np.log(p) - np.log(q))[:, None] + rest * (np.log1p(-p) - np.log1p(-q))[:, None]
    above = np.maximum(-np.expm1(np.minimum(eps[:, None] - loss, 0.0)), 0.0)
    return np.asarray(np.where(used, np.exp(np.minimum(one, 0.0)) * above, 0.0).sum(axis=1))


def _margins(vectors: Array, most: int, mean: Mean) -> Array:
    """Return 1 - delta_K/delta at the level; a vector holds two logits, then log delta and K on logistic scales."""
    z = np.clip(vectors, -30, 30)
    p, q = 1 / (1 + np.exp(-z[:, 0])), 1 / (1 + np.exp(-z[:, 1]))
    delta = np.exp(-0.7 - 20 / (1 + np.exp(-z[:, 2])))
    runs = 1 + np.floor((most - 1) / (1 + np.exp(-z[:, 3])))
    steps = np.maximum(np.abs(np.log(p) - np.log(q)), np.abs(np.log1p(-p) - np.log1p(-q)))
    fits = (steps > 1e-4) & (steps < 8)
    steps = np.where(fits, steps, 1.0)
    eps = steps * np.sqrt(-2 * runs * np.log(delta)) + (runs * steps * np.tanh(steps / 2) if mean == "right" else 0)
    found = np.maximum(_deltas(eps, runs, p, q, most), _deltas(eps, runs, q, p, most))
    return np.where(fits, 1 - found / delta, np.inf)


#: The largest number of runs in the sweep and in the search.
MOST = 64


def advanced_sweep(rng: np.random.Generator, instances: int, *, mean: Mean = "right") -> Check:
    r"""Check the corrected level on random two-output algorithms, K to 64; every other one is randomised response.

    Floats. The margin is relative to delta. `mean` "none" leaves out the mean loss. Raises TypeError or ValueError.
    """
    rng, instances = check_trials(rng, instances)
    if mean not in ("right", "none"):
        raise ValueError(f"mean must be right or none, got {mean!r}")
    tally = Tally("float", tolerance=TOLERANCE)
    while tally.instances < instances:
        vectors = 2 * rng.standard_normal((20_000, 4))
        vectors[::2, 1] = -vectors[::2, 0]
        for row, slack in zip(vectors, _margins(vectors, MOST, mean), strict=True):
            if np.isfinite(slack) and tally.instances < instances:
                tally.add(float(slack), vector=[float(x) for x in row])
    return tally.check()


def advanced_climb(rng: np.random.Generator, instances: int, *, mean: Mean = "right", refine: int = 6) -> Check:
    r"""Look for the worst two-output algorithm: `instances` starts, the best `refine` refined. Floats.

    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    refine = check_count("refine", refine)
    if mean not in ("right", "none"):
        raise ValueError(f"mean must be right or none, got {mean!r}")
    margin = partial(_margins, most=MOST, mean=mean)
    found = search_worst(margin, 4, rng, starts=instances, refine=refine, evaluations=300)
    tally = Tally("float", tolerance=TOLERANCE)
    tally.add(found.margin, vector=[float(x) for x in found.point])
    return tally.check()


def square_root(*, condition: bool = True) -> Check:
    r"""Check that $\varepsilon_K\le\varepsilon_0\sqrt K(\sqrt{2\ln(1/\delta)}+\frac12)$ for randomised response.

    Certified. With the `condition` $K\varepsilon_0^2\le1$: $e^{\varepsilon_0}=1+1/\lceil\sqrt K\rceil$; without it,
    $e^{\varepsilon_0}=3$. $\delta=10^{-5},\frac1{10}$ and K = 100 to $10^6$; the first violation is kept.
    """
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for runs in (100, 1000, 10_000, 100_000, 1_000_000):
            for delta in (Fraction(1, 10**5), Fraction(1, 10)):
                r = 1 + Fraction(1, math.isqrt(runs - 1) + 1) if condition else Fraction(3)
                step, miss = ball(r).log(), ball(delta)
                eps = step * arb(runs).sqrt() * ((-2 * miss.log()).sqrt() + arb(1) / 2)
                found = certified_response_delta(eps, r, runs)
                slack = 1 - found / miss
                tally.add(float(slack.mid()), decided=bool(slack >= 0), exp_eps0=r, K=runs, delta=delta)
    return tally.check()


def quadrupled(*, condition: bool = True) -> Check:
    r"""Check that four times as many runs need at most three times the level, $\delta=10^{-5}$: growth below linear.

    Certified. A rational e with $\delta_K(e)\le\delta$ is found and certified, then $\delta_{4K}(3e)\le\delta$ is
    tested, K = 25 to 40000. With the `condition`, $e^{\varepsilon_0}=1+1/\lceil2\sqrt K\rceil$, so
    $4K\varepsilon_0^2\le1$; without, $e^{\varepsilon_0}=3$, where the ratio tends to 4. Levels are written as
    rationals.
    """
    tally = Tally("certified", keep="first")
    delta = Fraction(1, 10**5)
    with ctx.workprec(BITS):
        for runs in (25, 100, 400, 2500, 10_000, 40_000):
            r = 1 + Fraction(1, math.isqrt(4 * runs - 1) + 1) if condition else Fraction(3)
            level = Fraction(math.ceil(1000 * response_epsilon(float(delta), math.log(r), runs)), 1000)
            if not certified_response_delta(level, r, runs) <= ball(delta):
                raise ArithmeticError(f"level {level} is not enough for K = {runs}")
            slack = 1 - certified_response_delta(3 * level, r, 4 * runs) / ball(delta)
            tally.add(
                float(slack.mid()),
                decided=bool(slack >= 0),
                exp_eps0=r,
                K=runs,
                delta=delta,
                level=level,
                runs=4 * runs,
            )
    return tally.check()


def linear_level(*, share: Fraction = Fraction(49, 101)) -> Check:
    r"""Check that $\delta_K(cK\varepsilon_0)\ge\frac14$ at $e^{\varepsilon_0}=3$: growth that is linear in the end.

    Certified, K = 10 to a million, c = `share` below $\tanh\frac{\varepsilon_0}2=\frac12$ and no tie with a value of
    the loss: the level at any $\delta<\frac14$ is above $cK\varepsilon_0$.
    """
    share, tally = check_fraction("share", share, above=0), Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for runs in (10, 100, 1000, 10_000, 100_000, 1_000_000):
            delta = certified_response_delta(ball(share * runs) * arb(3).log(), Fraction(3), runs)
            tally.add(float(delta.mid()) - 0.25, decided=bool(delta >= arb(0.25)), K=runs, share=share)
    return tally.check()


def gaussian_tighter(rng: np.random.Generator, instances: int, *, merged: Literal["root", "all"] = "root") -> Check:
    r"""Check that K Gaussian releases need at $K\varepsilon$ less than K times the delta of one at $\varepsilon$.

    Certified. K releases with shift $\mu=\Delta_2/\sigma$ are one with $\sqrt K\mu$; `merged` "all" takes $K\mu$
    instead. Simple composition grants $K\delta_\mu(\varepsilon)$. Random rational mu from 0.05 to 4, K = 2 to 60, eps
    from $\mu^2$/4 to $\mu^2/2+6\mu$; deltas below $10^{-200}$ are not counted. The first instance is mu = 1, K = 4, eps
    = 1. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if merged not in ("root", "all"):
        raise ValueError(f"merged must be root or all, got {merged!r}")
    tally = Tally("certified", keep="first")
    with ctx.workprec(BITS):
        for index in range(instances):
            mu, runs, eps = ONE, 4, ONE
            if index:
                mu, runs = Fraction(int(rng.integers(5, 400)), 100), int(rng.integers(2, 61))
                eps = mu * mu / 4 + (mu * mu / 4 + 6 * mu) * Fraction(int(rng.integers(1, 1000)), 1000)
            shift = ball(mu) * (arb(runs).sqrt() if merged == "root" else runs)
            one, many = delta_ball(eps, mu), delta_ball(runs * eps, shift)
            slack = 1 - many / (runs * one)
            tally.add(float(slack.mid()), decided=bool(slack > 0), mu=mu, K=runs, eps=eps)
    return tally.check()


def runs_allowed(*, most: int) -> Check:
    r"""Check that `most` is the largest K at which $e^{\varepsilon_0}=\frac{101}{100}$ K times is $(1,10^{-5})$-DP.

    Certified. Raises TypeError or ValueError for bad arguments.
    """
    most = check_count("most", most)
    r, delta = Fraction(101, 100), Fraction(1, 10**5)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for runs, enough in ((most, True), (most + 1, False)):
            slack = 1 - certified_response_delta(ONE, r, runs) / ball(delta)
            found = float(slack.mid())
            tally.add(found if enough else -found, decided=bool(slack >= 0) if enough else bool(slack < 0), K=runs)
    return tally.check()
