r"""Studies for the page on releasing data: error against records, against noise on the counts, and the audit.

Errors are expected l2 distances of the released masses to the data's, as roots of expected squares. All releases are
(eps, delta)-DP in the central model, records are replaced one by one, n and the domain are public.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from dp_accounting.pld import privacy_loss_distribution
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss

from mollified._validate import check_count, check_each, check_eps, check_interval, check_seed
from mollified.bootstrap_accountant import bootstrap_delta, epsilon_at
from mollified.bootstrap_audit import audit_bootstrap, largest_bound
from mollified.bootstrap_parameters import expected_error, gaussian_error, smallest_k
from mollified.histogram_release import discrete_laplace_scale
from mollified.paper_parameters import paper_k

__all__ = [
    "audited_samplers",
    "discrete_laplace_variance",
    "error_by_records",
    "histograms_at_once",
    "noise_ratios",
]


def discrete_laplace_variance(scale: float) -> float:
    r"""Return the variance $2q/(1-q)^2$, $q=e^{-1/b}$, of discrete Laplace noise; ValueError for scale <= 0."""
    q = math.exp(-1 / check_eps("scale", scale))
    return 2 * q / (1 - q) ** 2


def error_by_records(
    n: int, size: int, eps: float, delta: float, records: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return the error against the number of records released, flat data: exact, by the paper, and without privacy.

    Columns method, records, k, error. Methods: "exact" and "paper" (smallest k that either allows), "sampling"
    ($\sqrt{(1-1/|\Sigma|)/m}$, no privacy). Facts: the Gaussian mechanism's and Laplace noise's errors, and the largest
    share by which the squared error exceeds that of Gaussian noise and m draws from the result. Raises ValueError or
    TypeError as `smallest_k`.
    """
    check_each("records", records, check_count)
    noise = gaussian_error(n, size, eps, delta)
    rows, excess = [], 0.0
    for m in records:
        ks = {"exact": smallest_k(eps, delta, n, size, m), "paper": paper_k(eps, delta, n, size, m)}
        rows += [(name, m, k, math.sqrt(expected_error(n, size, k, m))) for name, k in ks.items()]
        drawn = (1 - 1 / size) / m
        rows.append(("sampling", m, 0, math.sqrt(drawn)))
        excess = max(excess, expected_error(n, size, ks["exact"], m) / (noise + drawn) - 1)
    laplace = (size - 1) * discrete_laplace_variance(discrete_laplace_scale(eps, delta)) / n**2
    facts = {
        "n": n,
        "size": size,
        "eps": eps,
        "delta": delta,
        "gaussian": math.sqrt(noise),
        "laplace": math.sqrt(laplace),
        "crossing": (1 - 1 / size) / noise,
        "excess": excess,
    }
    return pd.DataFrame(rows, columns=["method", "records", "k", "error"]), facts


def noise_ratios(eps: Sequence[float], deltas: Sequence[float]) -> pd.DataFrame:
    r"""Return the squared error of the mechanism at large k over that of discrete Laplace noise, by eps and delta.

    Both at exactly (eps, delta), both centred, so n and |Sigma| cancel. Columns eps and one a delta, named by it.
    Raises ValueError or TypeError for eps <= 0 or delta outside (0, 1).
    """
    check_each("eps", eps, check_eps)
    check_each("deltas", deltas, lambda name, value: check_interval(name, value, 0, 1, open_low=True, open_high=True))
    rows = []
    for level in eps:
        row: dict[str, float] = {"eps": float(level)}
        for delta in deltas:
            noise = discrete_laplace_variance(discrete_laplace_scale(level, delta))
            row[f"{delta:g}"] = gaussian_error(1, 2, level, delta) / noise
        rows.append(row)
    return pd.DataFrame(rows)


def _laplace_scale(eps: float, delta: float, histograms: int, step: float) -> float:
    """Return a scale at which that many histograms with Laplace noise are (eps, delta)-DP, by dp-accounting."""
    low, high = 0.2 * histograms / eps, 2 * histograms / eps
    while high - low > 1e-4 * high:
        scale = (low + high) / 2
        loss = privacy_loss_distribution.from_laplace_mechanism(scale, 1, value_discretization_interval=step)
        fits = loss.self_compose(2 * histograms).get_delta_for_epsilon(eps) <= delta
        low, high = (low, scale) if fits else (scale, high)
    return high


def histograms_at_once(
    eps: float, deltas: Sequence[float], histograms: Sequence[int], step: float
) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return squared error of the mechanism at large k over that of Laplace noise, for d histograms of one data set.

    One record counts once in each of d histograms, all are released, (eps, delta)-DP together. The mechanism's error is
    that of Gaussian noise with l2 sensitivity $\sqrt{2d}$; Laplace noise is accounted for by dp-accounting, up to
    0.01 % and its discretisation `step`. Columns delta, histograms, ratio; facts: the least d of the list with a ratio
    below 1, by delta (0 for none). Raises ValueError or TypeError for eps <= 0, delta outside (0, 1), counts < 1.
    """
    eps, step = check_eps("eps", eps), check_eps("step", step)
    check_each("histograms", histograms, check_count)
    check_each("deltas", deltas, lambda name, value: check_interval(name, value, 0, 1, open_low=True, open_high=True))
    rows, facts = [], {"eps": eps}
    for delta in deltas:
        guarantee = DifferentialPrivacyParameters(eps, delta)
        better = []
        for d in histograms:
            normal = GaussianPrivacyLoss.from_privacy_guarantee(guarantee, sensitivity=math.sqrt(2 * d))
            ratio = normal.standard_deviation**2 / (2 * _laplace_scale(eps, delta, d, step) ** 2)
            rows.append((delta, d, float(ratio)))
            better += [d] if ratio < 1 else []
        facts[f"better_{delta:g}"] = min(better, default=0)
    return pd.DataFrame(rows, columns=["delta", "histograms", "ratio"]), facts


def audited_samplers(
    n: int, size: int, k: int, m: int, eps: float, delta: float, used: Sequence[int], draws: int, seed: int
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return audits, at 99.9 %, of samplers that add `used` pseudo-records where k are promised.

    Columns used, share and other_share (of draws in the event), bound (the audit's), reach (what it tends to as draws
    grow), level (the sampler's least eps at delta) and delta (its least delta at eps). Each sampler is drawn from its
    own stream. Raises ValueError or TypeError as `audit_bootstrap`, for entries of used < 1, or no seed.
    """
    check_each("used", used, check_count)
    check_seed("seed", seed)
    rows = []
    for added in used:
        rng = np.random.default_rng([seed, added])
        found = audit_bootstrap(n, size, k, m, eps, delta, draws, rng, used=added)
        shares = found.hits / draws, found.other_hits / draws
        reach = largest_bound(n, size, k, m, eps, delta, used=added)
        level = epsilon_at(delta, n, size, added, m)
        rows.append((added, *shares, found.eps, reach, level, bootstrap_delta(eps, n, size, added, m)))
    columns = ["used", "share", "other_share", "bound", "reach", "level", "delta"]
    facts = {"n": n, "size": size, "k": k, "m": m, "eps": eps, "delta": delta, "draws": draws}
    return pd.DataFrame(rows, columns=columns), facts
