r"""What the papers leave open about MBDE's runs: how much each reading changes what is seen.

One setting is changed at a time, from a base on each of two domains. Ring: radius 4,
covariance 1/4. Mixture of three: standard deviations. Both: logit clipped, T = 3, the
fast recipe; rows on the optimiser have the printed one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd

from mollified.boosting.theta import LOG2
from mollified.experiments.mbde_sweep import domain_grid
from mollified.experiments.modes import modes_shown
from mollified.experiments.run_metrics import measure
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import mixture_1d, ring
from mollified.training.exact_training import exact_draw_mbde
from mollified.training.grid_mbde import grid_mbde
from mollified.training.ideal_learner import ideal_log_ratios
from mollified.training.recipes import FAST, PRINTED, SUCCESSORS, Recipe
from mollified.training.variants import VARIANTS, Variant

__all__ = ["SETTINGS", "Setting", "run_setting", "sensitivity"]

#: A mode of the ring counts as shown where the density has a local maximum so near
#: (units of the plane).
REACH = 0.5
#: The sigmoid as it stands, with the printed steps: the third reading of how the output
#: becomes c.
SIGMOID = Variant(
    "sigmoid", "as printed, the sigmoid itself", "sigmoid", 4 * LOG2, PRINTED
)


@dataclass(frozen=True)
class Setting:
    r"""Hold one reading: what is changed from the base of its domain; `title` is for tables and pictures."""

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


SETTINGS = {
    item.name: item
    for item in (
        _RING,
        *(
            replace(
                _RING, name=f"ring-radius-{r}", title=f"radius {r}", radius=float(r)
            )
            for r in (2, 3)
        ),
        *(
            replace(_RING, name=f"ring-cov-{v}", title=f"covariance {v}", covariance=v)
            for v in (0.04, 0.5)
        ),
        *_both(_RING),
        _LINE,
        replace(_LINE, name="mixture-variance", title="variances", reading="variance"),
        *_both(_LINE),
        *(
            replace(
                _LINE,
                name=f"mixture-momentum-{m}",
                title=f"printed, momentum {m}",
                recipe=replace(PRINTED, momentum=m),
            )
            for m in (0.9, 0.0, 0.5, 0.99)
        ),
        replace(
            _LINE,
            name="mixture-batches",
            title="printed, half batches, other start",
            recipe=SUCCESSORS,
        ),
    )
}


def run_setting(
    setting: str,
    repeat: int,
    seed: int,
    eps: tuple[float, ...],
    samples: int,
    nodes: int | None = None,
) -> pd.DataFrame:
    r"""Run one setting once: columns of `measure`, cap, ideal, modes, setting, repeat; one row a budget.

    cap is $\frac\varepsilon2(1-\theta_T)$ (nats), ideal the gain with a learner that
    knows both densities, modes the number of modes shown, -1 on the line. `nodes` is
    the number of nodes on an axis in the plane. Settings of a repeat share the stream
    (seed, repeat).
    """
    chosen = SETTINGS[setting]
    plane = chosen.domain == "ring"
    target = (
        ring(8, chosen.radius, chosen.covariance)
        if plane
        else mixture_1d(chosen.reading)
    )
    reference, grid = domain_grid(target, nodes if plane else None)
    points = samples // 2 if chosen.half else samples
    recipe = chosen.recipe
    if (
        recipe.batch is not None
    ):  # a batch of the fast recipe or of half the sample, whatever its size
        recipe = replace(recipe, batch=max(points * recipe.batch // 10_000, 1))
    rng = task_rng(seed, repeat)
    if chosen.exact:
        runs = [
            exact_draw_mbde(
                target, reference, grid, level, chosen.variant, 3, rng, recipe, points
            )
            for level in eps
        ]
    else:
        variants = [chosen.variant]
        runs = grid_mbde(
            target,
            reference,
            grid,
            eps,
            variants,
            3,
            rng,
            samples=points,
            recipe=recipe,
        )
    table = measure(runs, target, reference, grid).drop(columns=["variant", "promised"])
    table["cap"] = [VARIANTS["clip"].level(level, 3) / 2 for level in table["eps"]]
    centres = np.array(
        [part.mean for part in target.components if isinstance(part, Gaussian)]
    )
    log_p = target.log_prob(grid.points)
    log_q0 = reference.log_prob(grid.points)
    ideal = [
        ideal_log_ratios(log_p, log_q0, grid.weights, level, chosen.variant, 3)[-1]
        for level in eps
    ]
    table["ideal"] = [float((np.exp(log_p) * grid.weights) @ ratio) for ratio in ideal]
    table["modes"] = [
        modes_shown(log_q0 + run.log_ratio, grid, centres, REACH) if plane else -1
        for run in runs
    ]
    return table.assign(setting=setting, repeat=repeat)


@lru_cache(maxsize=4)
def _all(
    settings: tuple[str, ...],
    seed: int,
    eps: tuple[float, ...],
    repeats: int,
    samples: int,
    nodes: int | None,
) -> pd.DataFrame:
    tasks = [
        {
            "setting": name,
            "repeat": repeat,
            "seed": seed,
            "eps": eps,
            "samples": samples,
            "nodes": nodes,
        }
        for name in settings
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


def sensitivity(
    settings: list[str],
    eps: list[float],
    repeats: int,
    samples: int,
    nodes: int | None,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Run settings of `SETTINGS` (an empty list: all) `repeats` times at each budget: mean and range of what is seen.

    One row a setting and budget: domain, setting, title, eps, cap, ideal (nats), and
    for gain (nats), share (of cap), learned (share of ideal), spent (nats), coverage,
    coverage_printed (shares) and modes (-1 on the line) the mean, `_low` and `_high`
    over the repeats. Facts: <domain>_<quantity>_<eps>_low and _high over the settings'
    means.
    """
    levels = tuple(eps)
    runs = _all(tuple(settings or SETTINGS), seed, levels, repeats, samples, nodes)
    runs = runs.assign(
        share=runs["gain"] / runs["cap"], learned=runs["gain"] / runs["ideal"]
    )
    rows = []
    for (name, level), group in runs.groupby(["setting", "eps"], sort=False):
        chosen = SETTINGS[str(name)]
        row: dict[str, Any] = {
            "domain": chosen.domain,
            "setting": name,
            "title": chosen.title,
        }
        row |= {
            "eps": level,
            **{key: round(float(group[key].iloc[0]), 6) for key in ("cap", "ideal")},
        }
        for column in REPORTED:
            low, middle, high = (
                float(getattr(group[column], how)()) for how in ("min", "mean", "max")
            )
            row |= {
                column: round(middle, 6),
                f"{column}_low": round(low, 6),
                f"{column}_high": round(high, 6),
            }
        rows.append(row)
    table = pd.DataFrame(rows)
    facts: dict[str, Any] = {
        "settings": int(table["setting"].nunique()),
        "repeats": repeats,
        "samples": samples,
    }
    for (kind, level), group in table.groupby(["domain", "eps"], sort=False):
        for column in REPORTED:
            facts[f"{kind}_{column}_{level:g}_low"] = float(group[column].min())
            facts[f"{kind}_{column}_{level:g}_high"] = float(group[column].max())
    return table, facts
