r"""Checks of sentences about experiments, on tables of runs: monotone, inside the mollifier, first down and then up.

A table has one row a run and budget: columns variant and eps, where there are any domain, recipe and the streams
place_0, place_1.. of the run, and what was measured (`run_metrics.measure`). A *series* is what one variant shows over
the budgets in one place; budget 0 is the reference itself. Every check has an argument that breaks its statement, so
that its control is the same code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from mollified._validate import Array, check_eps, check_finite, check_interval, check_rng, check_seed
from mollified.checks import Check, Tally

__all__ = [
    "better_in_pairs",
    "changes",
    "dips_then_rises",
    "inside_mollifier",
    "moves_one_way",
    "shuffled",
    "sign_test",
    "within",
]

Key = dict[str, Any]


def _check_table(table: object, *columns: object) -> pd.DataFrame:
    """Return a non-empty table that has variant, eps and the columns, with finite numbers in them."""
    if not isinstance(table, pd.DataFrame) or table.empty or not {"variant", "eps"} <= set(table.columns):
        raise TypeError(f"table must be a non-empty DataFrame with columns variant and eps, got {table!r:.120}")
    for column in ("eps", *columns):
        if not isinstance(column, str) or column not in table.columns:
            raise ValueError(f"column must be one of {', '.join(map(str, table.columns))}, got {column!r}")
        if not np.isfinite(table[column].to_numpy(dtype=float)).all():
            raise ValueError(f"table must have finite numbers in column {column!r}, got {table[column].tolist()!r:.80}")
    return table


def _places(table: pd.DataFrame) -> list[str]:
    """Return the columns that name the place of a run, beside its variant and budget."""
    return [str(name) for name in table.columns if str(name) in ("domain", "recipe") or str(name).startswith("place_")]


def _series(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Key, Array, Any]]:
    """Yield (variant and place, budgets that rise, values by column) of each; ValueError for a budget that repeats."""
    by = ["variant", *_places(table)]
    for names, rows in table.groupby(by, sort=False, dropna=False):
        ordered = rows.sort_values("eps")
        budgets = ordered["eps"].to_numpy(dtype=float)
        if len(np.unique(budgets)) < len(budgets):
            raise ValueError(f"table must have one row a budget in each series, got {names!r} with {budgets.tolist()}")
        values = [ordered[column].to_numpy(dtype=float) for column in columns]
        yield dict(zip(by, names, strict=True)), budgets, values[0] if len(values) == 1 else values


def shuffled(table: pd.DataFrame, column: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the table with the values of a column dealt anew within each series: a control for any trend.

    Raises ValueError or TypeError for another table, column or rng.
    """
    table, rng = _check_table(table, column).copy(), check_rng("rng", rng)
    for _, rows in table.groupby(["variant", *_places(table)], sort=False, dropna=False):
        table.loc[rows.index, column] = rng.permutation(rows[column].to_numpy())
    return table


def moves_one_way(
    table: pd.DataFrame, column: str, *, falls: bool = True, least: float = 0.0, tolerance: float = 0.0
) -> Check:
    """Check that each series falls (or, with `falls` false, rises) by more than `least` at every step of the budget.

    An instance is a step from one budget to the next; a margin is in the units of the column. Raises ValueError or
    TypeError for another table or column, or where no series has two budgets.
    """
    table, least = _check_table(table, column), check_finite("least", least)
    tally = Tally("float", tolerance=tolerance)
    for key, budgets, values in _series(table, column):
        for index in range(len(budgets) - 1):
            change = float(values[index + 1] - values[index])
            margin = (-change if falls else change) - least
            tally.add(margin, **key, eps=budgets[index], next=budgets[index + 1], change=change)
    return tally.check()


