r"""Studies for the page on the recipe: the interval of allowed m, how often it has no integer, what it costs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_interval, check_seed
from mollified.bootstrap_bounds import renyi_records, smallest_pseudocount, typical_lower, typical_upper
from mollified.bootstrap_parameters import choose_parameters, expected_error, gaussian_error, largest_m
from mollified.bootstrap_recipe import recipe

__all__ = ["cost", "expected_share", "interval", "share_without"]


def _unit(name: str, value: object) -> float:
    return check_interval(name, value, 0, 1, open_low=True, open_high=True)


def interval(
    gamma: float, delta: float, eps: float, n: int, size: int, last: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return U against k, with L and both roots $\lceil k_0\rceil$: where the interval [L, U] holds an integer.

    Columns k, upper, whole (the number of integers in [L, U]). Raises ValueError or TypeError unless 0 < gamma, delta <
    1, eps > 0, n >= 1, size >= 2, and for a `last` at most $\lceil k_0\rceil$. Source: (1), (2), Corollary 3.
    """
    low, last = typical_lower(gamma, delta), check_count("last", last)
    printed, corrected = (
        math.ceil(smallest_pseudocount(gamma, delta, eps, n, size, form)) for form in ("printed", "corrected")
    )
    if last <= printed:
        raise ValueError(f"last must be above the rounded root {printed}, got {last!r}")
    first = max(1, printed - (last - printed))
    rows = []
    for k in range(first, last + 1):
        upper = typical_upper(gamma, eps, n, size, k)
        rows.append((k, upper, max(0, math.floor(upper) - math.ceil(low) + 1)))
    table = pd.DataFrame(rows, columns=["k", "upper", "whole"])
    allowed = table[table["whole"] > 0]["k"]
    facts = {
        "lower": low,
        "printed": float(printed),
        "corrected": float(corrected),
        "least": float(allowed.min()) if len(allowed) else math.nan,
        "upper_printed": typical_upper(gamma, eps, n, size, printed),
    }
    return table, facts


def expected_share(ratio: float) -> float:
    r"""Return the share of settings without an integer that a heuristic gives at $x=\varepsilon/2\gamma$.

    U - L is about $x(\frac12+\theta)$, with $\theta=\lceil k_0\rceil-k_0$ and the distance from L to the next integer
    taken as uniform and independent: $1-x$ for $x\le\frac23$, then $t-\frac x2(t+t^2)$, $t=\frac1x-\frac12$, and 0 from
    x = 2 on. Raises ValueError or TypeError for a ratio <= 0.
    """
    x = check_eps("ratio", ratio)
    t = min(1.0, max(0.0, 1 / x - 0.5))
    return t - x * (t + t * t) / 2


def share_without(draws: int, edges: Sequence[float], seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how often the printed recipe leaves no integer m in [L, U], against $\varepsilon/2\gamma$.

    In each bin between two edges `draws` random settings: the ratio log-uniform within the bin, gamma uniform in
    (0.05, 0.95), delta log-uniform in (1e-9, 0.1), n log-uniform in 100..1e6, |Sigma| uniform in 2..100, and
    $\varepsilon=2\gamma\cdot$ratio. Columns ratio (the middle of the bin), share, expected (the heuristic, averaged);
    facts: draws in all, the share over all of them, the largest. Floats; a draw within rounding of the edge may be
    misjudged. Raises ValueError or TypeError for draws < 1, fewer than two edges, edges not increasing, seed < 0.
    """
    draws, edges = check_count("draws", draws), check_each("edges", edges, check_eps)
    if len(edges) < 2 or any(b <= a for a, b in itertools.pairwise(edges)):
        raise ValueError(f"edges must be at least 2 increasing numbers, got {edges!r}")
    rng = np.random.default_rng(check_seed("seed", seed))
    rows = []
    for low, high in itertools.pairwise(edges):
        missing, expected = 0, 0.0
        for _ in range(draws):
            ratio = float(np.exp(rng.uniform(math.log(low), math.log(high))))
            gamma, delta = float(rng.uniform(0.05, 0.95)), float(np.exp(rng.uniform(np.log(1e-9), np.log(0.1))))
            n, size = int(np.exp(rng.uniform(np.log(100), np.log(1e6)))), int(rng.integers(2, 101))
            eps = 2 * gamma * ratio
            k = max(2, math.ceil(smallest_pseudocount(gamma, delta, eps, n, size)))
            missing += typical_upper(gamma, eps, n, size, k) < math.ceil(typical_lower(gamma, delta))
            expected += expected_share(ratio)
        rows.append((math.sqrt(low * high), missing / draws, expected / draws))
    table = pd.DataFrame(rows, columns=["ratio", "share", "expected"])
    return table, {
        "draws": float(draws * len(table)),
        "overall": float(table["share"].mean()),
        "largest": float(table["share"].max()),
    }


def cost(n: int, size: int, eps: float, delta: float, gammas: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the error of the corrected histogram at the corrected recipe's k and m, against gamma.

    Beside it: the largest m at the same k by Theorem 2* and by the exact delta. One release, record-level central
    $(\varepsilon,\delta)$-DP, replace-one; error: $\operatorname E\lVert\hat h^c-\hat h\rVert_2^2$ for flat data.
    Columns gamma, k, m, m_renyi, m_exact, error, error_renyi, error_exact. Facts: the best on the grid, the limit of
    the recipe's error as gamma -> 0, and choose_parameters. Raises ValueError or TypeError for what is out of range.
    """
    gammas, eps, delta = check_each("gammas", gammas, _unit), check_eps("eps", eps), _unit("delta", delta)
    rows = []
    for gamma in gammas:
        k, m = recipe(Fraction(str(gamma)), Fraction(str(delta)), Fraction(str(eps)), n, size, "corrected")
        renyi, exact = renyi_records(eps, delta, n, size, k), largest_m(eps, delta, n, size, k)
        errors = [expected_error(n, size, k, count) if count else math.nan for count in (m, renyi, exact)]
        rows.append((gamma, k, m, renyi, exact, *errors))
    names = ["gamma", "k", "m", "m_renyi", "m_exact", "error", "error_renyi", "error_exact"]
    table = pd.DataFrame(rows, columns=names)
    chosen = choose_parameters(n, size, eps, delta)
    best = table.iloc[int(table["error"].argmin())]
    facts = {
        "limit": 8 * math.log(2 / delta) * (size / (n * eps)) ** 2 * (1 - 1 / size),
        "best": float(best["error"]),
        "best_gamma": float(best["gamma"]),
        "best_k": float(best["k"]),
        "best_m": float(best["m"]),
        "chosen": chosen.error,
        "chosen_k": float(chosen.k),
        "chosen_m": float(chosen.m),
        "gaussian": gaussian_error(n, size, eps, delta),
    }
    facts["times"] = facts["best"] / facts["chosen"]
    return table, facts
