r"""Random Gaussians: loss and coverage by m and budget, and how they vary (v1 Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from mollified.experiments.dpb_settings import MIXED, random_line
from mollified.experiments.mbde_sweep import domain, domain_grid, sweep_domain
from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import task_rng
from mollified.mechanisms.bernstein_release import (
    Calibration,
    Unit,
    noise_scale,
    release_lattice,
)
from mollified.mollifiers.repair import repaired
from mollified.training.grid_mbde import grid_mbde
from mollified.training.recipes import RECIPES
from mollified.training.variants import find_variant

__all__ = ["DPB_CURVES", "deviation_interval", "fixed_placement", "random_domain_runs"]

VARIANT_NAMES = ("clip", "tanh", "released")
#: What DPB protects and how its noise is scaled: one record with the published noise,
#: the whole input with the exact.
DPB_CURVES: tuple[tuple[Unit, Calibration], ...] = (
    ("record", "published"),
    ("input", "exact"),
)
DEGREE = 20
ORDER = 1


def deviation_interval(repeats: int, level: float = 0.95) -> tuple[float, float]:
    r"""Return the factors that turn a standard deviation of n repeats into a confidence interval of the true one.

    For normal values $(n-1)s^2/\sigma^2$ is $\chi^2_{n-1}$: $s\sqrt{(n-1)/\chi^2}$ at
    both tails.
    """
    free = repeats - 1
    tail = (1 - level) / 2
    return float(np.sqrt(free / chi2.ppf(1 - tail, free))), float(
        np.sqrt(free / chi2.ppf(tail, free))
    )


def random_domain_runs(
    seed: int,
    counts: Sequence[int],
    eps: Sequence[float],
    repeats: int,
    recipe: str | None,
) -> pd.DataFrame:
    """Return the runs on m random Gaussians on the line for each m and repeat: see `sweep_domain`; place_0 is m."""
    places = tuple((m, repeat) for m in counts for repeat in range(repeats))
    return sweep_domain(
        places,
        name="random-1d",
        seed=seed,
        eps=eps,
        variants=VARIANT_NAMES,
        recipe=recipe,
    )


def fixed_placement(
    seed: int, m: int, eps: tuple[float, ...], repeat: int
) -> list[tuple[Any, ...]]:
    """Return the losses of one repeat on the placement (m, 0): new data, noise and starts, and the same means.

    Rows (method, m, eps, repeat, nll), method one of clip, tanh, and DPB's unit.
    """
    target = domain("random-1d", (m, 0), seed)
    reference, grid = domain_grid(target)
    variants = [find_variant(name) for name in ("clip", "tanh")]
    runs = grid_mbde(
        target,
        reference,
        grid,
        list(eps),
        variants,
        3,
        task_rng(seed, m, repeat, 5),
        recipe=RECIPES["fast"],
    )
    table = measure(runs, target, reference, grid)
    rows: list[tuple[Any, ...]] = [
        (row.variant, m, row.eps, repeat, row.nll)
        for row in table.itertuples(index=False)
    ]
    setting = random_line(target)
    box = setting.grid
    mass = setting.weights(setting.grid)
    data, choice = setting.draw(10_000, task_rng(seed, m, repeat, 6))
    share = choice.bandwidth / (setting.high - setting.low)
    for unit, calibration in DPB_CURVES:
        for level in eps:
            scale = noise_scale(level, DEGREE, 1, share, 10_000, calibration, unit)
            made = release_lattice(
                data,
                setting.low,
                setting.high,
                DEGREE,
                choice.bandwidth,
                scale,
                task_rng(seed, m, repeat, 7),
            ).function(box.axes, ORDER)
            density = repaired(made, box.weights, "shift", uniform=MIXED)
            rows.append((unit, m, level, repeat, -float(mass @ np.log(density))))
    return rows
