r"""Studies for the page on the bootstrapping experiments: Figure 1 and its contenders.

Data are n draws from Beta(10, 10), binned on [0, 1]; every release is (eps, delta)-DP
record by record (central model, replace-one neighbours, n public, one release). Noise
is centred. Errors are Kolmogorov-Smirnov distances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy.stats import beta

from mollified._validate import Array, Counts
from mollified.bootstrap.accountant import bootstrap_delta
from mollified.bootstrap.mechanism import bootstrap_mechanism, corrected_histogram
from mollified.bootstrap.paper_parameters import (
    recipe_parameters,
    smoothed_parameters,
    theorem_parameters,
)
from mollified.bootstrap.parameters import choose_parameters, expected_error
from mollified.laws.binned_density import ks_distances
from mollified.mechanisms.histogram_release import (
    Noise,
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    laplace_scale,
    noisy_histogram,
    opendp_scale,
)
from mollified.mechanisms.ks_exponential import ks_release, suggested_records

__all__ = ["Study", "runs", "settings"]

SHAPE = 10.0
#: Points, over all bins, at which the true distribution function is compared.
POINTS = 800


@dataclass(frozen=True)
class Study:
    """Hold what the runs share: n records, delta, and gamma of the paper's recipe."""

    n: int
    delta: float
    gamma: float


@lru_cache(maxsize=256)
def _parameters(study: Study, eps: float, size: int) -> dict[str, tuple[int, int]]:
    """Return k and m of each variant of the mechanism."""
    best = choose_parameters(study.n, size, eps, study.delta)
    return {
        "recipe": recipe_parameters(study.gamma, eps, study.delta, study.n, size),
        "theorem": theorem_parameters(eps, study.delta, study.n, size),
        "exact": (best.k, best.m),
        "smoothed": smoothed_parameters(eps, study.n, size),
    }


@lru_cache(maxsize=64)
def _scales(eps: float, delta: float) -> dict[str, tuple[Noise, float]]:
    """Return the kind and the scale of each additive noise."""
    return {
        "perturbed": ("laplace", laplace_scale(eps)),
        "discrete-laplace": ("discrete-laplace", discrete_laplace_scale(eps, delta)),
        "gaussian": ("gaussian", gaussian_scale(eps, delta)),
        "discrete-gaussian": ("discrete-gaussian", discrete_gaussian_scale(eps, delta)),
        "opendp": ("discrete-gaussian", opendp_scale(eps, delta)),
    }


def settings(study: Study, eps: Sequence[float], bins: Sequence[int]) -> pd.DataFrame:
    r"""Return k, m and the exact delta of the mechanism by origin of k and m.

    Columns eps, bins, variant, k, m, delta (in floats), and noise, that one count
    receives: $\sqrt{n^2E/(s-1)}$ records, E the `expected_error`.
    """
    n = study.n
    rows = []
    for level in eps:
        for size in bins:
            for variant, (k, m) in _parameters(study, level, size).items():
                delta = bootstrap_delta(level, n, size, k, m)
                noise = n * math.sqrt(expected_error(n, size, k, m) / (size - 1))
                rows.append((level, size, variant, k, m, delta, noise))
    columns = ["eps", "bins", "variant", "k", "m", "delta", "noise"]
    return pd.DataFrame(rows, columns=columns)


def _releases(
    counts: Counts,
    eps: float,
    study: Study,
    seed: tuple[int, int, int],
) -> dict[str, Array]:
    """Return the released masses of each variant, every one from the same seed."""

    def fresh() -> np.random.Generator:
        return np.random.default_rng(seed)

    n = study.n
    masses = {}
    for variant, (k, m) in _parameters(study, eps, counts.size).items():
        masses[variant] = corrected_histogram(
            bootstrap_mechanism(counts, k, m, fresh()),
            n,
            k,
        )
    for variant, (kind, scale) in _scales(eps, study.delta).items():
        masses[variant] = noisy_histogram(counts, kind, scale, fresh())
    masses["clipped"] = noisy_histogram(
        counts,
        "laplace",
        laplace_scale(eps),
        fresh(),
        repair="clip",
    )
    records = suggested_records(n)
    masses["exponential"] = ks_release(counts, records, eps, fresh())[0] / records
    published = math.floor(study.delta * n)
    if published:
        raw = fresh().multivariate_hypergeometric(counts, published)
        masses["raw"] = raw / published
    return masses


@lru_cache(maxsize=32)
def _runs(
    study: Study,
    eps: tuple[float, ...],
    size: int,
    simulations: int,
    seed: int,
) -> pd.DataFrame:
    """Return the rows of `runs` for one number of bins."""
    counts = np.array(
        [
            np.histogram(_records(study.n, seed, place), size, (0.0, 1.0))[0]
            for place in range(simulations)
        ]
    )
    shares = counts / study.n
    by_variant: dict[tuple[str, float], list[Array]] = {
        ("none", level): list(shares) for level in eps
    }
    for level in eps:
        for place, one in enumerate(counts):
            released = _releases(one, level, study, (seed, place, size))
            for variant, masses in released.items():
                by_variant.setdefault((variant, level), []).append(masses)
    frames = []
    for (variant, level), each in by_variant.items():
        errors = _errors(np.array(each), shares)
        errors.insert(0, "variant", variant)
        errors.insert(1, "eps", level)
        errors.insert(2, "place_0", np.arange(simulations))
        errors.insert(3, "place_1", size)
        errors.insert(4, "bins", size)
        frames.append(errors)
    return pd.concat(frames, ignore_index=True)


def _records(n: int, seed: int, place: int) -> Array:
    """Return the data of one simulation."""
    return np.random.default_rng([seed, place]).beta(SHAPE, SHAPE, n)


def _errors(masses: Array, shares: Array) -> pd.DataFrame:
    """Return the distances to the law (ks) and the data (own), a row a simulation."""
    size = masses.shape[1]
    far = ks_distances(
        lambda x: beta.cdf(x, SHAPE, SHAPE),
        masses,
        points=max(4, math.ceil(POINTS / size)),
    )
    differences = np.cumsum(masses, axis=1) - np.cumsum(shares, axis=1)
    return pd.DataFrame({"ks": far, "own": np.abs(differences).max(axis=1)})


def runs(
    study: Study,
    eps: Sequence[float],
    bins: Sequence[int],
    simulations: int,
    seed: int,
) -> pd.DataFrame:
    r"""Return the errors of every release.

    One row a variant, level, number of bins and simulation. Columns variant, eps,
    place_0 (simulation), place_1 and bins (number of bins), ks (distance to the true
    distribution function), own (distance to the histogram of the data, at the bin
    edges). The variants: "none"; the mechanism with k, m from "recipe" (Corollary 3 at
    gamma), "theorem" (Theorem 2 at its best), "exact"; "smoothed" and "exponential",
    "perturbed" (Laplace, centred) and "clipped" (the same, clipped) at pure DP;
    "discrete-laplace", "gaussian", "discrete-gaussian" at their exact scales for (eps,
    delta) and "opendp" at OpenDP's; "raw", floor(delta n) records as they are, where
    that is no zero. All variants have the same data and seeds.
    """
    levels = tuple(eps)
    frames = [_runs(study, levels, size, simulations, seed) for size in bins]
    return pd.concat(frames, ignore_index=True)
