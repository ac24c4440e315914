r"""Studies for the page on the Gaussian mechanism: noise needed and added, where the rule fails, errors, tails.

All of one release, central, record-level $(\varepsilon,\delta)$-DP, with an l2 sensitivity of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss
from scipy.optimize import brentq
from scipy.special import ndtr

from mollified._search import smallest_scale
from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.gaussian_mechanism import (
    coverage,
    error_multiple,
    failing_eps,
    gaussian_delta,
    gaussian_sigma,
    printed_multiple,
    printed_sigma,
)

__all__ = ["first_failures", "missed_errors", "noise_ratio", "opendp_sigma", "sigmas", "tails_compared"]


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


def opendp_sigma(eps: float, delta: float) -> float:
    r"""Return the smallest scale at which OpenDP's map certifies (eps, delta)-DP for Gaussian noise, sensitivity 1.

    `make_gaussian` on floats, its $\rho$ converted by `make_zCDP_to_approxDP`. Errs above, by 1e-9 (relatively). Raises
    ValueError or TypeError for eps <= 0, delta outside (0, 1).
    """
    import opendp.prelude as dp

    eps, delta = check_eps("eps", eps), _delta("delta", delta)
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

    def fits(scale: float) -> bool:
        measurement: Any = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=scale))
        return bool(measurement.map(1.0).delta(eps) <= delta)

    return smallest_scale(fits)


def sigmas(settings: Sequence[Sequence[float]]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return for pairs (eps, delta): printed sigma, exact delta at it, and the smallest sigma by us and by libraries.

    Columns eps, delta, printed, exact_delta, smallest, dp_accounting, opendp. Facts: the largest relative difference to
    dp-accounting. Raises ValueError or TypeError for what are not pairs of eps > 0 and delta in (0, 1).
    """

    def pair(name: str, value: object) -> tuple[float, float]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError(f"{name} must hold pairs, got {value!r}")
        return check_eps(name, value[0]), _delta(name, value[1])

    rows, worst = [], 0.0
    for eps, delta in check_each("settings", settings, pair):
        printed, smallest = printed_sigma(eps, delta), gaussian_sigma(eps, delta)
        guarantee = DifferentialPrivacyParameters(eps, delta)
        theirs = float(GaussianPrivacyLoss.from_privacy_guarantee(guarantee, sensitivity=1.0).standard_deviation)
        worst = max(worst, abs(theirs / smallest - 1))
        rows.append((eps, delta, printed, gaussian_delta(eps, 1 / printed), smallest, theirs, opendp_sigma(eps, delta)))
    names = ["eps", "delta", "printed", "exact_delta", "smallest", "dp_accounting", "opendp"]
    return pd.DataFrame(rows, columns=names), {"worst": worst}


def tails_compared(deltas: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return up to which eps a bound on the tail beyond the threshold is at most delta, at the printed sigma.

    With $t=c-\varepsilon/2c>0$: sharp $e^{-t^2/2}$, mills $2\varphi(t)/t$, two $2Q(t)$; half $\frac12e^{-t^2/2}$, one
    $Q(t)$ for one side; exact the least delta. Columns delta and these six; floats. The bound of the slides,
    $2e^{-t^2/2}$, exceeds delta for every eps. Facts: the smallest value of each column. Raises ValueError or TypeError
    for deltas outside (0, 1/2).
    """

    def most_half(name: str, value: object) -> float:
        return check_interval(name, value, 0, 0.5, open_low=True, open_high=True)

    rows = []
    for delta in check_each("deltas", deltas, most_half):
        c = float(printed_multiple(delta))
        bounds: dict[str, Callable[[float], float]] = {
            "sharp": lambda t: math.exp(-t * t / 2),
            "mills": lambda t: math.sqrt(2 / math.pi) * math.exp(-t * t / 2) / t,
            "two": lambda t: 2 * float(ndtr(-t)),
            "half": lambda t: math.exp(-t * t / 2) / 2,
            "one": lambda t: float(ndtr(-t)),
        }
        row: list[float] = [delta]
        for bound in bounds.values():
            # At t = 0 a bound is at least 1/2, and it falls as t grows.
            t = float(brentq(lambda t, b=bound, d=delta: math.log(b(t) / d), 1e-9, c, xtol=1e-14))
            row.append(2 * c * (c - t))
        rows.append((*row, float(failing_eps(Fraction(delta))[0])))
    table = pd.DataFrame(rows, columns=["delta", *bounds, "exact"])
    return table, {name: float(table[name].min()) for name in table.columns[1:]}
