"""Divergences between two densities given by their logs at the points of a space.

Every function returns an `Integral`: the value in nats (or, where said, a probability)
and an error estimate. Log densities have shape (N,), N the number of points, and are
finite or -inf; a log above 700 is refused. Conventions: 0 log 0 = 0; where P has mass
and Q has none, log(p/q) = inf. On a `Grid` nothing outside the box is seen, and errors
are estimates; on a `FiniteSpace` they are 0, up to rounding (about 1e-15 times the sum
of the absolute values of the terms).
"""

from __future__ import annotations

import math

import numpy as np

from mollified._validate import TOTAL_TOLERANCE, Array, echo
from mollified.laws._validate_densities import (
    LARGEST_LOG,
    check_log_values,
    check_space,
)
from mollified.laws.spaces import Integral, IntegrationSpace

__all__ = ["kl"]

#: Total masses that miss one by more than this (and by more than their error) are
#: refused by `kl`.
MASS_TOLERANCE = 1e-3

INFINITE = Integral(math.inf, 0.0)


def _logs(name: str, value: Array, space: IntegrationSpace) -> Array:
    size = check_space("space", space).points.shape[0]
    return check_log_values(name, value, size, largest=LARGEST_LOG)


def _bregman(log_p: Array, log_q: Array) -> Array:
    """Return p log(p/q) - p + q >= 0, also where p is close to q.

    Nothing cancels; log_q is finite or p = 0.
    """
    p = np.exp(log_p)
    q = np.exp(log_q)
    ratio = np.zeros_like(p)
    np.subtract(log_p, log_q, out=ratio, where=np.isfinite(log_p))
    near = np.abs(ratio) < 0.02
    r = np.where(near, ratio, 0.0)
    tail = 1 / 6 - r * (1 / 24 - r * (1 / 120 - r * (1 / 720 - r / 5040)))
    series = r * r * (1 / 2 - r * tail)
    # the smallest floats round it below zero
    direct = np.maximum(p * ratio - p + q, 0.0)
    return np.where(near & np.isfinite(log_p), p * series, direct)


def kl(log_p: Array, log_q: Array, space: IntegrationSpace) -> Integral:
    """Return KL(P, Q), the integral of p log(p/q), in nats (v2 eq. 1, v3 section 3).

    Computed as the integral of p log(p/q) - p + q, which is >= 0 at every point: the
    value is never negative, and small divergences keep their digits. It differs from
    the integral of p log(p/q) by the difference of the two masses on the space; where
    that exceeds 1e-9 it is added to the error. Inf where Q has no mass at a point where
    P has some.

    Raises ValueError or TypeError where `log_p` or `log_q` does not fit `space`, is not
    log densities, or where its mass on the space misses one by more than 1e-3 and its
    own error.
    """
    p = _logs("log_p", log_p, space)
    q = _logs("log_q", log_q, space)
    masses = []
    for name, logs in (("log_p", p), ("log_q", q)):
        mass = space.integrate(np.exp(logs))
        if abs(mass.value - 1.0) > MASS_TOLERANCE + mass.error:
            raise ValueError(
                f"{name} must be a density on the space, got "
                f"{echo(name, logs, whole=True)}"
            )
        masses.append(mass.value)
    if (np.isfinite(p) & np.isneginf(q)).any():
        return INFINITE
    result = space.integrate(_bregman(p, q))
    defect = abs(masses[0] - masses[1])
    if defect <= TOTAL_TOLERANCE:
        defect = 0.0
    return Integral(result.value, result.error + defect)
