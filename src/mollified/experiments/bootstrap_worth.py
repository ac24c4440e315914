r"""Studies for the page on releasing data: larger k, records or noise, one release.

Errors are expected l2 distances of the released masses to the data's, as roots of
expected squares. All releases are (eps, delta)-DP in the central model, records are
replaced one by one, n and the domain are public. For the mechanism the error is
$\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$ squared, for centred noise
$(|\Sigma|-1)\sigma^2/n^2$.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from dp_accounting.pld import privacy_loss_distribution

from mollified._validate import Array, Counts, check_counts
from mollified.bootstrap.mechanism import smoothed_law
from mollified.bootstrap.paper_parameters import (
    paper_k,
    recipe_parameters,
    theorem_parameters,
)
from mollified.bootstrap.parameters import (
    choose_parameters,
    expected_error,
    gaussian_error,
    largest_m,
    smallest_k,
)
from mollified.mechanisms.histogram_release import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
)
from mollified.privacy.smallest import close_in

__all__ = [
    "compared_records",
    "discrete_laplace_variance",
    "doublings",
    "noise_ratios",
    "record_error",
    "release_errors",
    "squared_error",
]

Noise = Literal["laplace", "gaussian"]
#: The step of dp-accounting's grid of losses, in units of eps.
LOSS_STEP = 1e-3
#: Discrete Gaussian noise is drawn from a table that ends so many scales from zero.
TABLE_END = 13


def discrete_laplace_variance(scale: float) -> float:
    r"""Return the variance $2q/(1-q)^2$, $q=e^{-1/b}$, of discrete Laplace noise."""
    q = math.exp(-1 / scale)
    return 2 * q / (1 - q) ** 2


def noise_ratios(eps: Sequence[float], deltas: Sequence[float]) -> pd.DataFrame:
    r"""Return the squared error of the mechanism over that of discrete Laplace noise.

    At large k, by eps and delta. Both at exactly (eps, delta), both centred, so n and
    |Sigma| cancel. Columns eps and one a delta, named by it.
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
    r"""Return in how many random settings the error falls from k to 2k.

    It is the error at the largest m. n up to 1e6, $|\Sigma|<2n$ up to 1e4, eps from .05
    to 5, delta from 1e-9 to 1e-2, k up to a hundred times above or below the Gaussian
    mechanism's $\sigma$, all log-uniform; settings with m = 0 are left out. Keys
    "above", "above_falls" (settings with k above sigma, and those where the error
    falls), "below", "below_falls".
    """
    counts = dict.fromkeys(("above", "above_falls", "below", "below_falls"), 0)
    for _ in range(instances):
        n = int(10 ** rng.uniform(0.5, 6))
        size = max(2, min(int(10 ** rng.uniform(0.3, 4)), 2 * n - 1))
        eps = 10 ** rng.uniform(-1.3, 0.7)
        delta = 10 ** rng.uniform(-9, -2)
        sigma = n * math.sqrt(gaussian_error(n, size, eps, delta) / (size - 1))
        multiple = 10 ** rng.uniform(-2, 2)
        k = max(1, math.ceil(multiple * sigma))
        m = largest_m(eps, delta, n, size, k)
        if m:
            doubled = largest_m(eps, delta, n, size, 2 * k)
            before = expected_error(n, size, k, m)
            after = expected_error(n, size, 2 * k, doubled)
            side = "above" if k >= sigma else "below"
            counts[side] += 1
            counts[f"{side}_falls"] += after < before
    return counts


def record_error(counts: Sequence[int], k: int, m: int) -> float:
    r"""Return the expected squared l2 error of the shares of m released records.

    They are not corrected: $\lVert\tilde h-\hat h\rVert^2+\frac1m(1-\lVert\tilde
    h\rVert^2)$, in floats.
    """
    table = check_counts("counts", counts)
    law = np.array([float(mass) for mass in smoothed_law(table, k)])
    return float(((law - table / table.sum()) ** 2).sum() + (1 - (law**2).sum()) / m)


def squared_error(counts: Sequence[int], k: int, m: int) -> float:
    r"""Return the expected squared l2 error of the corrected histogram for these data.

    $\frac{N^2}{n^2m}(1-\sum_i\tilde h_i^2)$, exactly up to rounding.
    """
    table = check_counts("counts", counts)
    law = smoothed_law(table, k)
    n = int(table.sum())
    return float((1 - sum(mass**2 for mass in law)) / m) * (1 + k * table.size / n) ** 2


