r"""Randomly placed Gaussians in the plane: densities and losses of MBDE and DPB (v1 Figure 8, v2 Figure 7)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.theta import spent_level
from mollified.experiments.dpb_settings import MIXED, DpbDomain, find_dpb_domain
from mollified.experiments.mbde_sweep import domain_grid
from mollified.experiments.random_experiment import DPB_CURVES
from mollified.experiments.run_metrics import spent
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import random_2d
from mollified.mechanisms.bernstein_release import noise_scale, release_lattice
from mollified.mollifiers.repair import repaired
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.recipes import RECIPES
from mollified.training.variants import find_variant

__all__ = ["plane_densities", "plane_losses", "plane_target"]

VARIANT_NAMES = ("clip", "tanh", "released")
DEGREE = 20
ORDER = 1
RECORDS = 10_000

Made = tuple[list[GridRun], Mixture, Grid, dict[tuple[str, float], Array], DpbDomain]


def plane_target(m: int, repeat: int, seed: int, half_width: float) -> Mixture:
    """Return m Gaussians with means uniform on a square, variance (half_width / 8)²; scales share their placement."""
    return random_2d(m, task_rng(seed, m, repeat, 0), half_width, (half_width / 8) ** 2)


def _dpb_domain(target: Mixture, half_width: float) -> DpbDomain:
    """Return the public box, half as wide again as the square of the means, and the bandwidths of the ring, scaled."""
    ring = find_dpb_domain("ring")
    factor = half_width / 4.0
    side = 1.5 * half_width
    return DpbDomain(
        "random-2d",
        "random 2D Gaussians",
        target,
        -side,
        side,
        161,
        tuple(factor * h for h in ring.candidates),
    )


@lru_cache(maxsize=8)
def _make(
    m: int, repeat: int, seed: int, half_width: float, eps: tuple[float, ...]
) -> Made:
    """Run MBDE and DPB on one placement; DPB's densities are on its own grid, keyed by unit and budget."""
    target = plane_target(m, repeat, seed, half_width)
    reference, grid = domain_grid(target)
    chosen = [find_variant(name) for name in VARIANT_NAMES]
    runs = grid_mbde(
        target,
        reference,
        grid,
        list(eps),
        chosen,
        3,
        task_rng(seed, m, repeat, 1),
        recipe=RECIPES["fast"],
    )
    setting = _dpb_domain(target, half_width)
    box = setting.grid
    data, choice = setting.draw(RECORDS, task_rng(seed, m, repeat, 2))
    share = choice.bandwidth / (setting.high - setting.low)
    densities: dict[tuple[str, float], Array] = {}
    for unit, calibration in DPB_CURVES:
        for level in eps:
            scale = noise_scale(level, DEGREE, 2, share, RECORDS, calibration, unit)
            made = release_lattice(
                data,
                setting.low,
                setting.high,
                DEGREE,
                choice.bandwidth,
                scale,
                task_rng(seed, m, repeat, 3),
            ).function(box.axes, ORDER)
            densities[(unit, level)] = repaired(
                made.ravel(), box.weights, "shift", uniform=MIXED
            )
    return runs, target, grid, densities, setting


def _losses(
    m: int, repeat: int, seed: int, half_width: float, eps: tuple[float, ...]
) -> list[tuple[Any, ...]]:
    """Return rows (half_width, m, repeat, method, eps, nll, spent) of one placement."""
    runs, target, grid, densities, setting = _make(m, repeat, seed, half_width, eps)
    reference, _ = domain_grid(target)
    log_q0 = reference.log_prob(grid.points)
    weights = np.exp(target.log_prob(grid.points)) * grid.weights
    start = -float(weights @ log_q0)
    at = (half_width, m, repeat)
    rows: list[tuple[Any, ...]] = [
        (*at, "reference", 0.0, start, 0.0),
        (*at, "uniform", 0.0, setting.uniform_nll, 0.0),
    ]
    for run in runs:
        rows.append(
            (
                *at,
                run.variant.name,
                run.eps,
                start - float(weights @ run.log_ratio),
                spent(run),
            )
        )
    rows += [
        (*at, "floor", level, start - spent_level(level, 3) / 2, level) for level in eps
    ]
    mass = setting.weights(setting.grid)
    rows += [
        (*at, unit, level, -float(mass @ np.log(q)), level)
        for (unit, level), q in densities.items()
    ]
    return rows


def plane_losses(
    seed: int, counts: list[int], repeats: int, eps: list[float], scales: list[float]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return the losses of MBDE and DPB on random Gaussians in the plane.

    Columns half_width, m, repeat, method, eps, nll, spent. Methods: reference ($Q_0$),
    uniform (on DPB's box), clip, tanh, released, floor (the loss of $Q_0$ less
    $\frac\varepsilon2(1-\theta_3)$: no output of MBDE as described is below), record
    and input (DPB by unit, with published and exact noise).
    """
    tasks = [
        {"m": m, "repeat": repeat, "seed": seed, "half_width": width, "eps": tuple(eps)}
        for width in scales
        for m in counts
        for repeat in range(repeats)
    ]
    # A few placements stay in this process, where the pictures find their runs again.
    rows = [
        row
        for part in run_tasks(_losses, tasks, jobs=1 if len(tasks) <= 2 else None)
        for row in part
    ]
    table = pd.DataFrame(
        rows, columns=["half_width", "m", "repeat", "method", "eps", "nll", "spent"]
    )
    table[["nll", "spent"]] = table[["nll", "spent"]].round(6)
    return table, {}


def _on_pixels(values: Array, grid: Grid, axis: Array) -> Array:
    """Return values at the nodes of a grid that are nearest to the pixels."""
    table = values.reshape(grid.shape)
    near = [
        np.abs(nodes[:, np.newaxis] - axis[np.newaxis]).argmin(axis=0)
        for nodes in grid.axes
    ]
    return np.asarray(table[np.ix_(near[0], near[1])]).ravel()


def plane_densities(
    seed: int, m: int, eps: list[float], half_width: float, pixels: int
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return densities of one placement on pixels: target, DPB by unit, MBDE as printed (clip) and as released.

    Columns x, y, target, and <method>_<eps> for record, input, clip, released; relative
    to the largest value of the target, three digits. Facts: the loss of each panel, and
    the means of the components.
    """
    runs, target, grid, densities, setting = _make(m, 0, seed, half_width, tuple(eps))
    axis = np.linspace(setting.low, setting.high, pixels)
    x, y = (item.ravel() for item in np.meshgrid(axis, axis, indexing="ij"))
    truth = np.exp(target.log_prob(np.stack([x, y], axis=1)))
    reference, _ = domain_grid(target)
    columns = {"x": np.round(x, 4), "y": np.round(y, 4), "target": truth}
    for (unit, level), q in densities.items():
        columns[f"{unit}_{level:g}"] = _on_pixels(q, setting.grid, axis)
    for run in runs:
        if run.variant.name != "tanh":
            q = np.exp(reference.log_prob(grid.points) + run.log_ratio)
            columns[f"{run.variant.name}_{run.eps:g}"] = _on_pixels(q, grid, axis)
    facts = {
        f"{row[3]}_{row[4]:g}": row[5]
        for row in _losses(m, 0, seed, half_width, tuple(eps))
    }
    table = pd.DataFrame(columns)
    for name in table.columns[3:]:
        table[name] = np.round(table[name] / truth.max(), 4)
    table["target"] = np.round(truth / truth.max(), 4)
    return table, facts
