r"""What curves of runs look like: how steeply the loss falls, how far coverage falls below its start."""

from __future__ import annotations

import pandas as pd

__all__ = ["falls_from_start", "steepness"]

#: The columns that name a series.
SERIES = ["domain", "variant", "recipe", "place_0", "place_1"]


def steepness(
    table: pd.DataFrame, knee: float = 2.0, last: float = 5.0
) -> pd.DataFrame:
    r"""Return how fast the loss falls below the budget `knee`, and from there to `last`, for each series.

    Columns domain, variant, recipe, place_0, place_1, eps (= knee), below and above
    (nats per unit of $\varepsilon$), ratio; a loss linear in $\varepsilon$ has ratio 1.
    """
    wide = table.pivot_table(index=SERIES, columns="eps", values="nll")
    found = pd.DataFrame(
        {
            "below": (wide[0.0] - wide[knee]) / knee,
            "above": (wide[knee] - wide[last]) / (last - knee),
        }
    )
    found["ratio"] = found["below"] / found["above"]
    found.insert(0, "eps", knee)
    return found.reset_index()


def falls_from_start(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return by how much a column falls at most below its value at budget 0, for each series.

    Columns domain, variant, recipe, place_0, place_1, eps (where it is lowest), held
    (coverage at budget 0), fall.
    """
    rows = []
    for names, series in table.groupby(SERIES, sort=False):
        ordered = series.sort_values("eps")
        budgets = ordered["eps"].to_numpy(dtype=float)
        values = ordered[column].to_numpy(dtype=float)
        lowest = int(values.argmin())
        held = float(ordered["coverage"].to_numpy(dtype=float)[0])
        rows.append(
            (*names, float(budgets[lowest]), held, float(values[0] - values[lowest]))
        )
    return pd.DataFrame(rows, columns=[*SERIES, "eps", "held", "fall"])
