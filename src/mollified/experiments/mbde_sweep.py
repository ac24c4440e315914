r"""The sweeps of the experiments: MBDE's variants over budgets and seeds, on each domain of the papers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_method, check_seed
from mollified.boosting.grid_mbde import GridRun, grid_mbde
from mollified.boosting.variants import find_variant
from mollified.experiments.run_metrics import measure
from mollified.laws._densities import check_distribution, echo
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, random_1d, random_2d, ring
from mollified.training.recipes import RECIPES
from mollified.training.task_list import run_tasks, task_rng

__all__ = ["DOMAINS", "domain", "domain_grid", "runs_of_seed", "sweep_domain", "sweep_seed"]

DOMAINS = ("ring", "mixture-sd", "mixture-variance", "random-1d", "random-2d")

#: Nodes of the quadrature grid by dimension: finer ones change no metric of a run by more than the seeds do.
NODES = {1: 8001, 2: 241}


def _check_place(place: object) -> tuple[int, ...]:
    """Return a place of a sweep: a tuple of integers >= 0, perhaps empty."""
    if not isinstance(place, tuple):
        raise TypeError(f"place must be a tuple of integers, got {echo(place)}")
    return tuple(check_each("place", place, check_seed)) if place else ()


def _check_names(variants: object) -> tuple[str, ...]:
    """Return a non-empty tuple of names of variants."""
    if not isinstance(variants, tuple):
        raise TypeError(f"variants must be a tuple of names, got {echo(variants)}")
    return tuple(check_each("variants", variants, lambda _name, item: find_variant(item).name))


def _check_recipe(recipe: object) -> None:
    """Refuse what is neither the name of a recipe nor None."""
    if recipe is not None and (not isinstance(recipe, str) or recipe not in RECIPES):
        raise ValueError(f"recipe must be one of {', '.join(RECIPES)} or None, got {echo(recipe)}")


def domain(name: str, place: tuple[int, ...] = (), seed: int = 0) -> Mixture:
    """Return the target of a domain; random ones take their means from the stream (seed, place), place[0] being m.

    Raises ValueError or TypeError for an unknown domain, a seed or place that holds something else than integers >= 0,
    or a random domain without an m >= 1.
    """
    place, seed = _check_place(place), check_seed("seed", seed)
    if name == "ring":
        return ring()
    if name in ("mixture-sd", "mixture-variance"):
        return mixture_1d("standard-deviation" if name == "mixture-sd" else "variance")
    if name in ("random-1d", "random-2d"):
        if not place or place[0] < 1:
            raise ValueError(f"place must begin with m >= 1 on {name}, got {place!r}")
        draw = random_1d if name == "random-1d" else random_2d
        return draw(place[0], task_rng(seed, *place, 0))
    raise ValueError(f"name must be one of {', '.join(DOMAINS)} (the domains), got {name!r}")


def domain_grid(target: Mixture, nodes: int | None = None) -> tuple[Gaussian, Grid]:
    """Return the standard Gaussian of the target's dimension and a grid that covers both.

    Raises ValueError or TypeError for a target without a box or of more than two dimensions, or a number of nodes that
    `Grid` refuses.
    """
    check_method("target", check_distribution("target", target), "box")
    if target.dim not in NODES:
        raise ValueError(f"target must have dimension 1 or 2, got {target!r}")
    reference = Gaussian.standard(target.dim)
    return reference, Grid.covering([target, reference], nodes=NODES[target.dim] if nodes is None else nodes)


def sweep_seed(
    name: str,
    place: tuple[int, ...],
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str | None,
    rounds: int = 3,
    samples: int = 10_000,
) -> pd.DataFrame:
    """Run all variants and budgets on one data set, and measure them: columns of `measure`, and place_0, place_1...

    `recipe` names one of `RECIPES` for all variants; None takes each variant's own. The data set, the random means of
    random domains and the training come from the streams (seed, place). Raises ValueError or TypeError for bad
    settings.
    """
    runs, target, reference, grid = runs_of_seed(name, place, seed, eps, variants, recipe, rounds, samples)
    table = measure(runs, target, reference, grid)
    for index, item in enumerate(place):
        table[f"place_{index}"] = item
    return table


def runs_of_seed(
    name: str,
    place: tuple[int, ...],
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str | None,
    rounds: int = 3,
    samples: int = 10_000,
) -> tuple[list[GridRun], Mixture, Gaussian, Grid]:
    """Return the runs themselves, with target, reference and grid, for the pictures of densities.

    Raises ValueError or TypeError for bad settings, before work.
    """
    _check_names(variants)
    _check_recipe(recipe)
    check_each("eps", eps, check_eps)
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
def _sweep(**settings: Any) -> pd.DataFrame:
    """Return the joined tables of a sweep, and keep them."""
    tasks = [{**settings, "place": place} for place in settings["places"]]
    for task in tasks:
        del task["places"]
    table: pd.DataFrame = pd.concat(run_tasks(sweep_seed, tasks), ignore_index=True)
    return table


def sweep_domain(
    name: str,
    places: tuple[tuple[int, ...], ...],
    seed: int,
    eps: tuple[float, ...],
    variants: tuple[str, ...],
    recipe: str | None,
    rounds: int = 3,
    samples: int = 10_000,
) -> pd.DataFrame:
    """Return `sweep_seed` for all places, one task each, joined; sweeps with equal settings are computed once.

    A place is (repeat,) on fixed domains and (m, repeat) on random ones. Raises ValueError or TypeError for bad
    settings, before work.
    """
    if not isinstance(places, tuple) or not places:
        raise TypeError(f"places must be a non-empty tuple of tuples, got {echo(places)}")
    for place in places:
        try:
            domain(name, place, seed)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error}, in places {echo(places)}") from error
    _check_names(variants)
    _check_recipe(recipe)
    settings = {
        "places": places,
        "name": name,
        "seed": check_seed("seed", seed),
        "eps": tuple(check_each("eps", eps, check_eps)),
        "variants": variants,
        "recipe": recipe,
        "rounds": check_count("rounds", rounds),
        "samples": check_count("samples", samples),
    }
    return _sweep(**settings).copy()
