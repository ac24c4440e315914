r"""Mollifiers: sets of densities whose ratios are bounded, Definition 3 of v1 and v2, Definition 1 of v3."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np

from mollified._validate import Array, check_eps, check_probabilities
from mollified.exact_level import ExactLevel, exact_probabilities

__all__ = ["exact_violation", "is_mollifier", "mollifier_level", "subset_level"]


def _log_densities(name: str, value: object) -> Array:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be an array of numbers, got {value!r}") from error
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} must have shape (members, points), not empty, got shape {array.shape}: {value!r}")
    if np.isnan(array).any() or np.isposinf(array).any():
        raise ValueError(f"{name} must be finite or -inf, got {value!r}")
    return array


def mollifier_level(log_densities: object) -> float:
    r"""Return the smallest $\varepsilon$ for which a finite family is an $\varepsilon$-mollifier on the points given.

    $\max_{x}\,(\max_i \log Q_i(x) - \min_i \log Q_i(x))$, in nats; `log_densities` has shape (members, points).
    Points where every member is zero do not count; infinite where one member is zero and another is not.
    On a continuous space the points are a sample, so the result errs on the low side.
    Raises ValueError for a wrong shape, NaN or +inf.
    Source: v3 (2), v1 and v2 (5).

    >>> round(mollifier_level(np.log([[0.5, 0.5], [0.25, 0.75]])), 6)
    0.693147
    """
    array = _log_densities("log_densities", log_densities)
    low, high = array.min(axis=0), array.max(axis=0)
    there = high > -np.inf
    return float(np.max(high[there] - low[there])) if there.any() else 0.0


def is_mollifier(log_densities: object, eps: float) -> bool:
    r"""Tell whether a finite family satisfies $Q(x)\le e^\varepsilon Q'(x)$ on the points given, in floats.

    Raises ValueError for a wrong shape or eps <= 0. For a proof on a finite space use `exact_violation`.
    Source: v3 (2), v1 and v2 (5).
    """
    eps = check_eps("eps", eps)
    return mollifier_level(log_densities) <= eps


def exact_violation(family: Sequence[Sequence[Fraction]], level: ExactLevel) -> tuple[int, int, int] | None:
    r"""Return (i, j, x) with $Q_i(x) > e^\varepsilon Q_j(x)$, or None if the family is an $\varepsilon$-mollifier.

    Exact: rationals against $e^\varepsilon$ decided by `ExactLevel`. `family` is a sequence of rational
    probability vectors of one length. Raises TypeError or ValueError where it is not.
    Source: v3 (2), v1 and v2 (5).
    """
    if not isinstance(family, Sequence) or isinstance(family, str) or len(family) == 0:
        raise ValueError(f"family must be a non-empty sequence of probability vectors, got {family!r}")
    first = exact_probabilities("family", family[0])
    members = [exact_probabilities("family", member, size=len(first)) for member in family]
    if not isinstance(level, ExactLevel):
        raise TypeError(f"level must be an ExactLevel, got {level!r}")
    for i, j in permutations(range(len(members)), 2):
        for x, (above, below) in enumerate(zip(members[i], members[j], strict=True)):
            if below == 0:
                if above > 0:
                    return i, j, x
            elif not level.at_most(above / below):
                return i, j, x
    return None


def subset_level(p: object, q: object) -> float:
    r"""Return $\max_S \log(P(S)/Q(S))$ over all events of a finite space, by listing all $2^k-1$ of them.

    Equals the largest pointwise log-ratio (the mediant inequality): an independent, slow oracle for Lemma 4.
    `p` and `q` are probability vectors of shape (k,), k <= 20. Raises ValueError or TypeError where they are not.
    Source: v1 (16).
    """
    left = check_probabilities("p", p)
    if left.size > 20:
        raise ValueError(f"p must have at most 20 entries, got {left.size}: {p!r}")
    right = check_probabilities("q", q, size=left.size)
    events = (np.arange(1, 2**left.size)[:, None] >> np.arange(left.size)) & 1
    above, below = events @ left, events @ right
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(above > 0, np.log(above) - np.log(below), -np.inf)
    return float(ratio.max())