def _noise_scale(kind: Noise, eps: float, delta: float, histograms: int) -> float:
    """Return a scale of discrete noise for (eps, delta)-DP of that many histograms.

    By dp-accounting; errs above.
    """
    step = LOSS_STEP * eps
    changed = 2 * histograms  # counts that one record moves
    root = math.sqrt(changed)
    if kind == "laplace":
        low = 0.1 / eps
        high = 2.2 * histograms / eps
    else:
        low = 0.2 * root / eps
        high = 12 * root / eps

    def fits(scale: float) -> bool:
        if kind == "laplace":
            loss = privacy_loss_distribution.from_discrete_laplace_mechanism(
                1 / scale, value_discretization_interval=step
            )
        else:
            loss = privacy_loss_distribution.from_discrete_gaussian_mechanism(
                scale, value_discretization_interval=step
            )
        spent = loss.self_compose(changed).get_delta_for_epsilon(eps)
        return bool(spent <= delta)

    return close_in(fits, low, high, 1e-3)[1]


def _clipped(rows: Array) -> Array:
    """Return rows with negative entries put to 0, divided by their sums.

    They are flat where nothing is left.
    """
    positive = np.maximum(rows, 0.0)
    total = positive.sum(axis=1, keepdims=True)
    shares = positive / np.where(total > 0, total, 1.0)
    return np.asarray(np.where(total > 0, shares, 1 / rows.shape[1]))


@dataclass(frozen=True)
class _RecordStudy:
    """Hold what is released together: d histograms, at a level, as m `records` each."""

    eps: float
    delta: float
    histograms: int
    records: int
    repeats: int
    seed: int

    def noise_scales(self) -> dict[Noise, float]:
        """Return the scale of each kind of noise."""
        return {
            "laplace": _noise_scale("laplace", self.eps, self.delta, self.histograms),
            "gaussian": _noise_scale("gaussian", self.eps, self.delta, self.histograms),
        }

    def typical_errors(
        self,
        table: Counts,
        scales: Mapping[Noise, float],
    ) -> dict[str, float]:
        """Return the row of a histogram, see `compared_records`."""
        rng = np.random.default_rng(self.seed)
        n = int(table.sum())
        size = int(table.size)
        k = smallest_k(self.eps, self.delta, n, size, self.histograms * self.records)
        errors = self._mechanism_errors(table, k, rng)
        errors |= self._noise_errors(table, scales, rng)
        shares = table / n
        errors["sampling"] = float(1 - (shares**2).sum()) / self.records
        unit = n / math.sqrt(size)
        return {
            "eps": self.eps,
            "histograms": self.histograms,
            "k": k,
            "real": n / (n + k * size),
            **{key: unit * math.sqrt(value) for key, value in errors.items()},
        }

    def _mechanism_errors(
        self,
        table: Counts,
        k: int,
        rng: np.random.Generator,
    ) -> dict[str, float]:
        """Return the squared errors of the mechanism: of its records, and of shares."""
        n = int(table.sum())
        total = n + k * table.size
        draws = rng.multinomial(self.records, (table + k) / total, self.repeats)
        corrected = _clipped(draws / self.records / (n / total) - k / n)
        return {
            "mechanism": record_error(table.tolist(), k, self.records),
            "mechanism_shares": _squared_distance(corrected, table / n),
        }

    def _noise_errors(
        self,
        table: Counts,
        scales: Mapping[Noise, float],
        rng: np.random.Generator,
    ) -> dict[str, float]:
        """Return the squared errors by kind of noise: of records, and of shares."""
        truth = table / int(table.sum())
        errors = {}
        for kind, scale in scales.items():
            noise = _discrete_noise(kind, scale, (self.repeats, table.size), rng)
            shares = _clipped(table + noise)
            apart = _squared_distance(shares, truth)
            variance = float((1 - (shares**2).sum(axis=1)).mean())
            errors[f"{kind}_shares"] = apart
            errors[kind] = apart + variance / self.records
        return errors


def _squared_distance(rows: Array, truth: Array) -> float:
    """Return the mean squared l2 distance of rows to the truth."""
    return float(((rows - truth) ** 2).sum(axis=1).mean())


