r"""Randomly placed Gaussians in the plane: densities and losses of MBDE and DPB.

Source: v1 Figure 8, v2 Figure 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.theta import spent_level
from mollified.experiments.dpb_settings import DpbDomain, find_dpb_domain
from mollified.experiments.mbde_sweep import SeedRuns, domain_grid
from mollified.experiments.metrics import spent
from mollified.experiments.random_experiment import DPB_CURVES
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import random_2d
from mollified.mechanisms.bernstein_release import Unit
from mollified.training.grid_mbde import grid_mbde
from mollified.training.recipes import FAST
from mollified.training.variants import find_variant

__all__ = ["Placement", "plane_densities", "plane_losses", "plane_target"]

VARIANT_NAMES = ("clip", "tanh", "released")
ROUNDS = 3
RECORDS = 10_000
#: Half the side of the square of the means for which the ring's bandwidths are meant.
RING_HALF_WIDTH = 4.0


@dataclass(frozen=True)
class Placement:
    """Hold m, the number of the placement, its seed, and half its side."""

    m: int
    repeat: int
    seed: int
    half_width: float

    def rng(self, purpose: int) -> np.random.Generator:
        """Return the generator for one purpose; scales share their placement."""
        return task_rng(self.seed, self.m, self.repeat, purpose)


@dataclass(frozen=True, eq=False)
class _PlaneRuns:
    """Hold the runs of MBDE, and DPB's densities on its own grid by unit and budget."""

    mbde: SeedRuns
    densities: dict[tuple[Unit, float], Array]
    dpb: DpbDomain


def plane_target(place: Placement) -> Mixture:
    """Return m Gaussians, means uniform on a square, variance (half_width / 8)²."""
    width = place.half_width
    return random_2d(place.m, place.rng(0), width, (width / 8) ** 2)


def _dpb_domain(target: Mixture, half_width: float) -> DpbDomain:
    """Return the public box, half as wide again as the square, and bandwidths."""
    factor = half_width / RING_HALF_WIDTH
    side = 1.5 * half_width
    bandwidths = tuple(factor * h for h in find_dpb_domain("ring").candidates)
    return DpbDomain(
        "random-2d",
        "random 2D Gaussians",
        target,
        -side,
        side,
        161,
        bandwidths,
    )


@lru_cache(maxsize=8)
def _plane_runs(place: Placement, eps: tuple[float, ...]) -> _PlaneRuns:
    """Run MBDE and DPB on one placement."""
    target = plane_target(place)
    reference, grid = domain_grid(target)
    runs = grid_mbde(
        target,
        reference,
        grid,
        eps,
        [find_variant(name) for name in VARIANT_NAMES],
        ROUNDS,
        place.rng(1),
        recipe=FAST,
    )
    box = _dpb_domain(target, place.half_width)
    data = box.draw(RECORDS, place.rng(2))
    densities = {
        (curve[0], level): data.density(level, curve, box.grid, place.rng(3))
        for curve in DPB_CURVES
        for level in eps
    }
    return _PlaneRuns(SeedRuns(runs, target, reference, grid), densities, box)


def _losses(place: Placement, eps: tuple[float, ...]) -> pd.DataFrame:
    """Return the rows of `plane_losses` for one placement, not rounded."""
    plane = _plane_runs(place, eps)
    grid = plane.mbde.grid
    weights = np.exp(plane.mbde.log_p) * grid.weights
    start = -float(weights @ plane.mbde.log_q0)
    mass = plane.dpb.weights(plane.dpb.grid)
    rows = [
        ("reference", 0.0, start, 0.0),
        ("uniform", 0.0, plane.dpb.uniform_nll, 0.0),
    ]
    for run in plane.mbde.runs:
        nll = start - float(weights @ run.log_ratio)
        rows.append((run.variant.name, run.eps, nll, spent(run.log_ratio)))
    for level in eps:
        floor = start - spent_level(level, ROUNDS) / 2
        rows.append(("floor", level, floor, level))
    for (unit, level), density in plane.densities.items():
        rows.append((unit, level, -float(mass @ np.log(density)), level))
    table = pd.DataFrame(rows, columns=["method", "eps", "nll", "spent"])
    table.insert(0, "half_width", place.half_width)
    table.insert(1, "m", place.m)
    table.insert(2, "repeat", place.repeat)
    return table


def plane_losses(places: Sequence[Placement], eps: tuple[float, ...]) -> pd.DataFrame:
    r"""Return the losses of MBDE and DPB on random Gaussians in the plane.

    Columns half_width, m, repeat, method, eps, nll, spent. Methods: reference ($Q_0$),
    uniform (on DPB's box), clip, tanh, released, floor (the loss of $Q_0$ less
    $\frac\varepsilon2(1-\theta_3)$: no output of MBDE as described is below), record
    and input (DPB by unit, with published and exact noise).
    """
    tasks = [{"place": place, "eps": eps} for place in places]
    # A few placements stay in this process, where the pictures find their runs again.
    jobs = 1 if len(tasks) <= 2 else None
    losses: list[pd.DataFrame] = run_tasks(_losses, tasks, jobs=jobs)
    return pd.concat(losses, ignore_index=True).round({"nll": 6, "spent": 6})


def _on_pixels(values: Array, grid: Grid, axis: Array) -> Array:
    """Return values at the nodes of a grid that are nearest to the pixels."""
    table = values.reshape(grid.shape)
    near = [
        np.abs(nodes[:, np.newaxis] - axis[np.newaxis]).argmin(axis=0)
        for nodes in grid.axes
    ]
    return np.asarray(table[np.ix_(near[0], near[1])]).ravel()


def plane_densities(
    place: Placement,
    eps: tuple[float, ...],
    pixels: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return densities of one placement on pixels, and the losses of `plane_losses`.

    Columns x, y, target, and <method>_<eps> for DPB by unit (record, input) and MBDE as
    printed (clip) and as released; relative to the largest value of the target, four
    digits after the point. The losses are not rounded.
    """
    plane = _plane_runs(place, eps)
    grid = plane.mbde.grid
    axis = np.linspace(plane.dpb.low, plane.dpb.high, pixels)
    x, y = (item.ravel() for item in np.meshgrid(axis, axis, indexing="ij"))
    truth = np.exp(plane.mbde.target.log_prob(np.stack([x, y], axis=1)))
    densities = {"target": truth}
    for (unit, level), density in plane.densities.items():
        densities[f"{unit}_{level:g}"] = _on_pixels(density, plane.dpb.grid, axis)
    log_q0 = plane.mbde.log_q0
    for run in plane.mbde.runs:
        if run.variant.name != "tanh":
            density = np.exp(log_q0 + run.log_ratio)
            name = f"{run.variant.name}_{run.eps:g}"
            densities[name] = _on_pixels(density, grid, axis)
    table = pd.DataFrame({"x": np.round(x, 4), "y": np.round(y, 4)})
    for name, density in densities.items():
        table[name] = np.round(density / truth.max(), 4)
    return table, _losses(place, eps)
