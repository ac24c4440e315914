r"""The data of the interactive figure: MBDE on the ring, at the papers' budgets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from mollified._validate import Array
from mollified.experiments.mbde_sweep import RunSettings, SeedRuns, runs_of_seed
from mollified.experiments.metrics import (
    component_means,
    mode_coverage,
    modes_shown,
    spent,
)
from mollified.mollifiers.relative_mollifier import RelativeMollifier

__all__ = ["SIDE", "RingMeasures", "log_ratio_pixels", "ring_measures", "ring_settings"]

#: The picture shows the square [-SIDE, SIDE]^2.
SIDE = 6.0
#: A mode counts as shown where a maximum is so near (units of the plane).
REACH = 0.5


def ring_settings(seed: int, eps: tuple[float, ...], recipe: str | None) -> RunSettings:
    """Return the runs of the figure: as printed (clip) and as released."""
    return RunSettings("ring", seed, eps, ("clip", "released"), recipe)


@lru_cache(maxsize=2)
def _runs(settings: RunSettings) -> SeedRuns:
    return runs_of_seed((0,), settings)


def log_ratio_pixels(settings: RunSettings, pixels: int) -> pd.DataFrame:
    r"""Return $\log Q_T/Q_0$ in nats, rounded to 0.01, on points of a square.

    One row for each budget, variant and y: columns eps, variant, y, x0, x1...; x and y
    run over [-6, 6] in `pixels` equal steps. Target, reference and mollification need
    no table, as they have formulas.
    """
    seed_runs = _runs(settings)
    grid = seed_runs.grid
    side = np.linspace(-SIDE, SIDE, pixels)
    places = np.stack(
        [axis.ravel() for axis in np.meshgrid(side, side, indexing="xy")], axis=1
    )
    tables = []
    for run in seed_runs.runs:
        ratio = RegularGridInterpolator(grid.axes, run.log_ratio.reshape(grid.shape))
        values = np.round(ratio(places), 2) + 0.0  # no negative zero
        table = pd.DataFrame(values.reshape(pixels, pixels)).add_prefix("x")
        table.insert(0, "y", np.round(side, 6))
        table.insert(0, "variant", run.variant.name)
        table.insert(0, "eps", run.eps)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


@dataclass(frozen=True, eq=False)
class RingMeasures:
    r"""Hold what the interactive figure says in numbers: one row a budget and law.

    `table` has columns eps, law (clip, released, projection), nll, gain (nats), spent
    ($2\sup|\log Q/Q_0|$ at the nodes: errs on the low side), modes (of 8, a local
    maximum within 0.5), coverage, log_constant ($\log C$ of the mollification, zero for
    the others). `entropy` is the loss of the target itself, in nats.
    """

    table: pd.DataFrame
    entropy: float


def ring_measures(settings: RunSettings) -> RingMeasures:
    """Return the measures of the runs, and of the mollification at their budgets."""
    seed_runs = _runs(settings)
    grid = seed_runs.grid
    log_p = seed_runs.log_p
    log_q0 = seed_runs.log_q0
    weights = np.exp(log_p) * grid.weights
    centres = component_means(seed_runs.target)

    def measured(log_q: Array) -> dict[str, float]:
        return {
            "nll": -float(weights @ log_q),
            "gain": float(weights @ (log_q - log_q0)),
            "spent": spent(log_q - log_q0),
            "modes": float(modes_shown(log_q, grid, centres, REACH)),
            "coverage": mode_coverage(log_q, log_p, grid),
        }

    rows = []
    for run in seed_runs.runs:
        law = {"eps": run.eps, "law": run.variant.name}
        rows.append({**law, **measured(log_q0 + run.log_ratio), "log_constant": 0.0})
    for eps in settings.eps:
        mollifier = RelativeMollifier(seed_runs.reference, eps)
        closest = mollifier.project(seed_runs.target, grid)
        law = {"eps": eps, "law": "projection"}
        measures = measured(closest.log_prob(grid.points))
        rows.append({**law, **measures, "log_constant": closest.log_constant})
    return RingMeasures(pd.DataFrame(rows), -float(weights @ log_p))
