r"""The readings of MBDE side by side: densities, gains, and the budget that each output shows to be spent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from mollified._validate import Array
from mollified.boosting.mbde_family import family_gain
from mollified.boosting.theta import theta
from mollified.experiments.hard_pairs import pair_levels
from mollified.experiments.mbde_sweep import (
    domain,
    domain_grid,
    runs_of_seed,
    sweep_domain,
)
from mollified.experiments.modes import modes_shown
from mollified.experiments.run_metrics import measure
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.training.grid_mbde import GridRun
from mollified.training.variants import VARIANTS

__all__ = ["BOUNDS", "budgets", "gains", "line_ratios", "perfect_gain", "ring_pictures"]

ROUNDS = 3
#: Rows of `gains` that are no runs: the limit eps/2, the mollification, the best output
#: of MBDE in three rounds or any.
BOUNDS = ("half", "mollification", "family", "family-limit")
DOMAINS = ("ring", "mixture-sd")
#: Pictures are not tabulated below this decimal logarithm of the density.
FLOOR = -6.0


@lru_cache(maxsize=4)
def _runs(**settings: Any) -> tuple[list[GridRun], Mixture, Gaussian, Grid]:
    return runs_of_seed((0,), **settings)


def _settings(
    name: str,
    seed: int,
    eps: tuple[float, ...],
    variants: Sequence[str],
    recipe: str,
    samples: int,
) -> dict[str, Any]:
    """Return the settings of `runs_of_seed`; the recipe "own" is each variant's own."""
    training = None if recipe == "own" else recipe
    sizes = {"rounds": ROUNDS, "samples": samples}
    return {
        "name": name,
        "seed": seed,
        "eps": eps,
        "variants": tuple(variants),
        "recipe": training,
        **sizes,
    }


def _measured(count: int, **settings: Any) -> pd.DataFrame:
    """Return the measures of repeats 0, 1, ...: the first from the runs that the pictures show too."""
    first = measure(*_runs(**settings)).assign(place_0=0)
    if count == 1:
        return first
    others = sweep_domain(tuple((place,) for place in range(1, count)), **settings)
    return pd.concat([first, others], ignore_index=True)


