r"""The sweeps of the experiments: MBDE's variants over budgets and seeds, on each domain of the papers."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from filelock import FileLock

from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, random_1d, random_2d, ring
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.recipes import RECIPES
from mollified.training.variants import Variant, find_variant

__all__ = [
    "DOMAINS",
    "domain",
    "domain_grid",
    "runs_of_seed",
    "sweep_domain",
    "sweep_seed",
]

DOMAINS = ("ring", "mixture-sd", "mixture-variance", "random-1d", "random-2d")

#: Nodes of the quadrature grid by dimension: finer ones change no metric of a run by
#: more than the seeds do.
NODES = {1: 8001, 2: 241}
#: The variable that names a folder whose runs the pages of a build share.
SHARED = "MOLLIFIED_SHARED"


def domain(name: str, place: tuple[int, ...] = (), seed: int = 0) -> Mixture:
    """Return the target of a domain; random ones take their means from the stream (seed, place), place[0] being m."""
    if name in (
        "ring",
        "small-ring",
    ):  # the papers print no radius: on the small one the standard Gaussian lies
        return ring() if name == "ring" else ring(radius=1.0, variance=0.01)
    if name in ("mixture-sd", "mixture-variance"):
        return mixture_1d("standard-deviation" if name == "mixture-sd" else "variance")
    draw = random_1d if name == "random-1d" else random_2d
    return draw(place[0], task_rng(seed, *place, 0))


def domain_grid(
    target: Mixture, nodes: int | None = None, start: tuple[float, float] = (0.0, 1.0)
) -> tuple[Gaussian, Grid]:
    """Return the Gaussian with mean and variance `start` on each axis, and a grid that covers it and the target."""
    reference = Gaussian(np.full(target.dim, start[0]), start[1])
    return reference, Grid.covering(
        [target, reference], nodes=NODES[target.dim] if nodes is None else nodes
    )


def sweep_seed(place: tuple[int, ...], **settings: Any) -> pd.DataFrame:
    """Make `runs_of_seed` and measure them: columns of `measure`, and place_0, place_1..."""
    table = measure(*runs_of_seed(place, **settings))
    return table.assign(**{f"place_{index}": item for index, item in enumerate(place)})


def runs_of_seed(
    place: tuple[int, ...],
    *,
    name: str,
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str | None,
    rounds: int = 3,
    samples: int = 10_000,
    start: tuple[float, float] = (0.0, 1.0),
) -> tuple[list[GridRun], Mixture, Gaussian, Grid]:
    """Return the runs of all variants and budgets on one data set of the domain `name`, with target, reference, grid.

    `recipe` names one of `RECIPES` for all variants; None takes each variant's own; for
    `start` see `domain_grid`. The data set, the random means of random domains and the
    training come from the streams (seed, place). Runs in the plane, where a network is
    trained alone, are shared with other processes where `SHARED` names a folder.
    """
    target = domain(name, place, seed)
    reference, grid = domain_grid(target, start=start)
    chosen = [find_variant(item) for item in variants]

    def make(levels: Sequence[float], some: Sequence[Variant]) -> list[GridRun]:
        rng = task_rng(seed, *place, 1)
        training = None if recipe is None else RECIPES[recipe]
        return grid_mbde(
            target,
            reference,
            grid,
            levels,
            some,
            rounds,
            rng,
            samples=samples,
            recipe=training,
        )

    folder = os.environ.get(SHARED) if target.dim == 2 else None
    runs = _shared(
        folder, (name, place, seed, recipe, rounds, samples, start), chosen, eps, make
    )
    return runs, target, reference, grid


def _shared(
    folder: str | None,
    key: Any,
    variants: Sequence[Variant],
    eps: Sequence[float],
    make: Callable[..., list[GridRun]],
) -> list[GridRun]:
    """Return what `make(eps, variants)` returns; what a folder has of it is not made again."""
    if folder is None:
        return make(eps, variants)
    path = Path(folder, hashlib.sha256(repr(key).encode()).hexdigest())
    with FileLock(f"{path}.lock"):
        known: dict[Any, GridRun] = (
            pickle.loads(path.read_bytes()) if path.exists() else {}
        )
        missing: dict[tuple[float, ...], list[Variant]] = {}
        for item in variants:
            missing.setdefault(
                tuple(level for level in eps if (item, level) not in known), []
            ).append(item)
        for levels, some in missing.items():
            known |= {
                (run.variant, run.eps): run
                for run in (make(levels, some) if levels else ())
            }
        path.write_bytes(pickle.dumps(known))
    return [known[item, level] for item in variants for level in eps]


@lru_cache(maxsize=16)
def _sweep(places: tuple[tuple[int, ...], ...], **settings: Any) -> pd.DataFrame:
    """Return the joined tables of a sweep, and keep them."""
    tables: list[pd.DataFrame] = run_tasks(
        sweep_seed, [{**settings, "place": place} for place in places]
    )
    return pd.concat(tables, ignore_index=True)


def sweep_domain(places: tuple[tuple[int, ...], ...], **settings: Any) -> pd.DataFrame:
    """Return `sweep_seed` for all places, one task each, joined; sweeps with equal settings are computed once.

    A place is (repeat,) on fixed domains and (m, repeat) on random ones; the settings
    are those of `runs_of_seed`.
    """
    return _sweep(places, **{**settings, "eps": tuple(settings["eps"])}).copy()
