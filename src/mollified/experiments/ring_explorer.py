r"""The data of the interactive figure: MBDE as printed and as released on the ring, for the papers' eight budgets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from mollified._validate import Array
from mollified.experiments.coverage import mode_coverage
from mollified.experiments.mbde_sweep import runs_of_seed
from mollified.experiments.modes import modes_shown
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.training.grid_mbde import GridRun

__all__ = ["SIDE", "log_ratio_pixels", "ring_measures"]

#: The picture shows the square [-SIDE, SIDE]^2.
SIDE = 6.0


@lru_cache(maxsize=2)
def _runs(
    seed: int, eps: tuple[float, ...], recipe: str | None
) -> tuple[list[GridRun], Mixture, Gaussian, Grid]:
    return runs_of_seed(
        (0,),
        name="ring",
        seed=seed,
        eps=eps,
        variants=("clip", "released"),
        recipe=recipe,
    )


def log_ratio_pixels(
    seed: int, eps: Sequence[float], recipe: str | None, pixels: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\log Q_T/Q_0$ in nats, rounded to 0.01, on `pixels` x `pixels` points of a square.

    One row for each budget, variant and y: columns eps, variant, y, x0, x1...; x and y
    run over [-6, 6] in equal steps. Target, reference and mollification need no table,
    as they have formulas. Facts: the largest magnitude by variant.
    """
    runs, _, _, grid = _runs(seed, tuple(eps), recipe)
    side = np.linspace(-SIDE, SIDE, pixels)
    places = np.stack(
        [a.ravel() for a in np.meshgrid(side, side, indexing="xy")], axis=1
    )
    frames: list[pd.DataFrame] = []
    facts: dict[str, float] = {}
    for run in runs:
        table = run.log_ratio.reshape(grid.shape)
        values = np.round(RegularGridInterpolator(grid.axes, table)(places), 2) + 0.0
        frame = pd.DataFrame(
            values.reshape(pixels, pixels),
            columns=[f"x{index}" for index in range(pixels)],
        )
        frame.insert(0, "y", np.round(side, 6))
        frame.insert(0, "variant", run.variant.name)
        frame.insert(0, "eps", run.eps)
        frames.append(frame)
        name = f"largest_{run.variant.name}"
        facts[name] = max(facts.get(name, 0.0), float(np.abs(run.log_ratio).max()))
    return pd.concat(frames, ignore_index=True), facts


def _row(
    log_q: Array, log_p: Array, log_q0: Array, grid: Grid, centres: Array
) -> dict[str, float]:
    weights = np.exp(log_p) * grid.weights
    return {
        "nll": -float(weights @ log_q),
        "gain": float(weights @ (log_q - log_q0)),
        "spent": 2 * float(np.abs(log_q - log_q0).max()),
        "modes": float(modes_shown(log_q, grid, centres, 0.5)),
        "coverage": mode_coverage(log_q, log_p, grid),
    }


def ring_measures(
    seed: int, eps: Sequence[float], recipe: str | None
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what the interactive figure says in numbers, one row for each budget and law.

    Columns eps, law (clip, released, projection), nll, gain (nats), spent
    ($2\sup|\log Q/Q_0|$ at the nodes: errs on the low side), modes (of 8, a local
    maximum within 0.5), coverage, log_constant ($\log C$ of the mollification, zero for
    the others). Facts: loss of the target and of $Q_0$, both in nats, largest numbers
    of modes.
    """
    runs, target, reference, grid = _runs(seed, tuple(eps), recipe)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    centres = np.stack(
        [item.mean for item in target.components if isinstance(item, Gaussian)]
    )
    rows = [
        {
            "eps": run.eps,
            "law": run.variant.name,
            **_row(log_q0 + run.log_ratio, log_p, log_q0, grid, centres),
        }
        for run in runs
    ]
    for level in eps:
        projected = RelativeMollifier(reference, level).project(target, grid)
        found = _row(projected.log_prob(grid.points), log_p, log_q0, grid, centres)
        rows.append(
            {
                "eps": level,
                "law": "projection",
                **found,
                "log_constant": projected.log_constant,
            }
        )
    table = pd.DataFrame(rows).fillna({"log_constant": 0.0})
    start = _row(log_q0, log_p, log_q0, grid, centres)
    facts = {
        "nll_target": _row(log_p, log_p, log_q0, grid, centres)["nll"],
        "nll_reference": start["nll"],
    }
    for law, part in table.groupby("law"):
        facts[f"modes_{law}"] = float(part["modes"].max())
        facts[f"excess_{law}"] = float((part["spent"] / part["eps"]).max())
    return table, facts
