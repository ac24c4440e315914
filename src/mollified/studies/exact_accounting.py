"""Studies for the page on exact accounting: what each theorem allows, and how delta falls with eps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mollified._validate import check_count, check_each, check_eps, check_interval
from mollified.bootstrap_accountant import bootstrap_delta
from mollified.bootstrap_bounds import (
    hoeffding_delta,
    hoeffding_records,
    order_records,
    pure_records,
    renyi_delta,
    renyi_records,
    step_loss,
    theorem_delta,
    theorem_records,
)
from mollified.bootstrap_parameters import largest_m, smallest_k
from mollified.paper_parameters import paper_k

__all__ = ["delta_curves", "gaussian_approach", "real_share", "records_allowed"]

#: Bounds in the order of the pictures: the exact curve first.
BOUNDS = ("exact", "order", "closed", "hoeffding", "printed", "pure")


def _delta(name: str, value: object) -> float:
    return check_interval(name, value, 0, 1, open_low=True, open_high=True)


def _allowed(bound: str, eps: float, delta: float, n: int, size: int, k: int) -> int:
    if bound == "exact":
        return largest_m(eps, delta, n, size, k)
    if bound == "order":
        return order_records(eps, delta, n, size, k)
    if bound == "closed":
        return renyi_records(eps, delta, n, size, k)
    if bound == "pure":
        return pure_records(eps, k)
    if bound == "hoeffding":
        return hoeffding_records(eps, delta, n, size, k)
    return theorem_records(eps, delta, n, size, k)


def records_allowed(
    n: int, size: int, eps: float, delta: float, most: int, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the largest m that each bound allows, for k from 1 to `most` in about `points` steps.

    Columns bound, k, m; 0 where a bound allows none. Facts: the ratio exact over each bound
    at k = 100 (`ratio_...`), and the least k at which each allows a record and more than pure privacy (`from_...`).
    """
    n, size = check_count("n", n), check_count("size", size, minimum=2)
    eps, delta = check_eps("eps", eps), _delta("delta", delta)
    most, points = check_count("most", most, minimum=2), check_count("points", points, minimum=2)
    grid = sorted({round(k) for k in np.geomspace(1, most, points)} | {100})
    rows = [(bound, k, _allowed(bound, eps, delta, n, size, k)) for bound in BOUNDS for k in grid]
    table = pd.DataFrame(rows, columns=["bound", "k", "m"])
    at = {bound: _allowed(bound, eps, delta, n, size, 100) for bound in BOUNDS}
    facts = {"n": float(n), "size": float(size), "eps": eps, "delta": delta}
    for bound in BOUNDS:
        facts[f"at_{bound}"] = float(at[bound])
        facts[f"ratio_{bound}"] = at["exact"] / at[bound] if at[bound] else math.inf
        k = 1
        while k < 10**6 and _allowed(bound, eps, delta, n, size, k) <= (bound != "pure") * pure_records(eps, k):
            k += 1
        facts[f"from_{bound}"] = float(k)
    return table, {name: value for name, value in facts.items() if math.isfinite(value)}


