"""Studies for the page on accounting: levels of K runs by several methods, their growth, Gaussian releases."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.composition import advanced_epsilon, renyi_epsilon, response_epsilon
from mollified.gaussian_mechanism import gaussian_delta

__all__ = ["gaussian_levels", "growth_shares", "levels_by_method"]


def _delta(name: str, value: object) -> float:
    return check_interval(name, value, 0, 1, open_low=True, open_high=True)


def _counts(most: int, points: int) -> list[int]:
    return sorted({round(k) for k in np.geomspace(1, check_count("most", most, minimum=2), points)})


def levels_by_method(
    eps0: float, delta: float, most: int, points: int, library: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level at `delta` of K randomised responses, K = 1 to `most`, by each method.

    Columns method, runs, eps: "simple" ($K\varepsilon_0$), "advanced" and "mean" (`advanced_epsilon`, at most simple),
    "renyi", "exact", and "library": dp-accounting's pessimistic level on a grid of $10^{-4}$, at the counts of
    `library`. Facts: the levels at K = 100 and 1000 (`simple_100`, ...), and the largest relative distance of the
    library's level from the exact one (`library_gap`). Raises ValueError or TypeError for bad arguments.
    """
    eps0, delta = check_eps("eps0", eps0), _delta("delta", delta)
    points = check_count("points", points, minimum=2)
    check_each("library", library, check_count)
    methods: dict[str, Callable[[int], float]] = {
        "simple": lambda k: k * eps0,
        "advanced": lambda k: min(k * eps0, advanced_epsilon(eps0, k, delta, "lecture-notes")),
        "mean": lambda k: min(k * eps0, advanced_epsilon(eps0, k, delta, "mean")),
        "renyi": lambda k: renyi_epsilon(eps0, k, delta),
        "exact": lambda k: response_epsilon(delta, eps0, k),
    }
    grid = sorted({*_counts(most, points), 100, 1000, *library})
    rows = [(name, k, method(k)) for name, method in methods.items() for k in grid]
    rows += [("library", k, _library_level(eps0, delta, k)) for k in library]
    facts = {"eps0": eps0, "delta": delta}
    for name, k, eps in rows:
        if k in (100, 1000) and name != "library":
            facts[f"{name}_{k}"] = eps
    facts["library_gap"] = max(_gap(eps, methods["exact"](k)) for name, k, eps in rows if name == "library")
    return pd.DataFrame(rows, columns=["method", "runs", "eps"]), facts


def _gap(level: float, exact: float) -> float:
    """Return the relative distance of a level from the exact one; 0 where both are 0."""
    return abs(level / exact - 1) if exact > 0 else math.inf if level > 0 else 0.0


def _library_level(eps0: float, delta: float, runs: int) -> float:
    from dp_accounting.pld import privacy_loss_distribution as pld

    single = pld.from_randomized_response(2 / (1 + math.exp(eps0)), 2, value_discretization_interval=1e-4)
    return float(single.self_compose(runs).get_epsilon_for_delta(delta))


def growth_shares(
    levels: Sequence[float], delta: float, most: int, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the share $\varepsilon_K/(K\varepsilon_0)$ of the sum that K randomised responses need at `delta`.

    Columns eps0, runs, share, limit; the limit for large K is the mean loss over $\varepsilon_0$,
    $\tanh(\varepsilon_0/2)$. Facts: the last share of each level and its limit (`share_0.1`, `limit_0.1`). Raises
    ValueError or TypeError.
    """
    check_each("levels", levels, check_eps)
    delta, points = _delta("delta", delta), check_count("points", points, minimum=2)
    most = check_count("most", most, minimum=2)
    rows, facts = [], {"delta": delta, "most": float(most)}
    for eps0 in levels:
        limit = math.tanh(eps0 / 2)
        for k in _counts(most, points):
            rows.append((eps0, k, response_epsilon(delta, eps0, k) / (k * eps0), limit))
        facts[f"share_{eps0:g}"], facts[f"limit_{eps0:g}"] = rows[-1][2], limit
    return pd.DataFrame(rows, columns=["eps0", "runs", "share", "limit"]), facts


def _gaussian_level(delta: float, mu: float) -> float:
    """Return the least level at delta for a shift of mu, to 1e-10 of itself, from above."""
    low, high = 0.0, 1.0
    if gaussian_delta(0.0, mu) <= delta:
        return 0.0
    while gaussian_delta(high, mu) > delta:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_delta(middle, mu) <= delta else (middle, high)
    return high


def _advanced(eps0: float, runs: int, delta: float) -> float:
    return float(advanced_epsilon(eps0, runs, delta, "lecture-notes")) if eps0 > 0 else 0.0


def gaussian_levels(
    mu: float, delta: float, most: int, points: int, library: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level at `delta` of K Gaussian releases of shift $\mu=\Delta_2/\sigma$ by each method, K to `most`.

    Columns method, runs, eps: "exact" (one release of shift $\sqrt K\mu$), "simple" (each release at delta/K, the
    levels added), "advanced" (each at delta/(2K), the levels $\varepsilon_1$ composed by `advanced_epsilon`, form
    "lecture-notes", with slack delta/2), "library" (dp-accounting, pessimistic, grid $10^{-4}$). Facts: the levels at K
    = `most`, `library_gap`. Raises ValueError or TypeError for bad arguments.
    """
    mu, delta = check_eps("mu", mu), _delta("delta", delta)
    points = check_count("points", points, minimum=2)
    check_each("library", library, check_count)
    methods: dict[str, Callable[[int], float]] = {
        "simple": lambda k: k * _gaussian_level(delta / k, mu),
        "advanced": lambda k: _advanced(_gaussian_level(delta / (2 * k), mu), k, delta / 2),
        "exact": lambda k: _gaussian_level(delta, math.sqrt(k) * mu),
    }
    grid = _counts(most, points)
    rows = [(name, k, method(k)) for name, method in methods.items() for k in grid]
    facts = {"mu": mu, "delta": delta, "most": float(most), **{f"{n}_most": m(grid[-1]) for n, m in methods.items()}}
    from dp_accounting.pld import privacy_loss_distribution as pld

    gap = 0.0
    for k in library:
        single = pld.from_gaussian_mechanism(1 / mu, value_discretization_interval=1e-4)
        level = float(single.self_compose(k).get_epsilon_for_delta(delta))
        rows.append(("library", k, level))
        gap = max(gap, _gap(level, methods["exact"](k)))
    return pd.DataFrame(rows, columns=["method", "runs", "eps"]), {**facts, "library_gap": gap}
