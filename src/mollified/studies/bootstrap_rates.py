r"""Studies for the page on rates: errors over several decades of n, exponents by dimension, a cdf that falls.

The density is $\frac12+x_1$ on $[0,1]^d$, for which the bias of s cells is $\frac18s^{-2/d}$ exactly. The measured
error is the root mean square at a node in the middle of the first axis, exact, plus that bias: up to constants and
$\sqrt{\log n}$ the expected Kolmogorov-Smirnov distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from flint import arb, ctx

from mollified._validate import check_count, check_each, check_eps, check_interval, check_rng, check_seed
from mollified.ball_mbde import ball
from mollified.binned_density import node_values, running_maximum, sloped_cdf, sloped_distance, sloped_masses
from mollified.bootstrap_bounds import theorem_records
from mollified.bootstrap_mechanism import corrected_histogram, release
from mollified.bootstrap_parameters import largest_m
from mollified.histogram_rates import RateChoice, point_moments, rate_choice, rate_exponent, root_above

__all__ = ["choose", "error_curves", "exponents", "falling_cdf", "measured_error", "simulated_distance"]

SERIES = ("choice", "theorem", "exact", "smoothed", "laplace")


def choose(series: str, n: int, dimension: int, eps: float, delta: float) -> RateChoice:
    r"""Return q, k, m of a series: "choice" (printed m and s, least k by (1) and (2)), or a route of `rate_choice`.

    "exact" takes the largest m of the exact accountant at the q and k of its route. Raises TypeError or ValueError for
    another series, numbers out of range, or an n that is too small.
    """
    n, d = check_count("n", n, minimum=2), check_count("dimension", dimension)
    eps, delta = check_eps("eps", eps), check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    if series not in SERIES:
        raise ValueError(f"series must be one of {', '.join(SERIES)}, got {series!r}")
    level, risk = Fraction(eps).limit_denominator(10**6), Fraction(delta).limit_denominator(10**9)
    if series != "choice":
        route = rate_choice(series, n, d, level, risk)  # type: ignore[arg-type]
        if series == "exact":
            return RateChoice(route.side, route.k, largest_m(eps, delta, n, route.side**d, route.k))
        return route
    side, m = root_above(n, 2, d + 4), root_above(n, 8, d + 4)
    low, high = 1, 2
    while theorem_records(eps, delta, n, max(2, side**d), high) < m:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if theorem_records(eps, delta, n, max(2, side**d), middle) >= m else (middle, high)
    return RateChoice(side, high, m)


def measured_error(series: str, n: int, dimension: int, choice: RateChoice, eps: float) -> float:
    """Return the root mean square error at the middle node plus the bias, for the density of the module.

    Errs by rounding. "smoothed" is not corrected: its bias towards the uniform law is added. Raises TypeError or
    ValueError for another series, or a choice that is none.
    """
    n, d, eps = check_count("n", n), check_count("dimension", dimension), check_eps("eps", eps)
    if series not in SERIES:
        raise ValueError(f"series must be one of {', '.join(SERIES)}, got {series!r}")
    if not isinstance(choice, RateChoice):
        raise TypeError(f"choice must be a RateChoice, got {choice!r}")
    side, size = choice.side, choice.side**d
    first = max(1, side // 2)
    share = Fraction(first, side)
    mass, cells = sloped_cdf(share, Fraction(1)), first * side ** (d - 1)
    bias = Fraction(1, 8 * side**2)
    if series == "laplace":
        square = mass * (1 - mass) / n + Fraction(8 * cells) / (Fraction(eps) * n) ** 2
    else:
        noise, sampling = point_moments(n, size, choice.k, choice.m, cells, mass)
        square = noise + sampling
        if series == "smoothed":
            weight = Fraction(n, n + choice.k * size)
            square = weight**2 * square
            bias += (1 - weight) * (share - mass)
    return math.sqrt(square) + float(bias)


def _floor(n: int) -> float:
    r"""Return $\frac1n\operatorname E|S-np|$ for p = 3/8, by de Moivre with log gamma in balls."""
    p = Fraction(3, 8)
    mode = math.floor(n * p) + 1
    with ctx.workprec(192):
        log = arb(n + 1).lgamma() - arb(mode + 1).lgamma() - arb(n - mode + 1).lgamma()
        log += mode * ball(p).log() + (n - mode + 1) * ball(1 - p).log()
        return float((2 * mode * log.exp() / n).mid())


def simulated_distance(
    n: int, dimension: int, choice: RateChoice, repeats: int, rng: np.random.Generator
) -> tuple[float, float]:
    r"""Return the mean of $\rho(F,\hat F^c)$ over simulated data and releases, and its standard error.

    Exact distances of each run, for the density of the module. Raises TypeError or ValueError for bad arguments.
    """
    n, d = check_count("n", n), check_count("dimension", dimension)
    repeats, rng = check_count("repeats", repeats, minimum=2), check_rng("rng", rng)
    if not isinstance(choice, RateChoice):
        raise TypeError(f"choice must be a RateChoice, got {choice!r}")
    side = choice.side
    column = np.array([float(mass) for mass in sloped_masses(side, 1, Fraction(1))])
    masses = np.broadcast_to((column / side ** (d - 1)).reshape((side,) + (1,) * (d - 1)), (side,) * d).reshape(-1)
    values = []
    for _ in range(repeats):
        counts = rng.multinomial(n, masses / masses.sum())
        corrected = corrected_histogram(release(counts, choice.k, choice.m, rng), n, choice.k)
        values.append(float(sloped_distance(node_values(corrected.reshape((side,) * d)), Fraction(1))))
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(repeats))


def error_curves(
    dimensions: Sequence[int],
    sizes: Sequence[int],
    eps: float,
    delta: float,
    simulated: Sequence[int],
    repeats: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the measured error against n for each dimension and series, the floor, the printed rate, simulations.

    Columns dimension, series, n, error, spread (standard error of simulated points, else 0). Facts: slopes of the
    measured series by least squares over n >= 1e5, `slope_<series>_<d>`, and ratios of the floor to the printed rate.
    """
    dims = check_each("dimensions", dimensions, check_count)
    counts, few = check_each("sizes", sizes, check_count), check_each("simulated", simulated, check_count)
    eps, repeats = check_eps("eps", eps), check_count("repeats", repeats, minimum=2)
    seed = check_seed("seed", seed)
    rows: list[tuple[int, str, int, float, float]] = []
    facts: dict[str, float] = {"eps": eps, "delta": delta}
    for d in dims:
        for n in counts:
            printed = math.sqrt(math.log(n)) * n ** -float(rate_exponent("printed", d))
            rows += [(d, "floor", n, _floor(n), 0.0), (d, "printed", n, printed, 0.0)]
            facts[f"floor_over_printed_{d}_{n:.0e}"] = _floor(n) / printed
            for series in SERIES:
                rows.append((d, series, n, measured_error(series, n, d, choose(series, n, d, eps, delta), eps), 0.0))
        for n in few:
            for place, series in enumerate(SERIES[:3]):
                rng = np.random.default_rng([seed, d, n, place])  # a point does not depend on the others
                mean, error = simulated_distance(n, d, choose(series, n, d, eps, delta), repeats, rng)
                rows.append((d, f"{series} simulated", n, mean, error))
    table = pd.DataFrame(rows, columns=["dimension", "series", "n", "error", "spread"])
    for d in dims:
        for name in SERIES:
            part = table[(table["n"] >= 10**5) & (table["dimension"] == d) & (table["series"] == name)]
            if len(part) > 1:
                facts[f"slope_{name}_{d}"] = -float(np.polyfit(np.log(part["n"]), np.log(part["error"]), 1)[0])
    return table, facts


