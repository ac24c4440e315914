r"""Studies for the page on the relaxed exponential mechanism: two outputs, true sensitivities, probable types."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_fraction, check_interval
from mollified.bootstrap_mechanism import check_counts, smoothed_law
from mollified.relaxed_exponential import definition_change, formula_share, typical_change

__all__ = ["probable_types", "sensitivities", "two_outputs"]


def two_outputs(delta: float, low: float, high: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the $\delta$ that two outputs need at $\varepsilon=2\log2$, against the score t of $r_2$ under $D'$.

    Scores (0, -10) under D and (-1, t) under D'; $\mathcal R_\delta=\{r_1\}$, so that weights are $2^u$.
    Columns t, one (event of D against D'), two (D' against D), needed (the larger). Facts: `both_up_to`, the largest t
    at which $\{r_1\}$ has the mass $1-\delta$ under D' too. Floats. Raises ValueError for delta outside (0, 1),
    low >= high. Source: Definition 2, Theorem 4.
    """
    delta = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    low, high = check_interval("low", low, -60, 60), check_interval("high", high, -60, 60)
    if low >= high:
        raise ValueError(f"high must be > low, got {high!r} <= {low!r}")
    t = np.linspace(low, high, check_count("points", points, minimum=2))
    p1, p2 = 1 / (1 + 2.0**-10), 1 / (1 + 2.0**10)
    q1, q2 = 1 / (1 + 2.0 ** (t + 1)), 1 / (1 + 2.0 ** -(t + 1))
    one = np.maximum(p1 - 4 * q1, 0) + np.maximum(p2 - 4 * q2, 0)
    two = np.maximum(q1 - 4 * p1, 0) + np.maximum(q2 - 4 * p2, 0)
    table = pd.DataFrame({"t": t, "one": one, "two": two, "needed": np.maximum(one, two)})
    both = math.log2(delta / (1 - delta)) - 1
    at = int(np.abs(t - 10).argmin())
    facts = {"delta": delta, "both_up_to": both, "mass": p1, "needed_at_ten": float(table["needed"].iloc[at])}
    facts["largest_within"] = float(table.loc[table["t"] <= both, "needed"].max()) if (t <= both).any() else 0.0
    return table, facts


def sensitivities(n: int, k: int, sizes: Sequence[int], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\Delta u_\delta/\lambda$ over typical outputs against $\gamma$: formula (62) and two readings.

    "pair": outputs typical for one of the neighbours; "letter": Definition 2 for the data set of equal records. Types
    are real vectors. Columns size, reading, gamma, share. Facts: the most by which "letter" exceeds the formula, and by
    which the formula exceeds "pair" at gamma 1/2; k/(n+k|Sigma|). Exact
    extreme points, logs in floats. Raises ValueError or TypeError for bad counts. Source: (41)-(62).
    """
    n, k, points = check_count("n", n), check_count("k", k), check_count("points", points, minimum=2)
    alphabets = check_each("sizes", sizes, lambda name, v: check_count(name, v, minimum=2))
    unit, rows, facts = math.log1p(1 / k), [], {"n": float(n), "k": float(k)}
    for size in alphabets:
        for step in range(points):
            gamma = check_fraction("gamma", Fraction(step, points - 1))
            formula = float(formula_share(n, size, k, gamma))
            pair = typical_change(n, size, k, gamma).value / unit
            letter = definition_change([n, *[0] * (size - 1)], k, gamma).value / unit
            for reading, share in (("formula", formula), ("pair", pair), ("letter", letter)):
                rows.append({"size": size, "reading": reading, "gamma": float(gamma), "share": share})
    table = pd.DataFrame(rows)
    for size in alphabets:
        wide = table[table["size"] == size].pivot(index="gamma", columns="reading", values="share")
        facts[f"most_over_{size}"] = float((wide["letter"] / wide["formula"]).max())
        facts[f"formula_at_half_{size}"] = float(wide["formula"].iloc[points // 2] / wide["pair"].iloc[points // 2])
        facts[f"limit_{size}"] = k / (n + k * size)
    return table, facts


def probable_types(counts: Sequence[int], k: int, m: int) -> tuple[pd.DataFrame, dict[str, Any]]:
    r"""Return the probability of every type of m records on three symbols, of the class and of one data set in it.

    Columns j1, j2, j3, class_probability, single_probability. Facts: the most probable of both and their probabilities.
    Exact until the floats are made. Raises ValueError or TypeError unless there are three counts, k, m >= 1.
    """
    table, m = check_counts("counts", counts), check_count("m", m)
    if len(table) != 3:
        raise ValueError(f"counts must be three, got {counts!r}")
    law, rows = smoothed_law(table, k), []
    for j1, j2 in product(range(m + 1), repeat=2):
        if j1 + j2 > m:
            continue
        drawn = (j1, j2, m - j1 - j2)
        single = math.prod(h**j for h, j in zip(law, drawn, strict=True))
        many = math.factorial(m) // math.prod(math.factorial(j) for j in drawn)
        row = {f"j{i + 1}": j for i, j in enumerate(drawn)}
        rows.append({**row, "class_probability": float(many * single), "single_probability": float(single)})
    frame = pd.DataFrame(rows)
    facts: dict[str, Any] = {"m": m}
    for kind in ("class", "single"):
        top = frame.iloc[int(frame[f"{kind}_probability"].to_numpy().argmax())]
        facts[f"best_{kind}"] = [int(top[f"j{i}"]) for i in (1, 2, 3)]
        facts[f"{kind}_at_best"] = float(top[f"{kind}_probability"])
    own = [float(h * m) for h in law]
    facts["own"] = own
    mine = frame[(frame["j1"] == own[0]) & (frame["j2"] == own[1])]
    facts["single_at_own"] = float(mine["single_probability"].iloc[0]) if len(mine) else 0.0
    return frame, facts
