r"""The mixture of three Gaussians on the line: loss, coverage and modes by budget (v1 Figure 5, v3 Figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from mollified.experiments.mbde_sweep import runs_of_seed
from mollified.experiments.modes import modes_on_line
from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import run_tasks

__all__ = ["MODES", "READINGS", "line_runs", "mode_distances"]

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

Runs = tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]


def _rounded(values: Any) -> Any:
    """Round densities to four digits after the point."""
    return np.round(values, 4)


def _seed_runs(
    reading: str,
    place: int,
    seed: int,
    eps: tuple[float, ...],
    recipe: str | None,
    drawn: tuple[float, ...],
) -> Runs:
    """Run one seed and return what was measured, where the modes are, and the densities at the budgets `drawn`."""
    runs, target, reference, grid = runs_of_seed(
        (place,),
        name=READINGS[reading],
        seed=seed,
        eps=eps,
        variants=TRAINED,
        recipe=recipe,
    )
    measured = measure(runs, target, reference, grid).assign(
        reading=reading, place_0=place, place_1=list(READINGS).index(reading)
    )
    log_q0 = reference.log_prob(grid.points)
    modes = []
    shapes = []
    for run in runs:
        logs = log_q0 + run.log_ratio
        places = modes_on_line(logs, grid)
        heights = np.exp(np.interp(places, grid.points[:, 0], logs))
        for index, (x, height) in enumerate(zip(places, heights, strict=True)):
            modes.append(
                (
                    reading,
                    run.variant.name,
                    run.eps,
                    place,
                    index,
                    round(float(x), 4),
                    round(float(height), 4),
                )
            )
        if run.eps in drawn:
            shown = (grid.points[:, 0] >= SHOWN[0]) & (grid.points[:, 0] <= SHOWN[1])
            x = grid.points[shown, 0][::THIN]
            q = np.exp(logs[shown][::THIN])
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
    places: tuple[int, ...],
    seed: int,
    eps: tuple[float, ...],
    recipe: str | None,
    drawn: tuple[float, ...],
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
    first, second, third = (
        pd.concat([part[k] for part in parts], ignore_index=True) for k in range(3)
    )
    return first, second, third


def line_runs(
    places: Sequence[int],
    seed: int,
    eps: Sequence[float],
    recipe: str | None,
    drawn: Sequence[float],
) -> Runs:
    """Return the runs of clip, tanh and released in both readings: (measured, modes, densities of the first place).

    Measured has the columns of `run_metrics.measure`, reading, place_0 and place_1 (the
    reading's number); modes one row a local maximum. `recipe` None takes each variant's
    own. Runs with equal settings are kept.
    """
    return _line_runs(tuple(places), seed, tuple(eps), recipe, tuple(drawn))


def mode_distances(table: pd.DataFrame, reading: str) -> pd.DataFrame:
    """Return for each run and each mode of the target how far the nearest local maximum of the output is.

    Columns variant, eps, place_0, place_1 (the mode's number), distance, spread (of the
    component that makes it). `table` has columns reading, variant, eps, place_0 and x,
    of one optimiser.
    """
    rows = []
    for (variant, eps, place), tops in table[table["reading"] == reading].groupby(
        ["variant", "eps", "place_0"]
    ):
        for number, (centre, spread) in enumerate(MODES[reading]):
            rows.append(
                (
                    variant,
                    eps,
                    place,
                    number,
                    float((tops["x"] - centre).abs().min()),
                    spread,
                )
            )
    return pd.DataFrame(
        rows, columns=["variant", "eps", "place_0", "place_1", "distance", "spread"]
    )
