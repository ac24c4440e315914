r"""Random Gaussians: loss and coverage by m and budget, and how they vary (v1 Figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from mollified._validate import check_count, check_each, check_eps, check_interval, check_seed
from mollified.bernstein_release import Calibration, Unit, noise_scale, release
from mollified.coverage import mode_coverage
from mollified.dpb_settings import MIXED, random_line
from mollified.grid_mbde import grid_mbde
from mollified.recipes import RECIPES
from mollified.repair import repaired
from mollified.run_metrics import measure
from mollified.studies.contenders import random_1d_losses
from mollified.studies.mbde_sweep import domain, domain_grid, sweep_domain
from mollified.task_list import run_tasks, task_rng
from mollified.variants import find_variant

__all__ = ["DPB_CURVES", "deviation_interval", "fixed_placement", "random_runs", "spread_of_methods", "spreads"]

VARIANTS = ("clip", "tanh", "released")
MEASURES = ("nll", "coverage", "coverage_printed")
#: What DPB protects and how its noise is scaled: one record with the published noise, the whole input with the exact.
DPB_CURVES: tuple[tuple[Unit, Calibration], ...] = (("record", "published"), ("input", "exact"))
DEGREE, ORDER = 20, 1


def deviation_interval(repeats: int, level: float = 0.95) -> tuple[float, float]:
    r"""Return the factors that turn a standard deviation of n repeats into a confidence interval of the true one.

    For normal values $(n-1)s^2/\sigma^2$ is $\chi^2_{n-1}$: $s\sqrt{(n-1)/\chi^2}$ at both tails. Raises ValueError or
    TypeError for fewer than two repeats or a level outside (0, 1).
    """
    free = check_count("repeats", repeats, minimum=2) - 1
    tail = (1 - check_interval("level", level, 0.0, 1.0, open_low=True, open_high=True)) / 2
    return float(np.sqrt(free / chi2.ppf(1 - tail, free))), float(np.sqrt(free / chi2.ppf(tail, free)))


def random_runs(
    seed: int, counts: Sequence[int], eps: Sequence[float], repeats: int, recipe: str | None
) -> pd.DataFrame:
    """Return the runs on m random Gaussians on the line for each m and repeat: see `sweep_domain`; place_0 is m."""
    if recipe is not None and recipe not in RECIPES:
        raise ValueError(f"recipe must be one of {', '.join(RECIPES)} or None, got {recipe!r}")
    sizes, levels = check_each("counts", counts, check_count), check_each("eps", eps, check_eps)
    repeats = check_count("repeats", repeats)
    places = tuple((m, repeat) for m in sizes for repeat in range(repeats))
    return sweep_domain("random-1d", places, check_seed("seed", seed), tuple(levels), VARIANTS, recipe)


def _summary(runs: pd.DataFrame, repeats: int) -> pd.DataFrame:
    """Return mean and standard deviation over the first repeats, in long form."""
    kept = runs[runs["place_1"] < repeats]
    tables = []
    for name in MEASURES:
        by = kept.groupby(["variant", "place_0", "eps"])[name]
        table = by.agg(mean="mean", deviation="std").reset_index().rename(columns={"place_0": "m"})
        tables.append(table.assign(measure=name, repeats=repeats))
    return pd.concat(tables, ignore_index=True)


def spreads(
    seed: int,
    counts: list[int],
    eps: list[float],
    band_counts: list[int],
    band_repeats: int,
    own_counts: list[int],
    own_eps: list[float],
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return mean and standard deviation of loss and coverage over repeats, by m and budget.

    Columns optimiser, repeats, variant, m, eps, measure, mean, deviation: four repeats as in the papers, and
    `band_repeats` for the m in `band_counts`. The reference is there with budget 0. Facts: the factors of
    `deviation_interval` for four.
    """
    sizes, levels = check_each("own_counts", own_counts, check_count), check_each("own_eps", own_eps, check_eps)
    more_repeats = check_count("band_repeats", band_repeats, minimum=5)
    bands = check_each("band_counts", band_counts, check_count) if band_counts != [] else []
    tables = [_summary(random_runs(seed, counts, eps, 4, "fast"), 4).assign(optimiser="fast")]
    if bands:
        more = random_runs(seed, bands, eps, more_repeats, "fast")
        tables.append(_summary(more, more_repeats).assign(optimiser="fast"))
    tables.append(_summary(random_runs(seed, sizes, levels, 4, None), 4).assign(optimiser="own"))
    start = []
    for m in counts:
        values = []
        for repeat in range(4):
            target = domain("random-1d", (m, repeat), seed)
            reference, grid = domain_grid(target)
            logs = reference.log_prob(grid.points), target.log_prob(grid.points)
            loss = -float((np.exp(logs[1]) * grid.weights) @ logs[0])
            values.append((loss, mode_coverage(logs[0], logs[1], grid)))
        for index, name in enumerate(MEASURES[:2]):
            column = np.array(values)[:, index]
            start.append(("reference", m, 0.0, float(column.mean()), float(column.std(ddof=1)), name, 4, "none"))
    columns = ["variant", "m", "eps", "mean", "deviation", "measure", "repeats", "optimiser"]
    tables.append(pd.DataFrame(start, columns=columns))
    table = pd.concat(tables, ignore_index=True)
    table[["mean", "deviation"]] = table[["mean", "deviation"]].round(7)
    low, high = deviation_interval(4)
    return table, {"low": low, "high": high}


