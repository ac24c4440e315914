r"""The Kolmogorov-Smirnov distance of histograms on [0, 1] to a distribution function.

A histogram gives each bin a mass, spread evenly; masses may be negative and their sum
other than 1, as in a corrected histogram. Source: bootstrapping paper, section 5.3.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mollified._validate import Array

__all__ = ["ks_distances"]

#: Points of evaluation inside each bin, at most this many bins times points a row.
POINTS = 64


def ks_distances(
    cdf: Callable[[Array], Array],
    rows: Array,
    *,
    points: int = POINTS,
) -> Array:
    r"""Return $\sup_{x\in[0,1]}|\hat F(x)-F(x)|$ for each row of masses, shape (rows,).

    $\hat F$ starts at 0 and is linear on each of the bins, of the masses of one row,
    shape (rows, bins), which may be negative. Evaluated at the edges and at `points`
    equal steps a bin: errs below, by at most
    $\frac L8(\text{bins}\cdot\text{points})^{-2}$ where L is the Lipschitz constant of
    the density of F.
    """
    bins = rows.shape[1]
    at_edges = np.concatenate(
        [np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1
    )
    truth = cdf(np.linspace(0.0, 1.0, bins * points + 1))
    worst = np.abs(at_edges - truth[::points]).max(axis=1)
    for step in range(1, points):
        share = step / points
        between = at_edges[:, :-1] + share * rows
        worst = np.maximum(worst, np.abs(between - truth[step::points]).max(axis=1))
    return np.asarray(worst)
