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
#: A mode is covered by a fifth of its mass within two standard deviations (1 on this
#: ring): (1 - e^-2)/40.
RADIUS = 1.0
LEAST = (1 - math.exp(-2)) / 40
#: Draws of a trained generator.
DRAWS = 10_000
#: Networks that are trained side by side: what they keep stays near a core.
STACKED = 20

#: Settings of the training that the papers leave open; each changes the first, which is
#: `GanSettings` itself.
TRAININGS: dict[str, dict[str, Any]] = {
    "ours": {},
    "WGAN's defaults": {
        "weight_clip": 0.01,
        "critic_rate": 5e-5,
        "generator_rate": 5e-5,
    },
    "one critic step": {
        "inner": 1,
        "weight_clip": 1.0,
        "critic_rate": 2e-3,
        "generator_rate": 2e-3,
    },
    "slow critic": {"inner": 1, "critic_rate": 2e-4, "generator_rate": 1e-3},
}


def ring_centres() -> Array:
    """Return the centres of the ring's eight modes, shape (8, 2)."""
    angles = np.pi * np.arange(8) / 4
    centres: Array = 4.0 * np.column_stack([np.cos(angles), np.sin(angles)])
    return centres


def gan_draws(pairs: Sequence[tuple[GanSettings, int]]) -> Array:
    """Return draws, (S, 10000, 2), of generators trained side by side, each from its seed on 10,000 ring points."""
    rngs = [np.random.default_rng(seed) for _, seed in pairs]
    records = [ring().sample(RECORDS, rng) for rng in rngs]
    generators = [
        torch.Generator().manual_seed(int(rng.integers(2**62))) for rng in rngs
    ]
    return generator_samples(
        train_gans(records, [item for item, _ in pairs], generators), DRAWS, generators
    )


#: Draws of the generators trained so far: several figures show the same runs.
_DRAWN: dict[tuple[GanSettings, int], Array] = {}


def gan_draws_of(
    settings: Sequence[GanSettings], seeds: Sequence[int]
) -> dict[tuple[GanSettings, int], Array]:
    """Return the draws of `gan_draws` for each pair; a pair is trained once a process, up to `STACKED` side by side."""
    wanted = list(dict.fromkeys((item, seed) for item in settings for seed in seeds))
    alike: dict[int, list[tuple[GanSettings, int]]] = {}
    for pair in wanted:
        if pair not in _DRAWN:
            alike.setdefault(pair[0].inner, []).append(pair)
    stacks = [
        pairs[at : at + STACKED]
        for pairs in alike.values()
        for at in range(0, len(pairs), STACKED)
    ]
    results = (
        run_tasks(gan_draws, [{"pairs": pairs} for pairs in stacks]) if stacks else []
    )
    _DRAWN.update(
        (pair, drawn)
        for pairs, made in zip(stacks, results, strict=True)
        for pair, drawn in zip(pairs, made, strict=True)
    )
    return {pair: _DRAWN[pair] for pair in wanted}


def gan_measures(draws: Array) -> dict[str, float]:
    """Return modes covered (of 8) and the share of draws near a mode."""
    modes, near = modes_covered(draws, ring_centres(), RADIUS, LEAST)
    return {"modes": modes, "near": round(near, 4)}


def spent_bracket(noise: float, steps: int) -> tuple[float, float]:
    r"""Return bounds on the least $\varepsilon$ of the run at $\delta=1/10$: equal where the accountant is exact.

    For a noise of at least 0.3 both are the accountant's upper value; below, see
    `low_noise_bracket`.
    """
    if noise >= SMALLEST_NOISE:
        level = whole_run_level(RATE, noise, steps, DELTA)
        return level, level
    return low_noise_bracket(RATE, noise, steps, DELTA)


def _runs(
    labelled: Sequence[tuple[dict[str, Any], GanSettings]], seeds: Sequence[int]
) -> pd.DataFrame:
    found = gan_draws_of([settings for _, settings in labelled], list(seeds))
    return pd.DataFrame(
        [
            {**label, "seed": seed, **gan_measures(found[settings, seed])}
            for label, settings in labelled
            for seed in seeds
        ]
    )


def modes_by_noise(
    noises: Sequence[float], seeds: int, steps: int
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    r"""Return modes and share near a mode by noise multiplier and seed, with the level of the whole run.

    The first noise is that of the published formula at $\varepsilon=5000$; `noises` of
    at least 0.3 follow. Columns noise, eps_low, eps_high (at $\delta=1/10$, over all
    `steps` critic steps, record-level, central), seed, modes and near. Besides, for
    each noise in turn: noise, high, full (seeds with all modes) and, for all but the
    first, strict (the level at $\delta=10^{-5}$).
    """
    tried = [published_noise(5000.0, RATE, INNER, DELTA), *noises]
    brackets = [spent_bracket(noise, steps) for noise in tried]
    labelled = [
        (
            {"noise": noise, "eps_low": low, "eps_high": high},
            GanSettings(noise=noise, steps=steps),
        )
        for noise, (low, high) in zip(tried, brackets, strict=True)
    ]
    table = _runs(labelled, range(seeds))
    facts: list[dict[str, Any]] = []
    for noise, (_, high) in zip(tried, brackets, strict=True):
        full = int((table[table["noise"] == noise]["modes"] == 8).sum())
        strict = (
            {"strict": whole_run_level(RATE, noise, steps, STRICT)} if facts else {}
        )
        facts.append({"noise": noise, "high": high, "full": full, **strict})
    return table, facts


def modes_by_training(trainings: Sequence[str], seeds: int, steps: int) -> pd.DataFrame:
    r"""Return modes and share near a mode by training and seed, at the noise of the published formula.

    `trainings` name entries of `TRAININGS`. Columns training, seed, modes, near.
    """
    base = GanSettings(noise=published_noise(5000.0, RATE, INNER, DELTA), steps=steps)
    labelled = [
        ({"training": name}, replace(base, **TRAININGS[name])) for name in trainings
    ]
    return _runs(labelled, range(seeds))
