r"""Studies for the page on the Gaussian mechanism: noise needed and added, where the rule fails, errors.

All of one release, central, record-level $(\varepsilon,\delta)$-DP, with an l2 sensitivity of 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.gaussian_mechanism import (
    coverage,
    error_multiple,
    failing_eps,
    gaussian_sigma,
    printed_sigma,
)

__all__ = ["first_failures", "missed_errors", "noise_ratio"]


def _delta(name: str, value: object) -> float:
    return check_interval(name, value, 0, 1, open_low=True, open_high=True)


def noise_ratio(deltas: Sequence[float], low: float, high: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the printed sigma over the smallest sufficient one against eps, for each delta.

    `points` levels from `low` to `high`, evenly spaced on a log scale. Columns delta, eps, ratio. Facts: for each delta
    `crossing_<index>`, where the ratio falls to 1. Raises ValueError or TypeError for deltas outside (0, 1), levels
    that are not 0 < low < high, fewer than 2 points.
    """
    deltas, points = check_each("deltas", deltas, _delta), check_count("points", points, minimum=2)
    low, high = check_eps("low", low), check_eps("high", high)
    if high <= low:
        raise ValueError(f"high must exceed low, got {high!r} for {low!r}")
    rows = []
    for delta in deltas:
        for eps in np.geomspace(low, high, points).tolist():
            rows.append((delta, eps, printed_sigma(eps, delta) / gaussian_sigma(eps, delta)))
    facts = {f"crossing_{index}": float(failing_eps(Fraction(delta))[0]) for index, delta in enumerate(deltas)}
    return pd.DataFrame(rows, columns=["delta", "eps", "ratio"]), facts


def first_failures(exponents: Sequence[float], middle: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\varepsilon^*(\delta)$, up to which the printed sigma is enough, for $\delta=10^{-j}$ and others.

    Columns delta, eps, from certified enclosures. Facts: the smallest value on the grid, and its delta. Raises
    ValueError or TypeError for exponents <= 0, others outside (0, 1).
    """
    powers = [10**-value for value in check_each("exponents", exponents, check_eps)]
    deltas = sorted({*powers, *check_each("middle", middle, _delta)})
    rows = [(delta, float(failing_eps(Fraction(delta))[0])) for delta in deltas]
    table = pd.DataFrame(rows, columns=["delta", "eps"])
    least = table.iloc[int(table["eps"].argmin())]
    return table, {"least": float(least["eps"]), "least_delta": float(least["delta"])}


def missed_errors(beta: float, sizes: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the probability that some error reaches the threshold of the bound, printed and corrected, against K.

    Columns form, K, missed; the promise is `beta`. Facts: beta, and the coverage for each form and K. Raises ValueError
    or TypeError for beta outside (0, 1), sizes < 1.
    """
    beta, sizes = _delta("beta", beta), check_each("sizes", sizes, check_count)
    rows, facts = [], {"beta": beta}
    for form in ("printed", "corrected"):
        for size in sizes:
            t = error_multiple(beta, size, form)
            rows.append((form, size, -math.expm1(size * math.log1p(-2 * float(ndtr(-t))))))
            facts[f"{form}_{size}"] = coverage(t, size)
    return pd.DataFrame(rows, columns=["form", "K", "missed"]), facts
