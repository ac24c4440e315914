r"""The mixture of three Gaussians on the line: loss, coverage and modes by budget (v1 Figure 5, v3 Figure 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import log_expit

from mollified._validate import check_count, check_each, check_eps, check_seed
from mollified.coverage import mode_coverage
from mollified.mbde_family import family_gain
from mollified.modes import modes_on_line
from mollified.recipes import RECIPES
from mollified.relative_mollifier import RelativeMollifier
from mollified.run_metrics import measure
from mollified.studies.mbde_sweep import domain, domain_grid, runs_of_seed
from mollified.task_list import run_tasks
from mollified.theta import spent_level

__all__ = ["READINGS", "curves", "densities", "line_runs", "mode_distances", "mode_places"]

#: The two readings of N(m, s): the name of the domain, and by component the standard deviation.
READINGS = {"standard-deviation": "mixture-sd", "variance": "mixture-variance"}
#: The modes of the target in each reading (proved on the page), and the spread of what makes them.
MODES = {
    "standard-deviation": ((0.3003, 0.01), (0.6, 0.1)),
    "variance": ((0.3103, 0.1),),
}
TRAINED = ("clip", "tanh", "released")
#: Nodes to a drawn point, and the range that is drawn.
THIN, SHOWN = 5, (-0.6, 1.6)

Runs = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


def _check_reading(reading: object) -> None:
    """Raise ValueError for what is no reading of the mixture."""
    if reading not in ("standard-deviation", "variance"):
        raise ValueError(f"reading must be standard-deviation or variance, got {reading!r}")


def _rounded(values: Any) -> Any:
    """Round densities to four digits after the point."""
    return np.round(values, 4)


def _seed_runs(
    reading: str, place: int, seed: int, eps: tuple[float, ...], recipe: str | None, drawn: tuple[float, ...]
) -> Runs:
    """Run one seed and return what was measured, where the modes are, and the densities at the budgets `drawn`."""
    runs, target, reference, grid = runs_of_seed(READINGS[reading], (place,), seed, eps, TRAINED, recipe)
    measured = measure(runs, target, reference, grid).assign(
        reading=reading, place_0=place, place_1=list(READINGS).index(reading)
    )
    log_q0 = reference.log_prob(grid.points)
    modes, shapes = [], []
    for run in runs:
        logs = log_q0 + run.log_ratio
        places = modes_on_line(logs, grid)
        heights = np.exp(np.interp(places, grid.points[:, 0], logs))
        for index, (x, height) in enumerate(zip(places, heights, strict=True)):
            modes.append(
                (reading, run.variant.name, run.eps, place, index, round(float(x), 4), round(float(height), 4))
            )
        if run.eps in drawn:
            shown = (grid.points[:, 0] >= SHOWN[0]) & (grid.points[:, 0] <= SHOWN[1])
            x, q = grid.points[shown, 0][::THIN], np.exp(logs[shown][::THIN])
            shapes.append(
                pd.DataFrame({"x": np.round(x, 4), "density": _rounded(q)}).assign(
                    reading=reading, variant=run.variant.name, eps=run.eps
                )
            )
    columns = ["reading", "variant", "eps", "place_0", "index", "x", "height"]
    drawn_table = pd.concat(shapes, ignore_index=True) if shapes else pd.DataFrame()
    return measured, pd.DataFrame(modes, columns=columns), drawn_table


@lru_cache(maxsize=8)
def _line_runs(
    places: tuple[int, ...], seed: int, eps: tuple[float, ...], recipe: str | None, drawn: tuple[float, ...]
) -> Runs:
    """Run one task for each reading and place, and join what they return."""
    tasks = [
        {
            "reading": reading,
            "place": place,
            "seed": seed,
            "eps": eps,
            "recipe": recipe,
            "drawn": drawn if place == places[0] else (),
        }
        for reading in READINGS
        for place in places
    ]
    parts = run_tasks(_seed_runs, tasks)
    first, second, third = (pd.concat([part[k] for part in parts], ignore_index=True) for k in range(3))
    return first, second, third


def line_runs(
    places: Sequence[int], seed: int, eps: Sequence[float], recipe: str | None, drawn: Sequence[float]
) -> Runs:
    """Return the runs of clip, tanh and released in both readings: (measured, modes, densities of the first place).

    Measured has the columns of `run_metrics.measure`, reading, place_0 and place_1 (the reading's number); modes one
    row a local maximum. `recipe` None takes each variant's own. Runs with equal settings are kept. Raises ValueError
    or TypeError for budgets that are not > 0, a bad seed or place, or an unknown recipe.
    """
    if recipe is not None and recipe not in RECIPES:
        raise ValueError(f"recipe must be one of {', '.join(RECIPES)} or None, got {recipe!r}")
    repeats = tuple(check_each("places", places, check_seed))
    levels, shown = (tuple(check_each(name, item, check_eps)) for name, item in (("eps", eps), ("drawn", drawn)))
    return _line_runs(repeats, check_seed("seed", seed), levels, recipe, shown)


def _both(
    seed: object, eps: object, fast_places: object, own_places: object, own_eps: object, drawn: object
) -> Iterator[tuple[str, Runs]]:
    """Yield (optimiser, runs) for the fast and for each variant's own recipe; arguments as in `curves`."""
    number = check_seed("seed", seed)
    counts = [check_count(n, item) for n, item in (("fast_places", fast_places), ("own_places", own_places))]
    levels = [check_each(n, item, check_eps) for n, item in (("eps", eps), ("own_eps", own_eps), ("drawn", drawn))]
    for recipe, name, count, budgets in (("fast", "fast", counts[0], levels[0]), (None, "own", counts[1], levels[1])):
        yield name, line_runs(list(range(count)), number, budgets, recipe, levels[2])


def exact_curves(reading: str, eps: tuple[float, ...], rounds: int = 3) -> pd.DataFrame:
    """Return what needs no training: nll and coverage of the mollification, nll of the best of MBDE's own family."""
    _check_reading(reading)
    target = domain(READINGS[reading])
    reference, grid = domain_grid(target)
    log_p, log_q0 = target.log_prob(grid.points), reference.log_prob(grid.points)
    weights = np.exp(log_p) * grid.weights
    mass = np.exp(log_q0) * grid.weights
    laws = weights / weights.sum(), mass / mass.sum()
    start = -float(weights @ log_q0)
    rows = []
    for level in eps:
        closest = RelativeMollifier(reference, level).project(target, grid).log_prob(grid.points)
        cap = spent_level(level, rounds) / 2
        best = float(family_gain(laws[0][np.newaxis], laws[1][np.newaxis], np.array([cap]))[0])
        covered = mode_coverage(closest, log_p, grid)
        rows.append((reading, "mollification", level, "nll", -float(weights @ closest)))
        rows.append((reading, "best of MBDE", level, "nll", start - best))
        rows.append((reading, "mollification", level, "coverage", covered))
    rows.append((reading, "reference", 0.0, "nll", start))
    rows.append((reading, "target", 0.0, "nll", -float(weights @ log_p)))
    rows.append((reading, "reference", 0.0, "coverage", mode_coverage(log_q0, log_p, grid)))
    return pd.DataFrame(rows, columns=["reading", "variant", "eps", "measure", "middle"])


def least_loss(reading: str) -> float:
    """Return the cross-entropy of the exact log-odds of target and reference, in nats: no classifier has less."""
    _check_reading(reading)
    target = domain(READINGS[reading])
    reference, grid = domain_grid(target)
    logs = [law.log_prob(grid.points) for law in (target, reference)]
    odds = logs[0] - logs[1]
    inside, outside = (np.exp(item) * grid.weights for item in logs)
    return -0.5 * float(inside @ log_expit(odds) + outside @ log_expit(-odds))


def curves(
    seed: int,
    eps: list[float],
    fast_places: int,
    own_places: int,
    own_eps: list[float],
    drawn: list[float],
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return loss and coverage against the budget: lowest, middle and highest of the seeds, by optimiser.

    Columns reading, optimiser (fast, own, exact), variant, measure, eps, low, middle, high, and repeat_0..repeat_3,
    the first four seeds. Raises as `line_runs`.
    """
    tables, facts = [], {}
    for name, (measured, _, _) in _both(seed, eps, fast_places, own_places, own_eps, drawn):
        count = int(measured["place_0"].nunique())
        for what in ("nll", "coverage", "coverage_printed"):
            by = measured.groupby(["reading", "variant", "eps"])[what]
            table = by.agg(low="min", middle="median", high="max").reset_index()
            for place in range(min(4, count)):
                rows = measured[measured["place_0"] == place].set_index(["reading", "variant", "eps"])[what]
                keys = list(table[["reading", "variant", "eps"]].itertuples(index=False, name=None))
                table[f"repeat_{place}"] = rows.loc[keys].to_numpy()
            tables.append(table.assign(optimiser=name, measure=what))
        facts[f"seeds_{name}"] = float(count)
    for reading in READINGS:
        table = exact_curves(reading, tuple(eps))
        tables.append(table.assign(optimiser="exact", low=table["middle"], high=table["middle"]))
        facts[f"bayes_loss_{reading}"] = least_loss(reading)
        for row in table[table["eps"] == 0].itertuples(index=False):
            facts[f"{row.variant}_{row.measure}_{reading}"] = float(str(row.middle))
    whole = pd.concat(tables, ignore_index=True)
    numbers = [name for name in whole.columns if whole[name].dtype.kind == "f" and name != "eps"]
    whole[numbers] = whole[numbers].round(6)
    return whole, facts


def densities(
    seed: int, eps: list[float], fast_places: int, own_places: int, own_eps: list[float], drawn: list[float]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return target, reference, mollification and outputs of the first seed at the budgets `drawn`, at places x.

    Columns reading, eps, x, target, reference, mollification, and clip and released by optimiser (clip_fast, ..). The
    arguments are those of `curves`, so that both share their runs.
    """
    tables, runs = [], dict(_both(seed, eps, fast_places, own_places, own_eps, drawn))
    for reading, place in READINGS.items():
        target = domain(place)
        reference, grid = domain_grid(target)
        shown = (grid.points[:, 0] >= SHOWN[0]) & (grid.points[:, 0] <= SHOWN[1])
        points = grid.points[shown][::THIN]
        for level in drawn:
            closest = RelativeMollifier(reference, level).project(target, grid)
            columns = {
                law: _rounded(np.exp(item.log_prob(points)))
                for law, item in (("target", target), ("reference", reference), ("mollification", closest))
            }
            for name, (_, _, shapes) in runs.items():
                rows = shapes[(shapes["reading"] == reading) & (shapes["eps"] == level)]
                for variant in ("clip", "released"):
                    columns[f"{variant}_{name}"] = rows.loc[rows["variant"] == variant, "density"].to_numpy()
            tables.append(pd.DataFrame({"x": np.round(points[:, 0], 4), **columns}).assign(reading=reading, eps=level))
    return pd.concat(tables, ignore_index=True), {}


def mode_places(
    seed: int, eps: list[float], fast_places: int, own_places: int, own_eps: list[float], drawn: list[float]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return where the densities have their local maxima: columns reading, optimiser, variant, eps, place_0, index, x.

    The mollification is there with optimiser "exact" and the target with budget 0. Arguments as in `curves`.
    """
    tables = []
    for name, (_, modes, _) in _both(seed, eps, fast_places, own_places, own_eps, drawn):
        tables.append(modes[modes["place_0"] < 4].assign(optimiser=name))
    rows = []
    for reading, place in READINGS.items():
        target = domain(place)
        reference, grid = domain_grid(target)
        laws = [("target", 0.0, target.log_prob(grid.points))]
        for level in eps:
            closest = RelativeMollifier(reference, level).project(target, grid).log_prob(grid.points)
            # Kinks of the clipped density can be told from rounding only above this.
            laws.append(("mollification", level, np.round(closest, 9)))
        for name, level, logs in laws:
            for index, x in enumerate(modes_on_line(logs, grid)):
                height = float(np.exp(np.interp(x, grid.points[:, 0], logs)))
                rows.append((reading, name, level, 0, index, round(float(x), 4), round(height, 4)))
    columns = ["reading", "variant", "eps", "place_0", "index", "x", "height"]
    tables.append(pd.DataFrame(rows, columns=columns).assign(optimiser="exact"))
    return pd.concat(tables, ignore_index=True), {}


def mode_distances(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """Return for each run and each mode of the target how far the nearest local maximum of the output is.

    Columns variant, eps, place_0, place_1 (the mode's number), distance, spread (of the component that makes it).
    `table` is that of `mode_places`, of one optimiser. Raises ValueError for another reading.
    """
    _check_reading(reading)
    columns = {"reading", "variant", "eps", "place_0", "x"}
    if not isinstance(table, pd.DataFrame) or not columns <= set(table.columns):
        raise TypeError(f"table must be a DataFrame with columns {sorted(columns)}, got {table!r:.120}")
    rows = []
    for (variant, eps, place), tops in table[table["reading"] == reading].groupby(["variant", "eps", "place_0"]):
        for number, (centre, spread) in enumerate(MODES[reading]):
            rows.append((variant, eps, place, number, float((tops["x"] - centre).abs().min()), spread))
    return pd.DataFrame(rows, columns=["variant", "eps", "place_0", "place_1", "distance", "spread"])
