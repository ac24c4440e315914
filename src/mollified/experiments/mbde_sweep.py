r"""The sweeps of the experiments: MBDE's variants over budgets and seeds, on each domain of the papers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pandas as pd

from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, random_1d, random_2d, ring
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.recipes import RECIPES
from mollified.training.variants import find_variant

__all__ = ["DOMAINS", "domain", "domain_grid", "runs_of_seed", "sweep_domain", "sweep_seed"]

DOMAINS = ("ring", "mixture-sd", "mixture-variance", "random-1d", "random-2d")

#: Nodes of the quadrature grid by dimension: finer ones change no metric of a run by more than the seeds do.
NODES = {1: 8001, 2: 241}


def domain(name: str, place: tuple[int, ...] = (), seed: int = 0) -> Mixture:
    """Return the target of a domain; random ones take their means from the stream (seed, place), place[0] being m."""
    if name == "ring":
        return ring()
    if name in ("mixture-sd", "mixture-variance"):
        return mixture_1d("standard-deviation" if name == "mixture-sd" else "variance")
    draw = random_1d if name == "random-1d" else random_2d
    return draw(place[0], task_rng(seed, *place, 0))


def domain_grid(target: Mixture, nodes: int | None = None) -> tuple[Gaussian, Grid]:
    """Return the standard Gaussian of the target's dimension and a grid that covers both."""
    reference = Gaussian.standard(target.dim)
    return reference, Grid.covering([target, reference], nodes=NODES[target.dim] if nodes is None else nodes)


def sweep_seed(place: tuple[int, ...], **settings: Any) -> pd.DataFrame:
    """Make `runs_of_seed` and measure them: columns of `measure`, and place_0, place_1..."""
    table = measure(*runs_of_seed(place, **settings))
    for index, item in enumerate(place):
        table[f"place_{index}"] = item
    return table


def runs_of_seed(
    place: tuple[int, ...], *, name: str, seed: int, eps: tuple[float, ...], variants: tuple[str, ...],
    recipe: str | None, rounds: int = 3, samples: int = 10_000,
) -> tuple[list[GridRun], Mixture, Gaussian, Grid]:  # fmt: skip
    """Return the runs of all variants and budgets on one data set of the domain `name`, with target, reference, grid.

    `recipe` names one of `RECIPES` for all variants; None takes each variant's own. The data set, the random means of
    random domains and the training come from the streams (seed, place).
    """
    target = domain(name, place, seed)
    reference, grid = domain_grid(target)
    runs = grid_mbde(
        target,
        reference,
        grid,
        list(eps),
        [find_variant(item) for item in variants],
        rounds,
        task_rng(seed, *place, 1),
        samples=samples,
        recipe=None if recipe is None else RECIPES[recipe],
    )
    return runs, target, reference, grid


@lru_cache(maxsize=16)
def _sweep(places: tuple[tuple[int, ...], ...], **settings: Any) -> pd.DataFrame:
    """Return the joined tables of a sweep, and keep them."""
    table: pd.DataFrame = pd.concat(
        run_tasks(sweep_seed, [{**settings, "place": place} for place in places]), ignore_index=True
    )
    return table


def sweep_domain(places: tuple[tuple[int, ...], ...], **settings: Any) -> pd.DataFrame:
    """Return `sweep_seed` for all places, one task each, joined; sweeps with equal settings are computed once.

    A place is (repeat,) on fixed domains and (m, repeat) on random ones; the settings are those of `runs_of_seed`.
    """
    return _sweep(places, **{**settings, "eps": tuple(settings["eps"])}).copy()
