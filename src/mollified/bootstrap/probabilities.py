r"""Probabilities that take too long to sum term by term.

In the arithmetic that is at work: floats, or balls. Instances of statements call these
functions, whose text is not theirs: one value for floats, and for numbers that decide a
ball of 160 bits or more, whatever precision is asked for.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from flint import arb, arb_poly, ctx, fmpq
from scipy.special import bdtrc, gammaln
from scipy.stats import poisson

from mollified._validate import Array
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
#: Results that are kept: the mutants of a statement ask for the same again and again.
KEPT = 20_000
#: A sum ends where its terms, times this number, are at most one.
MANY = 10**6

#: A number in the arithmetic that is at work, or floats of many instances.
Value: TypeAlias = float | Array | Number
#: A whole number in the arithmetic that is at work.
Whole: TypeAlias = int | Number
Series = TypeVar("Series", Array, arb_poly)


def _is_exact() -> bool:
    return bool(MODE.kind == "exact")


def _size(value: Whole) -> int:
    return operator.index(value) if _is_exact() else int(value)


def _fraction(value: Value) -> Fraction:
    """Return a number that is rational; TypeError for any other."""
    rational = number(value)
    if not rational.rational:
        raise TypeError(f"value must be rational, got {value!r}")
    return Fraction(int(rational.value.p), int(rational.value.q))


def binomial_tail(m: Whole | Array, p: Value, v: Whole | Array) -> Any:
    r"""Return $P[N\ge v]$ for $N\sim\operatorname{Bin}(m,p)$, an incomplete beta."""
    if not _is_exact():
        share = np.asarray(p, float)
        return _binomial_tail_floats(np.asarray(m), share, np.asarray(v))
    trials = operator.index(m)
    least = operator.index(v)
    if not 0 < least <= trials:
        return Number(arb(int(least <= 0)))
    with working_precision(BITS):
        chance = ball(_fraction(p))
        others = trials - least + 1
        return Number(chance.beta_lower(least, others, regularized=True))


def _binomial_tail_floats(m: Array, p: Array, v: Array) -> Array:
    inside = np.clip(v.astype(float) - 1, 0, None)
    tail = bdtrc(np.minimum(inside, m), m, p)
    below_top = np.where(v > m, 0.0, tail)
    return np.where(v <= 0, 1.0, below_top)


def least_delta(ε: Value, n: Whole, S: Whole, k: Whole, m: Whole) -> Any:
    r"""Return the least $\delta$ of the mechanism; for balls an upper end of it.

    The mechanism is $(\epsilon,\delta)$-private for it. For S = 2 and more than 256
    records it is that of three symbols, which is not smaller.
    """
    sizes = [_size(count) for count in (n, S, k, m)]
    if not _is_exact():
        return _float_delta(float(ε), *sizes)
    level = number(ε)
    upper = _upper_delta if level.rational else _upper_delta.__wrapped__
    return Number(upper(level.value, ctx.prec, *sizes))


_float_delta = lru_cache(KEPT)(bootstrap_delta)


@lru_cache(KEPT)
def _upper_delta(level: fmpq | arb, bits: int, *sizes: int) -> arb:
    """Return the upper end at a rational or a ball, for the bits that are at work."""
    n, size, k, m = sizes
    return certified_delta(arb(level), n, size, k, m)[1]


def log_ways(N: Iterable[Whole] | Array) -> Any:
    r"""Return $\log\frac{m!}{N_1!\cdots N_K!}$.

    That many sequences of m draws have the counts N.
    """
    if not _is_exact():
        counts = np.asarray(N, float)
        total = gammaln(counts.sum(axis=0) + 1)
        return total - gammaln(counts + 1).sum(axis=0)
    whole = [operator.index(count) for count in N]
    shared = sum(arb(count + 1).lgamma() for count in whole)
    return Number(arb(sum(whole) + 1).lgamma() - shared)


def prefix_beyond(K: Whole, v: Whole) -> Any:
    r"""Return $P[\max_i|S_i-i|\ge v]$ for K draws from the uniform law on K symbols.

    $S_i$ of them are among the first i. There are $\frac{K!}{N_1!\cdots N_K!}$
    sequences of draws with the counts N. So their sum between two walls follows step by
    step, of $S_i-i$ with the weights $\frac1{N_i!}$.
    """
    draws = _size(K)
    wall = _size(v)
    if not _is_exact():
        return _prefix_floats(draws, wall)
    return Number(_prefix_ball(draws, wall, max(BITS, ctx.prec)))


@lru_cache(KEPT)
def _prefix_floats(K: int, v: int) -> float:
    weights = poisson.pmf(np.arange(2 * v), 1)
    inside = np.eye(2 * v - 1)[v - 1]
    for _ in range(K):
        inside = np.convolve(inside, weights)[1 : 2 * v]
    return float(1 - inside[v - 1] / poisson.pmf(K, K))


@lru_cache(KEPT)
def _prefix_ball(K: int, v: int, bits: int) -> arb:
    with working_precision(bits):
        weights = arb_poly([1 / arb(math.factorial(j)) for j in range(2 * v)])
        inside = arb_poly([0] * (v - 1) + [1])
        for _ in range(K):
            inside = (inside * weights).truncate(2 * v).right_shift(1)
        sequences = inside[v - 1] * math.factorial(K)
        return 1 - sequences / arb(K) ** K


def prefix_mean(K: Whole) -> Any:
    r"""Return the mean of $\max_i|S_i-i|$, the sum of all `prefix_beyond`.

    For balls what encloses it: each of the terms left out is at most the last.
    """
    draws = _size(K)
    v = 0
    total: Any = 0
    last: Any = 1
    while v < draws and last * MANY > 1:
        v += 1
        last = prefix_beyond(draws, v)
        total = total + last
    if not _is_exact():
        return total
    from_none_to_all = arb(1 / 2, 1 / 2)
    return total + last * Number((draws - v) * from_none_to_all)


def counts_beyond(K: Whole, m: Whole, low: Whole, high: Whole) -> Any:
    """Return the probability that some count of m draws is outside low..high.

    Draws from the uniform law on K symbols.
    """
    sizes = [operator.index(number) for number in (K, m, low, high)]
    if _is_exact():
        return Number(_counts_ball(*sizes, max(BITS, ctx.prec)))
    return _counts_floats(*sizes)


def _power(
    series: Series,
    exponent: int,
    product: Callable[[Series, Series], Series],
) -> Series:
    """Return a power of a series; `product` multiplies two of them."""
    power: Series | None = None
    while exponent:
        if exponent % 2 and power is not None:
            power = product(power, series)
        elif exponent % 2:
            power = series
        series = product(series, series)
        exponent //= 2
    assert power is not None, "the exponent is at least 1"
    return power


@lru_cache(KEPT)
def _counts_floats(K: int, m: int, low: int, high: int) -> float:
    least = max(low, 0)
    left = m - K * least
    if left < 0 or high < least:
        return 1.0

    def product(one: Array, two: Array) -> Array:
        return np.convolve(one, two)[: left + 1]

    weights = poisson.pmf(np.arange(least, min(high, m) + 1), m / K)
    series = _power(weights, K, product)
    if len(series) <= left:
        return 1.0
    return float(1 - series[left] / poisson.pmf(m, m))


@lru_cache(KEPT)
def _counts_ball(K: int, m: int, low: int, high: int, bits: int) -> arb:
    least = max(low, 0)
    left = m - K * least
    if left < 0 or high < least:
        return arb(1)

    def product(one: arb_poly, two: arb_poly) -> arb_poly:
        return (one * two).truncate(left + 1)

    with working_precision(bits):
        counts = range(least, min(high, m) + 1)
        weights = arb_poly([1 / arb(math.factorial(count)) for count in counts])
        series = _power(weights, K, product)
        if len(series) <= left:
            return arb(1)
        sequences = series[left] * math.factorial(m)
        return 1 - sequences / arb(K) ** m