def ring_pictures(
    eps: Sequence[float],
    variants: Sequence[str],
    recipe: str,
    samples: int,
    stride: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\log_{10}$ densities on every `stride`-th node of [-5.8, 5.8]², for the projection and each variant.

    Columns eps, x, y, projection and the variants; rounded to 0.01, at least -6. Facts
    for each: gain_, spent_ (nats) and modes_ (of 8: local maxima within 1, two standard
    deviations, of a centre), by name and eps.
    """
    levels = tuple(eps)
    runs, target, reference, grid = _runs(
        **_settings("ring", seed, levels, variants, recipe, samples)
    )
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights = np.exp(log_p) * grid.weights
    centres = np.stack(
        [item.mean for item in target.components if isinstance(item, Gaussian)]
    )
    middle = (grid.shape[0] - 1) // 2
    inner = [np.arange(middle % stride, len(axis), stride) for axis in grid.axes]
    inner = [
        place[np.abs(axis[place]) < 5.8]
        for place, axis in zip(inner, grid.axes, strict=True)
    ]
    tables = []
    facts = {}
    for level in levels:
        ratios = {
            "projection": RelativeMollifier(reference, level)
            .project(target, grid)
            .log_ratio(grid.points)
        }
        ratios |= {run.variant.name: run.log_ratio for run in runs if run.eps == level}
        mesh = [
            a.ravel()
            for a in np.meshgrid(
                *(axis[p] for axis, p in zip(grid.axes, inner, strict=True)),
                indexing="ij",
            )
        ]
        frame = pd.DataFrame(
            {"eps": level, "x": mesh[0].round(3), "y": mesh[1].round(3)}
        )
        for name, ratio in ratios.items():
            facts[f"gain_{name}_{level:g}"] = float(weights @ ratio)
            facts[f"spent_{name}_{level:g}"] = 2 * float(np.abs(ratio).max())
            facts[f"modes_{name}_{level:g}"] = float(
                modes_shown(log_q0 + ratio, grid, centres, 1.0)
            )
            picture = (
                ((log_q0 + ratio) / np.log(10))
                .reshape(grid.shape)[np.ix_(*inner)]
                .ravel()
            )
            frame[name] = np.maximum(picture, FLOOR).round(2)
        tables.append(frame)
    return pd.concat(tables, ignore_index=True), facts


def line_ratios(
    eps: Sequence[float], variants: Sequence[str], recipe: str, samples: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\log Q_3/Q_0$ on [-3, 3] for the 1D mixture (standard deviations), the projection and each variant.

    Columns eps, x, target ($\log P/Q_0$, at least -30), projection and the variants, in
    nats, rounded to 0.0001. Facts: gain_ and spent_ by name and eps.
    """
    levels = tuple(eps)
    runs, target, reference, grid = _runs(
        **_settings("mixture-sd", seed, levels, variants, recipe, samples)
    )
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    weights = np.exp(log_p) * grid.weights
    x = grid.points[:, 0]
    # Finer around the narrow component, whose standard deviation is 0.01.
    wanted = np.unique(
        np.concatenate([np.linspace(-3, 3, 121), np.linspace(0.2, 0.4, 41)])
    )
    shown = np.unique([int(np.abs(x - value).argmin()) for value in wanted])
    tables = []
    facts = {}
    for level in levels:
        ratios = {
            "projection": RelativeMollifier(reference, level)
            .project(target, grid)
            .log_ratio(grid.points)
        }
        ratios |= {run.variant.name: run.log_ratio for run in runs if run.eps == level}
        frame = pd.DataFrame({"eps": level, "x": x[shown].round(5)})
        frame["target"] = np.maximum(log_p - log_q0, -30.0)[shown].round(4)
        for name, ratio in ratios.items():
            facts[f"gain_{name}_{level:g}"] = float(weights @ ratio)
            facts[f"spent_{name}_{level:g}"] = 2 * float(np.abs(ratio).max())
            frame[name] = ratio[shown].round(4)
        tables.append(frame)
    return pd.concat(tables, ignore_index=True), facts


@lru_cache(maxsize=8)
def _bounds(name: str, eps: tuple[float, ...]) -> pd.DataFrame:
    r"""Return the rows of `BOUNDS` for a domain: columns variant, eps, gain."""
    target = domain(name)
    reference, grid = domain_grid(target)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    p = np.exp(log_p) * grid.weights
    base = np.exp(log_q0) * grid.weights
    share = np.array([1 - theta(level, ROUNDS)[-1] for level in eps])
    half = np.array(eps) / 2
    p_rows, base_rows = (np.tile(law / law.sum(), (len(eps), 1)) for law in (p, base))
    closest = [
        RelativeMollifier(reference, level).project(target, grid).log_ratio(grid.points)
        for level in eps
    ]
    found = {
        "half": half,
        "mollification": np.array([float(p @ ratio) for ratio in closest]),
        "family": family_gain(p_rows, base_rows, half * share),
        "family-limit": family_gain(p_rows, base_rows, half),
    }
    rows = [
        (key, level, float(gain))
        for key, values in found.items()
        for level, gain in zip(eps, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["variant", "eps", "gain"])


def gains(
    domains: Sequence[str],
    eps: Sequence[float],
    variants: Sequence[str],
    recipes: Sequence[str],
    places: Sequence[int],
    samples: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return gain $\Delta$ and $2\sup|\log Q_3/Q_0|$ of every run, with the bounds on the gain; nats.

    Columns domain, recipe, variant, eps, place_0, gain, spent; `places` holds the
    number of repeats for each of `recipes` ("own": each variant's own). Rows of
    `BOUNDS` have recipe "none", place 0 and twice their gain, the least that they can
    spend, as spent. Facts: medians over places, as
    gain_<domain>_<recipe>_<variant>_<eps>, and what a perfect learner of the released
    variant would gain, perfect_<domain>_<eps>.
    """
    levels = tuple(eps)
    tables = []
    facts = {}
    for name in domains:
        bounds = _bounds(name, levels)
        tables.append(
            bounds.assign(
                domain=name, recipe="none", place_0=0, spent=2 * bounds["gain"]
            )
        )
        for key, level, gain in zip(
            bounds["variant"], bounds["eps"], bounds["gain"], strict=True
        ):
            facts[f"gain_{name}_{key}_{level:g}"] = float(gain)
        for level in levels:
            facts[f"perfect_{name}_{level:g}"] = perfect_gain(name, level)
        for recipe, count in zip(recipes, places, strict=True):
            runs = _measured(
                count, **_settings(name, seed, levels, variants, recipe, samples)
            )
            tables.append(runs.assign(domain=name, recipe=recipe))
            medians = (
                runs.groupby(["variant", "eps"], sort=False)[["gain", "spent"]]
                .median()
                .reset_index()
            )
            for row in medians.to_dict("records"):
                for column in ("gain", "spent"):
                    facts[
                        f"{column}_{name}_{recipe}_{row['variant']}_{row['eps']:g}"
                    ] = float(row[column])
    columns = ["domain", "recipe", "variant", "eps", "place_0", "gain", "spent"]
    return pd.concat(tables, ignore_index=True)[columns], facts


def perfect_gain(name: str, eps: float, variant: str = "released") -> float:
    r"""Return the gain of $Q\propto P^\lambda Q_0^{1-\lambda}$, $\lambda=1-\prod_t(1-\theta_t)$, three rounds, in nats.

    That is the output with an unbounded logit and a perfect learner; by quadrature on
    the grid of the domain.
    """
    share = 1 - float(np.prod(1 - VARIANTS[variant].steps(eps, ROUNDS)))
    target = domain(name)
    reference, grid = domain_grid(target)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    path = share * (log_p - log_q0)
    gain: Array = (
        np.exp(log_p)
        * grid.weights
        @ (path - logsumexp(np.log(grid.weights) + log_q0 + path))
    )
    return float(gain)


def budgets(
    domains: Sequence[str],
    eps: Sequence[float],
    variants: Sequence[str],
    recipes: Sequence[str],
    places: Sequence[int],
    samples: int,
    pair_eps: Sequence[float],
    pair_variants: Sequence[str],
    pair_recipe: str,
    pair_samples: Sequence[int],
    most: Sequence[int],
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what runs show to be spent, and the level that each of the hard pairs reaches; nats.

    Columns domain, kind ("run" or "pair"), recipe, variant, eps, name (repeat or pair),
    level. Runs are those of `gains`; pairs those of `hard_pairs.pair_levels`, with
    `pair_samples` points and the last `most` pairs for each domain. Facts: spent_
    (median) and pair_ (largest) by domain, variant and eps.
    """
    training = None if pair_recipe == "own" else pair_recipe
    table, facts = gains(domains, eps, variants, recipes, places, samples, seed)
    runs = table[table["recipe"] != "none"].assign(kind="run")
    runs = runs.assign(name=runs["place_0"].astype(str), level=runs["spent"])
    tables = [runs]
    for domain_name, count, last in zip(domains, pair_samples, most, strict=True):
        dim = 2 if domain_name == "ring" else 1
        pairs = pair_levels(dim, pair_eps, pair_variants, training, seed, count, last)
        tables.append(
            pairs.rename(columns={"pair": "name"}).assign(
                domain=domain_name, kind="pair", recipe=pair_recipe
            )
        )
        largest = (
            pairs.groupby(["variant", "eps"], sort=False)["level"].max().reset_index()
        )
        for row in largest.to_dict("records"):
            facts[f"pair_{domain_name}_{row['variant']}_{row['eps']:g}"] = float(
                row["level"]
            )
    columns = ["domain", "kind", "recipe", "variant", "eps", "name", "level"]
    return pd.concat(tables, ignore_index=True)[columns], facts
