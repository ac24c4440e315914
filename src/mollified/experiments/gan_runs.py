r"""Studies of private GANs on the ring: modes against the level spent, and trainings that lose modes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import torch

from mollified._validate import (
    Array,
)
from mollified.experiments.dpb_settings import find_dpb_domain
from mollified.experiments.task_list import run_tasks
from mollified.laws.kernel_density import kernel_density
from mollified.laws.spaces import Grid
from mollified.laws.targets import ring
from mollified.training.gan_accounting import (
    SMALLEST_NOISE,
    low_noise_bracket,
    published_noise,
    whole_run_level,
)
from mollified.training.private_gan import GanSettings, generator_sample, modes_covered, train_gan

__all__ = [
    "TRAININGS", "gan_draws", "gan_draws_of", "gan_measures", "kernel_loss", "modes_by_noise", "modes_by_training",
    "plane", "ring_centres", "spent_bracket",
]  # fmt: skip

#: 10,000 records, batches of 128, delta = 1/10 (v1, v2, v3, section 5); 5 critic steps a loop (Arjovsky et al. 2017).
RECORDS, BATCH, DELTA, INNER = 10_000, 128, 0.1, 5
RATE = BATCH / RECORDS
#: The customary failure probability, a tenth of 1/n.
STRICT = 1e-5
#: A mode is covered by a fifth of its mass within two standard deviations (1 on this ring): (1 - e^-2)/40.
RADIUS, LEAST = 1.0, (1 - math.exp(-2)) / 40
#: Bandwidth of the kernel estimate that stands for the density of a generator, and draws it is made of.
BANDWIDTH, DRAWS = 0.25, 10_000

#: Settings of the training that the papers leave open; each changes the first, which is `GanSettings` itself.
TRAININGS: dict[str, dict[str, Any]] = {
    "ours": {},
    "WGAN's defaults": {"weight_clip": 0.01, "critic_rate": 5e-5, "generator_rate": 5e-5},
    "one critic step": {"inner": 1, "weight_clip": 1.0, "critic_rate": 2e-3, "generator_rate": 2e-3},
    "slow critic": {"inner": 1, "critic_rate": 2e-4, "generator_rate": 1e-3},
}


def plane(nodes: int = 121) -> Grid:
    """Return the grid on [-6, 6]^2 on which densities are compared; the ring has less than 2e-4 of its mass outside."""
    return Grid(np.array([-6.0, -6.0]), np.array([6.0, 6.0]), nodes)


def ring_centres() -> Array:
    """Return the centres of the ring's eight modes, shape (8, 2)."""
    angles = np.pi * np.arange(8) / 4
    centres: Array = 4.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    return centres


def gan_draws(settings: GanSettings, seed: int) -> Array:
    """Return draws, shape (10000, 2), of a generator trained on 10,000 fresh points of the ring; all from one seed."""
    rng = np.random.default_rng(seed)
    records = ring().sample(RECORDS, rng)
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    return generator_sample(train_gan(records, settings, generator), DRAWS, generator)


#: Draws of the generators trained so far: several figures show the same runs.
_DRAWN: dict[tuple[GanSettings, int], Array] = {}


def gan_draws_of(settings: Sequence[GanSettings], seeds: Sequence[int]) -> dict[tuple[GanSettings, int], Array]:
    """Return the draws of `gan_draws` for each pair, trained side by side; a pair is trained once a process."""
    wanted = list(dict.fromkeys((item, seed) for item in settings for seed in seeds))
    missing = [pair for pair in wanted if pair not in _DRAWN]
    results = run_tasks(gan_draws, [{"settings": item, "seed": seed} for item, seed in missing]) if missing else []
    _DRAWN.update(zip(missing, results, strict=True))
    return {pair: _DRAWN[pair] for pair in wanted}


def kernel_loss(draws: Array, grid: Grid) -> tuple[Array, float]:
    r"""Return the kernel estimate from draws of shape (n, 2) at the nodes, and its loss $-\mathbb E_P\log$ in nats.

    P is the ring in the square; Gaussian kernel, bandwidth 1/4. The estimate is floored at 1e-300, which a node 9 away
    from every draw needs.
    """
    values = np.maximum(kernel_density(draws, grid.axes, BANDWIDTH).ravel(), 1e-300)
    mass = find_dpb_domain("ring").weights(grid)
    return values, -float(mass @ np.log(values))


