r"""The sweeps of the experiments: MBDE's variants over domains, budgets and seeds."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from filelock import FileLock

from mollified._validate import Array
from mollified.experiments.metrics import measure
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
    "NODES",
    "RANDOM_MODES",
    "Place",
    "RunSettings",
    "SeedRuns",
    "domain",
    "domain_grid",
    "domain_place",
    "runs_of_seed",
    "sweep_domain",
    "sweep_seed",
]

DOMAINS = ("ring", "mixture-sd", "mixture-variance", "random-1d", "random-2d")

#: Nodes of the quadrature grid by dimension: finer ones change no metric of a run by
#: more than the seeds do.
NODES = {1: 8001, 2: 241}
#: How many Gaussians the random domains have where an experiment has them all.
RANDOM_MODES = 5
#: The variable that names a folder whose runs the pages of a build share.
SHARED = "MOLLIFIED_SHARED"

#: Where a task stands in a sweep: (repeat,) on fixed domains, (m, repeat) on random
#: ones.
Place = tuple[int, ...]


@dataclass(frozen=True)
class RunSettings:
    """Hold what is run on each place of a domain.

    `recipe` names one of `RECIPES` for all variants; None takes each variant's own. For
    `start` see `domain_grid`.
    """

    name: str
    seed: int
    eps: tuple[float, ...]
    variants: tuple[str, ...]
    recipe: str | None
    rounds: int = 3
    samples: int = 10_000
    start: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class SeedRuns:
    """Hold all runs on one data set, and what they share."""

    runs: list[GridRun]
    target: Mixture
    reference: Gaussian
    grid: Grid

    @property
    def log_p(self) -> Array:
        """The log density of the target at the nodes, in nats; shape (N,)."""
        return self.target.log_prob(self.grid.points)

    @property
    def log_q0(self) -> Array:
        """The log density of the reference at the nodes, in nats; shape (N,)."""
        return self.reference.log_prob(self.grid.points)

    def measured(self) -> pd.DataFrame:
        """Return one row a run, see `measure`."""
        return measure(self.runs, self.target, self.reference, self.grid)


def domain(name: str, place: Place = (), seed: int = 0) -> Mixture:
    """Return the target of a domain.

    Random ones take their means from the stream (seed, place), place[0] being m.
    """
    match name:
        case "ring":
            return ring()
        case "small-ring":  # the papers print no radius: N(0, I) lies on this one
            return ring(radius=1.0, variance=0.01)
        case "mixture-sd":
            return mixture_1d("standard-deviation")
        case "mixture-variance":
            return mixture_1d("variance")
    draw = random_1d if name == "random-1d" else random_2d
    return draw(place[0], task_rng(seed, *place, 0))


def domain_place(name: str, repeat: int) -> Place:
    """Return the place of a repeat; random domains have `RANDOM_MODES` components."""
    if name.startswith("random"):
        return RANDOM_MODES, repeat
    return (repeat,)


def domain_grid(
    target: Mixture,
    nodes: int | None = None,
    start: tuple[float, float] = (0.0, 1.0),
) -> tuple[Gaussian, Grid]:
    """Return the reference, and a grid that covers it and the target.

    The reference is Gaussian and has mean and variance `start` on each axis.
    """
    reference = Gaussian(np.full(target.dim, start[0]), start[1])
    if nodes is None:
        nodes = NODES[target.dim]
    return reference, Grid.covering([target, reference], nodes=nodes)


def runs_of_seed(place: Place, settings: RunSettings) -> SeedRuns:
    """Return the runs of all variants and budgets on one data set of a domain.

    The data set, the random means of random domains and the training come from the
    streams (seed, place). Runs in the plane, where a network is trained alone, are
    shared with other processes where `SHARED` names a folder.
    """
    target = domain(settings.name, place, settings.seed)
    reference, grid = domain_grid(target, start=settings.start)
    recipe = None if settings.recipe is None else RECIPES[settings.recipe]

    def train(eps: Sequence[float], variants: Sequence[Variant]) -> list[GridRun]:
        return grid_mbde(
            target,
            reference,
            grid,
            eps,
            variants,
            settings.rounds,
            task_rng(settings.seed, *place, 1),
            samples=settings.samples,
            recipe=recipe,
        )

    variants = [find_variant(name) for name in settings.variants]
    folder = os.environ.get(SHARED)
    if folder is None or target.dim != 2:
        runs = train(settings.eps, variants)
    else:
        path = Path(folder, _key(place, settings))
        runs = _shared(path, settings.eps, variants, train)
    return SeedRuns(runs, target, reference, grid)


def _key(place: Place, settings: RunSettings) -> str:
    """Return a name for what single runs depend on, beside their variant and budget."""
    key = (
        settings.name,
        place,
        settings.seed,
        settings.recipe,
        settings.rounds,
        settings.samples,
        settings.start,
    )
    return hashlib.sha256(repr(key).encode()).hexdigest()


def _shared(
    path: Path,
    eps: Sequence[float],
    variants: Sequence[Variant],
    train: Callable[[Sequence[float], Sequence[Variant]], list[GridRun]],
) -> list[GridRun]:
    """Return what `train` returns; what a file has of it is not trained again."""
    with FileLock(f"{path}.lock"):
        known: dict[tuple[Variant, float], GridRun] = {}
        if path.exists():
            known = pickle.loads(path.read_bytes())
        # Variants that lack the same budgets are trained together.
        missing: dict[tuple[float, ...], list[Variant]] = {}
        for variant in variants:
            levels = tuple(level for level in eps if (variant, level) not in known)
            if levels:
                missing.setdefault(levels, []).append(variant)
        for levels, together in missing.items():
            for run in train(levels, together):
                known[run.variant, run.eps] = run
        path.write_bytes(pickle.dumps(known))
    return [known[variant, level] for variant in variants for level in eps]


def sweep_seed(place: Place, settings: RunSettings) -> pd.DataFrame:
    """Make `runs_of_seed` and measure them: as `measure`, and place_0, place_1..."""
    table = runs_of_seed(place, settings).measured()
    return table.assign(**{f"place_{index}": item for index, item in enumerate(place)})


@lru_cache(maxsize=16)
def _sweep(places: tuple[Place, ...], settings: RunSettings) -> pd.DataFrame:
    """Return the joined tables of a sweep, and keep them."""
    tasks = [{"place": place, "settings": settings} for place in places]
    table: pd.DataFrame = pd.concat(run_tasks(sweep_seed, tasks), ignore_index=True)
    return table


def sweep_domain(places: Sequence[Place], settings: RunSettings) -> pd.DataFrame:
    """Return `sweep_seed` for all places, one task each, joined.

    Sweeps with equal settings are computed once.
    """
    return _sweep(tuple(places), settings).copy()
