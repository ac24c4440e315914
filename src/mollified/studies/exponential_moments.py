r"""Studies for the page on exponential moments: the chord for each range, and the bounds against what can occur."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_interval
from mollified.bounds import exponential_moment, kl_drop_hoeffding, log_moment
from mollified.theta import LOG2

__all__ = ["chords", "moment_ranges"]


def _check_size(name: str, value: object) -> float:
    return check_interval(name, value, 0.0, 1.0, open_low=True)


def chords(sizes: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $e^x$ on $[-c^*,c^*]$ with the chords for $\log2$ and for $c^*$; `sizes` are $c^*/\log2$.

    Columns size, x, exp, wide ($\frac54+\frac{3x}{4\log2}$), own ($\cosh c^*+\frac x{c^*}\sinh c^*$). Facts: both
    chords at 0. Raises ValueError or TypeError for sizes outside (0, 1] or points < 1. Source: v1 (45).
    """
    levels, count = check_each("sizes", sizes, _check_size), check_count("points", points)
    rows, facts = [], {}
    for size in levels:
        c = size * LOG2
        x = np.linspace(-c, c, count)
        own = np.cosh(c) + x / c * np.sinh(c)
        wide = 1.25 + 0.75 * x / LOG2
        rows.append(pd.DataFrame({"size": size, "x": x, "exp": np.exp(x), "wide": wide, "own": own}))
        facts[f"own_{size:g}"] = float(np.cosh(c))
    return pd.concat(rows, ignore_index=True), facts


def moment_ranges(sizes: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return bounds on $\frac1{c^*}\log\mathbb E_Qe^{c}$ against the exact edge $\gamma$, and what values it can have.

    Columns size ($c^*/\log2$), gamma, lowest ($-\gamma$, by Jensen, reached by constants), sharp, hoeffding, printed.
    Facts: for sizes below one, the edge beyond which the printed bound is below the sharp one,
    $(\frac54-\cosh c^*)/(\frac34-\sinh c^*)$. Raises as `chords`. Source: v1 Lemmas 13 and 14.
    """
    levels, count = check_each("sizes", sizes, _check_size), check_count("points", points)
    gamma = np.linspace(0, 1, count)
    rows, facts = [], {}
    for size in levels:
        c = size * LOG2
        frame = pd.DataFrame({"size": size, "gamma": gamma, "lowest": -gamma})
        frame["sharp"] = log_moment(c, gamma) / c
        frame["hoeffding"] = -kl_drop_hoeffding(1.0, c, 0.0, gamma) / c
        frame["printed"] = np.log(exponential_moment(c, gamma, form="printed")) / c
        rows.append(frame)
        if size < 1:
            facts[f"crossing_{size:g}"] = float((1.25 - np.cosh(c)) / (0.75 - np.sinh(c)))
    return pd.concat(rows, ignore_index=True), facts