def gan_measures(draws: Array) -> dict[str, float]:
    """Return modes covered (of 8), share of draws near a mode, and loss of the kernel estimate (nats)."""
    modes, near = modes_covered(draws, ring_centres(), RADIUS, LEAST)
    return {"modes": modes, "near": round(near, 4), "loss": round(kernel_loss(draws, plane())[1], 4)}


def spent_bracket(noise: float, steps: int) -> tuple[float, float]:
    r"""Return bounds on the least $\varepsilon$ of the run at $\delta=1/10$: equal where the accountant is exact.

    For a noise of at least 0.3 both are the accountant's upper value; below, see `low_noise_bracket`.
    """
    if noise >= SMALLEST_NOISE:
        level = whole_run_level(RATE, noise, steps, DELTA)
        return level, level
    return low_noise_bracket(RATE, noise, steps, DELTA)


def _runs(labelled: Sequence[tuple[dict[str, Any], GanSettings]], seeds: Sequence[int]) -> pd.DataFrame:
    found = gan_draws_of([settings for _, settings in labelled], list(seeds))
    return pd.DataFrame(
        [
            {**label, "seed": seed, **gan_measures(found[settings, seed])}
            for label, settings in labelled
            for seed in seeds
        ]
    )


def modes_by_noise(
    noises: Sequence[float], seeds: int, steps: int, first: int = 0
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return modes, share near a mode and loss by noise multiplier and seed, with the level of the whole run.

    The first noise is that of the published formula at $\varepsilon=5000$; `noises` of at least 0.3 follow. Columns
    noise, eps_low, eps_high (at $\delta=1/10$, over all `steps` critic steps, record-level, central), seed, modes,
    near, loss. Facts besides: `strict_<i>`, the level at $\delta=10^{-5}$, for all but the first.
    """
    tried = [published_noise(5000.0, RATE, INNER, DELTA), *noises]
    brackets = [spent_bracket(noise, steps) for noise in tried]
    labelled = [
        ({"noise": noise, "eps_low": low, "eps_high": high}, GanSettings(noise=noise, steps=steps))
        for noise, (low, high) in zip(tried, brackets, strict=True)
    ]
    table = _runs(labelled, range(first, first + seeds))
    facts: dict[str, Any] = {"steps": steps, "seeds": seeds, "noises": tried}
    for index, (noise, (low, high)) in enumerate(zip(tried, brackets, strict=True)):
        rows = table[table["noise"] == noise]
        facts |= {
            f"noise_{index}": noise,
            f"low_{index}": low,
            f"high_{index}": high,
            f"least_modes_{index}": int(rows["modes"].min()),
            f"full_{index}": int((rows["modes"] == 8).sum()),
            f"mean_loss_{index}": float(rows["loss"].mean()),
            f"mean_near_{index}": float(rows["near"].mean()),
        }
        if index:
            facts[f"strict_{index}"] = whole_run_level(RATE, noise, steps, STRICT)
    return table, facts


def modes_by_training(
    trainings: Sequence[str], seeds: int, steps: int, first: int = 0
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return modes, share near a mode and loss by training and seed, at the noise of the published formula.

    `trainings` name entries of `TRAININGS`. Columns training, seed, modes, near, loss.
    """
    base = GanSettings(noise=published_noise(5000.0, RATE, INNER, DELTA), steps=steps)
    labelled = [({"training": name}, replace(base, **TRAININGS[name])) for name in trainings]
    table = _runs(labelled, range(first, first + seeds))
    facts: dict[str, Any] = {"steps": steps, "seeds": seeds}
    for index, name in enumerate(trainings):
        rows = table[table["training"] == name]
        facts |= {
            f"training_{index}": name,
            f"full_{index}": int((rows["modes"] == 8).sum()),
            f"least_modes_{index}": int(rows["modes"].min()),
            f"mean_modes_{index}": float(rows["modes"].mean()),
            f"mean_near_{index}": float(rows["near"].mean()),
        }
    return table, facts
