r"""Undo noise that came from a seeded generator: try every seed, and keep those that explain the released value.

The noise of a seeded generator is a function of the seed. A released count f(D) + noise is explained by a seed if it is
a whole number plus that seed's noise, to the last bit. Not in the papers.
"""

from __future__ import annotations

import numpy as np

from mollified._validate import Array, check_array, check_count, check_eps, check_finite
from mollified.privacy.laplace_mechanism import release

__all__ = ["explained_by", "seed_noise"]

#: The most seeds that are tried.
MOST_SEEDS = 1 << 20


def seed_noise(seeds: int, eps: float) -> Array:
    r"""Return the noise that `laplace_mechanism.release` adds under each of the seeds 0..seeds-1; shape (seeds,).

    For one answer of sensitivity 1. About 25 microseconds a seed. Raises ValueError or TypeError for eps not > 0 or
    seeds outside 1..2^20.
    """
    eps, seeds = check_eps("eps", eps), check_count("seeds", seeds)
    if seeds > MOST_SEEDS:
        raise ValueError(f"seeds must be at most 2^20, got {seeds!r}")
    nothing = np.zeros(1)
    return np.array([release(nothing, 1.0, eps, np.random.default_rng(seed))[0] for seed in range(seeds)])


def explained_by(value: float, noise: Array) -> list[tuple[int, int]]:
    """Return the pairs (seed, count) whose count plus the seed's noise is the released value, bit for bit.

    `noise` as from `seed_noise`, shape (seeds,). Raises ValueError or TypeError for what is not finite.
    """
    value, noise = check_finite("value", value), check_array("noise", noise, ndim=1)
    counts = np.rint(value - noise)
    fits = np.flatnonzero((counts >= 0) & (counts + noise == value))
    return [(int(seed), int(counts[seed])) for seed in fits]
