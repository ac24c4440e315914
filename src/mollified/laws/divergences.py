"""Divergences between two densities given by their logs at the points of a space.

Every function returns an `Integral`: the value in nats (or, where said, a probability) and an error
estimate. Log densities have shape (N,), N the number of points, and are finite or -inf; a log above 700 is
refused. Conventions: 0 log 0 = 0; where P has mass and Q has none, log(p/q) = inf.
On a `Grid` nothing outside the box is seen, and errors are estimates; on a `FiniteSpace` they are 0, up to
rounding (about 1e-15 times the sum of the absolute values of the terms).
"""

from __future__ import annotations

import math

import numpy as np

from mollified._validate import TOTAL_TOLERANCE, Array, check_eps
from mollified.laws._densities import LARGEST_LOG, check_log_values, check_space
from mollified.laws.spaces import Integral, Space

__all__ = [
    "entropy",
    "kl",
    "max_divergence",
    "renyi",
]

#: Total masses that miss one by more than this (and by more than their error) are refused by `kl`.
MASS_TOLERANCE = 1e-3

INFINITE = Integral(math.inf, 0.0)


def _logs(name: str, value: Array, space: Space) -> Array:
    return check_log_values(name, value, check_space("space", space).points.shape[0], largest=LARGEST_LOG)


def _excess(log_p: Array, log_q: Array) -> Array:
    """Return (p - q)_+ without cancellation where p is close to q."""
    above = log_p > log_q
    drop = np.zeros_like(log_p)
    np.subtract(log_q, log_p, out=drop, where=above)
    excess: Array = np.where(above, np.exp(log_p) * -np.expm1(drop), 0.0)
    return excess


def _bregman(log_p: Array, log_q: Array) -> Array:
    """Return p log(p/q) - p + q >= 0, without cancellation where p is close to q; log_q finite or p = 0."""
    p, q = np.exp(log_p), np.exp(log_q)
    ratio = np.zeros_like(p)
    np.subtract(log_p, log_q, out=ratio, where=np.isfinite(log_p))
    near = np.abs(ratio) < 0.02
    r = np.where(near, ratio, 0.0)
    series = r * r * (1 / 2 - r * (1 / 6 - r * (1 / 24 - r * (1 / 120 - r * (1 / 720 - r / 5040)))))
    return np.where(near & np.isfinite(log_p), p * series, p * ratio - p + q)


def kl(log_p: Array, log_q: Array, space: Space) -> Integral:
    """Return KL(P, Q), the integral of p log(p/q), of two densities in nats (v2 eq. 1, v3 section 3).

    Computed as the integral of p log(p/q) - p + q, which is >= 0 at every point: the value is never
    negative, and small divergences keep their digits. It differs from the integral of p log(p/q) by the
    difference of the two masses on the space; where that exceeds 1e-9 it is added to the error. Inf where
    Q has no mass at a point where P has some.

    Raises ValueError or TypeError where `log_p` or `log_q` does not fit `space`, is not log densities, or
    where its mass on the space misses one by more than 1e-3 and its own error.
    """
    p, q = _logs("log_p", log_p, space), _logs("log_q", log_q, space)
    masses = []
    for name, logs in (("log_p", p), ("log_q", q)):
        mass = space.integrate(np.exp(logs))
        if abs(mass.value - 1.0) > MASS_TOLERANCE + mass.error:
            raise ValueError(f"{name} must be a density on the space, got a mass of {mass}: {logs!r}")
        masses.append(mass.value)
    if (np.isfinite(p) & np.isneginf(q)).any():
        return INFINITE
    result = space.integrate(_bregman(p, q))
    defect = abs(masses[0] - masses[1])
    return Integral(result.value, result.error + (defect if defect > TOTAL_TOLERANCE else 0.0))


def renyi(log_p: Array, log_q: Array, alpha: float, space: Space) -> Integral:
    """Return the Renyi divergence log(integral of p^alpha q^(1-alpha)) / (alpha - 1) in nats.

    `alpha` > 0 and not 1 (the limit at 1 is `kl`, at infinity `max_divergence`). Inf where alpha > 1 and Q
    has no mass at a point where P has some, and where P and Q share no point. Rounding is amplified by
    1/|alpha - 1|. What a grid does not see makes the value err on the small side for alpha > 1, on the
    large side for alpha < 1.

    Raises ValueError or TypeError where `log_p` or `log_q` does not fit `space` or is not log densities, or
    `alpha` is not a number > 0 other than 1.
    """
    order = check_eps("alpha", alpha)
    if order == 1.0:
        raise ValueError(f"alpha must not be 1 (use kl), got {alpha!r}")
    p, q = _logs("log_p", log_p, space), _logs("log_q", log_q, space)
    if order > 1.0 and (np.isfinite(p) & np.isneginf(q)).any():
        return INFINITE
    both = np.isfinite(p) & np.isfinite(q)
    logs = np.full(p.shape, -np.inf)
    logs[both] = order * p[both] + (1.0 - order) * q[both]
    if not both.any():
        return INFINITE
    result = space.log_integral(logs)
    return Integral(result.value / (order - 1.0), result.error / abs(order - 1.0))


def max_divergence(log_p: Array, log_q: Array, space: Space) -> Integral:
    """Return the supremum of log(p/q) over the points where P has mass, in nats.

    Inf where Q has no mass at such a point, -inf where P has no mass at all. On a grid it is the largest
    value at a node, and errs on the small side; the error is the largest change to a neighbouring node.

    Raises ValueError or TypeError where `log_p` or `log_q` does not fit `space` or is not log densities.
    """
    p, q = _logs("log_p", log_p, space), _logs("log_q", log_q, space)
    if (np.isfinite(p) & np.isneginf(q)).any():
        return INFINITE
    ratio = np.full(p.shape, -np.inf)
    np.subtract(p, q, out=ratio, where=np.isfinite(p))
    return space.supremum(ratio)


def entropy(log_p: Array, space: Space) -> Integral:
    """Return the entropy, minus the integral of p log p, in nats (differential on a grid).

    On a grid the value misses what lies outside the box, on the small side where p < 1 there.

    Raises ValueError or TypeError where `log_p` does not fit `space` or is not log densities.
    """
    p = _logs("log_p", log_p, space)
    return space.integrate(-np.exp(p) * np.where(np.isfinite(p), p, 0.0))
