r"""The readings of MBDE side by side: densities, gains, and budgets spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp

from mollified._validate import Array
from mollified.boosting.mbde_family import family_gain
from mollified.boosting.theta import theta
from mollified.experiments.hard_pairs import PairSettings, pair_levels
from mollified.experiments.mbde_sweep import (
    RunSettings,
    SeedRuns,
    domain,
    domain_grid,
    runs_of_seed,
    sweep_domain,
)
from mollified.experiments.metrics import component_means, modes_shown, spent
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.training.variants import VARIANTS

__all__ = [
    "BOUNDS",
    "PairRuns",
    "Sweep",
    "budgets",
    "gains",
    "line_ratios",
    "perfect_gain",
    "ring_pictures",
]

ROUNDS = 3
#: Rows of `gains` that are no runs: the limit eps/2, the mollification, the best output
#: of MBDE in three rounds or any.
BOUNDS = ("half", "mollification", "family", "family-limit")
#: Pictures are not tabulated below this decimal logarithm of the density.
FLOOR = -6.0
#: Half the side of the pictures, in the units of the points.
SIDE = 5.8
#: A mode of the ring counts as shown where a maximum is within two standard deviations.
REACH = 1.0
#: The least log ratio of the target that is tabulated, in nats.
LEAST_RATIO = -30.0


@dataclass(frozen=True)
class Sweep:
    """Hold what all runs of the page share: budgets, variants, points of P, seed."""

    eps: tuple[float, ...]
    variants: tuple[str, ...]
    samples: int
    seed: int

    def on(self, domain_name: str, recipe: str) -> RunSettings:
        """Return the runs of a domain; the recipe "own" is each variant's own."""
        return RunSettings(
            name=domain_name,
            seed=self.seed,
            eps=self.eps,
            variants=self.variants,
            recipe=None if recipe == "own" else recipe,
            rounds=ROUNDS,
            samples=self.samples,
        )


@dataclass(frozen=True)
class PairRuns:
    """Hold how hard pairs are run; points of P and the number of pairs by domain."""

    eps: tuple[float, ...]
    variants: tuple[str, ...]
    recipe: str
    samples: Mapping[str, int]
    most: Mapping[str, int]

    def on(self, domain_name: str, seed: int) -> PairSettings:
        """Return the pairs of a domain."""
        return PairSettings(
            dim=2 if domain_name == "ring" else 1,
            eps=self.eps,
            variants=self.variants,
            recipe=None if self.recipe == "own" else self.recipe,
            seed=seed,
            samples=self.samples[domain_name],
            most=self.most[domain_name],
        )


@lru_cache(maxsize=4)
def _first_runs(settings: RunSettings) -> SeedRuns:
    """Return the runs of repeat 0, which pictures and tables show."""
    return runs_of_seed((0,), settings)


def _measured(repeats: int, settings: RunSettings) -> pd.DataFrame:
    """Return the measures of all repeats, the first from the runs of the pictures."""
    first = _first_runs(settings).measured().assign(place_0=0)
    if repeats == 1:
        return first
    others = sweep_domain([(repeat,) for repeat in range(1, repeats)], settings)
    return pd.concat([first, others], ignore_index=True)


def _closest_ratio(
    target: Mixture,
    reference: Gaussian,
    grid: Grid,
    eps: float,
) -> Array:
    """Return the log ratio of the member of the mollifier that is closest to P."""
    closest = RelativeMollifier(reference, eps).project(target, grid)
    return closest.log_ratio(grid.points)


def _ratios(first: SeedRuns, eps: float) -> dict[str, Array]:
    """Return the log ratios of the projection and of each variant at one budget."""
    closest = _closest_ratio(first.target, first.reference, first.grid, eps)
    runs = {run.variant.name: run.log_ratio for run in first.runs if run.eps == eps}
    return {"projection": closest, **runs}


