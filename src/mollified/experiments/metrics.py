r"""What is measured of a run: loss, gain, budget spent, coverage, modes, curves.

Source of loss and coverage: v1, v2, v3, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid, IntegrationSpace

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.training.grid_mbde import GridRun

__all__ = [
    "component_means",
    "falls_from_start",
    "maxima_in_plane",
    "measure",
    "mode_coverage",
    "modes_on_line",
    "modes_shown",
    "spent",
    "steepness",
]

#: The columns that name a series.
SERIES = ["domain", "variant", "recipe", "place_0", "place_1"]


def spent(log_ratio: Array) -> float:
    r"""Return $2\sup|\log Q_T/Q_0|$ over the nodes, in nats.

    It is the budget that the output itself shows to be used. It errs on the low side:
    the nodes are not all points, and other inputs may go further. A law that is inside
    the relative mollifier of level $\varepsilon$ spends at most $\varepsilon$.
    """
    return 2 * float(np.abs(log_ratio).max())


def measure(
    runs: Iterable[GridRun],
    target: Distribution,
    reference: Distribution,
    space: IntegrationSpace,
) -> pd.DataFrame:
    r"""Return one row a run.

    All by quadrature on `space`, and in nats where not a share. Columns variant, eps;
    nll ($-\mathbb E_P\log Q_T$), gain
    ($\Delta=\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q_T)$), spent (see `spent`),
    promised (`Variant.level`), coverage and coverage_printed (shares), loss_1..
    (cross-entropies by round), largest (of |c_t|).
    """
    log_p = target.log_prob(space.points)
    log_q0 = reference.log_prob(space.points)
    weights = np.exp(log_p) * space.weights
    rows = []
    for run in runs:
        log_q = log_q0 + run.log_ratio
        rows.append(
            {
                "variant": run.variant.name,
                "eps": run.eps,
                "nll": -float(weights @ log_q),
                "gain": float(weights @ run.log_ratio),
                "spent": spent(run.log_ratio),
                "promised": run.variant.level(run.eps, len(run.thetas)),
                "coverage": mode_coverage(log_q, log_p, space),
                "coverage_printed": mode_coverage(log_q, log_p, space, form="printed"),
                **{f"loss_{t}": loss for t, loss in enumerate(run.losses, start=1)},
                "largest": run.largest,
            }
        )
    return pd.DataFrame(rows)


def mode_coverage(
    log_model: Array,
    log_target: Array,
    space: IntegrationSpace,
    level: float = 0.95,
    form: Literal["high-density", "printed"] = "high-density",
) -> float:
    r"""Return the mass of $P$ where the model $q$ is high.

    The region there has `level` of $Q$'s own mass.

    "high-density": $P(q\ge t)$ with $Q(q\ge t)=$ `level`: what the text describes and
    the authors' code computes. "printed": $P(q<t)$ with $Q(q<t)=$ `level`, which keeps
    the 95 % where the model is *lowest*. Logs have shape (N,), at the points of the
    space; both laws are normalised on it. Points are taken by falling (rising) density,
    and the one that crosses `level` counts in part, so that a $t$ is not needed: where
    the density is constant across the level, that point's share stands for a region
    that no $t$ cuts out. The error is at most the target's mass on one cell.
    """
    q = np.exp(log_model - log_model.max()) * space.weights
    p = np.exp(log_target - log_target.max()) * space.weights
    ranks = -log_model if form == "high-density" else log_model
    order = np.argsort(ranks, kind="stable")
    held = np.cumsum(q[order]) / q.sum()
    covered = np.cumsum(p[order]) / p.sum()
    return float(np.interp(level, np.append(0.0, held), np.append(0.0, covered)))


def component_means(target: Mixture) -> Array:
    """Return the means of the Gaussian components of a mixture, shape (m, d)."""
    parts = [item for item in target.components if isinstance(item, Gaussian)]
    return np.stack([part.mean for part in parts])


def maxima_in_plane(values: Array, grid: Grid) -> Array:
    """Return the nodes where a function in the plane has a strict local maximum.

    Shape (k, 2). `values` has shape (N,), at the points of the grid. Each inner node is
    compared with its 8 neighbours; the border is left out. A maximum narrower than a
    cell is not seen.
    """
    table = values.reshape(grid.shape)
    inner = table[1:-1, 1:-1]
    rows, columns = inner.shape
    steps = [(i, j) for i in (0, 1, 2) for j in (0, 1, 2) if (i, j) != (1, 1)]
    peak = np.logical_and.reduce(
        [inner > table[i : i + rows, j : j + columns] for i, j in steps]
    )
    tops: Array = grid.points.reshape(*grid.shape, 2)[1:-1, 1:-1][peak]
    return tops


def modes_shown(log_density: Array, grid: Grid, centres: Array, radius: float) -> int:
    r"""Return at how many centres a density in the plane has a maximum within `radius`.

    The maxima are those of `maxima_in_plane`; `log_density` has shape (N,), `centres`
    shape (m, 2), and `radius` > 0 is in the units of the points. Errs on the low side,
    by maxima narrower than a cell.
    """
    tops = maxima_in_plane(log_density, grid)
    near = np.linalg.norm(tops[:, None, :] - centres[None, :, :], axis=2) <= radius
    return int(near.any(axis=0).sum())


def modes_on_line(log_density: Array, grid: Grid) -> Array:
    r"""Return where a density on the line has its local maxima, ascending; shape (k,).

    `log_density` has shape (N,), at the points of a one-dimensional grid. Equal
    neighbours count as one maximum, at the middle of their run, where both sides of the
    run are lower; the ends of the grid do not count. A place is right to one step of
    the grid; maxima that are narrower than that, or lower than the rounding of the
    values, are missed: the number errs on the low side there.
    """
    starts = np.flatnonzero(np.append(True, np.diff(log_density) != 0))
    ends = np.append(starts[1:], len(log_density)) - 1
    rising = np.diff(log_density[starts]) > 0
    tops = np.flatnonzero(rising[:-1] & ~rising[1:]) + 1
    line = grid.points[:, 0]
    places: Array = (line[starts[tops]] + line[ends[tops]]) / 2
    return places


def steepness(
    table: pd.DataFrame,
    knee: float = 2.0,
    last: float = 5.0,
) -> pd.DataFrame:
    r"""Return how fast the loss of each series falls up to `knee`, and then to `last`.

    Columns domain, variant, recipe, place_0, place_1, eps (= knee), below and above
    (nats per unit of $\varepsilon$), ratio; a loss linear in $\varepsilon$ has ratio 1.
    """
    wide = table.pivot_table(index=SERIES, columns="eps", values="nll")
    falls = pd.DataFrame(
        {
            "below": (wide[0.0] - wide[knee]) / knee,
            "above": (wide[knee] - wide[last]) / (last - knee),
        }
    )
    falls["ratio"] = falls["below"] / falls["above"]
    falls.insert(0, "eps", knee)
    return falls.reset_index()


def falls_from_start(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return by how much a column falls at most below its value at budget 0.

    One row a series: domain, variant, recipe, place_0, place_1, eps (where it is
    lowest), held (coverage at budget 0), fall.
    """
    rows = []
    for names, series in table.groupby(SERIES, sort=False):
        ordered = series.sort_values("eps")
        budgets = ordered["eps"].to_numpy(dtype=float)
        values = ordered[column].to_numpy(dtype=float)
        lowest = int(values.argmin())
        held = float(ordered["coverage"].to_numpy(dtype=float)[0])
        rows.append(
            (*names, float(budgets[lowest]), held, float(values[0] - values[lowest]))
        )
    return pd.DataFrame(rows, columns=[*SERIES, "eps", "held", "fall"])
