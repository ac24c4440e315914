r"""The comparison picture of the papers, made again, on the ring.

Contenders are MBDE, a private kernel estimate and a private GAN.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.contenders import CURVES, significant
from mollified.experiments.dpb_settings import find_dpb_domain
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
from mollified.mollifiers.relative_mollifier import RelativeMollifier
from mollified.training.gan_accounting import published_noise
from mollified.training.grid_mbde import grid_mbde
from mollified.training.private_gan import GanSettings
from mollified.training.recipes import FAST
from mollified.training.variants import find_variant

__all__ = [
    "ContenderLosses",
    "comparison_panels",
    "contender_densities",
    "contender_losses",
    "grid_contenders",
]

#: The levels of the papers' picture (v2, v3, Figure 1).
MBDE_LEVEL = 0.25
DPB_LEVEL = 100.0
GAN_LEVEL = 5000.0
ROUNDS = 3
MBDE_NAMES = ("clip", "tanh", "released")
#: Bandwidth of the kernel estimate that stands for the density of a generator.
BANDWIDTH = 0.25
#: The least value of a kernel estimate, which a node 9 away from every draw needs.
LEAST_DENSITY = 1e-300
#: The digits after the point of the losses and distances of a table.
DIGITS = 4

Densities = dict[str, Array]


def plane(nodes: int = 121) -> Grid:
    """Return the grid on [-6, 6]^2 on which densities are compared.

    The ring has less than 2e-4 of its mass outside.
    """
    return Grid(np.array([-6.0, -6.0]), np.array([6.0, 6.0]), nodes)


def kernel_estimate(draws: Array, grid: Grid) -> Array:
    """Return the Gaussian kernel estimate from draws (n, 2) at the nodes, floored."""
    estimate = kernel_density(draws, grid.axes, BANDWIDTH).ravel()
    return np.maximum(estimate, LEAST_DENSITY)


def grid_contenders(seed: int) -> Densities:
    r"""Return MBDE and DPB at the nodes of `plane()`, from one seed.

    MBDE at $\varepsilon=1/4$, T = 3, in three readings trained by the fast recipe, and
    the projection; DPB at 100 with one record as its unit and two noises, degree 20,
    order 1, shifted, bandwidth by ten-fold cross-validation.
    """
    grid = plane()
    reference = Gaussian.standard(2)
    runs = grid_mbde(
        ring(),
        reference,
        grid,
        [MBDE_LEVEL],
        [find_variant(name) for name in MBDE_NAMES],
        ROUNDS,
        task_rng(seed, 0),
        samples=RECORDS,
        recipe=FAST,
    )
    log_q0 = reference.log_prob(grid.points)
    densities = {run.variant.name: np.exp(log_q0 + run.log_ratio) for run in runs}
    closest = RelativeMollifier(reference, MBDE_LEVEL).project(ring(), grid)
    densities["projection"] = np.exp(closest.log_prob(grid.points))
    data = find_dpb_domain("ring").draw(RECORDS, task_rng(seed, 1))
    for curve in CURVES[:2]:
        noise = task_rng(seed, 2)
        densities[f"dpb-{curve[1]}"] = data.density(DPB_LEVEL, curve, grid, noise)
    return densities


#: The densities of `grid_contenders` so far: several figures show the same runs.
_KNOWN: dict[int, Densities] = {}


def contender_densities(
    seeds: Sequence[int],
    steps: int,
    accounted: float,
) -> dict[int, Densities]:
    r"""Return the density of each contender on `plane()`, by seed.

    They are those of `grid_contenders`, and private GANs. A GAN has `steps` critic
    steps and stands for itself by the kernel estimate of 10,000 draws; "gan-formula"
    and "gan-defaults" have the noise of the published formula at 5000, "gan-accounted"
    the noise multiplier `accounted`.
    """
    formula = published_noise(GAN_LEVEL, RATE, INNER, DELTA)
    base = GanSettings(noise=formula, steps=steps)
    gans = {
        "gan-formula": base,
        "gan-defaults": replace(
            TRAININGS["WGAN's defaults"],
            noise=formula,
            steps=steps,
        ),
        "gan-accounted": replace(base, noise=accounted),
    }
    missing = [seed for seed in seeds if seed not in _KNOWN]
    if missing:
        results = run_tasks(grid_contenders, [{"seed": seed} for seed in missing])
        _KNOWN.update(zip(missing, results, strict=True))
    drawn = gan_draws_of(list(gans.values()), seeds)
    grid = plane()
    densities = {}
    for seed in seeds:
        densities[seed] = dict(_KNOWN[seed])
        for name, settings in gans.items():
            densities[seed][name] = kernel_estimate(drawn[settings, seed], grid)
    return densities


@dataclass(frozen=True, eq=False)
class ContenderLosses:
    """Hold loss and distance from DPB by contender and seed, and losses beside; nats.

    `table` has columns contender, seed, loss (P given the square), from_dpb (total
    variation between the contender and DPB with the published noise). The losses beside
    are those of the uniform law, of P itself (entropy) and of N(0, I) (reference).
    """

    table: pd.DataFrame
    uniform: float
    entropy: float
    reference: float


def contender_losses(seeds: int, steps: int, accounted: float) -> ContenderLosses:
    r"""Return the losses of `contender_densities`, by quadrature."""
    grid = plane()
    box = find_dpb_domain("ring")
    mass = box.weights(grid)
    rows = []
    for seed, densities in contender_densities(range(seeds), steps, accounted).items():
        dpb = densities["dpb-published"]
        for name, density in densities.items():
            loss = round(-float(mass @ np.log(density)), DIGITS)
            apart = round(0.5 * float(grid.weights @ np.abs(density - dpb)), DIGITS)
            rows.append((name, seed, loss, apart))
    columns = ["contender", "seed", "loss", "from_dpb"]
    return ContenderLosses(
        table=pd.DataFrame(rows, columns=columns),
        uniform=box.uniform_nll,
        entropy=-float(mass @ ring().log_prob(grid.points)),
        reference=-float(mass @ Gaussian.standard(2).log_prob(grid.points)),
    )


def comparison_panels(
    seed: int,
    steps: int,
    accounted: float,
    every: int = 3,
) -> pd.DataFrame:
    """Return the densities of one seed at every `every`-th node of the plane.

    Columns x, y, target and the contenders (four significant digits, zero below 1e-6).
    """
    grid = plane()
    densities = {"target": np.exp(ring().log_prob(grid.points))}
    densities |= contender_densities([seed], steps, accounted)[seed]
    mesh = grid.points.reshape(*grid.shape, 2)[::every, ::every].reshape(-1, 2)
    columns = {"x": np.round(mesh[:, 0], 4), "y": np.round(mesh[:, 1], 4)}
    for name, density in densities.items():
        shown = density.reshape(grid.shape)[::every, ::every]
        columns[name] = significant(shown.ravel())
    return pd.DataFrame(columns)
