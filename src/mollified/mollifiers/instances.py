r"""Instances of mollifiers, in the letters of the papers.

Laws on finitely many points are given by their masses. Densities on a space of measure
one are histograms: their values in cells of widths w, and $r=e^{\varepsilon/2}$, which
keeps everything but logarithms rational. Functions here are formulas that statements
use, and check no argument. Source: v1 and v2 section 3, v3 section 2.
"""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np

from mollified.laws.instances import Laws, Value
from statements import E, Space, assume, counts, exp, law, log, real, vector

__all__ = [
    "Events",
    "Histograms",
    "ManyEvents",
    "ManyProjected",
    "ManyRelative",
    "Members",
    "Projected",
    "Ranged",
    "Relative",
    "Response",
    "boxed",
    "clip",
    "completed",
    "constant",
    "crossing",
    "factor",
    "kinds",
    "lower",
    "member",
    "nearest",
    "ratio",
    "reached",
    "scaled",
    "sequences",
    "spread",
    "upper",
]


def ratio(Q: Value, R: Value) -> Value:
    r"""Return $e^\varepsilon$ at the least level of the mollifier $\{Q,R\}$."""
    return max(max(Q / R), max(R / Q))


def sequences(Q: Value, k: int) -> Value:
    r"""Return the law of k independent draws from Q.

    The sequences are in the order of `itertools.product`.
    """
    return np.array([prod(entries) for entries in product(Q, repeat=k)])


def factor(f: Value, r: Value, mean: Value = 1) -> Value:
    r"""Return the largest $a\le1$ that brings a function into $[\frac1r,r]$.

    That is $af+(1-a)\,$mean.
    """
    return 1 / max(1, (max(f) - mean) / (r - mean), (mean - min(f)) / (mean - 1 / r))


def scaled(f: Value, r: Value) -> Value:
    r"""Return scale-and-shift of a density f on a space of measure one.

    It is $af+1-a$ with the largest factor.
    """
    return factor(f, r) * f + 1 - factor(f, r)


class Members(Space):
    """Two laws without zeros: a mollifier of the level ε, and of no smaller one."""

    sizes = (2, 3, 4, 5, 6)
    sizes_far = (200, 100)
    Q = law()
    R = law()
    ε = lambda Q, R: log(ratio(Q, R))
    TV = lambda Q, R: sum(abs(Q - R)) / 2


class Events(Members):
    """Two members and an event: S is 1 at its points."""

    S = counts(0, 1)


class ManyEvents(Events):
    """Events of many points: those where x is a half or more."""

    sizes = (2, 3)  # type: ignore[assignment]
    sizes_far = (200, 100)
    x = vector(0, 0.99)
    S = lambda x: np.floor(2 * x)


class Response(Space):
    """Two inputs P and N of the naive sampler with randomised response of level ε.

    T and U are the laws of its draw.
    """

    sizes = (2, 3, 4, 5, 6)
    sizes_far = (200, 100)
    P = law(zeros=0.5)
    N = law(zeros=0.5)
    ε = real(0.01, 10, log=True)
    T = lambda P, ε: (1 + (exp(ε) - 1) * P) / (exp(ε) + len(P) - 1)
    U = lambda N, ε: (1 + (exp(ε) - 1) * N) / (exp(ε) + len(N) - 1)


class Histograms(Space):
    """A density f on a space of measure one, and Q, scaled and shifted into [1/r, r].

    f is bounded but free to vanish.
    """

    sizes = (2, 3, 4, 5, 6)
    sizes_far = (200, 100)
    w = law(spread=8)
    P = law(zeros=0.2)
    r = real(1.005, 150, log=True)
    ε = lambda r: 2 * log(r)
    f = lambda P, w: P / w
    Q = lambda f, r: scaled(f, r)


class Ranged(Histograms):
    """Two densities of the absolute mollifier, Q and R."""

    N = law(zeros=0.2)
    R = lambda N, w, r: scaled(N / w, r)


def clip(v: Value, low: Value, high: Value) -> Value:
    """Return a vector with each entry moved between its bounds."""
    return 0 * v + [
        min(max(a, least), most) for a, least, most in zip(v, low, high, strict=True)
    ]


def member(Q_0: Value, r: Value, a: Value) -> Value:
    """Return a member of the relative mollifier, atom by atom.

    Each takes the share a of the room that the others leave it.
    """
    atoms = []
    left = 1
    below = 1 / r
    above = r
    for q, share in zip(Q_0, a, strict=True):
        below = below - q / r
        above = above - r * q
        bottom = max(q / r, left - above)
        top = min(r * q, left - below)
        atoms.append((1 - share) * bottom + share * top)
        left = left - atoms[-1]
    return 0 * Q_0 + atoms


