r"""Studies of private GANs on the ring: modes by the level spent, and lost modes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from mollified._validate import Array
from mollified.experiments.metrics import component_means
from mollified.experiments.task_list import run_tasks
from mollified.laws.targets import ring
from mollified.training.gan_accounting import (
    SMALLEST_NOISE,
    low_noise_bracket,
    published_noise,
    whole_run_level,
)
from mollified.training.private_gan import (
    GanSettings,
    generator_samples,
    modes_covered,
    train_gans,
)

__all__ = [
    "TRAININGS",
    "gan_draws_of",
    "modes_by_noise",
    "modes_by_training",
    "spent_bracket",
]

#: 10,000 records, batches of 128, delta = 1/10 (v1, v2, v3, section 5); 5 critic steps
#: a loop (Arjovsky et al. 2017).
RECORDS = 10_000
BATCH = 128
DELTA = 0.1
INNER = 5
RATE = BATCH / RECORDS
#: The customary failure probability, a tenth of 1/n.
STRICT = 1e-5
#: The modes of the ring.
MODES = 8
#: A mode is covered by a fifth of its mass within two standard deviations (1 on this
#: ring): (1 - e^-2)/40.
RADIUS = 1.0
LEAST = (1 - math.exp(-2)) / 40
#: Draws of a trained generator.
DRAWS = 10_000
#: Networks that are trained side by side: what they keep stays near a core.
STACKED = 20

#: The level that the papers print for their GAN.
PUBLISHED_LEVEL = 5000.0

#: Settings of the training that the papers leave open, without noise.
TRAININGS = {
    "ours": GanSettings(noise=0.0),
    "WGAN's defaults": GanSettings(
        noise=0.0,
        weight_clip=0.01,
        critic_rate=5e-5,
        generator_rate=5e-5,
    ),
    "one critic step": GanSettings(
        noise=0.0,
        inner=1,
        weight_clip=1.0,
        critic_rate=2e-3,
        generator_rate=2e-3,
    ),
    "slow critic": GanSettings(
        noise=0.0,
        inner=1,
        critic_rate=2e-4,
        generator_rate=1e-3,
    ),
}

#: A trained run: its settings and its seed.
Run = tuple[GanSettings, int]


def gan_draws(runs: Sequence[Run]) -> Array:
    """Return draws, (S, 10000, 2), of generators trained side by side.

    Each is trained from its seed on 10,000 points of the ring.
    """
    rngs = [np.random.default_rng(seed) for _, seed in runs]
    records = [ring().sample(RECORDS, rng) for rng in rngs]
    generators = [
        torch.Generator().manual_seed(int(rng.integers(2**62))) for rng in rngs
    ]
    networks = train_gans(records, [settings for settings, _ in runs], generators)
    return generator_samples(networks, DRAWS, generators)


#: Draws of the generators trained so far: several figures show the same runs.
_DRAWN: dict[Run, Array] = {}


def gan_draws_of(
    settings: Sequence[GanSettings],
    seeds: Sequence[int],
) -> dict[Run, Array]:
    """Return the draws of `gan_draws` for each setting and seed.

    A run is trained once a process, up to `STACKED` side by side.
    """
    runs = list(dict.fromkeys((item, seed) for item in settings for seed in seeds))
    stacks = _stacks([run for run in runs if run not in _DRAWN])
    if stacks:
        results = run_tasks(gan_draws, [{"runs": stack} for stack in stacks])
        for stack, drawn in zip(stacks, results, strict=True):
            _DRAWN.update(zip(stack, drawn, strict=True))
    return {run: _DRAWN[run] for run in runs}


def _stacks(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs that are trained side by side: they have one number `inner`."""
    alike: dict[int, list[Run]] = {}
    for run in runs:
        alike.setdefault(run[0].inner, []).append(run)
    stacks = []
    for together in alike.values():
        for start in range(0, len(together), STACKED):
            stacks.append(together[start : start + STACKED])
    return stacks


def spent_bracket(noise: float, steps: int) -> tuple[float, float]:
    r"""Return bounds on the least $\varepsilon$ of the run at $\delta=1/10$.

    For a noise of at least 0.3 both are the accountant's upper value; below, see
    `low_noise_bracket`.
    """
    if noise >= SMALLEST_NOISE:
        level = whole_run_level(RATE, noise, steps, DELTA)
        return level, level
    return low_noise_bracket(RATE, noise, steps, DELTA)


def _modes(settings: Sequence[GanSettings], seeds: Sequence[int]) -> list[pd.DataFrame]:
    """Return for each setting the modes covered and the share of draws near a mode.

    Columns seed, modes (of 8), near.
    """
    draws = gan_draws_of(settings, seeds)
    centres = component_means(ring())
    tables = []
    for item in settings:
        rows = []
        for seed in seeds:
            modes, near = modes_covered(draws[item, seed], centres, RADIUS, LEAST)
            rows.append((seed, modes, round(near, 4)))
        tables.append(pd.DataFrame(rows, columns=["seed", "modes", "near"]))
    return tables


def modes_by_noise(
    noises: Sequence[float],
    seeds: int,
    steps: int,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    r"""Return modes and share near a mode by noise and seed, and the level of the run.

    The first noise is that of the published formula at $\varepsilon=5000$; `noises` of
    at least 0.3 follow. Columns of the first table: noise, eps_low, eps_high (at
    $\delta=1/10$, over all `steps` critic steps, record-level, central), seed, modes
    and near. Of the second, a row for each noise: noise, high, full (seeds with all
    modes) and, but for the first, strict (the level at $\delta=10^{-5}$).
    """
    published = published_noise(PUBLISHED_LEVEL, RATE, INNER, DELTA)
    settings = [GanSettings(noise=noise, steps=steps) for noise in (published, *noises)]
    tables = []
    rows = []
    for item, modes in zip(settings, _modes(settings, range(seeds)), strict=True):
        low, high = spent_bracket(item.noise, steps)
        modes.insert(0, "noise", item.noise)
        modes.insert(1, "eps_low", low)
        modes.insert(2, "eps_high", high)
        tables.append(modes)
        strict = math.nan
        if item.noise != published:
            strict = whole_run_level(RATE, item.noise, steps, STRICT)
        rows.append((item.noise, high, int((modes["modes"] == MODES).sum()), strict))
    levels = pd.DataFrame(rows, columns=["noise", "high", "full", "strict"])
    return pd.concat(tables, ignore_index=True), levels


def modes_by_training(trainings: Sequence[str], seeds: int, steps: int) -> pd.DataFrame:
    r"""Return modes and share near a mode by training and seed.

    The noise is that of the published formula; `trainings` name entries of `TRAININGS`.
    Columns training, seed, modes, near.
    """
    noise = published_noise(PUBLISHED_LEVEL, RATE, INNER, DELTA)
    settings = [
        replace(TRAININGS[name], noise=noise, steps=steps) for name in trainings
    ]
    tables = _modes(settings, range(seeds))
    for name, table in zip(trainings, tables, strict=True):
        table.insert(0, "training", name)
    return pd.concat(tables, ignore_index=True)
