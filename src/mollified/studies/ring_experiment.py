r"""The experiments on the ring, run again: eight budgets, loss and coverage, and coverage on the other domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import RegularGridInterpolator

from mollified._densities import echo
from mollified._validate import check_count, check_each, check_eps, check_finite, check_seed
from mollified.coverage import mode_coverage
from mollified.gaussian import Gaussian
from mollified.grid_mbde import grid_mbde
from mollified.mixture import Mixture
from mollified.recipes import RECIPES
from mollified.relative_mollifier import RelativeMollifier
from mollified.run_metrics import measure
from mollified.spaces import Grid
from mollified.studies.mbde_sweep import DOMAINS, NODES, domain
from mollified.targets import ring
from mollified.task_list import run_tasks, task_rng
from mollified.variants import find_variant

__all__ = [
    "coverage_by_domain",
    "coverage_by_start",
    "eight_budgets",
    "ring_metrics",
]

#: What a table of this page keeps of a run.
METRICS = ["nll", "gain", "spent", "coverage", "coverage_printed"]
#: Half the side of the pictures, in the units of the points.
SIDE = 5.6


def _target(name: str, place: tuple[int, ...], seed: int) -> Mixture:
    """Return the target of a domain, or the ring on which the standard Gaussian lies; the papers print no radius."""
    return ring(radius=1.0, variance=0.01) if name == "small-ring" else domain(name, place, seed)


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
    target = _target(name, place, seed)
    reference = Gaussian(np.full(target.dim, start[0]), start[1])
    grid = Grid.covering([target, reference], nodes=NODES[target.dim])
    chosen = None if recipe == "own" else RECIPES[recipe]
    names = [find_variant(item) for item in variants]
    runs = grid_mbde(target, reference, grid, list(eps), names, 3, task_rng(seed, *place, 1), recipe=chosen)
    table = measure(runs, target, reference, grid)[["variant", "eps", *METRICS]]
    log_p, log_q0 = target.log_prob(grid.points), reference.log_prob(grid.points)
    zero: dict[str, Any] = {
        "eps": 0.0,
        "nll": -float((np.exp(log_p) * grid.weights) @ log_q0),
        "gain": 0.0,
        "spent": 0.0,
        "coverage": mode_coverage(log_q0, log_p, grid),
        "coverage_printed": mode_coverage(log_q0, log_p, grid, form="printed"),
    }
    table = pd.concat([pd.DataFrame([{"variant": item, **zero} for item in variants]), table], ignore_index=True)
    table.insert(0, "domain", name)
    table.insert(1, "recipe", recipe)
    for index in range(2):
        table.insert(2 + index, f"place_{index}", place[index] if index < len(place) else 0)
    return table, _pictures(runs, reference, grid, pixels) if pixels else pd.DataFrame()


def _pictures(runs: Sequence[Any], reference: Gaussian, grid: Grid, pixels: int) -> pd.DataFrame:
    """Return log10 of each run's density on a square of pixels, one column a variant."""
    side = np.round(np.linspace(-SIDE, SIDE, pixels), 6)
    mesh = np.stack([axis.ravel() for axis in np.meshgrid(side, side, indexing="ij")], axis=1)
    base = reference.log_prob(mesh)
    tables: dict[float, pd.DataFrame] = {}
    for run in runs:
        ratio = RegularGridInterpolator(tuple(grid.axes), run.log_ratio.reshape(grid.shape))(mesh)
        frame = tables.setdefault(run.eps, pd.DataFrame({"eps": run.eps, "x": mesh[:, 0], "y": mesh[:, 1]}))
        frame[run.variant.name] = np.round((base + ratio) / np.log(10), 3)
    return pd.concat(tables.values(), ignore_index=True)