def changes(
    table: pd.DataFrame,
    column: str,
    start: float,
    stop: float,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    tolerance: float = 0.0,
) -> Check:
    """Check that each series changes by at least `least` and at most `most` from budget `start` to budget `stop`.

    An instance is a series. For a plateau give both; for a sharp fall a negative `most`. Raises ValueError where a
    series lacks one of the budgets or both limits are infinite.
    """
    table, start = _check_table(table, column), check_interval("start", start, 0.0, math.inf)
    stop = check_interval("stop", stop, start, math.inf, open_low=True)
    for name, value in (("least", least), ("most", most)):
        if value not in (-math.inf, math.inf):
            check_finite(name, value)
    if math.isinf(least) and math.isinf(most):
        raise ValueError(f"least or most must be finite, got {least!r} and {most!r}")
    tally = Tally("float", tolerance=tolerance)
    for key, budgets, values in _series(table, column):
        found = [values[np.isclose(budgets, end, rtol=1e-12)] for end in (start, stop)]
        if any(len(item) != 1 for item in found):
            raise ValueError(f"start and stop must be budgets of each series, got {start}, {stop}: {budgets.tolist()}")
        change = float(found[1][0] - found[0][0])
        tally.add(min(change - least, most - change), **key, start=start, stop=stop, change=change)
    return tally.check()


def dips_then_rises(
    table: pd.DataFrame,
    column: str,
    low: float,
    high: float,
    *,
    start: float | None = None,
    depth: float = 0.0,
    flip: bool = False,
) -> Check:
    """Check that each series is lowest strictly inside: at budgets in [low, high], below all others by over `depth`.

    The others must lie on both sides; `start` is a value at budget 0, that of the reference, which then stands on the
    left. An instance is a series, and the margin is in the units of the column. `flip` turns the curve upside down: a
    rise and then a fall. Raises ValueError where the window holds no budget, or all those on one side.
    """
    table, depth = _check_table(table, column), check_interval("depth", depth, 0.0, math.inf, open_high=True)
    low = check_interval("low", low, 0.0, math.inf)
    high = check_interval("high", high, low, math.inf)
    if start is not None:
        start = check_finite("start", start)
    tally = Tally("float")
    for key, budgets, values in _series(table, column):
        if start is not None:
            budgets, values = np.append(0.0, budgets), np.append(start, values)
        heights = -values if flip else values
        inside = (budgets >= low) & (budgets <= high)
        if not inside.any() or not (budgets < low).any() or not (budgets > high).any():
            raise ValueError(f"low and high must leave budgets on both sides, got {low}, {high}: {budgets.tolist()}")
        lowest = int(np.flatnonzero(inside)[heights[inside].argmin()])
        margin = float(heights[~inside].min() - heights[lowest]) - depth
        tally.add(margin, decided=margin > 0, **key, turn=budgets[int(heights.argmin())], values=values.tolist())
    return tally.check()


def inside_mollifier(table: pd.DataFrame, *, width: float = 1.0, sharp: bool = False) -> Check:
    r"""Check that each run spends at most `width` times its budget: $2\sup|\log Q_T/Q_0|\le\varepsilon$.

    With `sharp` the limit is the column promised, what the ranges of the classifiers allow. A run without a bound on
    its classifiers fails, whatever its name. The margin is in nats; column spent errs on the low side, so a failure is
    certain up to rounding and a pass is not. Raises ValueError where `sharp` meets a variant that promises nothing.
    """
    columns = ["spent", "promised" if sharp else "eps"]
    table, width = _check_table(table, *columns), check_eps("width", width)
    tally = Tally("float", tolerance=1e-9)
    for key, budgets, (values, limits) in _series(table, *columns):
        for eps, spent, limit in zip(budgets, values, limits, strict=True):
            tally.add(float(width * limit - spent), **key, eps=eps, spent=float(spent), limit=float(width * limit))
    return tally.check()


