r"""The mixture of three Gaussians on the line: loss, coverage and modes by budget.

Source: v1 Figure 5, v3 Figure 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified.experiments.mbde_sweep import RunSettings, SeedRuns, runs_of_seed
from mollified.experiments.metrics import modes_on_line
from mollified.experiments.task_list import run_tasks

__all__ = [
    "MODES",
    "READINGS",
    "LineRuns",
    "LineSettings",
    "line_runs",
    "mode_distances",
]

#: The two readings of N(m, s): the name of the domain, and by component the standard
#: deviation.
READINGS = {"standard-deviation": "mixture-sd", "variance": "mixture-variance"}
#: The modes of the target in each reading (proved on the page), and the spread of what
#: makes them.
MODES = {
    "standard-deviation": ((0.3003, 0.01), (0.6, 0.1)),
    "variance": ((0.3103, 0.1),),
}
TRAINED = ("clip", "tanh", "released")
#: Nodes to a drawn point, and the range that is drawn.
THIN = 5
SHOWN = (-0.6, 1.6)


@dataclass(frozen=True)
class LineSettings:
    """Hold what is run in both readings.

    Densities are tabulated at the budgets `drawn`. `recipe` None takes each variant's
    own.
    """

    seed: int
    eps: tuple[float, ...]
    recipe: str | None
    drawn: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class LineRuns:
    """Hold what the runs of clip, tanh and released show, as tables.

    `measured` has the columns of `metrics.measure`, reading, place_0 and place_1 (the
    reading's number); `modes` one row a local maximum: reading, variant, eps, place_0,
    index, x, height; `densities` x, density, reading, variant, eps, of the first place.
    """

    measured: pd.DataFrame
    modes: pd.DataFrame
    densities: pd.DataFrame


def _seed_runs(
    reading: str,
    place: int,
    settings: LineSettings,
    *,
    drawn: bool,
) -> LineRuns:
    """Run one seed in one reading; where not `drawn` the densities are left out."""
    seed_runs = runs_of_seed(
        (place,),
        RunSettings(
            name=READINGS[reading],
            seed=settings.seed,
            eps=settings.eps,
            variants=TRAINED,
            recipe=settings.recipe,
        ),
    )
    measured = seed_runs.measured().assign(
        reading=reading,
        place_0=place,
        place_1=list(READINGS).index(reading),
    )
    budgets = settings.drawn if drawn else ()
    return LineRuns(
        measured,
        _modes(seed_runs, reading, place),
        _densities(seed_runs, reading, budgets),
    )


def _modes(seed_runs: SeedRuns, reading: str, place: int) -> pd.DataFrame:
    """Return one row for each local maximum of each run."""
    grid = seed_runs.grid
    log_q0 = seed_runs.log_q0
    rows = []
    for run in seed_runs.runs:
        logs = log_q0 + run.log_ratio
        places = modes_on_line(logs, grid)
        heights = np.exp(np.interp(places, grid.points[:, 0], logs))
        for index, (x, height) in enumerate(zip(places, heights, strict=True)):
            top = round(float(x), 4), round(float(height), 4)
            rows.append((reading, run.variant.name, run.eps, place, index, *top))
    columns = ["reading", "variant", "eps", "place_0", "index", "x", "height"]
    return pd.DataFrame(rows, columns=columns)


def _densities(
    seed_runs: SeedRuns,
    reading: str,
    budgets: tuple[float, ...],
) -> pd.DataFrame:
    """Return the densities of the runs at some budgets, on part of the line."""
    x = seed_runs.grid.points[:, 0]
    shown = (x >= SHOWN[0]) & (x <= SHOWN[1])
    log_q0 = seed_runs.log_q0
    tables = [pd.DataFrame()]
    for run in seed_runs.runs:
        if run.eps in budgets:
            density = np.exp((log_q0 + run.log_ratio)[shown][::THIN])
            table = pd.DataFrame({"x": x[shown][::THIN], "density": density}).round(4)
            tables.append(
                table.assign(reading=reading, variant=run.variant.name, eps=run.eps)
            )
    return pd.concat(tables, ignore_index=True)


@lru_cache(maxsize=8)
def line_runs(places: tuple[int, ...], settings: LineSettings) -> LineRuns:
    """Return the runs of all places in both readings, one task each.

    Densities are those of the first place. Runs with equal settings are kept.
    """
    tasks = [
        {
            "reading": reading,
            "place": place,
            "settings": settings,
            "drawn": place == places[0],
        }
        for reading in READINGS
        for place in places
    ]
    parts = run_tasks(_seed_runs, tasks)
    return LineRuns(
        measured=pd.concat([part.measured for part in parts], ignore_index=True),
        modes=pd.concat([part.modes for part in parts], ignore_index=True),
        densities=pd.concat([part.densities for part in parts], ignore_index=True),
    )


def mode_distances(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """Return how far the nearest maximum of each run is from each mode of the target.

    Columns variant, eps, place_0, place_1 (the mode's number), distance, spread (of the
    component that makes it). `table` has columns reading, variant, eps, place_0 and x,
    of one optimiser.
    """
    rows = []
    by = ["variant", "eps", "place_0"]
    for run, tops in table[table["reading"] == reading].groupby(by):
        for number, (centre, spread) in enumerate(MODES[reading]):
            distance = float((tops["x"] - centre).abs().min())
            rows.append((*run, number, distance, spread))
    return pd.DataFrame(rows, columns=[*by, "place_1", "distance", "spread"])