#: n is a power of this much more than d for which the number of cells a side needs no rounding.
STEPS = {"choice": 4, "theorem": 2, "exact": 4, "smoothed": 6}


def exponents(
    dimensions: Sequence[int], measured: Sequence[int], low: int, high: int, eps: float, delta: float
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the exponents by dimension: derived for all columns, measured from n = 10^low to 10^high for some.

    Columns dimension, column, exponent, measured (NaN where not measured). The measured one is the slope by least
    squares over about ten n, at which $n^{1/(d+4)}$ (or d + 2, d + 6) is whole; "exact" takes m by Theorem 2*, of the
    same order as the largest. Facts: the largest difference of measured and derived. Raises TypeError or ValueError
    for bad arguments.
    """
    dims, own = check_each("dimensions", dimensions, check_count), check_each("measured", measured, check_count)
    low, high, eps = check_count("low", low), check_count("high", high), check_eps("eps", eps)
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    if high <= low:
        raise ValueError(f"high must exceed low, got {high!r} <= {low!r}")
    rows, worst = [], 0.0
    level, risk = Fraction(eps).limit_denominator(10**6), Fraction(delta).limit_denominator(10**9)
    for d in dims:
        for column in ("printed", "choice", "theorem", "exact", "smoothed", "perturbed", "exponential", "minimax"):
            slope = math.nan
            if d in own and column in STEPS:
                power = d + STEPS[column]
                grid = sorted({round(10 ** ((low + (high - low) * i / 9) / power)) ** power for i in range(10)})
                errors = []
                for n in grid:
                    chosen = rate_choice("exact", n, d, level, risk) if column == "exact" else None
                    chosen = chosen or choose(column, n, d, eps, delta)
                    errors.append(measured_error(column, n, d, chosen, eps))
                logs = [math.log(n) for n in grid]
                slope = -float(np.polyfit(logs, np.log(errors), 1)[0])
                worst = max(worst, abs(slope - float(rate_exponent(column, d))))
            rows.append((d, column, float(rate_exponent(column, d)), slope))
    table = pd.DataFrame(rows, columns=["dimension", "column", "exponent", "measured"])
    return table, {"eps": eps, "delta": delta, "low": float(low), "high": float(high), "largest_gap": worst}


def falling_cdf(
    n: int, bins: int, k: int, eps: float, delta: float, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return one release on [0, 1] at the largest m: $\hat F^c$, its running maximum and F, at 8 points a bin.

    Columns x, true, corrected, mended. Facts: m, how many bins are negative, and the distances to F at these points.
    Raises TypeError or ValueError for numbers out of range.
    """
    n, bins, k = check_count("n", n), check_count("bins", bins, minimum=3), check_count("k", k)
    eps, rng = check_eps("eps", eps), np.random.default_rng(check_seed("seed", seed))
    m = largest_m(eps, delta, n, bins, k)
    masses = np.array([float(mass) for mass in sloped_masses(bins, 1, Fraction(1))])
    corrected = corrected_histogram(release(rng.multinomial(n, masses), k, m, rng), n, k)
    edges = node_values(corrected)
    x = np.linspace(0, 1, 8 * bins + 1)
    curve = np.interp(x, x[::8], edges)
    truth, mended = (x + x**2) / 2, running_maximum(edges, points=8)
    table = pd.DataFrame({"x": x, "true": truth, "corrected": curve, "mended": mended})
    facts = {
        "n": float(n),
        "k": float(k),
        "m": float(m),
        "bins": float(bins),
        "negative": float((corrected < 0).sum()),
        "lowest": float(corrected.min()),
        "before": float(np.abs(curve - truth).max()),
        "after": float(np.abs(mended - truth).max()),
    }
    return table, facts
