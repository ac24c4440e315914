r"""Instances of bootstrapping, in the letters of the paper.

n records, k added of each value, m drawn. D and D1 are the counts of two data sets that
differ in one record, h and h1 the laws of one draw from them, $h_i=\frac{D_i+k}N$ with
$N=n+k|\Sigma|$, and $r=e^\epsilon$ keeps everything rational. Functions here are
formulas that statements use, and check no argument. Source: bootstrapping paper,
sections 3 to 5.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Any

import numpy as np

from mollified.bootstrap.probabilities import (
    binomial_tail,
    counts_beyond,
    least_delta,
    log_ways,
    prefix_beyond,
    prefix_mean,
)
from mollified.bootstrap.type_laws import compositions
from statements import (
    Space,
    assume,
    ceil,
    choice,
    counts,
    floor,
    log,
    real,
    sqrt,
    whole,
)

__all__ = [
    "Even",
    "Flat",
    "Ones",
    "Pairs",
    "ReleasedCounts",
    "Settings",
    "Toy",
    "VastPairs",
    "VastReleasedCounts",
    "counts_beyond",
    "least_delta",
    "log_ways",
    "more",
    "outside",
    "prefix_beyond",
    "prefix_mean",
    "smoothed",
    "types",
    "ways",
]


def more(D: Any, i: int) -> Any:
    """Return the counts with one record more, of the value i."""
    return 0 * D + [c + (1 if j == i else 0) for j, c in enumerate(D)]


def smoothed(D: Any, k: Any) -> Any:
    r"""Return the law of one draw, $\frac{D_i+k}N$."""
    return 0 * D + [(c + k) / (sum(D) + k * len(D)) for c in D]


def ways(N: Any) -> int:
    """Return how many sequences of records have the counts N."""
    return factorial(sum(N)) // prod(factorial(j) for j in N)


def types(h: Any, m: int) -> Any:
    """Return the law of the counts of m draws from h.

    The counts in the order of `compositions`.
    """
    return np.array(
        [
            ways(N) * prod(x**j for x, j in zip(h, N, strict=True))
            for N in compositions(m, len(h))
        ]
    )


def outside(m: Any, p: Any, γ: Any) -> Any:
    r"""Return the probability that the fraction of a value is farther than γ from p.

    In m draws, each of which has the value with probability p.
    """
    above = binomial_tail(m, p, floor(m * (p + γ)) + 1)
    return above + binomial_tail(m, 1 - p, floor(m * (1 - p + γ)) + 1)


class Pairs(Space):
    """Two data sets with the records `rest` in common.

    The other one has the first value in D, the second in D1. P and Q list the laws of
    the counts of m draws from them, for each m of M.
    """

    sizes = (2, 3)
    rest = counts(0, 3)
    k = whole(1, 40, corner=1, log=True)
    D = lambda rest: more(rest, 0)
    D1 = lambda rest: more(rest, 1)
    n = lambda D: sum(D)
    h = lambda D, k: smoothed(D, k)
    h1 = lambda D1, k: smoothed(D1, k)
    M: Any = lambda: (1, 2, 3, 4)
    P = lambda h, M: [types(h, m) for m in M]
    Q = lambda h1, M: [types(h1, m) for m in M]


class VastPairs(Pairs):
    """The same with thousands of records of many values."""

    sizes = (2, 40)
    rest = counts(0, 5000)
    k = whole(1, 10_000, corner=1, log=True)


class Toy(Space):
    """Binary records: D has a single one, D1 none.

    p is the probability of a one in a draw from D, smoothed.
    """

    n = whole(1, 10_000, log=True)
    k = whole(1, 10_000, log=True)
    m = whole(1, 10_000, log=True)
    λ = lambda k: log((k + 1) / k)
    p = lambda n, k: (k + 1) / (n + 2 * k)
    q = lambda n, k: k / (n + 2 * k)


class Ones(Space):
    """Ones in m draws from D of `Toy`, smoothed.

    γ is at least 2z standard deviations of their fraction.
    """

    n = whole(1, 10**5, corner=1, log=True)
    k = whole(1, 10**5, log=True)
    z = real(0.05, 9)
    m = whole(1, 10**6, log=True)
    p = lambda n, k: (k + 1) / (n + 2 * k)
    γ = lambda z, m: z / sqrt(m)


class ReleasedCounts(Pairs):
    """Released counts N of m records, and their privacy loss.

    They are in a typical set, on its boundary at x = 1.
    """

    N = counts(0, 9)
    x = real(1, 3, corner=1)
    m = lambda N: sum(N)
    a = lambda n, k, h: 1 / (n + k * len(h))
    λ = lambda k: log((k + 1) / k)
    f = lambda N, m, h: 0 * h + [j / m for j in N]
    γ = lambda f, h, x: x * max(abs(f - h))
    x1 = lambda h: h[0]
    x2 = lambda h: h[1]
    loss = lambda N, x1, x2, a: N[0] * log(x1 / (x1 - a)) - N[1] * log((x2 + a) / x2)
    some = assume(lambda N: sum(N) > 0)


class VastReleasedCounts(ReleasedCounts):
    """The same with thousands of records, hundreds of them released, of many values."""

    sizes = (2, 40)
    rest = counts(0, 5000)
    k = whole(1, 10_000, corner=1, log=True)
    N = counts(0, 400)


class Even(Space):
    """As many draws as symbols, K, from the uniform law.

    γ is just below a multiple of 1/K, z about γ√K.
    """

    K = whole(10, 500, corner=500, log=True)
    z = real(0.4, 1.4, corner=1)
    u = real(0.001, 1, corner=0.001)
    γ = lambda K, z, u: (ceil(z * sqrt(K)) - u) / K
    M = lambda K: [K]


class Flat(Space):
    """m draws from the uniform law on up to a million symbols.

    γ is just below what a count of j gives.
    """

    K = whole(2, 10**6, corner=10**6, log=True)
    m = whole(1, 300, corner=1, log=True)
    share = real(0, 1, corner=(0, 1))
    u = real(0.001, 1, corner=0.001)
    j = lambda m, share: 1 + floor(share * (m - 1))
    γ = lambda K, m, j, u: (j - u) / m - 1 / K
    M = lambda m: [m]
    P_f = lambda K, m, γ: [
        counts_beyond(K, m, ceil(m / K - m * γ), floor(m / K + m * γ))
    ]
    some = assume(lambda γ: γ > 0)


class Settings(Space):
    """Sizes of a release, and the least ε and δ that (1) and (2) allow.

    z is γ√m, μ about the variance of the loss.
    """

    records = whole(1, 10**6, corner=1, log=True)
    S = choice(2, 2, 3, 60)
    k = whole(1, 200, corner=1, log=True)
    z = real(0.05, 12, corner=(0.5, 12))
    μ = real(1e-4, 400, corner=300, log=True)
    n = lambda records, S: min(records, 4) if S == 2 else records
    m = lambda μ, k: max(1, floor(μ * k**2))
    a = lambda n, k, S: 1 / (n + k * S)
    λ = lambda k: log((k + 1) / k)
    γ = lambda z, m: z / sqrt(m)
    ε = lambda m, a, γ, λ: m * (a + 2 * γ) * λ
    fits = assume(lambda γ, ε: (γ < 1, ε < 690))
