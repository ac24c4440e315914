r"""The comparison picture of the papers, made again: MBDE, a private kernel estimate and a private GAN on the ring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.dpb_settings import MIXED, find_dpb_domain
from mollified.experiments.gan_runs import (
    DELTA,
    INNER,
    RATE,
    RECORDS,
    TRAININGS,
    gan_draws_of,
    kernel_loss,
    plane,
    ring_centres,
    spent_bracket,
)
from mollified.experiments.modes import modes_shown
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import ring
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.mollifiers.repair import repaired
from mollified.releases.bernstein_release import Calibration, noise_scale, release
from mollified.training.gan_accounting import published_noise
from mollified.training.grid_mbde import grid_mbde
from mollified.training.private_gan import GanSettings
from mollified.training.recipes import FAST
from mollified.training.variants import find_variant

__all__ = ["comparison_panels", "contender_densities", "contender_losses", "grid_contenders"]

#: The levels of the papers' picture (v2, v3, Figure 1).
MBDE_LEVEL, DPB_LEVEL, GAN_LEVEL = 0.25, 100.0, 5000.0
DEGREE, ORDER, ROUNDS = 20, 1, 3
MBDE_NAMES = ("clip", "tanh", "released")


def grid_contenders(seed: int, epochs: int) -> dict[str, Array]:
    r"""Return MBDE (three readings and the projection) and DPB (two noises) at the nodes of `plane()`, from one seed.

    MBDE at $\varepsilon=1/4$, T = 3; DPB at 100 with one record as its unit, degree 20, order 1, shifted, bandwidth by
    ten-fold cross-validation. `epochs` of a fast recipe train MBDE; 0 stands for what each source prints.
    """
    grid, reference, setting = plane(), Gaussian.standard(2), find_dpb_domain("ring")
    variants = [find_variant(name) for name in MBDE_NAMES]
    recipe = replace(FAST, epochs=epochs) if epochs else None
    runs = grid_mbde(
        ring(), reference, grid, [MBDE_LEVEL], variants, ROUNDS, task_rng(seed, 0), samples=RECORDS, recipe=recipe
    )
    logs = reference.log_prob(grid.points)
    found = {name: np.exp(logs + run.log_ratio) for name, run in zip(MBDE_NAMES, runs, strict=True)}
    found["projection"] = np.exp(RelativeMollifier(reference, MBDE_LEVEL).project(ring(), grid).log_prob(grid.points))
    data, choice = setting.draw(RECORDS, task_rng(seed, 1))
    kinds: tuple[Calibration, ...] = ("published", "exact")
    for kind in kinds:
        share = choice.bandwidth / (setting.high - setting.low)
        scale = noise_scale(DPB_LEVEL, DEGREE, 2, share, RECORDS, kind, "record")
        made = release(data, setting.low, setting.high, DEGREE, choice.bandwidth, scale, task_rng(seed, 2))
        values = made.function(grid.axes, ORDER).ravel()
        found[f"dpb-{kind}"] = repaired(values, grid.weights, "shift", uniform=MIXED)
    return found


_FOUND: dict[tuple[int, int], dict[str, Array]] = {}


def contender_densities(seeds: Sequence[int], steps: int, accounted: float, epochs: int) -> dict[int, dict[str, Array]]:
    r"""Return the density of each contender on `plane()`, by seed: those of `grid_contenders`, and private GANs.

    A GAN has `steps` critic steps and stands for itself by the kernel estimate of 10,000 draws; "gan-formula" and
    "gan-defaults" have the noise of the published formula at 5000, "gan-accounted" the noise multiplier `accounted`.
    """
    base = GanSettings(noise=published_noise(GAN_LEVEL, RATE, INNER, DELTA), steps=steps)
    settings = {
        "gan-formula": base,
        "gan-defaults": replace(base, **TRAININGS["WGAN's defaults"]),
        "gan-accounted": replace(base, noise=accounted),
    }
    missing = [{"seed": seed, "epochs": epochs} for seed in seeds if (seed, epochs) not in _FOUND]
    if missing:
        results = run_tasks(grid_contenders, missing)
        _FOUND.update({(task["seed"], task["epochs"]): item for task, item in zip(missing, results, strict=True)})
    drawn = gan_draws_of(list(settings.values()), seeds)
    return {
        seed: {
            **_FOUND[seed, epochs],
            **{name: kernel_loss(drawn[item, seed], plane())[0] for name, item in settings.items()},
        }
        for seed in seeds
    }


def contender_losses(
    seeds: int, steps: int, accounted: float, epochs: int, first: int = 0
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return loss, modes shown and distance from DPB, by contender and seed; see `contender_densities`.

    Columns contender, seed, loss (nats; P given the square), gain (over N(0, I), nats), modes (local maxima within 1/2
    of the 8 centres), from_dpb (total variation between the contender and DPB with the published noise). Facts: means,
    ranges.
    """
    grid, setting = plane(), find_dpb_domain("ring")
    mass = setting.weights(grid)
    reference = Gaussian.standard(2).log_prob(grid.points)
    found = contender_densities(list(range(first, first + seeds)), steps, accounted, epochs)
    table = pd.DataFrame(
        [
            {
                "contender": name,
                "seed": seed,
                "loss": round(-float(mass @ np.log(values)), 4),
                "gain": round(float(mass @ (np.log(values) - reference)), 4),
                "modes": modes_shown(np.log(values), grid, ring_centres(), 0.5),
                "from_dpb": round(0.5 * float(grid.weights @ np.abs(values - densities["dpb-published"])), 4),
            }
            for seed, densities in found.items()
            for name, values in densities.items()
        ]
    )
    facts: dict[str, Any] = {
        "seeds": seeds,
        "steps": steps,
        "accounted_level": spent_bracket(accounted, steps)[1],
        "uniform": setting.uniform_nll,
        "entropy": -float(mass @ ring().log_prob(grid.points)),
        "reference": -float(mass @ reference),
    }
    for name, rows in table.groupby("contender"):
        facts |= {
            f"loss_{name}": float(rows["loss"].mean()),
            f"least_{name}": float(rows["loss"].min()),
            f"most_{name}": float(rows["loss"].max()),
            f"gain_{name}": float(rows["gain"].mean()),
            f"least_modes_{name}": int(rows["modes"].min()),
            f"most_modes_{name}": int(rows["modes"].max()),
            f"from_dpb_{name}": float(rows["from_dpb"].mean()),
        }
    return table, facts


def comparison_panels(
    seed: int, steps: int, accounted: float, epochs: int, every: int = 3
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the densities of one seed at every `every`-th node of the plane, one column a contender, and the target.

    Columns x, y, target and the contenders (four significant digits, zero below 1e-6).
    """
    grid = plane()
    found = {"target": np.exp(ring().log_prob(grid.points))}
    found |= contender_densities([seed], steps, accounted, epochs)[seed]
    mesh = grid.points.reshape(*grid.shape, 2)[::every, ::every].reshape(-1, 2)
    columns = {"x": np.round(mesh[:, 0], 4), "y": np.round(mesh[:, 1], 4)}
    for name, values in found.items():
        columns[name] = _short(values.reshape(grid.shape)[::every, ::every].ravel())
    facts = {"accounted_level": spent_bracket(accounted, steps)[1], "accounted": accounted, "steps": steps}
    return pd.DataFrame(columns), facts


def _short(values: Array) -> Array:
    """Round to four significant digits, at most six decimals."""
    return np.array([float(f"{value:.4g}") if value > 1e-6 else 0.0 for value in np.round(values, 6)])
