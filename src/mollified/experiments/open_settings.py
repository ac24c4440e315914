r"""What the papers leave open about MBDE's runs: how much each reading changes.

One setting is changed at a time, from a base on each of two domains. Ring: radius 4,
covariance 1/4. Mixture of three: standard deviations. Both: logit clipped, T = 3, the
fast recipe; rows on the optimiser have the printed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd

from mollified.boosting.theta import LOG2
from mollified.experiments.mbde_sweep import SeedRuns, domain_grid
from mollified.experiments.metrics import component_means, modes_shown
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, ring
from mollified.training.exact_training import exact_draw_mbde
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.recipes import FAST, PRINTED, SUCCESSORS, Recipe
from mollified.training.variants import VARIANTS, Variant

__all__ = ["SETTINGS", "SIGMOID", "Setting", "SweepSize", "run_setting", "sensitivity"]

ROUNDS = 3
#: The size of the sample that the batches of the recipes are meant for.
USUAL_SAMPLES = 10_000

#: A mode of the ring counts as shown where the density has a local maximum so near
#: (units of the plane).
REACH = 0.5
#: The sigmoid as it stands, with the printed steps: the third reading of how the output
#: becomes c.
SIGMOID = Variant(
    "sigmoid",
    "as printed, the sigmoid itself",
    "sigmoid",
    4 * LOG2,
    PRINTED,
)


@dataclass(frozen=True)
class Setting:
    """Hold one reading: what is changed from the base of its domain.

    `title` is for tables and pictures; `half` means half as many points.
    """

    name: str
    title: str
    domain: Literal["ring", "mixture"]
    radius: float = 4.0
    covariance: float = 0.25
    reading: Literal["standard-deviation", "variance"] = "standard-deviation"
    variant: Variant = VARIANTS["clip"]
    recipe: Recipe = FAST
    half: bool = False
    exact: bool = False

    @property
    def in_plane(self) -> bool:
        """Whether the domain lies in the plane."""
        return self.domain == "ring"

    @property
    def target(self) -> Mixture:
        """The input."""
        if self.in_plane:
            return ring(8, self.radius, self.covariance)
        return mixture_1d(self.reading)

    def trained_on(self, samples: int) -> tuple[int, Recipe]:
        """Return the points of each class, and the recipe with batches to match."""
        points = samples // 2 if self.half else samples
        if self.recipe.batch is None:
            return points, self.recipe
        batch = max(points * self.recipe.batch // USUAL_SAMPLES, 1)
        return points, replace(self.recipe, batch=batch)


_RING = Setting("ring-base", "ring: radius 4, covariance 1/4, clip", "ring")
_LINE = Setting("mixture-base", "mixture: standard deviations, clip", "mixture")
_READINGS = (
    ("tanh", r"c = log 2 tanh", VARIANTS["tanh"]),
    ("sigmoid", "c = the sigmoid itself", SIGMOID),
)


def _both(base: Setting) -> list[Setting]:
    """Return the readings that are tried on either domain."""
    kind = base.domain
    return [
        *(
            replace(base, name=f"{kind}-{name}", title=title, variant=item)
            for name, title, item in _READINGS
        ),
        replace(base, name=f"{kind}-half", title="half as many points", half=True),
        replace(base, name=f"{kind}-exact", title="exact draws of Q", exact=True),
    ]


def _settings() -> list[Setting]:
    """Return all settings, the bases first among those of their domain."""
    radii = [
        replace(_RING, name=f"ring-radius-{r}", title=f"radius {r}", radius=float(r))
        for r in (2, 3)
    ]
    covariances = [
        replace(_RING, name=f"ring-cov-{v}", title=f"covariance {v}", covariance=v)
        for v in (0.04, 0.5)
    ]
    variances = replace(
        _LINE,
        name="mixture-variance",
        title="variances",
        reading="variance",
    )
    momenta = [
        replace(
            _LINE,
            name=f"mixture-momentum-{m}",
            title=f"printed, momentum {m}",
            recipe=replace(PRINTED, momentum=m),
        )
        for m in (0.9, 0.0, 0.5, 0.99)
    ]
    batches = replace(
        _LINE,
        name="mixture-batches",
        title="printed, half batches, other start",
        recipe=SUCCESSORS,
    )
    on_ring = [_RING, *radii, *covariances, *_both(_RING)]
    return [*on_ring, _LINE, variances, *_both(_LINE), *momenta, batches]


SETTINGS = {item.name: item for item in _settings()}


@dataclass(frozen=True)
class SweepSize:
    """Hold how much is run: budgets, points of P, nodes on an axis, seed."""

    eps: tuple[float, ...]
    samples: int
    nodes: int | None
    seed: int


def run_setting(setting: Setting, repeat: int, size: SweepSize) -> pd.DataFrame:
    r"""Run one setting once: one row a budget.

    Columns of `measure`, cap, ideal, modes, setting, repeat. cap is
    $\frac\varepsilon2(1-\theta_T)$ (nats), ideal the gain with a learner that knows
    both densities, modes the number of modes shown, -1 on the line. Settings of a
    repeat share the stream (seed, repeat).
    """
    target = setting.target
    reference, grid = domain_grid(target, size.nodes if setting.in_plane else None)
    seed_runs = SeedRuns(
        _runs(setting, target, reference, grid, repeat, size),
        target,
        reference,
        grid,
    )
    table = seed_runs.measured().drop(columns=["variant", "promised"])
    table["cap"] = [VARIANTS["clip"].level(eps, ROUNDS) / 2 for eps in table["eps"]]
    log_p = seed_runs.log_p
    log_q0 = seed_runs.log_q0
    weights_p = np.exp(log_p) * grid.weights
    ideal = [
        ideal_log_ratios(log_p, log_q0, grid.weights, eps, setting.variant, ROUNDS)[-1]
        for eps in size.eps
    ]
    table["ideal"] = [float(weights_p @ ratio) for ratio in ideal]
    table["modes"] = -1
    if setting.in_plane:
        centres = component_means(target)
        table["modes"] = [
            modes_shown(log_q0 + run.log_ratio, grid, centres, REACH)
            for run in seed_runs.runs
        ]
    return table.assign(setting=setting.name, repeat=repeat)


def _runs(
    setting: Setting,
    target: Mixture,
    reference: Gaussian,
    grid: Grid,
    repeat: int,
    size: SweepSize,
) -> list[GridRun]:
    """Return the runs of a setting at all budgets."""
    points, recipe = setting.trained_on(size.samples)
    rng = task_rng(size.seed, repeat)
    variant = setting.variant
    if setting.exact:
        return [
            exact_draw_mbde(
                target,
                reference,
                grid,
                eps,
                variant,
                ROUNDS,
                rng,
                recipe,
                points,
            )
            for eps in size.eps
        ]
    return grid_mbde(
        target,
        reference,
        grid,
        size.eps,
        [variant],
        ROUNDS,
        rng,
        samples=points,
        recipe=recipe,
    )


@lru_cache(maxsize=4)
def _all_runs(
    settings: tuple[Setting, ...],
    repeats: int,
    size: SweepSize,
) -> pd.DataFrame:
    """Return `run_setting` for all settings and repeats, one task each, joined."""
    tasks = [
        {"setting": setting, "repeat": repeat, "size": size}
        for setting in settings
        for repeat in range(repeats)
    ]
    table: pd.DataFrame = pd.concat(run_tasks(run_setting, tasks), ignore_index=True)
    return table


#: What is reported of a run: its mean, smallest and largest value over the repeats.
REPORTED = (
    "gain",
    "share",
    "learned",
    "spent",
    "coverage",
    "coverage_printed",
    "modes",
)


def sensitivity(names: Sequence[str], repeats: int, size: SweepSize) -> pd.DataFrame:
    r"""Run settings of `SETTINGS` at each budget: mean and range of what is seen.

    One row a setting and budget: domain, setting, title, eps, cap, ideal (nats), and
    for gain (nats), share (of cap), learned (share of ideal), spent (nats), coverage,
    coverage_printed (shares) and modes (-1 on the line) the mean, `_low` and `_high`
    over the repeats.
    """
    runs = _all_runs(tuple(SETTINGS[name] for name in names), repeats, size)
    runs = runs.assign(
        share=runs["gain"] / runs["cap"], learned=runs["gain"] / runs["ideal"]
    )
    rows = []
    for (name, _), group in runs.groupby(["setting", "eps"], sort=False):
        setting = SETTINGS[str(name)]
        row: dict[str, str | float] = {
            "domain": setting.domain,
            "setting": setting.name,
            "title": setting.title,
            "eps": float(group["eps"].iloc[0]),
        }
        for column in ("cap", "ideal"):
            row[column] = round(float(group[column].iloc[0]), 6)
        for column in REPORTED:
            row[column] = round(float(group[column].mean()), 6)
            row[f"{column}_low"] = round(float(group[column].min()), 6)
            row[f"{column}_high"] = round(float(group[column].max()), 6)
        rows.append(row)
    return pd.DataFrame(rows)
