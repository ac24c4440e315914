r"""Studies for the page on the bootstrapping experiments: the runs of Figure 1 with its contenders, and their k and m.

Data are n draws from Beta(10, 10), binned on [0, 1]; every release is (eps, delta)-DP
record by record (central model, replace-one neighbours, n public, one release). Noise
is centred. Errors are Kolmogorov-Smirnov distances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

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
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    laplace_scale,
    noisy_histogram,
    opendp_scale,
)
from mollified.mechanisms.ks_exponential import ks_release, suggested_records

__all__ = ["runs", "settings"]

SHAPE = 10.0


@lru_cache(maxsize=256)
def _pairs(
    eps: float, delta: float, n: int, size: int, gamma: float
) -> dict[str, tuple[int, int]]:
    """Return k and m of each variant of the mechanism."""
    chosen = choose_parameters(n, size, eps, delta)
    return {
        "recipe": recipe_parameters(gamma, eps, delta, n, size),
        "theorem": theorem_parameters(eps, delta, n, size),
        "exact": (chosen.k, chosen.m),
        "smoothed": smoothed_parameters(eps, n, size),
    }


@lru_cache(maxsize=64)
def _scales(eps: float, delta: float) -> dict[str, tuple[str, float]]:
    """Return the kind and the scale of each additive noise."""
    return {
        "perturbed": ("laplace", laplace_scale(eps)),
        "discrete-laplace": ("discrete-laplace", discrete_laplace_scale(eps, delta)),
        "gaussian": ("gaussian", gaussian_scale(eps, delta)),
        "discrete-gaussian": ("discrete-gaussian", discrete_gaussian_scale(eps, delta)),
        "opendp": ("discrete-gaussian", opendp_scale(eps, delta)),
    }


def settings(
    n: int, delta: float, eps: Sequence[float], bins: Sequence[int], gamma: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return k, m and the exact delta of the mechanism by origin of k and m, with the noise that one count receives.

    Columns eps, bins, variant, k, m, delta (in floats), noise: $\sqrt{n^2E/(s-1)}$
    records, E the `expected_error`.
    """
    rows = []
    for level in eps:
        for size in bins:
            for variant, (k, m) in _pairs(level, delta, n, size, gamma).items():
                noise = n * math.sqrt(expected_error(n, size, k, m) / (size - 1))
                rows.append(
                    (
                        level,
                        size,
                        variant,
                        k,
                        m,
                        bootstrap_delta(level, n, size, k, m),
                        noise,
                    )
                )
    return pd.DataFrame(
        rows, columns=["eps", "bins", "variant", "k", "m", "delta", "noise"]
    ), {}


def _releases(
    counts: Counts,
    eps: float,
    delta: float,
    gamma: float,
    fresh: Callable[[], np.random.Generator],
) -> dict[str, Array]:
    """Return the released masses of each variant, every one from the same seed."""
    n = int(counts.sum())
    size = counts.size
    found = {}
    for variant, (k, m) in _pairs(eps, delta, n, size, gamma).items():
        found[variant] = corrected_histogram(
            bootstrap_mechanism(counts, k, m, fresh()), n, k
        )
    for variant, (noise, scale) in _scales(eps, delta).items():
        found[variant] = noisy_histogram(counts, noise, scale, fresh())  # type: ignore[arg-type]
    found["clipped"] = noisy_histogram(
        counts, "laplace", laplace_scale(eps), fresh(), repair="clip"
    )
    records = suggested_records(n)
    found["exponential"] = ks_release(counts, records, eps, fresh())[0] / records
    published = math.floor(delta * n)
    if published:
        found["raw"] = (
            fresh().multivariate_hypergeometric(counts, published) / published
        )
    return found


@lru_cache(maxsize=32)
def _runs(
    n: int,
    delta: float,
    eps: tuple[float, ...],
    size: int,
    simulations: int,
    gamma: float,
    seed: int,
) -> pd.DataFrame:
    data = [
        np.random.default_rng([seed, place]).beta(SHAPE, SHAPE, n)
        for place in range(simulations)
    ]
    counts = np.array([np.histogram(values, size, (0.0, 1.0))[0] for values in data])
    rows: dict[tuple[str, float], list[Array]] = {
        ("none", level): list(counts / n) for level in eps
    }
    for level in eps:
        for place, one in enumerate(counts):
            made = _releases(
                one,
                level,
                delta,
                gamma,
                partial(np.random.default_rng, [seed, place, size]),
            )
            for variant, masses in made.items():
                rows.setdefault((variant, level), []).append(masses)
    plain = np.cumsum(counts / n, axis=1)
    frames = []
    for (variant, level), released in rows.items():
        masses = np.array(released)
        error = ks_distances(
            lambda x: beta.cdf(x, SHAPE, SHAPE),
            masses,
            points=max(4, math.ceil(800 / size)),
        )
        own = np.abs(np.cumsum(masses, axis=1) - plain).max(axis=1)
        found = {
            "variant": variant,
            "eps": level,
            "place_0": np.arange(simulations),
            "place_1": size,
            "bins": size,
        }
        frames.append(pd.DataFrame({**found, "ks": error, "own": own}))
    return pd.concat(frames, ignore_index=True)


def runs(
    n: int,
    delta: float,
    eps: Sequence[float],
    bins: Sequence[int],
    simulations: int,
    gamma: float,
    seed: int,
) -> pd.DataFrame:
    r"""Return the errors of every release: one row a variant, level, number of bins and simulation.

    Columns variant, eps, place_0 (simulation), place_1 and bins (number of bins), ks
    (distance to the true distribution function), own (distance to the histogram of the
    data, at the bin edges). The variants: "none"; the mechanism with k, m from "recipe"
    (Corollary 3 at gamma), "theorem" (Theorem 2 at its best), "exact"; "smoothed" and
    "exponential", "perturbed" (Laplace, centred) and "clipped" (the same, clipped) at
    pure DP; "discrete-laplace", "gaussian", "discrete-gaussian" at their exact scales
    for (eps, delta) and "opendp" at OpenDP's; "raw", floor(delta n) records as they
    are, where that is no zero. All variants have the same data and seeds.
    """
    frames = [
        _runs(n, delta, tuple(eps), size, simulations, gamma, seed) for size in bins
    ]
    return pd.concat(frames, ignore_index=True)