def within(
    table: pd.DataFrame,
    column: str,
    *,
    low: Sequence[float] | float = -math.inf,
    high: Sequence[float] | float = math.inf,
    tolerance: float = 0.0,
) -> Check:
    """Check row by row that a column lies in [low, high]; each a number or one number a row.

    Raises ValueError where both limits are infinite or one has another length.
    """
    table = _check_table(table, column)
    limits = []
    for name, value in (("low", low), ("high", high)):
        array = np.asarray(value, dtype=float)
        if array.shape not in ((), (len(table),)) or np.isnan(array).any():
            raise ValueError(f"{name} must be a number or {len(table)} numbers, got {value!r:.120}")
        limits.append(np.broadcast_to(array, len(table)))
    margins = np.minimum(table[column].to_numpy(dtype=float) - limits[0], limits[1] - table[column].to_numpy())
    if not np.isfinite(margins).all():
        raise ValueError(f"low or high must be finite in every row, got {low!r:.60} and {high!r:.60}")
    tally = Tally("float", tolerance=tolerance)
    names = ["variant", *_places(table), "eps", column]
    for margin, row in zip(margins, table[names].to_dict("records"), strict=True):
        tally.add(float(margin), **{str(name): value for name, value in row.items()})
    return tally.check()


def _pairs(table: pd.DataFrame, column: str, first: str, second: str) -> pd.DataFrame:
    """Return the two variants side by side, columns first and second, matched by budget and place."""
    for name, value in (("first", first), ("second", second)):
        if not isinstance(value, str) or value not in set(table["variant"]):
            raise ValueError(f"{name} must be one of {', '.join(sorted(set(table['variant'])))}, got {value!r}")
    by = ["eps", *_places(table)]
    one, two = (table[table["variant"] == name][[*by, column]] for name in (first, second))
    pairs = one.merge(two, on=by, suffixes=("_first", "_second"), validate="one_to_one")
    if len(pairs) != len(one) or len(pairs) != len(two):
        raise ValueError(f"table must have both variants at every budget and place, got {len(one)} and {len(two)} rows")
    return pairs.rename(columns={f"{column}_first": "first", f"{column}_second": "second"})


def better_in_pairs(
    table: pd.DataFrame, column: str, first: str, second: str, *, lower: bool = True, factor: float = 1.0
) -> Check:
    """Check that variant `first` beats `second` in every pair of runs of one budget and place.

    Better is lower, or with `lower` false higher; `factor` says by how much: first < second / factor (or first > factor
    second). An instance is a pair. Raises ValueError for unknown variants or runs without a partner.
    """
    table, factor = _check_table(table, column), check_eps("factor", factor)
    tally = Tally("float")
    for row in _pairs(table, column, first, second).to_dict("records"):
        margin = float(row["second"] / factor - row["first"] if lower else row["first"] - factor * row["second"])
        tally.add(margin, decided=margin > 0, **{str(name): value for name, value in row.items()})
    return tally.check()


def sign_test(
    table: pd.DataFrame,
    column: str,
    first: str,
    second: str,
    *,
    lower: bool = True,
    rate: float = 1e-6,
    seed: int | None = None,
) -> Check:
    r"""Check at each budget that `first` beats `second` beyond chance, by an exact one-sided sign test over places.

    Were each as likely to win, a pass at one budget would have a probability of at most `rate`: the false-alarm rate,
    for each instance. Places are independent seeds; ties count against `first`. At 1e-6 at least 20 places are
    needed, all won. The margin is $\log_{10}(\mathrm{rate}/p)$. Raises ValueError for fewer places than could pass.
    """
    table = _check_table(table, column)
    rate = check_interval("rate", rate, 0.0, 0.5, open_low=True)
    seed = None if seed is None else check_seed("seed", seed)
    tally = Tally("float", seed=seed)
    for eps, rows in _pairs(table, column, first, second).groupby("eps"):
        if 0.5 ** len(rows) > rate:
            raise ValueError(f"table must have at least {math.ceil(-math.log2(rate))} places, got {len(rows)}")
        wins = int((rows["first"] < rows["second"]).sum() if lower else (rows["first"] > rows["second"]).sum())
        chance = float(binomtest(wins, len(rows), 0.5, alternative="greater").pvalue)
        tally.add(math.log10(rate / chance), eps=eps, wins=wins, places=len(rows), probability=chance)
    return tally.check()
