r"""Mollifiers: sets of densities whose ratios are bounded, Definition 3 of v1 and v2, Definition 1 of v3."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np

from mollified._validate import Array
from mollified.mollifiers.exact_level import ExactLevel, exact_probabilities

__all__ = [
    "exact_violation",
    "mollifier_level",
]


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
