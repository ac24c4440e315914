r"""The densities that MBDE can output: $Q_0e^g/Z$ where g oscillates by at most a given amount.

T rounds at budget $\varepsilon$ output exactly the densities with
$\max\log\frac Q{Q_0}-\min\log\frac Q{Q_0}\le \frac\varepsilon2(1-\theta_T)$: take one classifier,
$c_t=g/\sum_s\theta_s$ up to a constant, in every round. The set is convex: it is the union over m > 0 of
$\{mQ_0\le Q\le rmQ_0\}$ with $r=e^{\text{oscillation}}$. Its member closest to P is $\min\{\max\{P,mQ_0\},rmQ_0\}$,
with the one m that gives mass one; there is no constant C as in v3 (8). Source: v1 (6) and Lemma 10; the projection
is not in the papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.optimize import brentq

from mollified._validate import Array, _echo, check_array, check_eps, check_fraction
from mollified.exact_level import exact_probabilities

__all__ = ["closest_level", "exact_family_projection", "extreme_members", "family_gain", "family_projection"]

Weights = Sequence[Fraction]


def _laws(p: Weights, reference: Weights) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    base = exact_probabilities("reference", reference)
    if min(base) <= 0:
        raise ValueError(f"reference must have positive atoms, got {reference!r}")
    return exact_probabilities("p", p, size=len(base)), base


def exact_family_projection(p: Weights, reference: Weights, root: Fraction) -> tuple[Fraction, tuple[Fraction, ...]]:
    r"""Return $(m, Q)$, $Q=\min\{\max\{P,mQ_0\},rmQ_0\}$: the closest density of oscillation $\log r$ in KL(P, .).

    Exact. `root` is r > 1; for the limit of T -> infinity at level $\varepsilon$ it is $e^{\varepsilon/2}$. The mass is
    increasing and piecewise linear in m between the breakpoints $P/Q_0$ and $P/(rQ_0)$. Raises TypeError or
    ValueError for laws that are not rational, a reference with a zero atom, or a root <= 1.
    """
    target, base = _laws(p, reference)
    r = check_fraction("root", root, above=1)

    def clipped(m: Fraction) -> tuple[Fraction, ...]:
        return tuple(min(max(a, m * q), r * m * q) for a, q in zip(target, base, strict=True))

    ratios = [a / q for a, q in zip(target, base, strict=True)]
    breaks = sorted({*ratios, *(ratio / r for ratio in ratios), Fraction(1), 1 / r})
    low = max((m for m in breaks if sum(clipped(m)) <= 1), default=Fraction(0))
    high = min(m for m in breaks if sum(clipped(m)) >= 1)
    below, above = sum(clipped(low)), sum(clipped(high))
    m = low if above == below else low + (high - low) * (1 - below) / (above - below)
    law = clipped(m)
    if sum(law) != 1:
        raise ArithmeticError(f"m = {m} leaves mass {sum(law)} for p = {p!r}")
    return m, law


def extreme_members(reference: Weights, root: Fraction) -> list[tuple[Fraction, ...]]:
    r"""Return the extreme points of the set: $Q_0(1+(r-1)1_A)$, normalised, for every set A of atoms. Exact.

    A linear function on the set is largest at one of these $2^k-1$ densities. Raises as `exact_family_projection`.
    """
    base = _laws(reference, reference)[1]
    r = check_fraction("root", root, above=1)
    members = []
    for chosen in product((Fraction(1), r), repeat=len(base)):
        if chosen.count(r) == len(base):
            continue
        weights = [c * q for c, q in zip(chosen, base, strict=True)]
        total = sum(weights)
        members.append(tuple(weight / total for weight in weights))
    return members


def family_projection(p: object, reference: object, oscillation: object) -> Array:
    r"""Return the projections for arrays: laws (N, k) and oscillations (N,) in nats give (N, k).

    Bisection on log m; the total misses one by less than 1e-12. Raises ValueError or TypeError for arrays that do not
    fit, are not laws with positive references, or oscillations <= 0.
    """
    target, base = check_array("p", p, ndim=2), check_array("reference", reference, ndim=2)
    width = check_array("oscillation", oscillation, ndim=1, shape=target.shape[:1])
    if base.shape != target.shape:
        raise ValueError(f"reference must have the shape of p, got {base.shape}: {_echo(reference)}")
    for name, law, given in (("p", target, p), ("reference", base, reference)):
        if (law < 0).any() or (np.abs(law.sum(axis=1) - 1) > 1e-9).any():
            raise ValueError(f"{name} must hold rows of probabilities, got {_echo(given)}")
    if (base <= 0).any():
        raise ValueError(f"reference must have positive atoms, got {_echo(reference)}")
    if (width <= 0).any():
        raise ValueError(f"oscillation must be > 0, got {_echo(oscillation)}")
    low, high = -width, np.zeros_like(width)
    for _ in range(200):
        middle = (low + high) / 2
        total = _clip(target, base, middle, width).sum(axis=1)
        low, high = np.where(total < 1, middle, low), np.where(total < 1, high, middle)
    return _clip(target, base, (low + high) / 2, width)


def closest_level(log_ratio: object, masses: object, oscillation: object) -> float:
    r"""Return $\log m$ of the projection above, from $\log P/Q_0$ at points of given $Q_0$-mass.

    `log_ratio` and `masses` have shape (N,), `oscillation` is $\log r>0$ in nats; the density is
    $Q_0e^{\operatorname{clip}(\log P/Q_0,\,\log m,\,\log m+\log r)}$ and its mass is one to rounding. Raises
    ValueError or TypeError for arrays that do not fit, masses that are no law, or an oscillation <= 0.
    """
    ratio = check_array("log_ratio", log_ratio, ndim=1)
    weights = check_array("masses", masses, shape=ratio.shape)
    width = check_eps("oscillation", oscillation)
    if (weights < 0).any() or abs(float(weights.sum()) - 1) > 1e-9:
        raise ValueError(f"masses must be >= 0 and sum to one, got {_echo(masses)}")

    def excess(level: float) -> float:
        return float(weights @ np.expm1(np.clip(ratio, level, level + width)))

    return float(brentq(excess, -width, 0.0, xtol=1e-14, rtol=1e-14))


def _clip(target: Array, base: Array, log_m: Array, width: Array) -> Array:
    floor = base * np.exp(log_m)[:, np.newaxis]
    return np.asarray(np.minimum(np.maximum(target, floor), floor * np.exp(width)[:, np.newaxis]))


def family_gain(p: object, reference: object, oscillation: object) -> Array:
    r"""Return $\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q)$ for the projections, (N,), in nats.

    The largest gain that MBDE can have with that oscillation; errs by rounding, about 1e-12. Raises as
    `family_projection`.
    """
    closest = family_projection(p, reference, oscillation)
    target, base = np.asarray(p, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    return np.asarray((target * np.log(closest / base)).sum(axis=1))
