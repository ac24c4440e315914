r"""What curves of runs look like: how steeply the loss falls, how far coverage falls below its start."""

from __future__ import annotations

import pandas as pd

from mollified._validate import check_eps
from mollified.laws._densities import echo

__all__ = ["falls_from_start", "steepness"]

#: The columns that name a series.
SERIES = ["domain", "variant", "recipe", "place_0", "place_1"]


def _check_table(table: object, *columns: object) -> pd.DataFrame:
    """Return a non-empty table that has the columns of a series, eps, and those asked for."""
    if not isinstance(table, pd.DataFrame) or table.empty or not {*SERIES, "eps"} <= set(table.columns):
        raise TypeError(f"table must be a non-empty DataFrame with {', '.join(SERIES)}, eps, got {echo(table)}")
    for column in columns:
        if not isinstance(column, str) or column not in table.columns:
            raise ValueError(f"column must be one of {', '.join(table.columns)}, got {echo(column)}")
    return table


def steepness(table: pd.DataFrame, knee: float = 2.0, last: float = 5.0) -> pd.DataFrame:
    r"""Return how fast the loss falls below the budget `knee`, and from there to `last`, for each series.

    Columns domain, variant, recipe, place_0, place_1, eps (= knee), below and above (nats per unit of
    $\varepsilon$), ratio; a loss linear in $\varepsilon$ has ratio 1. Raises ValueError where the table lacks one of
    the budgets 0, `knee`, `last`.
    """
    table, knee, last = _check_table(table, "nll"), check_eps("knee", knee), check_eps("last", last)
    wide = table.pivot_table(index=SERIES, columns="eps", values="nll")
    if not {0.0, knee, last} <= set(wide.columns) or not knee < last:
        raise ValueError(f"knee and last must be budgets of the table, knee < last, got {knee!r} and {last!r}")
    found = pd.DataFrame({"below": (wide[0.0] - wide[knee]) / knee, "above": (wide[knee] - wide[last]) / (last - knee)})
    found["ratio"] = found["below"] / found["above"]
    found.insert(0, "eps", knee)
    return found.reset_index()


def falls_from_start(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return by how much a column falls at most below its value at budget 0, for each series.

    Columns domain, variant, recipe, place_0, place_1, eps (where it is lowest), held (coverage at budget 0), fall.
    Raises ValueError for an unknown column or a series without budget 0.
    """
    table = _check_table(table, column, "coverage")
    rows = []
    for names, series in table.groupby(SERIES, sort=False):
        ordered = series.sort_values("eps")
        budgets, values = ordered["eps"].to_numpy(dtype=float), ordered[column].to_numpy(dtype=float)
        if budgets[0] != 0:
            raise ValueError(f"table must have budget 0 in each series, got {budgets.tolist()} for {names!r}")
        lowest, held = int(values.argmin()), float(ordered["coverage"].to_numpy(dtype=float)[0])
        rows.append((*names, float(budgets[lowest]), held, float(values[0] - values[lowest])))
    return pd.DataFrame(rows, columns=[*SERIES, "eps", "held", "fall"])
