r"""Random Gaussians on the line: loss and coverage by m and budget, and how they vary.

Source: v1 Figures 6 and 7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import chi2

from mollified.experiments.dpb_settings import Curve, random_line
from mollified.experiments.mbde_sweep import (
    RunSettings,
    domain,
    domain_grid,
    sweep_domain,
)
from mollified.experiments.metrics import measure
from mollified.experiments.task_list import task_rng
from mollified.training.grid_mbde import grid_mbde
from mollified.training.recipes import FAST
from mollified.training.variants import find_variant

__all__ = ["DPB_CURVES", "deviation_interval", "fixed_placement", "random_domain_runs"]

VARIANT_NAMES = ("clip", "tanh", "released")
#: One record with the published noise, the whole input with the exact.
DPB_CURVES: tuple[Curve, ...] = (("record", "published"), ("input", "exact"))
ROUNDS = 3
RECORDS = 10_000


def deviation_interval(repeats: int, level: float = 0.95) -> tuple[float, float]:
    r"""Return what turns a standard deviation of n repeats into a confidence interval.

    Both are factors. For normal values $(n-1)s^2/\sigma^2$ is $\chi^2_{n-1}$:
    $s\sqrt{(n-1)/\chi^2}$ at both tails.
    """
    free = repeats - 1
    tail = (1 - level) / 2
    low, high = (
        float(np.sqrt(free / chi2.ppf(share, free))) for share in (1 - tail, tail)
    )
    return low, high


def random_domain_runs(
    seed: int,
    counts: Sequence[int],
    eps: Sequence[float],
    repeats: int,
    recipe: str | None,
) -> pd.DataFrame:
    """Return the runs on m random Gaussians on the line, for each m and repeat.

    Columns as from `sweep_domain`; place_0 is m.
    """
    places = [(m, repeat) for m in counts for repeat in range(repeats)]
    settings = RunSettings("random-1d", seed, tuple(eps), VARIANT_NAMES, recipe)
    return sweep_domain(places, settings)


def fixed_placement(
    seed: int,
    m: int,
    eps: tuple[float, ...],
    repeat: int,
) -> pd.DataFrame:
    """Return the losses of one repeat on the placement (m, 0).

    Data, noise and starts are new in each repeat, the means are the same. Columns
    method (clip, tanh, and DPB's unit), m, eps, repeat, nll.
    """
    target = domain("random-1d", (m, 0), seed)
    reference, grid = domain_grid(target)
    runs = grid_mbde(
        target,
        reference,
        grid,
        eps,
        [find_variant(name) for name in ("clip", "tanh")],
        ROUNDS,
        task_rng(seed, m, repeat, 5),
        recipe=FAST,
    )
    measured = measure(runs, target, reference, grid)
    tables = [measured[["variant", "eps", "nll"]].rename(columns={"variant": "method"})]
    box = random_line(target)
    mass = box.weights(box.grid)
    data = box.draw(RECORDS, task_rng(seed, m, repeat, 6))
    for curve in DPB_CURVES:
        losses = []
        for level in eps:
            stream = task_rng(seed, m, repeat, 7)  # one noise for all budgets
            density = data.density(level, curve, box.grid, stream)
            losses.append(-float(mass @ np.log(density)))
        tables.append(pd.DataFrame({"method": curve[0], "eps": eps, "nll": losses}))
    table = pd.concat(tables, ignore_index=True).assign(m=m, repeat=repeat)
    return table[["method", "m", "eps", "repeat", "nll"]]
