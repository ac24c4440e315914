r"""Histogram densities on the unit cube, and their Kolmogorov-Smirnov distance to a distribution function.

On $[0,1]^d$ the cells are cubes of side $b=1/q$, q whole, so that $s=q^d$. A histogram gives each cell a mass, spread
evenly; masses may be negative and their sum other than 1, as in a corrected histogram. Its distribution function is
linear in every coordinate within a cell, so the difference of two such functions is largest at a node of the grid.
Source: bootstrapping paper, section 5.3, (3) and appendix F.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from mollified._validate import Array, _echo, check_array, check_callable, check_count, check_fraction

__all__ = [
    "ks_distances",
    "node_values",
    "running_maximum",
    "sloped_cdf",
    "sloped_distance",
    "sloped_masses",
]

#: Points of evaluation inside each bin, at most this many bins times points a row.
POINTS = 64


def _cdf_values(cdf: Callable[[Array], Array], x: Array) -> Array:
    values = np.asarray(cdf(x), dtype=np.float64)
    if values.shape != x.shape or not np.isfinite(values).all():
        raise ValueError(f"cdf must return one finite value a point, got {_echo(cdf)} of shape {values.shape}")
    return values


def ks_distances(cdf: Callable[[Array], Array], rows: Array, *, points: int = POINTS) -> Array:
    r"""Return $\sup_{x\in[0,1]}|\hat F(x)-F(x)|$ for every row of masses, shape (rows,).

    $\hat F$ starts at 0 and is linear on each of the bins, of the masses of one row, shape (rows, bins), which may be
    negative. Evaluated at the edges and at `points` equal steps a bin: errs below, by at most
    $\frac L8(\text{bins}\cdot\text{points})^{-2}$ where L is the Lipschitz constant of the density of F. Raises
    TypeError or ValueError for what is no function, no table of finite masses, or points < 1.
    """
    check_callable("cdf", cdf)
    masses, points = check_array("rows", rows, ndim=2), check_count("points", points)
    bins = masses.shape[1]
    at_edges = np.concatenate([np.zeros((len(masses), 1)), np.cumsum(masses, axis=1)], axis=1)
    truth = _cdf_values(cdf, np.linspace(0.0, 1.0, bins * points + 1))
    worst = np.abs(at_edges - truth[::points]).max(axis=1)
    for step in range(1, points):
        share = step / points
        between = at_edges[:, :-1] + share * masses
        worst = np.maximum(worst, np.abs(between - truth[step::points]).max(axis=1))
    return np.asarray(worst)


def running_maximum(values: Sequence[float] | Array, *, points: int = 1) -> Array:
    r"""Return $\min\{1,\max_{y\le x}\hat F(y)^+\}$, a distribution function on [0, 1], shape (bins * points + 1,).

    `values` are those of $\hat F$ at the edges; `points` equal steps a bin. Exact up to rounding at every one of them:
    between edges it is the larger of its value at the left edge and $\hat F$. Its distance to any distribution
    function is at most that of $\hat F$ (d = 1). Not in the paper. Raises TypeError or ValueError for what is no row
    of at least 2 finite values, or points < 1.
    """
    edges, points = check_array("values", values, ndim=1), check_count("points", points)
    if edges.size < 2:
        raise ValueError(f"values must hold at least 2 edges, got {_echo(values)}")
    share = np.arange(points) / points
    between = edges[:-1, np.newaxis] + share * np.diff(edges)[:, np.newaxis]
    curve = np.append(between.reshape(-1), edges[-1])
    return np.asarray(np.clip(np.maximum.accumulate(curve), 0.0, 1.0))


def _check_table(name: str, value: object) -> np.ndarray:
    """Return a table with equal sides of floats, or of fractions as an object array."""
    table = np.asarray(value)
    if table.ndim < 1 or table.size == 0 or len(set(table.shape)) != 1:
        raise ValueError(f"{name} must be a table with equal sides, got shape {table.shape}: {_echo(value)}")
    if table.dtype == object:
        if not all(isinstance(entry, int | Fraction) for entry in table.flat):
            raise TypeError(f"{name} must hold fractions, or floats, got {_echo(value)}")
        return table
    return check_array(name, value)


def node_values(masses: Sequence[object] | np.ndarray) -> np.ndarray:
    r"""Return $\hat F$ at the nodes of the grid, shape (q + 1,) * d, from cell masses of shape (q,) * d.

    Floats, or fractions in an object array: then exact. Raises TypeError or ValueError for a table of unequal sides.
    """
    table = _check_table("masses", masses)
    for axis in range(table.ndim):
        table = np.cumsum(table, axis=axis, dtype=table.dtype)
    nodes = np.full(tuple(side + 1 for side in table.shape), Fraction(0), dtype=object).astype(table.dtype)
    nodes[(slice(1, None),) * table.ndim] = table
    return nodes


def _check_slope(slope: object) -> Fraction:
    return check_fraction("slope", slope, minimum=0, maximum=2)


def sloped_cdf(x: Fraction, slope: Fraction) -> Fraction:
    r"""Return $(1-\frac a2)x+\frac a2x^2$, the cdf on [0, 1] of the density $1-\frac a2+ax$, exactly.

    The density of the tests in d dimensions is $1-\frac a2+ax_1$, with Lipschitz constant a. Raises TypeError or
    ValueError for x outside [0, 1] or a slope outside [0, 2].
    """
    x, slope = check_fraction("x", x, minimum=0, maximum=1), _check_slope(slope)
    return (1 - slope / 2) * x + slope / 2 * x * x


def sloped_masses(side: int, dimension: int, slope: Fraction) -> np.ndarray:
    """Return the masses of the cells of the density of `sloped_cdf`, fractions of shape (side,) * dimension.

    Raises TypeError or ValueError for numbers < 1 or a slope outside [0, 2].
    """
    side, dimension, slope = check_count("side", side), check_count("dimension", dimension), _check_slope(slope)
    table = np.empty((side,) * dimension, dtype=object)
    for j in range(side):
        first = sloped_cdf(Fraction(j + 1, side), slope) - sloped_cdf(Fraction(j, side), slope)
        table[j] = first / side ** (dimension - 1)
    return table


def sloped_distance(nodes: np.ndarray, slope: Fraction) -> float | Fraction:
    r"""Return $\sup_x|\hat F(x)-F(x)|$ for F with density $1-\frac a2+ax_1$ and $\hat F$ by its nodes, shape (q+1,)*d.

    In the other coordinates the difference is linear within a cell, in the first it is quadratic: nodes and stationary
    points suffice. Exact for fractions, rounding only for floats. Raises TypeError or ValueError for a table of unequal
    sides or of side < 2, or a slope outside [0, 2].
    """
    table, slope = _check_table("nodes", nodes), _check_slope(slope)
    side, exact = table.shape[0] - 1, table.dtype == object
    if side < 1:
        raise ValueError(f"nodes must have sides of at least 2, got {_echo(nodes)}")
    ticks = [Fraction(j, side) for j in range(side + 1)]
    curve = [sloped_cdf(x, slope) for x in ticks]
    rise = [(1 - slope / 2 + slope * x) / side for x in ticks[:-1]]
    kind = object if exact else np.float64

    def column(values: list[Fraction]) -> np.ndarray:
        return np.array(values, dtype=object).astype(kind).reshape((-1,) + (1,) * (table.ndim - 1))

    weight = np.array(Fraction(1), dtype=object).astype(kind)
    for axis in range(table.ndim - 1):
        weight = np.multiply.outer(weight, column(ticks).reshape(-1)) if axis else column(ticks).reshape(-1)
    gap = table - column(curve) * weight
    worst = abs(gap).max()
    bend = weight * (column([slope])[0] / side**2)
    if not np.any(bend != 0):
        return worst if exact else float(worst)
    lift = table[1:] - table[:-1] - column(rise) * weight
    keep = (lift > 0) & (lift < bend)
    if keep.any():
        inner = gap[:-1] + np.where(keep, lift, lift * 0) ** 2 / (2 * np.where(bend != 0, bend, bend * 0 + 1))
        worst = max(worst, abs(inner[keep]).max())
    return worst if exact else float(worst)