def spread(Q_0: Value, r: Value, a: Value) -> Value:
    """Return a member of the relative mollifier in one formula.

    Where a is 0, or where it is 1, it is at a bound.
    """
    room = r - 1 / r
    mean = 1 / r + room * E(Q_0, a)
    return Q_0 * (
        1 / r + room * a * (1 - 1 / r) / (mean - 1 / r)
        if mean > 1
        else r - room * (1 - a) * (r - 1) / (r - mean)
    )


def kinds(x: Value, k: int) -> Value:
    """Return k vectors of zeros and ones that add up to one.

    They say in which k-th part of [0, 1) each entry of x lies.
    """
    beyond = [np.floor(x + (1 - j / k)) for j in range(k + 1)]
    return [beyond[j] - beyond[j + 1] for j in range(k)]


def reached(P: Value, Q_0: Value) -> Value:
    r"""Return $Q_0(\{P>0\})$."""
    return sum(q if p > 0 else 0 for p, q in zip(P, Q_0, strict=True))


# `constant` and `boxed` find the scale each for itself: their texts are what the checks
# of pages change, and changes of a shared one would not be counted as theirs.


def constant(P: Value, Q_0: Value, r: Value) -> Value:
    """Return C of v3 (8); where there is none, one for which the mass is largest.

    With t = 1/C the mass grows in t, and is linear between its breaks: t lies between
    the last break at which the mass is at most one and the first one at which it is at
    least one.
    """
    breaks = [
        factor * q / p if p > 0 else 0
        for p, q in zip(P, Q_0, strict=True)
        for factor in (r, 1 / r)
    ]
    masses = [sum(clip(t * P, Q_0 / r, r * Q_0)) for t in breaks]
    low = max(t if mass <= 1 else 0 for t, mass in zip(breaks, masses, strict=True))
    high = min(
        t if mass >= 1 else max(breaks) for t, mass in zip(breaks, masses, strict=True)
    )
    below, above = (sum(clip(t * P, Q_0 / r, r * Q_0)) for t in (low, high))
    return 1 / (
        low + (high - low) * (1 - below) / (above - below) if low < high else low
    )


def completed(P: Value, Q_0: Value, r: Value, P_hat: Value) -> Value:
    """Return (8), P_hat, where its constant exists, and else its completion.

    That is r Q_0 where P > 0, and elsewhere a multiple of Q_0.
    """
    q = reached(P, Q_0)
    rest = (1 - r * q) / (1 - q) if q < 1 else 0
    filled = [r * b if p > 0 else rest * b for p, b in zip(P, Q_0, strict=True)]
    return 0 * P + [
        a if q >= 1 / (1 + r) else b for a, b in zip(P_hat, filled, strict=True)
    ]


def boxed(P: Value, m: Value, R: Value) -> Value:
    r"""Return the projection of P on the box $m\le Q\le Rm$.

    P is scaled and clipped, or completed where P is sparse.
    """
    breaks = [
        factor * a / p if p > 0 else 0
        for p, a in zip(P, m, strict=True)
        for factor in (1, R)
    ]
    masses = [sum(clip(t * P, m, R * m)) for t in breaks]
    low = max(t if mass <= 1 else 0 for t, mass in zip(breaks, masses, strict=True))
    high = min(
        t if mass >= 1 else max(breaks) for t, mass in zip(breaks, masses, strict=True)
    )
    below, above = (sum(clip(t * P, m, R * m)) for t in (low, high))
    scaled_P = (
        low + (high - low) * (1 - below) / (above - below) if low < high else low
    ) * P
    full = reached(P, m)
    rest = sum(m) - reached(P, m)
    more = (1 - R * full) / rest if rest > 0 else 1
    filled = [R * b if a > 0 else more * b for a, b in zip(scaled_P, m, strict=True)]
    return 0 * P + [
        min(max(a, b), R * b) if R * full + rest >= 1 else c
        for a, b, c in zip(scaled_P, m, filled, strict=True)
    ]


def lower(v: Value, w: Value) -> Value:
    r"""Return the smaller one of two vectors, entry by entry, $\frac12(v+w-|v-w|)$."""
    return (v + w - abs(v - w)) / 2


def upper(v: Value, w: Value) -> Value:
    r"""Return the larger one of two vectors, entry by entry, $\frac12(v+w+|v-w|)$."""
    return (v + w + abs(v - w)) / 2


