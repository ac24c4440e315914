r"""The experiments on the ring and the other domains, from any Gaussian: what was measured, and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from mollified.experiments.coverage import mode_coverage
from mollified.experiments.mbde_sweep import runs_of_seed
from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import run_tasks
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid

__all__ = ["METRICS", "domain_runs"]

#: What a table of this page keeps of a run.
METRICS = ["nll", "gain", "spent", "coverage", "coverage_printed"]
#: Half the side of the pictures, in the units of the points.
SIDE = 5.6


def _one(
    name: str,
    place: tuple[int, ...],
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str,
    start: tuple[float, float],
    pixels: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Run MBDE once for all variants and budgets; return what was measured, and log10 densities on pixels."""
    training = None if recipe == "own" else recipe
    runs, target, reference, grid = runs_of_seed(
        place,
        name=name,
        seed=seed,
        eps=eps,
        variants=variants,
        recipe=training,
        start=start,
    )
    table = measure(runs, target, reference, grid)[["variant", "eps", *METRICS]]
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    zero: dict[str, Any] = {
        "eps": 0.0,
        "nll": -float((np.exp(log_p) * grid.weights) @ log_q0),
        "gain": 0.0,
        "spent": 0.0,
        "coverage": mode_coverage(log_q0, log_p, grid),
        "coverage_printed": mode_coverage(log_q0, log_p, grid, form="printed"),
    }
    table = pd.concat(
        [pd.DataFrame([{"variant": item, **zero} for item in variants]), table],
        ignore_index=True,
    )
    table.insert(0, "domain", name)
    table.insert(1, "recipe", recipe)
    for index in range(2):
        table.insert(
            2 + index, f"place_{index}", place[index] if index < len(place) else 0
        )
    return table, _pictures(runs, reference, grid, pixels) if pixels else pd.DataFrame()


def _pictures(
    runs: Sequence[Any], reference: Gaussian, grid: Grid, pixels: int
) -> pd.DataFrame:
    """Return log10 of each run's density on a square of pixels, one column a variant."""
    side = np.round(np.linspace(-SIDE, SIDE, pixels), 6)
    mesh = np.stack(
        [axis.ravel() for axis in np.meshgrid(side, side, indexing="ij")], axis=1
    )
    base = reference.log_prob(mesh)
    tables: dict[float, pd.DataFrame] = {}
    for run in runs:
        ratio = RegularGridInterpolator(
            tuple(grid.axes), run.log_ratio.reshape(grid.shape)
        )(mesh)
        frame = tables.setdefault(
            run.eps, pd.DataFrame({"eps": run.eps, "x": mesh[:, 0], "y": mesh[:, 1]})
        )
        frame[run.variant.name] = np.round((base + ratio) / np.log(10), 3)
    return pd.concat(tables.values(), ignore_index=True)


def domain_runs(
    name: str,
    places: Sequence[Sequence[int]],
    seed: int,
    eps: Sequence[float],
    variants: Sequence[str],
    recipe: str,
    start: tuple[float, float] = (0.0, 1.0),
    pixels: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    r"""Run MBDE on the places of a domain, from a Gaussian with mean and variance `start` on each axis, one task each.

    `name` is a domain of the sweep or "small-ring" (radius 1, standard deviation 1/10,
    both unprinted); `recipe` that of all variants, or "own", that of each variant's
    source. Returns what was measured, columns domain, recipe, place_0, place_1,
    variant, eps (0 is $Q_0$), nll, gain, spent (nats), coverage and coverage_printed
    (shares); and $\log_{10}$ of the densities of the first place on a square of
    `pixels` x `pixels` (0 for none): eps, x, y, and a column for each variant.
    """
    settings = {
        "name": name,
        "seed": seed,
        "eps": tuple(eps),
        "variants": tuple(variants),
        "recipe": recipe,
        "start": start,
    }
    tasks = [
        {**settings, "place": tuple(place), "pixels": 0 if index else pixels}
        for index, place in enumerate(places)
    ]
    results = run_tasks(_one, tasks)
    return pd.concat([table for table, _ in results], ignore_index=True), results[0][1]
