"""Studies for the page on composition: curves of one to three runs, the table of counts, factors for groups."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_eps, check_interval
from mollified.composition import group_factor, response_delta

__all__ = ["composed_curves", "group_factors", "table_levels"]


def composed_curves(eps0: float, delta0: float, runs: int, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return delta against eps for 1 to `runs` runs of the worst $(\varepsilon_0,\delta_0)$-DP algorithm.

    $\delta=1-(1-\delta_0)^K(1-\delta_K(\varepsilon))$, $\delta_K$ that of randomised response. Columns runs, eps,
    delta. Facts: for each K the promised delta $K\delta_0$ (`promised_K`) and the exact one at $K\varepsilon_0$
    (`exact_K`). Floats, rounding only. Raises ValueError or TypeError for eps0 <= 0, delta0 outside (0, 1), runs < 1,
    points < 2.
    """
    eps0, runs = check_eps("eps0", eps0), check_count("runs", runs)
    miss = check_interval("delta0", delta0, 0, 1, open_low=True, open_high=True)
    points = check_count("points", points, minimum=2)
    rows, facts = [], {"eps0": eps0, "delta0": miss, "runs": float(runs)}
    for k in range(1, runs + 1):
        for eps in np.linspace(0, (runs + 1) * eps0, points):
            pure = response_delta(float(eps), eps0, k)
            rows.append((k, float(eps), 1 - (1 - miss) ** k * (1 - pure)))
        facts[f"promised_{k}"], facts[f"exact_{k}"] = k * miss, 1 - (1 - miss) ** k
    return pd.DataFrame(rows, columns=["runs", "eps", "delta"]), facts


#: The lecture's table of people: gender by hair colour.
COUNTS = {"Female": (20, 32, 27, 9), "Male": (18, 40, 35, 10)}
HAIR = ("Blond", "Dark", "Brown", "Red")


def table_levels(eps: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the cells of the lecture's table and the exact level of each kind of change, in units of $\varepsilon$.

    Columns gender, hair, people, added, moved: how many of the two example changes touch the cell. Facts: the least
    level of all eight counts with two-sided geometric noise of level $\varepsilon$ where one person is added (`add`),
    moved (`replace`), or added to eight counts of the same people (`same`), each divided by $\varepsilon$: the largest
    loss over outputs within 3 of the counts, summed over the cells that change. Raises ValueError or TypeError for eps
    <= 0.
    """
    level = check_eps("eps", eps)
    rows = []
    for gender, counts in COUNTS.items():
        for hair, people in zip(HAIR, counts, strict=True):
            place = (gender, hair)
            added = int(place == ("Female", "Brown"))
            moved = int(place in (("Female", "Brown"), ("Male", "Blond")))
            rows.append((gender, hair, people, added, moved))
    table = pd.DataFrame(rows, columns=["gender", "hair", "people", "added", "moved"])

    def largest(before: int, after: int) -> float:
        outputs = range(min(before, after) - 3, max(before, after) + 4)
        return level * max(abs(y - after) - abs(y - before) for y in outputs)

    sizes = [int(count) for count in table["people"]]
    one = max(max(largest(n, n + 1), largest(n + 1, n)) for n in sizes)
    two = max(
        largest(first, first - 1) + largest(second, second + 1)
        for i, first in enumerate(sizes)
        for j, second in enumerate(sizes)
        if i != j
    )
    eight = sum(largest(n, n + 1) for n in sizes)
    return table, {"eps": level, "add": one / level, "replace": two / level, "same": eight / level}


def group_factors(eps: float, most: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what multiplies delta for groups of K = 1 to `most`: as printed, attained, and of K runs.

    Columns bound, count, factor: $Ke^{K\varepsilon}$, $\frac{e^{K\varepsilon}-1}{e^\varepsilon-1}$,
    and K for K runs. Facts: the first two at K = 10, and their ratio there. Floats, rounding only.
    Raises ValueError or TypeError for eps outside (0, 10], most < 10.
    """
    level = check_interval("eps", eps, 0, 10, open_low=True)
    most = check_count("most", most, minimum=10)
    r = math.exp(level)
    rows: list[tuple[str, int, float]] = []
    for k in range(1, most + 1):
        rows.append(("printed", k, float(group_factor(r, k, "printed"))))
        rows.append(("attained", k, float(group_factor(r, k, "corrected"))))
        rows.append(("runs", k, float(k)))
    ten = {name: factor for name, k, factor in rows if k == 10}
    facts = {"eps": level, "printed_10": ten["printed"], "attained_10": ten["attained"]}
    facts["ratio_10"] = ten["printed"] / ten["attained"]
    return pd.DataFrame(rows, columns=["bound", "count", "factor"]), facts
