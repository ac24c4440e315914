r"""Studies for the page on releasing data: when a larger k helps, and records against noise on the counts.

Errors are expected l2 distances of the released masses to the data's, as roots of
expected squares. All releases are (eps, delta)-DP in the central model, records are
replaced one by one, n and the domain are public.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from dp_accounting.pld import privacy_loss_distribution

from mollified._validate import Array, check_counts
from mollified.bootstrap.mechanism import smoothed_law
from mollified.bootstrap.parameters import (
    expected_error,
    gaussian_error,
    largest_m,
    smallest_k,
)
from mollified.mechanisms.histogram_release import discrete_laplace_scale
from mollified.privacy.smallest import close_in

__all__ = [
    "compared_records",
    "discrete_laplace_variance",
    "doublings",
    "noise_ratios",
    "record_error",
]


def discrete_laplace_variance(scale: float) -> float:
    r"""Return the variance $2q/(1-q)^2$, $q=e^{-1/b}$, of discrete Laplace noise."""
    q = math.exp(-1 / scale)
    return 2 * q / (1 - q) ** 2


def noise_ratios(eps: Sequence[float], deltas: Sequence[float]) -> pd.DataFrame:
    r"""Return the squared error of the mechanism at large k over that of discrete Laplace noise, by eps and delta.

    Both at exactly (eps, delta), both centred, so n and |Sigma| cancel. Columns eps and
    one a delta, named by it.
    """
    rows = []
    for level in eps:
        row: dict[str, float] = {"eps": float(level)}
        for delta in deltas:
            noise = discrete_laplace_variance(discrete_laplace_scale(level, delta))
            row[f"{delta:g}"] = gaussian_error(1, 2, level, delta) / noise
        rows.append(row)
    return pd.DataFrame(rows)


def doublings(rng: np.random.Generator, instances: int) -> dict[str, int]:
    r"""Return in how many random settings the error at the largest m falls from k to 2k, for k above and below sigma.

    n up to 1e6, $|\Sigma|<2n$ up to 1e4, eps from .05 to 5, delta from 1e-9 to 1e-2, k
    up to a hundred times above or below the Gaussian mechanism's $\sigma$, all
    log-uniform; settings with m = 0 are left out. Keys "above", "above_falls", "below",
    "below_falls".
    """
    found = dict.fromkeys(("above", "above_falls", "below", "below_falls"), 0)
    for _ in range(instances):
        n = int(10 ** rng.uniform(0.5, 6))
        size = max(2, min(int(10 ** rng.uniform(0.3, 4)), 2 * n - 1))
        eps = 10 ** rng.uniform(-1.3, 0.7)
        delta = 10 ** rng.uniform(-9, -2)
        sigma = n * math.sqrt(gaussian_error(n, size, eps, delta) / (size - 1))
        multiple = 10 ** rng.uniform(-2, 2)
        k = max(1, math.ceil(multiple * sigma))
        one, two = (largest_m(eps, delta, n, size, level) for level in (k, 2 * k))
        if one:
            side = "above" if k >= sigma else "below"
            found[side] += 1
            found[f"{side}_falls"] += expected_error(
                n, size, 2 * k, two
            ) < expected_error(n, size, k, one)
    return found


def record_error(counts: Sequence[int], k: int, m: int) -> float:
    r"""Return the expected squared l2 error of the shares of m released records as they are, not corrected.

    $\lVert\tilde h-\hat h\rVert^2+\frac1m(1-\lVert\tilde h\rVert^2)$, in floats.
    """
    table = check_counts("counts", counts)
    law = np.array([float(mass) for mass in smoothed_law(table, k)])
    return float(((law - table / table.sum()) ** 2).sum() + (1 - (law**2).sum()) / m)


def _noise_scale(kind: str, eps: float, delta: float, histograms: int) -> float:
    """Return a scale of discrete noise on that many histograms for (eps, delta)-DP, by dp-accounting; errs above."""
    root = math.sqrt(2 * histograms)
    low, high = (
        (0.1 / eps, 2.2 * histograms / eps)
        if kind == "laplace"
        else (0.2 * root / eps, 12 * root / eps)
    )

    def fits(scale: float) -> bool:
        if kind == "laplace":
            loss = privacy_loss_distribution.from_discrete_laplace_mechanism(
                1 / scale, value_discretization_interval=1e-3 * eps
            )
        else:
            loss = privacy_loss_distribution.from_discrete_gaussian_mechanism(
                scale, value_discretization_interval=1e-3 * eps
            )
        return bool(
            loss.self_compose(2 * histograms).get_delta_for_epsilon(eps) <= delta
        )

    return close_in(fits, low, high, 1e-3)[1]


def _clipped(rows: Array) -> Array:
    """Return rows with negative entries put to 0, divided by their sums; flat where nothing is left."""
    kept = np.maximum(rows, 0.0)
    total = kept.sum(axis=1, keepdims=True)
    return np.asarray(
        np.where(total > 0, kept / np.where(total > 0, total, 1.0), 1 / rows.shape[1])
    )


def compared_records(
    data: Mapping[str, Sequence[int]],
    eps: Sequence[float],
    delta: float,
    histograms: Sequence[int],
    records: int,
    repeats: int,
    seed: int,
) -> pd.DataFrame:
    r"""Return errors of m released records, and of shares, by the mechanism and by noise, clipped, then m draws.

    d histograms like this one, of the same persons, are released with (eps, delta)-DP
    together: the mechanism at the smallest k for dm records; discrete Laplace and
    discrete Gaussian counts, negative ones put to 0, scaled to sum 1, and m records
    drawn. Columns data, eps, histograms, k, real (n/N), then for "mechanism",
    "laplace", "gaussian" the error of the records and (`_shares`) of the shares before
    drawing (the mechanism's: corrected, then clipped likewise), and "sampling" (no
    privacy), all as $n/\sqrt{|\Sigma|}$ times the root of the mean squared l2 distance.
    The mechanism's records are exact, what is clipped a mean over `repeats`, its draws
    exact given it.
    """
    rows = []
    for d in histograms:
        for level in eps:
            scales = {
                kind: _noise_scale(kind, level, delta, d)
                for kind in ("laplace", "gaussian")
            }
            for name, counts in data.items():
                table = check_counts("data", counts)
                rng = np.random.default_rng(seed)
                n = int(table.sum())
                size = int(table.size)
                k = smallest_k(level, delta, n, size, d * records)
                truth = table / n
                real = n / (n + k * size)
                star = (
                    rng.multinomial(records, (table + k) / (n + k * size), repeats)
                    / records
                )
                errors = {"mechanism": record_error(table.tolist(), k, records)}
                errors["mechanism_shares"] = float(
                    ((_clipped(star / real - k / n) - truth) ** 2).sum(axis=1).mean()
                )
                for kind, scale in scales.items():
                    shares = _clipped(
                        table + _discrete_noise(kind, scale, (repeats, size), rng)
                    )
                    errors[f"{kind}_shares"] = far = float(
                        ((shares - truth) ** 2).sum(axis=1).mean()
                    )
                    errors[kind] = (
                        far + float((1 - (shares**2).sum(axis=1)).mean()) / records
                    )
                errors["sampling"] = float(1 - (truth**2).sum()) / records
                unit = n / math.sqrt(size)
                typical = {
                    key: unit * math.sqrt(value) for key, value in errors.items()
                }
                rows.append(
                    {
                        "data": name,
                        "eps": level,
                        "histograms": d,
                        "k": k,
                        "real": real,
                        **typical,
                    }
                )
    return pd.DataFrame(rows)


def _discrete_noise(
    kind: str, scale: float, shape: tuple[int, int], rng: np.random.Generator
) -> Array:
    if kind == "laplace":  # the difference of two geometric variables
        stop = -math.expm1(-1 / scale)
        return np.asarray(
            rng.geometric(stop, shape) - rng.geometric(stop, shape), dtype=np.float64
        )
    values = np.arange(-math.ceil(13 * scale) - 1, math.ceil(13 * scale) + 2)
    total = np.cumsum(np.exp(-((values / scale) ** 2) / 2))
    return np.asarray(
        values[np.searchsorted(total, rng.random(shape) * total[-1], side="right")],
        dtype=np.float64,
    )
