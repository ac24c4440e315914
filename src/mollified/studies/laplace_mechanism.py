r"""Studies for the page on the Laplace mechanism: the densities and their ratio, the largest error, the first names.

All of one release, central, record-level $\varepsilon$-DP; errors in units of the counted thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_finite, check_fraction, check_interval
from mollified.laplace_mechanism import (
    coverage,
    density,
    error_multiple,
    log_ratio,
    noise_scale,
    promised_coverage,
    swap_probability,
    top_probability,
)

__all__ = ["census_errors", "largest_errors", "smallest_top_gap", "two_densities"]


def two_densities(
    eps: float, sensitivity: float, low: float, high: float, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the output densities for answers 0 and $\Delta$, and the losses of Laplace and Gaussian noise alike.

    The Gaussian noise has the same variance $2b^2$. Columns output, one, two, loss, gaussian_loss; facts: eps, the
    scale, the sensitivity. Raises ValueError or TypeError unless low < high, the rest > 0, points >= 2.
    """
    eps, sensitivity = check_eps("eps", eps), check_eps("sensitivity", sensitivity)
    low, high = check_finite("low", low), check_finite("high", high)
    if high <= low:
        raise ValueError(f"high must exceed low, got {high!r} for {low!r}")
    scale = noise_scale(sensitivity, eps)
    output = np.linspace(low, high, check_count("points", points, minimum=2))
    column, zero = output[:, np.newaxis], np.zeros((len(output), 1))
    table = pd.DataFrame(
        {
            "output": output,
            "one": density(output, scale),
            "two": density(output - sensitivity, scale),
            "loss": log_ratio(column, zero, zero + sensitivity, np.full(len(output), scale)),
            "gaussian_loss": (sensitivity**2 - 2 * sensitivity * output) / (4 * scale**2),
        }
    )
    return table, {"eps": eps, "scale": scale, "sensitivity": sensitivity}


def _beta(name: str, value: object) -> float:
    return check_interval(name, value, 0, 1, open_low=True)


def largest_errors(betas: Sequence[float], sizes: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exact probability of the event of the theorem, $(1-\beta/K)^K$, and the promise $1-\beta$.

    Columns beta, K, exact, promised. Facts: for each beta the limit $e^{-\beta}$. Raises ValueError or TypeError for
    betas outside (0, 1], sizes < 1.
    """
    betas, sizes = check_each("betas", betas, _beta), check_each("sizes", sizes, check_count)
    rows = [(beta, size, promised_coverage(beta, size), 1 - beta) for beta in betas for size in sizes]
    facts = {f"limit_{beta:g}": float(np.exp(-beta)) for beta in betas}
    return pd.DataFrame(rows, columns=["beta", "K", "exact", "promised"]), facts


def smallest_top_gap(others: int, beta: float) -> tuple[Fraction, Fraction]:
    r"""Return rationals 1/1024 apart: a count that far above `others` equal ones comes first with $1-\beta$.

    In scales of the noise; certified at the upper one, and certainly not at the lower one, by bisection in balls.
    Raises ValueError or TypeError for others < 1, beta outside (0, 1).
    """
    others = check_count("others", others)
    goal = 1 - Fraction(check_interval("beta", beta, 0, 1, open_low=True, open_high=True))
    wanted = check_fraction("goal", goal).limit_denominator(10**12)
    low, high = Fraction(0), Fraction(1)

    def enough(gap: Fraction) -> bool:
        found = top_probability(gap, others)
        return bool(found * wanted.denominator >= wanted.numerator)

    if enough(low):
        return low, low
    while not enough(high):
        low, high = high, 2 * high
    while high - low > Fraction(1, 1024):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low, high


def census_errors(
    names: int, beta: float, low: float, high: float, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how often `names` counts are all within $\alpha$, and how often counts come out in order, at eps = 1.

    Kinds "error" (at = $\alpha$: exact probability), "union" (its bound $1-Ke^{-\alpha}$, or 0), "pair" and "top" (at =
    the gap between two counts, or between the first and all others, which are tied). Facts: the threshold, its
    probability, that at 12, the gaps that suffice for the top and for all pairs, the median of the largest noise
    (`idle`). Raises ValueError or TypeError unless 0 < low < high, names >= 2, 0 < beta < 1, points >= 2.
    """
    names, points = check_count("names", names, minimum=2), check_count("points", points, minimum=2)
    beta = check_interval("beta", beta, 0, 1, open_low=True, open_high=True)
    low, high = check_eps("low", low), check_eps("high", high)
    if high <= low:
        raise ValueError(f"high must exceed low, got {high!r} for {low!r}")
    rows = []
    for at in np.linspace(low, high, points).tolist():
        top = float(top_probability(Fraction(at), names - 1).mid())
        rows.append(("error", at, coverage(at, names)))
        rows.append(("union", at, max(0.0, 1 - names * float(np.exp(-at)))))
        rows.append(("top", at, top))
        rows.append(("pair", at, 1 - swap_probability(at)))
    threshold = error_multiple(beta, names)
    facts = {
        "beta": beta,
        "threshold": threshold,
        "exact": promised_coverage(beta, names),
        "at_12": coverage(12.0, names),
        "twice": 2 * threshold,
        "top_gap": float(smallest_top_gap(names - 1, beta)[1]),
        "idle": float(-np.log(-2 * np.expm1(np.log(0.5) / names))),
        "swap_one": swap_probability(1.0),
        "smallest": float(-np.log(-np.expm1(np.log1p(-beta) / names))),
    }
    return pd.DataFrame(rows, columns=["kind", "at", "probability"]), facts