@lru_cache(maxsize=32)
def _runs(
    name: str,
    places: tuple[tuple[int, ...], ...],
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str,
    start: tuple[float, float] = (0.0, 1.0),
    pixels: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tables of all places, one task each, joined, and the pictures of the first place."""
    settings = {"name": name, "seed": seed, "eps": eps, "variants": variants, "recipe": recipe, "start": start}
    tasks = [{**settings, "place": place, "pixels": 0 if index else pixels} for index, place in enumerate(places)]
    results = run_tasks(_one, tasks)
    return pd.concat([table for table, _ in results], ignore_index=True), results[0][1]


def _check(eps: object, variants: object, seed: object) -> tuple[tuple[float, ...], tuple[str, ...], int]:
    """Return budgets, names of variants and seed, or raise an error that names the bad one."""
    names = tuple(check_each("variants", variants, lambda _name, item: find_variant(item).name))
    return tuple(check_each("eps", eps, check_eps)), names, check_seed("seed", seed)


def _check_repeats(repeats: object) -> dict[str, int]:
    """Return how many repeats each recipe gets; "own" is that of each variant's source."""
    if not isinstance(repeats, Mapping) or not repeats or not set(repeats) <= {"own", *RECIPES}:
        raise ValueError(f"repeats must map some of own, {', '.join(RECIPES)} to counts, got {echo(repeats)}")
    if any(isinstance(count, bool) or not isinstance(count, int) or count < 1 for count in repeats.values()):
        raise ValueError(f"repeats must be counts >= 1, got {echo(repeats)}")
    return {str(name): count for name, count in repeats.items()}


def _check_places(places: object, seed: int) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Return the places of each domain as tuples."""
    if not isinstance(places, Mapping) or not places or not set(places) <= {*DOMAINS, "small-ring"}:
        raise ValueError(f"places must map some of {', '.join(DOMAINS)}, small-ring to places, got {echo(places)}")
    try:
        chosen = {str(name): tuple(tuple(at) for at in found) for name, found in places.items()}
        for name, found in chosen.items():
            for at in found:
                domain("ring" if name == "small-ring" else name, at, seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"places must hold lists of integers >= 0, {error}, got {echo(places)}") from error
    return chosen


def _check_start(name: str, pair: object) -> tuple[float, float]:
    """Return the mean and the variance of a Gaussian."""
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise ValueError(f"{name} must be pairs (mean, variance), got {echo(pair)}")
    return check_finite(name, pair[0]), check_eps(name, pair[1])


def _ring(
    eps: tuple[float, ...], variants: tuple[str, ...], recipe: str, repeats: int, pixels: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    return _runs("ring", tuple((index,) for index in range(repeats)), seed, eps, variants, recipe, pixels=pixels)


def eight_budgets(
    eps: Sequence[float],
    variants: Sequence[str],
    shown: Sequence[str],
    repeats: Mapping[str, int],
    pixels: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\log_{10}$ of the densities of the first repeat on a square of `pixels` x `pixels`, for each budget.

    Columns eps, x, y and one for each variant `shown`; facts: gain (nats), coverage and budget spent of that run. The
    first recipe of `repeats` is shown. Source: v1 Figure 4, v2 and v3 Figure 3, lower row. Raises ValueError or
    TypeError for bad settings.
    """
    budgets, names, seed = _check(eps, variants, seed)
    recipe, count = next(iter(_check_repeats(repeats).items()))
    if not isinstance(shown, list | tuple) or not shown or not set(shown) <= set(names):
        raise ValueError(f"shown must be some of {', '.join(names)}, got {echo(shown)}")
    table, pictures = _ring(budgets, names, recipe, count, check_count("pixels", pixels, minimum=2), seed)
    first = table[(table["place_0"] == 0) & (table["eps"] > 0)]
    facts = {
        f"{metric}_{row['variant']}_{row['eps']:g}": float(row[metric])
        for row in first.to_dict("records")
        for metric in ("gain", "coverage", "spent")
    }
    return pictures[["eps", "x", "y", *shown]], facts


def ring_metrics(
    eps: Sequence[float], variants: Sequence[str], repeats: Mapping[str, int], pixels: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return loss and coverage of every run on the ring, with the mollification as variant "mollification".

    Columns domain, recipe, place_0, place_1, variant, eps (0 is $Q_0$), nll, gain, spent (nats), coverage and
    coverage_printed (shares). `repeats` says how many places each recipe gets; recipes after the first run the first
    and third variant only. Facts: the loss of $Q_0$ and of the target itself, coverage of $Q_0$. Raises ValueError or
    TypeError for bad settings. Source: v1 Figure 5, v2 and v3 Figure 4, left.
    """
    budgets, names, seed = _check(eps, variants, seed)
    counts, pixels = _check_repeats(repeats), check_count("pixels", pixels, minimum=2)
    tables = []
    for index, (recipe, count) in enumerate(counts.items()):
        chosen = tuple(names[::2][:2]) if index else names
        tables.append(_ring(budgets, chosen, recipe, count, 0 if index else pixels, seed)[0])
    target, reference = ring(), Gaussian.standard(2)
    grid = Grid.covering([target, reference], nodes=NODES[2])
    log_p, log_q0 = target.log_prob(grid.points), reference.log_prob(grid.points)
    mass = np.exp(log_p) * grid.weights
    rows = []
    for level in budgets:
        log_q = RelativeMollifier(reference, level).project(target, grid).log_prob(grid.points)
        metrics = (-float(mass @ log_q), float(mass @ (log_q - log_q0)), 2 * float(np.abs(log_q - log_q0).max()))
        both = (mode_coverage(log_q, log_p, grid), mode_coverage(log_q, log_p, grid, form="printed"))
        rows.append(("ring", "exact", 0, 0, "mollification", level, *metrics, *both))
    tables.append(pd.DataFrame(rows, columns=list(tables[0].columns)))
    table = pd.concat(tables, ignore_index=True)
    start = table[table["eps"] == 0].iloc[0]
    facts = {
        "nll_q0": float(start["nll"]),
        "nll_target": -float(mass @ log_p),
        "coverage_q0": float(start["coverage"]),
        "runs": float(((table["eps"] > 0) & (table["variant"] != "mollification")).sum()),
    }
    return table, facts


def coverage_by_domain(
    eps: Sequence[float],
    ring_eps: Sequence[float],
    ring_variants: Sequence[str],
    variants: Sequence[str],
    repeats: Mapping[str, int],
    places: Mapping[str, Sequence[Sequence[int]]],
    pixels: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the runs on every domain: columns of `ring_metrics`.

    `places` maps domains of the sweep, or "small-ring" (radius 1, standard deviation 1/10, both unprinted; always the
    fast recipe), to their places; the ring has the runs of `ring_metrics` with the same arguments. Facts: both
    coverages of $Q_0$, the mean over the places of a domain. Raises ValueError or TypeError for bad settings.
    """
    budgets, names, seed = _check(eps, variants, seed)
    ring_budgets = tuple(check_each("ring_eps", ring_eps, check_eps))
    try:
        _, ring_names, _ = _check(ring_eps, ring_variants, seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"ring_variants: {error}, got {echo(ring_variants)}") from error
    recipe, count = next(iter(_check_repeats(repeats).items()))
    pixels = check_count("pixels", pixels, minimum=2)
    chosen = _check_places(places, seed)
    tables = [_ring(ring_budgets, ring_names, recipe, count, pixels, seed)[0]]
    for name, at in chosen.items():
        tables.append(_runs(name, at, seed, budgets, names, "fast" if name == "small-ring" else recipe)[0])
    table = pd.concat(tables, ignore_index=True)
    zero = table[table["eps"] == 0].groupby("domain")
    facts = {f"q0_{key}": float(value) for key, value in zero["coverage"].mean().items()}
    facts |= {f"q0_printed_{key}": float(value) for key, value in zero["coverage_printed"].mean().items()}
    return table, facts


def coverage_by_start(
    eps: Sequence[float], variants: Sequence[str], starts: Sequence[Sequence[float]], seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return both coverages on both readings of the 1D mixture, for several Gaussian references $N(\mu,\sigma^2)$.

    `starts` holds pairs (mean, variance). Columns of `ring_metrics`, place_0 being the number of the start, and mean
    and variance; fast recipe. Facts: held_<start> and held_most_<start>, the smaller and the larger of the readings'
    coverage of $Q_0$: what it captures of the target before any run. Raises ValueError or TypeError for bad settings.
    """
    budgets, names, seed = _check(eps, variants, seed)
    tables, facts = [], {}
    for number, (mean, variance) in enumerate(check_each("starts", starts, _check_start)):
        for name in ("mixture-sd", "mixture-variance"):
            table = _runs(name, ((0,),), seed, budgets, names, "fast", (mean, variance))[0].copy()
            table["place_0"] = number
            table.insert(4, "mean", mean)
            table.insert(5, "variance", variance)
            tables.append(table)
        held = [float(item[item["eps"] == 0]["coverage"].iloc[0]) for item in tables[-2:]]
        facts[f"held_{number}"], facts[f"held_most_{number}"] = min(held), max(held)
    return pd.concat(tables, ignore_index=True), facts