def real_share(
    sizes: Sequence[int], eps: Sequence[float], delta: float, n_grid: Sequence[int]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the smallest k for m = n records, and the share $\frac n{n+k|\Sigma|}$ of real data in the smoothed data.

    By the exact curve and by Theorem 2 as printed (or pure privacy, where that is better). Columns size, eps, n, exact,
    printed, share_exact, share_printed. Facts: the shares, and the least and the largest ratio of the two k.
    """
    check_each("sizes", sizes, check_count)
    check_each("eps", eps, check_eps)
    check_each("n_grid", n_grid, check_count)
    delta = _delta("delta", delta)
    rows = []
    for size in sizes:
        for level in eps:
            for n in n_grid:
                exact, printed = smallest_k(level, delta, n, size, n), paper_k(level, delta, n, size, n)
                shares = n / (n + exact * size), n / (n + printed * size)
                rows.append((size, level, n, exact, printed, *shares))
    names = ["size", "eps", "n", "exact", "printed", "share_exact", "share_printed"]
    table = pd.DataFrame(rows, columns=names)
    ratio = table["printed"] / table["exact"]
    facts = {"delta": delta, "least": float(ratio.min()), "largest": float(ratio.max())}
    for size, level, n, _, _, share_exact, share_printed in rows:
        facts[f"exact_{size}_{level:g}_{n}"] = share_exact
        facts[f"printed_{size}_{level:g}_{n}"] = share_printed
    return table, facts


def delta_curves(
    n: int, size: int, k: int, m: int, least: float, points: int, delta: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return delta against eps at one k and m: exact, Theorem 2* at the best order, Theorem 2 and its sharpening.

    Columns bound, eps, delta, and "gaussian", the limit with $\mu^2=\frac{2m}{N\sqrt{k(k+1)}}$; eps from `least` to the
    level $m\lambda$, from which the exact delta is 0. Facts: that level (`pure`), and the least eps at
    which each bound falls to `delta`, up to $10^{-6}$ of it (`eps_...`).
    """
    n, size, k, m = check_count("n", n), check_count("size", size, minimum=2), check_count("k", k), check_count("m", m)
    least, points = check_eps("least", least), check_count("points", points, minimum=2)
    delta, pure = _delta("delta", delta), m * step_loss(k)
    if least >= pure:
        raise ValueError(f"least must be below m log((k+1)/k) = {pure!r}, got {least!r}")
    mu = math.sqrt(2 * m / ((n + k * size) * math.sqrt(k * (k + 1))))
    curves: dict[str, Callable[[float], float]] = {
        "exact": lambda eps: bootstrap_delta(eps, n, size, k, m),
        "order": lambda eps: renyi_delta(eps, n, size, k, m),
        "hoeffding": lambda eps: hoeffding_delta(eps, n, size, k, m),
        "printed": lambda eps: theorem_delta(eps, n, size, k, m),
        "gaussian": lambda eps: _gaussian(mu, eps),
    }
    grid = np.geomspace(least, pure, points)
    rows = [(name, float(eps), curve(float(eps))) for name, curve in curves.items() for eps in grid]
    facts = {"n": float(n), "size": float(size), "k": float(k), "m": float(m), "pure": pure, "mu": mu, "delta": delta}
    for name, curve in curves.items():
        low, high = least, pure
        while high > low * (1 + 1e-6):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if curve(middle) <= delta else (middle, high)
        facts[f"eps_{name}"] = high
    return pd.DataFrame(rows, columns=["bound", "eps", "delta"]), facts


def _gaussian(mu: float, eps: float) -> float:
    return float(ndtr(mu / 2 - eps / mu) - math.exp(eps) * ndtr(-mu / 2 - eps / mu))


def gaussian_approach(
    n_grid: Sequence[int], size: int, mu: float, ks: Sequence[int], most: float, points: int, most_k: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return delta against eps at $m=\mu^2N\sqrt{k(k+1)}/2$, rounded, and its distance from the limit against k.

    Columns kind, k, eps, delta. kind "curve": delta for the first n, k of `ks`, k = 0 the limit (the Gaussian
    mechanism), eps up to `most`. kind "n records": the largest distance over those eps, k up to `most_k`. Facts: all
    distances (`far_n_k`), and m at k of `ks` (`m_k`).
    """
    check_each("n_grid", n_grid, check_count)
    size, mu = check_count("size", size, minimum=2), check_eps("mu", mu)
    check_each("ks", ks, check_count)
    most, points = check_eps("most", most), check_count("points", points, minimum=2)
    grid = [float(eps) for eps in np.linspace(0, most, points)]
    limit = [_gaussian(mu, eps) for eps in grid]

    def curve(n: int, k: int) -> tuple[int, list[float]]:
        m = max(1, round(mu**2 * (n + k * size) * math.sqrt(k * (k + 1)) / 2))
        return m, [bootstrap_delta(eps, n, size, k, m) for eps in grid]

    rows = [("curve", 0, eps, delta) for eps, delta in zip(grid, limit, strict=True)]
    facts = {"mu": mu, "size": float(size)}
    for k in ks:
        m, found = curve(n_grid[0], k)
        rows += [("curve", k, eps, delta) for eps, delta in zip(grid, found, strict=True)]
        facts[f"m_{k}"] = float(m)
    for n in n_grid:
        for k in sorted({round(k) for k in np.geomspace(1, check_count("most_k", most_k, minimum=2), 13)}):
            far = max(abs(a - b) for a, b in zip(curve(n, k)[1], limit, strict=True))
            rows.append((f"{n:,} records", k, 0.0, far))
            facts[f"far_{n}_{k}"] = far
    return pd.DataFrame(rows, columns=["kind", "k", "eps", "delta"]), facts
