r"""Studies for the page on plain bootstrapping: the unique value, the loss on two symbols, the exact type."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.stats import binom

from mollified._validate import check_count, check_each, check_eps, check_interval

__all__ = ["loss_on_two_symbols", "same_type", "unique_by_records"]


def unique_by_records(
    sizes: Sequence[int], delta: float, most: int, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $1-(1-\frac1n)^m$, the least delta of plain bootstrapping at every eps, against m.

    Columns n, m, probability; facts: the largest m at `delta` (0 where there is none) and the threshold, for each n.
    Raises ValueError or TypeError for n or m below 1, delta outside (0, 1). Source: section 4.
    """
    sizes = check_each("sizes", sizes, lambda name, n: check_count(name, n, minimum=2))
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    most, points = check_count("most", most, minimum=2), check_count("points", points, minimum=2)
    records = np.unique(np.round(np.geomspace(1, most, points))).astype(int)
    rows = [(n, int(m), -math.expm1(int(m) * math.log1p(-1 / n))) for n in sizes for m in records]
    facts: dict[str, float] = {"delta": delta}
    for n in sizes:
        facts[f"threshold_{n}"] = math.log1p(-delta) / math.log1p(-1 / n)
        facts[f"allowed_{n}"] = float(math.floor(facts[f"threshold_{n}"]))
    return pd.DataFrame(rows, columns=["n", "m", "probability"]), facts


def loss_on_two_symbols(n: int, k: int, m: int, eps: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the law of the loss of a smoothed bootstrap on two symbols, and what each loss adds to delta.

    D has one 1, D' none. Columns ones, loss, probability, counted ($P(1-e^{\varepsilon-c})_+$); facts: delta(eps) of
    this pair, $P[c>\varepsilon]$, mean and standard deviation of the loss, the largest loss and its probability. In
    floats, rounding only. Raises ValueError or TypeError for n, k, m < 1, eps <= 0. Source: section 4.
    """
    n, k, m = check_count("n", n), check_count("k", k), check_count("m", m)
    eps = check_eps("eps", eps)
    ones = np.arange(m + 1)
    up, down = math.log1p(1 / k), math.log1p(-1 / (n + k))
    loss = ones * up + (m - ones) * down
    law = binom.pmf(ones, m, (k + 1) / (n + 2 * k))
    counted = law * np.clip(-np.expm1(np.minimum(eps - loss, 0.0)), 0.0, None)
    table = pd.DataFrame({"ones": ones, "loss": loss, "probability": law, "counted": counted})
    mean = float(law @ loss)
    facts = {
        "eps": eps,
        "delta": float(counted.sum()),
        "exceeds": float(law[loss > eps].sum()),
        "mean": mean,
        "deviation": math.sqrt(float(law @ (loss - mean) ** 2)),
        "largest": float(loss[-1]),
        "largest_probability": float(law[-1]),
    }
    return table, facts


def _inside(m: int, radius: float) -> float:
    """Return P[|N/m - 1/2| <= radius] for a fair coin, from integers."""
    edge = Fraction(radius)
    low, high = math.ceil(m * (Fraction(1, 2) - edge)), math.floor(m * (Fraction(1, 2) + edge))
    return float(sum(Fraction(math.comb(m, v), 2**m) for v in range(max(low, 0), min(high, m) + 1)))


def same_type(records: Sequence[int], radii: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the probability that m draws from balanced binary data have ones within a radius of one half, exactly.

    Radius 0: exactly the distribution of the data. Columns radius, m, probability (rounded once). Raises ValueError or
    TypeError for m < 1 or a radius outside [0, 1/2]. Source: section 4, last paragraph.
    """
    records = check_each("records", records, check_count)
    radii = check_each("radii", radii, lambda name, value: check_interval(name, value, 0, 0.5))
    rows = [(radius, m, _inside(m, radius)) for radius in radii for m in records]
    table = pd.DataFrame(rows, columns=["radius", "m", "probability"])
    return table, {f"at_{m}_{radius:g}": probability for radius, m, probability in rows}
