r"""The densities that MBDE can output.

They are $Q_0e^g/Z$ where g oscillates by at most a given amount. T rounds at budget
$\varepsilon$ output exactly the densities with
$\max\log\frac Q{Q_0}-\min\log\frac Q{Q_0}\le \frac\varepsilon2(1-\theta_T)$: take one
classifier, $c_t=g/\sum_s\theta_s$ up to a constant, in every round. The set is convex:
it is the union over m > 0 of $\{mQ_0\le Q\le rmQ_0\}$ with $r=e^{\text{oscillation}}$.
Its member closest to P is $\min\{\max\{P,mQ_0\},rmQ_0\}$, with the one m that gives
mass one; there is no constant C as in v3 (8). Source: v1 (6) and Lemma 10; the
projection is not in the papers.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from mollified._validate import TOTAL_TOLERANCE, Array, check_array, echo

__all__ = ["closest_level", "family_gain", "family_projection"]

#: Bisections of log m.
HALVINGS = 200


def _check_rows(name: str, laws: Array, argument: object) -> None:
    """Raise a ValueError that shows the argument where rows are no probabilities."""
    misses = np.abs(laws.sum(axis=1) - 1) > TOTAL_TOLERANCE
    if (laws < 0).any() or misses.any():
        raise ValueError(
            f"{name} must hold rows of probabilities, got {echo(name, argument)}"
        )


def family_projection(p: object, reference: object, oscillation: object) -> Array:
    r"""Return the projections of laws (N, k) for oscillations (N,) in nats: (N, k).

    Bisection on log m; the total misses one by less than 1e-12. Raises ValueError or
    TypeError for arrays that do not fit, are not laws with positive references, or
    oscillations outside (0, 700].
    """
    target = check_array("p", p, ndim=2)
    base = check_array("reference", reference, ndim=2)
    width = check_array("oscillation", oscillation, ndim=1, shape=target.shape[:1])
    if base.shape != target.shape:
        raise ValueError(
            f"reference must have the shape of p, got {base.shape}: "
            f"{echo('reference', reference)}"
        )
    _check_rows("p", target, p)
    _check_rows("reference", base, reference)
    if (base <= 0).any():
        raise ValueError(
            f"reference must have positive atoms, got {echo('reference', reference)}"
        )
    if (width <= 0).any() or (width > 700).any():
        raise ValueError(
            f"oscillation must be in (0, 700], got {echo('oscillation', oscillation)}"
        )
    low = -width
    high = np.zeros_like(width)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        small = _clip(target, base, middle, width).sum(axis=1) < 1
        low = np.where(small, middle, low)
        high = np.where(small, high, middle)
    return _clip(target, base, (low + high) / 2, width)


def closest_level(log_ratio: Array, masses: Array, oscillation: float) -> float:
    r"""Return $\log m$ of the projection above, from $\log P/Q_0$ at points.

    The points have a given $Q_0$-mass. `log_ratio` and `masses` have shape (N,),
    `oscillation` is $\log r>0$ in nats; the density is
    $Q_0e^{\operatorname{clip}(\log P/Q_0,\,\log m,\,\log m+\log r)}$ and its mass is
    one to rounding.
    """

    def excess(level: float) -> float:
        return float(masses @ np.expm1(np.clip(log_ratio, level, level + oscillation)))

    return float(brentq(excess, -oscillation, 0.0, xtol=1e-14, rtol=1e-14))


def _clip(target: Array, base: Array, log_m: Array, width: Array) -> Array:
    floor = base * np.exp(log_m)[:, np.newaxis]
    return np.asarray(
        np.minimum(np.maximum(target, floor), floor * np.exp(width)[:, np.newaxis])
    )


def family_gain(p: object, reference: object, oscillation: object) -> Array:
    r"""Return $\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q)$, (N,), in nats.

    Q are the projections. The largest gain that MBDE can have with that oscillation, at
    most 700; errs by rounding, by less than 1e-12. Raises ValueError or TypeError for
    arrays that do not fit, are not laws with positive references, or other
    oscillations.
    """
    closest = family_projection(p, reference, oscillation)
    target = np.asarray(p, dtype=np.float64)
    base = np.asarray(reference, dtype=np.float64)
    return np.asarray((target * np.log(closest / base)).sum(axis=1))
