r"""The experiments on all domains, from any Gaussian: measures and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from mollified.experiments.mbde_sweep import (
    Place,
    RunSettings,
    SeedRuns,
    runs_of_seed,
)
from mollified.experiments.metrics import mode_coverage
from mollified.experiments.task_list import run_tasks

__all__ = ["METRICS", "domain_runs"]

#: What a table of this page keeps of a run.
METRICS = ["nll", "gain", "spent", "coverage", "coverage_printed"]
#: Half the side of the pictures, in the units of the points.
SIDE = 5.6


def _runs_of_place(
    place: Place,
    settings: RunSettings,
    pixels: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run MBDE once for all variants and budgets, and return measures and pictures."""
    seed_runs = runs_of_seed(place, settings)
    at_start = _at_start(seed_runs)
    start = pd.DataFrame([{"variant": name, **at_start} for name in settings.variants])
    measured = seed_runs.measured()[["variant", "eps", *METRICS]]
    table = pd.concat([start, measured], ignore_index=True)
    first, second = (*place, 0)[:2]
    table.insert(0, "domain", settings.name)
    table.insert(1, "recipe", settings.recipe or "own")
    table.insert(2, "place_0", first)
    table.insert(3, "place_1", second)
    pictures = _pictures(seed_runs, pixels) if pixels else pd.DataFrame()
    return table, pictures


def _at_start(seed_runs: SeedRuns) -> dict[str, float]:
    """Return the row of $Q_0$, at budget 0."""
    grid = seed_runs.grid
    log_p = seed_runs.log_p
    log_q0 = seed_runs.log_q0
    return {
        "eps": 0.0,
        "nll": -float((np.exp(log_p) * grid.weights) @ log_q0),
        "gain": 0.0,
        "spent": 0.0,
        "coverage": mode_coverage(log_q0, log_p, grid),
        "coverage_printed": mode_coverage(log_q0, log_p, grid, form="printed"),
    }


def _pictures(seed_runs: SeedRuns, pixels: int) -> pd.DataFrame:
    """Return log10 of each run's density on pixels, one column a variant."""
    grid = seed_runs.grid
    side = np.round(np.linspace(-SIDE, SIDE, pixels), 6)
    mesh = np.stack(
        [axis.ravel() for axis in np.meshgrid(side, side, indexing="ij")], axis=1
    )
    log_q0 = seed_runs.reference.log_prob(mesh)
    tables: dict[float, pd.DataFrame] = {}
    for run in seed_runs.runs:
        table = run.log_ratio.reshape(grid.shape)
        ratio = RegularGridInterpolator(tuple(grid.axes), table)(mesh)
        frame = tables.setdefault(
            run.eps, pd.DataFrame({"eps": run.eps, "x": mesh[:, 0], "y": mesh[:, 1]})
        )
        frame[run.variant.name] = np.round((log_q0 + ratio) / np.log(10), 3)
    return pd.concat(tables.values(), ignore_index=True)


def domain_runs(
    places: Sequence[Place],
    settings: RunSettings,
    pixels: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    r"""Run MBDE on the places of a domain, one task each.

    The domain is one of the sweep or "small-ring" (radius 1, standard deviation 1/10,
    both unprinted). Returns what was measured, columns domain, recipe ("own": each
    variant's own), place_0, place_1, variant, eps (0 is $Q_0$), nll, gain, spent
    (nats), coverage and coverage_printed (shares); and $\log_{10}$ of the densities of
    the first place on a square of `pixels` x `pixels` (0 for none): eps, x, y, and a
    column for each variant.
    """
    tasks = [
        {"place": place, "settings": settings, "pixels": 0 if index else pixels}
        for index, place in enumerate(places)
    ]
    results = run_tasks(_runs_of_place, tasks)
    measured = pd.concat([table for table, _ in results], ignore_index=True)
    return measured, results[0][1]