def ring_pictures(
    sweep: Sweep,
    recipe: str,
    stride: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    r"""Return $\log_{10}$ densities of one seed on the ring, and what they gain.

    They are on every `stride`-th node of [-5.8, 5.8]². First table: columns eps, x, y,
    projection and the variants; rounded to 0.01, at least -6. Second: columns variant
    (or "projection"), eps, gain, spent (nats) and modes (of 8: local maxima within 1,
    two standard deviations, of a centre).
    """
    first = _first_runs(sweep.on("ring", recipe))
    grid = first.grid
    log_q0 = first.log_q0
    weights = np.exp(first.log_p) * grid.weights
    centres = component_means(first.target)
    middle = (grid.shape[0] - 1) // 2
    inner = [_shown_nodes(axis, middle, stride) for axis in grid.axes]
    sides = [axis[shown] for axis, shown in zip(grid.axes, inner, strict=True)]
    x, y = (axis.ravel().round(3) for axis in np.meshgrid(*sides, indexing="ij"))
    pictures = []
    facts = []
    for eps in sweep.eps:
        picture = pd.DataFrame({"eps": eps, "x": x, "y": y})
        for name, ratio in _ratios(first, eps).items():
            density = log_q0 + ratio
            facts.append(
                {
                    "variant": name,
                    "eps": eps,
                    "gain": float(weights @ ratio),
                    "spent": spent(ratio),
                    "modes": modes_shown(density, grid, centres, REACH),
                }
            )
            shown = (density / np.log(10)).reshape(grid.shape)[np.ix_(*inner)]
            picture[name] = np.maximum(shown.ravel(), FLOOR).round(2)
        pictures.append(picture)
    return pd.concat(pictures, ignore_index=True), pd.DataFrame(facts)


def _shown_nodes(axis: Array, middle: int, stride: int) -> NDArray[np.intp]:
    """Return the numbers of the nodes of an axis that a picture shows."""
    places = np.arange(middle % stride, len(axis), stride)
    return places[np.abs(axis[places]) < SIDE]


def line_ratios(sweep: Sweep, recipe: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    r"""Return $\log Q_3/Q_0$ on [-3, 3] for the 1D mixture, and what it gains.

    The mixture has standard deviations. First table: columns eps, x, target ($\log
    P/Q_0$, at least -30), projection and the variants, in nats, rounded to 0.0001.
    Second: columns variant (or "projection"), eps, gain and spent (nats).
    """
    first = _first_runs(sweep.on("mixture-sd", recipe))
    log_p = first.log_p
    weights = np.exp(log_p) * first.grid.weights
    x = first.grid.points[:, 0]
    # Finer around the narrow component, whose standard deviation is 0.01.
    wanted = np.concatenate([np.linspace(-3, 3, 121), np.linspace(0.2, 0.4, 41)])
    nearest = [int(np.abs(x - value).argmin()) for value in np.unique(wanted)]
    shown = np.unique(nearest)
    target_ratio = np.maximum(log_p - first.log_q0, LEAST_RATIO)[shown].round(4)
    curves = []
    facts = []
    for eps in sweep.eps:
        curve = pd.DataFrame({"eps": eps, "x": x[shown].round(5)})
        curve["target"] = target_ratio
        for name, ratio in _ratios(first, eps).items():
            gain = float(weights @ ratio)
            facts.append(
                {"variant": name, "eps": eps, "gain": gain, "spent": spent(ratio)}
            )
            curve[name] = ratio[shown].round(4)
        curves.append(curve)
    return pd.concat(curves, ignore_index=True), pd.DataFrame(facts)


@lru_cache(maxsize=8)
def _bounds(name: str, eps: tuple[float, ...]) -> pd.DataFrame:
    r"""Return the rows of `BOUNDS` for a domain: columns variant, eps, gain."""
    target = domain(name)
    reference, grid = domain_grid(target)
    p = np.exp(target.log_prob(grid.points)) * grid.weights
    base = np.exp(reference.log_prob(grid.points)) * grid.weights
    share = np.array([1 - theta(level, ROUNDS)[-1] for level in eps])
    half = np.array(eps) / 2
    p_rows = np.tile(p / p.sum(), (len(eps), 1))
    base_rows = np.tile(base / base.sum(), (len(eps), 1))
    closest = [
        float(p @ _closest_ratio(target, reference, grid, level)) for level in eps
    ]
    gains_of = {
        "half": half,
        "mollification": np.array(closest),
        "family": family_gain(p_rows, base_rows, half * share),
        "family-limit": family_gain(p_rows, base_rows, half),
    }
    tables = [
        pd.DataFrame({"variant": bound, "eps": eps, "gain": values})
        for bound, values in gains_of.items()
    ]
    return pd.concat(tables, ignore_index=True)


def gains(
    sweep: Sweep,
    domains: Sequence[str],
    repeats: Mapping[str, int],
) -> pd.DataFrame:
    r"""Return gain $\Delta$ and $2\sup|\log Q_3/Q_0|$ of every run, in nats.

    With the bounds on the gain. Columns domain, recipe, variant, eps, place_0, gain,
    spent; `repeats` holds the number of repeats by recipe ("own": each variant's own).
    Rows of `BOUNDS` have recipe "none", place 0 and twice their gain, the least that
    they can spend, as spent.
    """
    tables = []
    for name in domains:
        bounds = _bounds(name, sweep.eps)
        tables.append(
            bounds.assign(
                domain=name,
                recipe="none",
                place_0=0,
                spent=2 * bounds["gain"],
            )
        )
        for recipe, count in repeats.items():
            runs = _measured(count, sweep.on(name, recipe))
            tables.append(runs.assign(domain=name, recipe=recipe))
    columns = ["domain", "recipe", "variant", "eps", "place_0", "gain", "spent"]
    return pd.concat(tables, ignore_index=True)[columns]


def perfect_gain(name: str, eps: float, variant: str = "released") -> float:
    r"""Return the gain of $Q\propto P^\lambda Q_0^{1-\lambda}$ in nats.

    $\lambda=1-\prod_t(1-\theta_t)$, three rounds: the output with an unbounded logit
    and a perfect learner. By quadrature on the grid of the domain.
    """
    share = 1 - float(np.prod(1 - VARIANTS[variant].steps(eps, ROUNDS)))
    target = domain(name)
    reference, grid = domain_grid(target)
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    path = share * (log_p - log_q0)
    log_mass = logsumexp(np.log(grid.weights) + log_q0 + path)
    gain: Array = np.exp(log_p) * grid.weights @ (path - log_mass)
    return float(gain)


def budgets(
    sweep: Sweep,
    domains: Sequence[str],
    repeats: Mapping[str, int],
    pairs: PairRuns,
) -> pd.DataFrame:
    r"""Return what runs show to be spent, and the levels that hard pairs reach.

    All in nats. Columns domain, kind ("run" or "pair"), recipe, variant, eps, name
    (repeat or pair), level. Runs are those of `gains`; pairs those of
    `hard_pairs.pair_levels`.
    """
    table = gains(sweep, domains, repeats)
    runs = table[table["recipe"] != "none"].assign(kind="run")
    tables = [runs.assign(name=runs["place_0"].astype(str), level=runs["spent"])]
    for name in domains:
        levels = pair_levels(pairs.on(name, sweep.seed))
        tables.append(
            levels.rename(columns={"pair": "name"}).assign(
                domain=name,
                kind="pair",
                recipe=pairs.recipe,
            )
        )
    columns = ["domain", "kind", "recipe", "variant", "eps", "name", "level"]
    return pd.concat(tables, ignore_index=True)[columns]