def crossing(
    breaks: Value, slopes: Value, starts: Value, slope: Value, start: Value
) -> Value:
    """Return where a total that does not fall is one.

    The total is start + slope t, and changes at breaks by slopes and starts. From break
    to break t grows by a step, all of it up to the crossing and none beyond.
    """
    order = np.argsort(breaks, axis=0)
    at = np.take_along_axis(breaks, order, axis=0)
    slope = slope + np.cumsum(np.take_along_axis(slopes, order, axis=0), axis=0)
    start = start + np.cumsum(np.take_along_axis(starts, order, axis=0), axis=0)
    steps = np.maximum((1 - start) / np.maximum(slope, 1e-200) - at, 0)
    return at[0] + sum(np.minimum(steps[:-1], at[1:] - at[:-1]))


def nearest(P: Value, m: Value, R: Value) -> Value:
    """Return the same law as `boxed`, by sorting: for laws of many points."""
    some = np.minimum(1e200 * P, 1)  # 0 where P is 0, else 1
    breaks = np.concatenate([m, R * m]) / np.maximum(np.concatenate([P, P]), 1e-200)
    slopes = np.concatenate([P, -P])
    starts = np.concatenate([-m * some, R * m * some])
    Q = np.minimum(
        np.maximum(crossing(breaks, slopes, starts, 0, sum(m)) * P, m), R * m
    )
    return Q + (1 - sum(Q)) * m * (1 - some) / np.maximum(sum(m * (1 - some)), 1e-200)


class Relative(Laws):
    """Two members of the mollifier relative to Q_0, often at a bound; r is e^(ε/2)."""

    Q_0 = law()
    r = real(1.001, 20_000, log=True, corner=(1.001, 1.01, 1.1, 1.25, 2))
    a = vector(0, 1, corner=(0, 1))
    b = vector(0, 1, corner=(0, 1))
    Q = lambda Q_0, r, a: member(Q_0, r, a)
    R = lambda Q_0, r, b: member(Q_0, r, b)


class ManyRelative(Relative):
    """The same on many points, by one formula."""

    sizes = (2, 3)  # type: ignore[assignment]
    sizes_far = (200, 100)
    Q = lambda Q_0, r, a: spread(Q_0, r, a)
    R = lambda Q_0, r, b: spread(Q_0, r, b)


class Projected(Relative):
    """The formula (8) for P, what is closest to P, and a member N, near that or far."""

    sizes = (2, 3, 6)  # type: ignore[assignment]
    s = real(0.001, 1, corner=(0.001, 1))
    q = lambda P, Q_0: reached(P, Q_0)
    C = lambda P, Q_0, r: constant(P, Q_0, r)
    P_hat = lambda P, Q_0, r, C: clip(P / C, Q_0 / r, r * Q_0)
    best = lambda P, Q_0, r, P_hat: completed(P, Q_0, r, P_hat)
    N = lambda best, Q, s: (1 - s) * best + s * Q


class ManyProjected(ManyRelative):
    """A projection `best` on many points, and a law P that has it.

    P has more above the upper bound and less below the lower. P is P_hat/C between the
    bounds; there the ratio to Q_0 takes two values.
    """

    x = vector(0, 0.99)
    more = vector(0, 4, corner=0)
    less = vector(0, 1, corner=(0, 1))
    wiggle = real(0, 0.5, corner=0)
    s = real(0.001, 1, corner=(0.001, 1))
    sides = lambda x: kinds(x, 4)
    inner = lambda Q_0, sides: [E(Q_0, side) for side in sides]
    level = lambda r, inner: (1 - r * inner[0] - inner[1] / r) / (inner[2] + inner[3])
    first = lambda level, wiggle: level * (1 + wiggle)
    second = lambda level, wiggle, inner: level * (1 - wiggle * inner[2] / inner[3])
    inside = assume(lambda inner: inner[3] > 0)
    between = assume(
        lambda first, second, r: 1 / r <= min(first, second) and max(first, second) <= r
    )
    best = lambda Q_0, r, sides, first, second: (
        Q_0 * (r * sides[0] + 1 / r * sides[1] + first * sides[2] + second * sides[3])
    )
    beside = lambda sides, more, less: 1 + more * sides[0] - less * sides[1]
    C = lambda best, beside: 1 / E(best, beside)
    P = lambda best, beside: best * beside / E(best, beside)
    P_hat = lambda P, Q_0, r, C: clip(P / C, Q_0 / r, r * Q_0)
    q = lambda P, Q_0: E(Q_0, np.sign(P))
    N = lambda best, Q, s: (1 - s) * best + s * Q
