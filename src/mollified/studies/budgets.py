r"""Studies for the page on budgets: noise for groups, budgets divided among draws, and what many draws give away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.bounds import gain_lower, gain_upper
from mollified.budget_bounds import divided_level, geometric_variance, laplace_variance, level_of_draws, variance_ratio
from mollified.theta import LOG2, theta_sum

__all__ = ["budget_shares", "group_costs", "promised_gains", "told_apart"]


def group_costs(eps: float, groups: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the factor on the variance where groups of m records are protected at level $\varepsilon$ instead of one.

    Columns noise, m, factor; noises "laplace" ($m^2$), "geometric" ($\sinh^2\frac\varepsilon2/
    \sinh^2\frac{\varepsilon}{2m}$), "printed" (v1: m) and "mbde" (1: nothing changes). Floats. Source: v1 section 1, v2
    Figure 1 (left).
    """
    eps, sizes = check_eps("eps", eps), np.array(check_each("groups", groups, check_count), dtype=float)
    factors = {
        "laplace": laplace_variance(sizes, eps) / laplace_variance(1.0, eps),
        "geometric": geometric_variance(np.exp(eps / sizes)) / geometric_variance(float(np.exp(eps))),
        "printed": variance_ratio(sizes, form="printed"),
        "mbde": np.ones(len(sizes)),
    }
    table = pd.concat(
        [pd.DataFrame({"noise": name, "m": sizes.astype(int), "factor": values}) for name, values in factors.items()],
        ignore_index=True,
    )
    last = int(sizes.argmax())
    facts = {"eps": eps, "largest": float(sizes[last])}
    facts |= {f"{name}_largest": float(values[last]) for name, values in factors.items()}
    facts["above_square"] = facts["geometric_largest"] / facts["laplace_largest"]
    return table, facts


def budget_shares(
    rounds: int, draws: int, low: float, high: float, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the share of $\varepsilon$ that k draws spend, by way of dividing it, on a grid of levels.

    Columns way, eps (logarithmic grid), share; way "budget": $1-\theta_T(\varepsilon/k)$, "classifiers":
    $1-\theta_T(\varepsilon)$, "full": 1. Facts: the shares at $\varepsilon$ = 1 and 5, and the level of 3 draws at
    $\varepsilon$ = 2. Source: v1 section 6, (ii).
    """
    rounds, draws = check_count("rounds", rounds), check_count("draws", draws)
    low, high = check_eps("low", low), check_eps("high", high)
    eps = np.geomspace(low, high, check_count("points", points, minimum=2))

    def share(level: Any, way: str, count: int) -> Any:
        by = {"eps_by": count} if way == "budget" else {"classifiers_by": count}
        return count * divided_level(level, rounds, **by) / level

    ways = ("budget", "classifiers")
    parts = [pd.DataFrame({"way": way, "eps": eps, "share": share(eps, way, draws)}) for way in ways]
    parts.append(pd.DataFrame({"way": "full", "eps": eps, "share": 1.0}))
    facts = {f"{way}_{level:g}": float(share(level, way, draws)) for way in ways for level in (1.0, 5.0)}
    facts |= {f"level_{way}": 2 * float(share(2.0, way, 3)) for way in ways}
    facts |= {"rounds": rounds, "draws": draws}
    return pd.concat(parts, ignore_index=True), facts


def promised_gains(
    eps: float, rounds: int, draws: int, edges: Sequence[float]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the guaranteed gain by way of dividing the budget, as a share of $\gamma\frac{\varepsilon}{2k}$.

    $\gamma_P=\gamma_Q=\gamma$ in every round; the guarantee is the corrected one. Columns way, edge, gain (nats),
    share; way "budget", "classifiers" (divided by k) and "full" (by $k(1-\theta_T)$). Facts: the edge up to which
    dividing the classifiers promises more than dividing $\varepsilon$, on the grid. Source: v1 section 6, (ii).
    """
    eps, rounds, draws = check_eps("eps", eps), check_count("rounds", rounds), check_count("draws", draws)
    gammas = np.array(
        check_each("edges", edges, lambda name, v: check_interval(name, v, 0, 1, open_low=True, open_high=True))
    )
    full = draws * gain_upper(eps, rounds, form="corrected") / gain_upper(eps, rounds, form="printed")
    ways = {"budget": (eps / draws, 1.0), "classifiers": (eps, float(draws)), "full": (eps, full)}
    parts = []
    for way, (level, by) in ways.items():
        gain = gain_lower(level, rounds, gammas, gammas, form="corrected", c_star=np.full(rounds, LOG2 / by))
        share = gain / (gammas * eps / (2 * draws))
        parts.append(pd.DataFrame({"way": way, "edge": gammas, "gain": gain, "share": share}))
    table = pd.concat(parts, ignore_index=True)
    wide = table.pivot(index="edge", columns="way", values="gain")
    better = wide.index[wide["classifiers"] > wide["budget"]]
    facts = {"eps": eps, "rounds": rounds, "draws": draws, "divisor": float(full)}
    facts["classifiers_better_up_to"] = float(better.max()) if len(better) else 0.0
    facts["full_least_advantage"] = float((wide["full"] / wide["budget"]).where(wide["budget"] > 0).min())
    return table, facts


def told_apart(eps: float, rounds: int, draws: Sequence[int]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the error of the best test between two inputs of MBDE that sees k draws, against k.

    Two equal atoms, opposite classifiers: laws (p, 1-p) and (1-p, p), $p=e^{S}/(2\cosh S)$, $S=\log2\sum_t\theta_t$;
    both inputs have probability 1/2. Columns draws, level ($k\varepsilon(1-\theta_T)$), error, floor (the least error
    that any pair at that level can have, $1/(1+e^{\text{level}})$), ceiling ($\frac12\cosh(S)^{-k}$). Binomial sums in
    floats.
    """
    eps, rounds = check_eps("eps", eps), check_count("rounds", rounds)
    counts = np.array(check_each("draws", draws, check_count))
    half = LOG2 * theta_sum(eps, rounds)
    wrong = 1 / (1 + np.exp(2 * half))
    ties = np.where(counts % 2 == 0, binom.pmf(counts // 2, counts, wrong), 0.0)
    error = binom.sf(counts // 2, counts, wrong) + ties / 2
    level = np.array([level_of_draws(eps, rounds, int(k), form="corrected") for k in counts])
    floor = np.exp(-np.logaddexp(0, level))
    ceiling = np.exp(-counts * np.log(np.cosh(half))) / 2
    table = pd.DataFrame({"draws": counts, "level": level, "error": error, "floor": floor, "ceiling": ceiling})
    last = int(counts.argmax())
    facts = {"eps": eps, "largest": float(counts[last]), "error_largest": float(error[last])}
    facts |= {"ceiling_largest": float(ceiling[last]), "level_largest": float(level[last])}
    facts["draws_within_one"] = float(int(1 / (level_of_draws(eps, rounds, 1, form="corrected"))))
    return table, facts