def fixed_placement(seed: int, m: int, eps: tuple[float, ...], repeat: int) -> list[tuple[Any, ...]]:
    """Return the losses of one repeat on the placement (m, 0): new data, noise and starts, and the same means.

    Rows (method, m, eps, repeat, nll), method one of clip, tanh, and DPB's unit.
    """
    size, seed = check_count("m", m), check_seed("seed", seed)
    repeat = check_count("repeat", repeat, minimum=0)
    check_each("eps", eps, check_eps)
    target = domain("random-1d", (size, 0), seed)
    reference, grid = domain_grid(target)
    variants = [find_variant(name) for name in ("clip", "tanh")]
    runs = grid_mbde(
        target, reference, grid, list(eps), variants, 3, task_rng(seed, m, repeat, 5), recipe=RECIPES["fast"]
    )
    table = measure(runs, target, reference, grid)
    rows: list[tuple[Any, ...]] = [(row.variant, m, row.eps, repeat, row.nll) for row in table.itertuples(index=False)]
    setting = random_line(target)
    box, mass = setting.grid, setting.weights(setting.grid)
    data, choice = setting.draw(10_000, task_rng(seed, m, repeat, 6))
    share = choice.bandwidth / (setting.high - setting.low)
    for unit, calibration in DPB_CURVES:
        for level in eps:
            scale = noise_scale(level, DEGREE, 1, share, 10_000, calibration, unit)
            made = release(
                data, setting.low, setting.high, DEGREE, choice.bandwidth, scale, task_rng(seed, m, repeat, 7)
            ).function(box.axes, ORDER)
            density = repaired(made, box.weights, "shift", uniform=MIXED)
            rows.append((unit, m, level, repeat, -float(mass @ np.log(density))))
    return rows


@lru_cache(maxsize=4)
def _fixed(seed: int, counts: tuple[int, ...], eps: tuple[float, ...], repeats: int) -> pd.DataFrame:
    tasks = [{"seed": seed, "m": m, "eps": eps, "repeat": repeat} for m in counts for repeat in range(repeats)]
    rows = [row for part in run_tasks(fixed_placement, tasks) for row in part]
    return pd.DataFrame(rows, columns=["method", "m", "eps", "repeat", "nll"])


def spread_of_methods(
    seed: int,
    counts: list[int],
    eps: list[float],
    all_counts: list[int],
    all_eps: list[float],
    same_repeats: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the standard deviations of the loss of MBDE and DPB over repeats, with and without new placements.

    Columns placement ("new", "same"), method (clip, tanh, record, input: DPB by its unit), m, eps, deviation, mean.
    New placements are the first four of `spreads`; `all_counts` and `all_eps` are its `counts` and `eps`, so that runs
    are shared. On the same placement there are `same_repeats`. Facts: the smallest, median and largest ratio of
    DPB's to MBDE's (clip), by placement and unit.
    """
    sizes, levels = check_each("counts", counts, check_count), check_each("eps", eps, check_eps)
    for name, item, check in (("all_counts", all_counts, check_count), ("all_eps", all_eps, check_eps)):
        check_each(name, item, check)
    same_repeats = check_count("same_repeats", same_repeats, minimum=2)
    runs = random_runs(seed, all_counts, all_eps, 4, "fast")
    kept = runs[runs["place_0"].isin(sizes) & runs["eps"].isin(levels)]
    new = kept.rename(columns={"variant": "method", "place_0": "m", "place_1": "repeat"})
    dpb, _ = random_1d_losses(sizes, levels, DEGREE, ORDER, 4, 10_000, seed)
    chosen = [(row.unit, row.calibration) in DPB_CURVES for row in dpb.itertuples(index=False)]
    columns = ["method", "m", "eps", "repeat", "nll"]
    losses = [
        new[new["method"] != "released"][columns].assign(placement="new"),
        dpb[chosen].rename(columns={"unit": "method"})[columns].assign(placement="new"),
        _fixed(seed, tuple(sizes), tuple(levels), same_repeats).assign(placement="same"),
    ]
    by = pd.concat(losses, ignore_index=True).groupby(["placement", "method", "m", "eps"])["nll"]
    table = by.agg(deviation="std", mean="mean").reset_index()
    wide = table.pivot_table(index=["placement", "m", "eps"], columns="method", values="deviation")
    facts: dict[str, Any] = {}
    for placement in ("new", "same"):
        for unit in ("record", "input"):
            ratio = (wide[unit] / wide["clip"]).loc[placement]
            facts[f"least_{placement}_{unit}"] = float(ratio.min())
            facts[f"median_{placement}_{unit}"] = float(ratio.median())
            facts[f"most_{placement}_{unit}"] = float(ratio.max())
    table[["deviation", "mean"]] = table[["deviation", "mean"]].round(7)
    return table, facts