def compared_records(
    data: Mapping[str, Sequence[int]],
    eps: Sequence[float],
    delta: float,
    histograms: Sequence[int],
    records: int,
    repeats: int,
    seed: int,
) -> pd.DataFrame:
    r"""Return errors of m released records, and of shares.

    By the mechanism and by noise: d histograms like this one, of the same persons, are
    released with (eps, delta)-DP together: the mechanism at the smallest k for dm
    records; discrete Laplace and discrete Gaussian counts, negative ones put to 0,
    scaled to sum 1, and m records drawn. Columns data, eps, histograms, k, real (n/N),
    then for "mechanism", "laplace", "gaussian" the error of the records and (`_shares`)
    of the shares before drawing (the mechanism's: corrected, then clipped likewise),
    and "sampling" (no privacy), all as $n/\sqrt{|\Sigma|}$ times the root of the mean
    squared l2 distance. The mechanism's records are exact, what is clipped a mean over
    `repeats`, its draws exact given it.
    """
    rows = []
    for together in histograms:
        for level in eps:
            study = _RecordStudy(level, delta, together, records, repeats, seed)
            scales = study.noise_scales()
            for name, counts in data.items():
                table = check_counts("data", counts)
                rows.append({"data": name, **study.typical_errors(table, scales)})
    return pd.DataFrame(rows)


def _discrete_noise(
    kind: Noise,
    scale: float,
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> Array:
    """Return discrete Laplace or Gaussian noise."""
    if kind == "laplace":  # the difference of two geometric variables
        stop = -math.expm1(-1 / scale)
        difference = rng.geometric(stop, shape) - rng.geometric(stop, shape)
        return np.asarray(difference, dtype=np.float64)
    end = math.ceil(TABLE_END * scale) + 1
    values = np.arange(-end, end + 1)
    total = np.cumsum(np.exp(-((values / scale) ** 2) / 2))
    picked = np.searchsorted(total, rng.random(shape) * total[-1], side="right")
    return np.asarray(values[picked], dtype=np.float64)


def release_errors(
    counts: Sequence[int],
    eps: float,
    delta: float,
    gamma: float,
) -> pd.DataFrame:
    r"""Return ways to release these data with (eps, delta)-DP, and the error of each.

    Columns key, k, m (0 for noise), rms (the root of the expected squared l2 error of
    the corrected shares), persons ($n\,$rms$/\sqrt{|\Sigma|}$, the typical error of one
    count) and records (the same of the released records as they are; nan for noise).
    Keys: "recipe" (Corollary 3 at gamma), "theorem" (Theorem 2 at its best k),
    "recipe-k" (the recipe's k, exact m), "paper-n", "exact-n" (n records), "best"
    (`choose_parameters`), "discrete-gaussian", "discrete-laplace" (both at exactly
    (eps, delta), centred).
    """
    table = check_counts("counts", counts)
    n = int(table.sum())
    size = int(table.size)
    recipe = recipe_parameters(gamma, eps, delta, n, size)
    best = choose_parameters(n, size, eps, delta)
    chosen = {
        "recipe": recipe,
        "theorem": theorem_parameters(eps, delta, n, size),
        "paper-n": (paper_k(eps, delta, n, size, n), n),
        "exact-n": (smallest_k(eps, delta, n, size, n), n),
        "recipe-k": (recipe[0], largest_m(eps, delta, n, size, recipe[0])),
        "best": (best.k, best.m),
    }
    rows = [
        (key, k, m, math.sqrt(squared_error(table.tolist(), k, m)))
        for key, (k, m) in chosen.items()
    ]
    spread = {
        "discrete-gaussian": discrete_gaussian_scale(eps, delta),
        "discrete-laplace": math.sqrt(
            discrete_laplace_variance(discrete_laplace_scale(eps, delta))
        ),
    }
    rows += [
        (key, 0, 0, math.sqrt(size - 1) * deviation / n)
        for key, deviation in spread.items()
    ]
    errors = pd.DataFrame(rows, columns=["key", "k", "m", "rms"])
    errors["persons"] = n * errors["rms"] / math.sqrt(size)
    of_records = [record_error(table.tolist(), k, m) for k, m in chosen.values()]
    typical = [n * math.sqrt(error / size) for error in of_records]
    errors["records"] = [*typical, *[math.nan for _ in spread]]
    return errors
