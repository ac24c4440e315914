r"""Probabilities that take too long to sum term by term, in the arithmetic that is at work: floats, or balls.

Instances of statements call these functions, whose text is not theirs: one value for
floats, and for numbers that decide a ball of 160 bits or more, whatever precision is
asked for.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, arb_poly, ctx
from scipy.special import bdtrc, gammaln
from scipy.stats import poisson

from mollified.bootstrap.accountant import bootstrap_delta, certified_delta
from mollified.privacy.exact_level import ball
from statements.arithmetic import MODE, Number, number
from statements.precision import working_precision

__all__ = [
    "binomial_tail",
    "counts_beyond",
    "least_delta",
    "log_ways",
    "prefix_beyond",
    "prefix_mean",
]

BITS = 160


def _fraction(value: Any) -> Fraction:
    """Return a number that is rational; TypeError for any other."""
    found = number(value)
    if not found.rational:
        raise TypeError(f"value must be rational, got {value!r}")
    return Fraction(int(found.value.p), int(found.value.q))


def binomial_tail(m: Any, p: Any, v: Any) -> Any:
    r"""Return $P[N\ge v]$ for $N\sim\operatorname{Bin}(m,p)$: an incomplete beta function."""
    if MODE.kind != "exact":
        inside = np.clip(np.asarray(v, float) - 1, 0, None)
        found = bdtrc(np.minimum(inside, m), np.asarray(m), np.asarray(p, float))
        return np.where(
            np.asarray(v) <= 0, 1.0, np.where(np.asarray(v) > m, 0.0, found)
        )
    m, v = operator.index(m), operator.index(v)
    if not 0 < v <= m:
        return Number(arb(int(v <= 0)))
    with working_precision(BITS):
        return Number(ball(_fraction(p)).beta_lower(v, m - v + 1, regularized=True))


def least_delta(ε: Any, n: Any, S: Any, k: Any, m: Any) -> Any:
    r"""Return the least $\delta$ at which the mechanism is $(\epsilon,\delta)$-private; for balls an upper end of it.

    For S = 2 and more than 256 records it is that of three symbols, which is not
    smaller.
    """
    if MODE.kind != "exact":
        return _rough_delta(float(ε), int(n), int(S), int(k), int(m))
    sizes = [operator.index(x) for x in (n, S, k, m)]
    level = number(ε)
    upper = _upper_delta if level.rational else _upper_delta.__wrapped__
    return Number(upper(level.value, ctx.prec, *sizes))


#: Both keep what they gave: the near misses of a statement ask for the same again and
#: again.
_rough_delta = lru_cache(20_000)(bootstrap_delta)


@lru_cache(20_000)
def _upper_delta(level: Any, bits: int, *sizes: int) -> arb:
    """Return the upper end for a level that is a rational, or a ball, at so many bits, those at work."""
    return certified_delta(arb(level), *sizes)[1]


def log_ways(N: Any) -> Any:
    r"""Return $\log\frac{m!}{N_1!\cdots N_K!}$, of how many sequences of m draws have the counts N."""
    if MODE.kind != "exact":
        found = np.asarray(N, float)
        return gammaln(found.sum(axis=0) + 1) - gammaln(found + 1).sum(axis=0)
    counts = [operator.index(j) for j in N]
    return Number(
        arb(sum(counts) + 1).lgamma() - sum(arb(j + 1).lgamma() for j in counts)
    )


def prefix_beyond(K: Any, v: Any) -> Any:
    r"""Return $P[\max_i|S_i-i|\ge v]$ for K draws from the uniform law on K symbols, $S_i$ of them the first i.

    There are $\frac{K!}{N_1!\cdots N_K!}$ sequences of draws with the counts N. So
    their sum between two walls follows step by step, of $S_i-i$ with the weights
    $\frac1{N_i!}$.
    """
    if MODE.kind != "exact":
        return _prefix_rough(int(K), int(v))
    return Number(
        _prefix_ball(operator.index(K), operator.index(v), max(BITS, ctx.prec))
    )


@lru_cache(20_000)
def _prefix_rough(K: int, v: int) -> float:
    weights = poisson.pmf(np.arange(2 * v), 1)
    inside = np.eye(2 * v - 1)[v - 1]
    for _ in range(K):
        inside = np.convolve(inside, weights)[1 : 2 * v]
    return float(1 - inside[v - 1] / poisson.pmf(K, K))


@lru_cache(20_000)
def _prefix_ball(K: int, v: int, bits: int) -> arb:
    with working_precision(bits):
        weights = arb_poly([1 / arb(math.factorial(j)) for j in range(2 * v)])
        inside = arb_poly([0] * (v - 1) + [1])
        for _ in range(K):
            inside = (inside * weights).truncate(2 * v).right_shift(1)
        found: arb = inside[v - 1]
        return 1 - found * math.factorial(K) / arb(K) ** K


def prefix_mean(K: Any) -> Any:
    r"""Return the mean of $\max_i|S_i-i|$, the sum of all `prefix_beyond`; for balls what encloses it."""
    exact = MODE.kind == "exact"
    draws = operator.index(K) if exact else int(K)
    v = 0
    total: Any = 0
    last: Any = 1
    while v < draws and last * 10**6 > 1:  # each of the rest is at most the last
        v += 1
        last = prefix_beyond(draws, v)
        total = total + last
    return total + last * Number((draws - v) * arb(1 / 2, 1 / 2)) if exact else total


def counts_beyond(K: Any, m: Any, low: Any, high: Any) -> Any:
    """Return the probability that, of m draws from the uniform law on K symbols, some count is outside low..high."""
    sizes = [operator.index(x) for x in (K, m, low, high)]
    return (
        Number(_counts_ball(*sizes, max(BITS, ctx.prec)))
        if MODE.kind == "exact"
        else _counts_rough(*sizes)
    )


def _coefficient(series: Any, K: int, at: int, product: Any) -> Any:
    """Return a coefficient of the K-th power of a power series; `product` multiplies two of them up to there."""
    found = None
    while K:
        if K % 2:
            found = series if found is None else product(found, series)
        series, K = product(series, series), K // 2
    return found[at] if found is not None and len(found) > at else 0


@lru_cache(20_000)
def _counts_rough(K: int, m: int, low: int, high: int) -> float:
    least = max(low, 0)
    left = m - K * max(low, 0)
    if left < 0 or high < least:
        return 1.0
    weights = poisson.pmf(np.arange(least, min(high, m) + 1), m / K)
    inside = _coefficient(weights, K, left, lambda a, b: np.convolve(a, b)[: left + 1])
    return float(1 - inside / poisson.pmf(m, m))


@lru_cache(20_000)
def _counts_ball(K: int, m: int, low: int, high: int, bits: int) -> arb:
    least = max(low, 0)
    left = m - K * max(low, 0)
    if left < 0 or high < least:
        return arb(1)
    with working_precision(bits):
        weights = arb_poly(
            [1 / arb(math.factorial(j)) for j in range(least, min(high, m) + 1)]
        )
        inside: arb = _coefficient(
            weights, K, left, lambda a, b: (a * b).truncate(left + 1)
        )
        return 1 - inside * math.factorial(m) / arb(K) ** m
