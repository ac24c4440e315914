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
)
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.kernel_density import kernel_density
from mollified.laws.spaces import Grid
from mollified.laws.targets import ring
from mollified.mechanisms.bernstein_release import (
    Calibration,
    noise_scale,
    release_lattice,
)
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.mollifiers.repair import repaired
from mollified.training.gan_accounting import published_noise
from mollified.training.grid_mbde import grid_mbde
from mollified.training.private_gan import GanSettings
from mollified.training.recipes import FAST
from mollified.training.variants import find_variant

__all__ = [
    "comparison_panels",
    "contender_densities",
    "contender_losses",
    "grid_contenders",
]

#: The levels of the papers' picture (v2, v3, Figure 1).
MBDE_LEVEL = 0.25
DPB_LEVEL = 100.0
GAN_LEVEL = 5000.0
DEGREE = 20
ORDER = 1
ROUNDS = 3
MBDE_NAMES = ("clip", "tanh", "released")
#: Bandwidth of the kernel estimate that stands for the density of a generator.
BANDWIDTH = 0.25


def plane(nodes: int = 121) -> Grid:
    """Return the grid on [-6, 6]^2 on which densities are compared; the ring has less than 2e-4 of its mass outside."""
    return Grid(np.array([-6.0, -6.0]), np.array([6.0, 6.0]), nodes)


def kernel_estimate(draws: Array, grid: Grid) -> Array:
    """Return the Gaussian kernel estimate from draws of shape (n, 2) at the nodes.

    It is floored at 1e-300, which a node 9 away from every draw needs.
    """
    values: Array = np.maximum(
        kernel_density(draws, grid.axes, BANDWIDTH).ravel(), 1e-300
    )
    return values


def grid_contenders(seed: int) -> dict[str, Array]:
    r"""Return MBDE (three readings and the projection) and DPB (two noises) at the nodes of `plane()`, from one seed.

    MBDE at $\varepsilon=1/4$, T = 3; DPB at 100 with one record as its unit, degree 20,
    order 1, shifted, bandwidth by ten-fold cross-validation. MBDE is trained by the
    fast recipe.
    """
    grid = plane()
    reference = Gaussian.standard(2)
    setting = find_dpb_domain("ring")
    variants = [find_variant(name) for name in MBDE_NAMES]
    runs = grid_mbde(
        ring(),
        reference,
        grid,
        [MBDE_LEVEL],
        variants,
        ROUNDS,
        task_rng(seed, 0),
        samples=RECORDS,
        recipe=FAST,
    )
    logs = reference.log_prob(grid.points)
    found = {
        name: np.exp(logs + run.log_ratio)
        for name, run in zip(MBDE_NAMES, runs, strict=True)
    }
    found["projection"] = np.exp(
        RelativeMollifier(reference, MBDE_LEVEL)
        .project(ring(), grid)
        .log_prob(grid.points)
    )
    data, choice = setting.draw(RECORDS, task_rng(seed, 1))
    kinds: tuple[Calibration, ...] = ("published", "exact")
    for kind in kinds:
        share = choice.bandwidth / (setting.high - setting.low)
        scale = noise_scale(DPB_LEVEL, DEGREE, 2, share, RECORDS, kind, "record")
        made = release_lattice(
            data,
            setting.low,
            setting.high,
            DEGREE,
            choice.bandwidth,
            scale,
            task_rng(seed, 2),
        )
        values = made.function(grid.axes, ORDER).ravel()
        found[f"dpb-{kind}"] = repaired(values, grid.weights, "shift", uniform=MIXED)
    return found


_FOUND: dict[int, dict[str, Array]] = {}


def contender_densities(
    seeds: Sequence[int], steps: int, accounted: float
) -> dict[int, dict[str, Array]]:
    r"""Return the density of each contender on `plane()`, by seed: those of `grid_contenders`, and private GANs.

    A GAN has `steps` critic steps and stands for itself by the kernel estimate of
    10,000 draws; "gan-formula" and "gan-defaults" have the noise of the published
    formula at 5000, "gan-accounted" the noise multiplier `accounted`.
    """
    base = GanSettings(
        noise=published_noise(GAN_LEVEL, RATE, INNER, DELTA), steps=steps
    )
    settings = {
        "gan-formula": base,
        "gan-defaults": replace(base, **TRAININGS["WGAN's defaults"]),
        "gan-accounted": replace(base, noise=accounted),
    }
    missing = [{"seed": seed} for seed in seeds if seed not in _FOUND]
    results = run_tasks(grid_contenders, missing) if missing else []
    _FOUND.update(
        {task["seed"]: item for task, item in zip(missing, results, strict=True)}
    )
    drawn = gan_draws_of(list(settings.values()), seeds)
    return {
        seed: {
            **_FOUND[seed],
            **{
                name: kernel_estimate(drawn[item, seed], plane())
                for name, item in settings.items()
            },
        }
        for seed in seeds
    }


def contender_losses(
    seeds: int, steps: int, accounted: float
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return loss and distance from DPB by contender and seed; see `contender_densities`.

    Columns contender, seed, loss (nats; P given the square), from_dpb (total variation
    between the contender and DPB with the published noise). Facts: the losses of the
    uniform law, of P itself (entropy) and of N(0, I) (reference), and means over seeds.
    """
    grid = plane()
    setting = find_dpb_domain("ring")
    mass = setting.weights(grid)
    found = contender_densities(range(seeds), steps, accounted)
    table = pd.DataFrame(
        [
            {
                "contender": name,
                "seed": seed,
                "loss": round(-float(mass @ np.log(values)), 4),
                "from_dpb": round(
                    0.5
                    * float(grid.weights @ np.abs(values - densities["dpb-published"])),
                    4,
                ),
            }
            for seed, densities in found.items()
            for name, values in densities.items()
        ]
    )
    facts: dict[str, Any] = {
        "uniform": setting.uniform_nll,
        "entropy": -float(mass @ ring().log_prob(grid.points)),
        "reference": -float(mass @ Gaussian.standard(2).log_prob(grid.points)),
    }
    for name, rows in table.groupby("contender"):
        facts |= {
            f"loss_{name}": float(rows["loss"].mean()),
            f"from_dpb_{name}": float(rows["from_dpb"].mean()),
        }
    return table, facts


def comparison_panels(
    seed: int, steps: int, accounted: float, every: int = 3
) -> pd.DataFrame:
    """Return the densities of one seed at every `every`-th node of the plane, one column a contender, and the target.

    Columns x, y, target and the contenders (four significant digits, zero below 1e-6).
    """
    grid = plane()
    found = {"target": np.exp(ring().log_prob(grid.points))}
    found |= contender_densities([seed], steps, accounted)[seed]
    mesh = grid.points.reshape(*grid.shape, 2)[::every, ::every].reshape(-1, 2)
    columns = {"x": np.round(mesh[:, 0], 4), "y": np.round(mesh[:, 1], 4)}
    for name, values in found.items():
        columns[name] = _short(values.reshape(grid.shape)[::every, ::every].ravel())
    return pd.DataFrame(columns)


def _short(values: Array) -> Array:
    """Round to four significant digits, at most six decimals."""
    return np.array(
        [
            float(f"{value:.4g}") if value > 1e-6 else 0.0
            for value in np.round(values, 6)
        ]
    )
