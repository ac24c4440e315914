r"""Modes: which centres of a mixture a density shows as local maxima, and where a density on the line has them."""

from __future__ import annotations

import numpy as np

from mollified._validate import Array
from mollified.laws.spaces import Grid

__all__ = ["modes_on_line", "modes_shown"]


def modes_shown(log_density: Array, grid: Grid, centres: Array, radius: float) -> int:
    r"""Return at how many of the centres a density in the plane has a strict local maximum within `radius`.

    `log_density` has shape (N,), at the points of a two-dimensional grid, where the 8
    neighbours of a node are compared; `centres` has shape (m, 2), `radius` > 0 is in
    the units of the points. A maximum narrower than a cell is not seen: errs on the low
    side there.
    """
    table = log_density.reshape(grid.shape)
    inner = table[1:-1, 1:-1]
    rows, columns = inner.shape
    steps = [(i, j) for i in (0, 1, 2) for j in (0, 1, 2) if (i, j) != (1, 1)]
    peak = np.logical_and.reduce(
        [inner > table[i : i + rows, j : j + columns] for i, j in steps]
    )
    tops = grid.points.reshape(*grid.shape, 2)[1:-1, 1:-1][peak]
    near = np.linalg.norm(tops[:, None, :] - centres[None, :, :], axis=2) <= radius
    return int(near.any(axis=0).sum())


def modes_on_line(log_density: Array, grid: Grid) -> Array:
    r"""Return where a density on the line has its local maxima, as its values on a grid show them; ascending, (k,).

    `log_density` has shape (N,), at the points of a one-dimensional grid. Equal
    neighbours count as one maximum, at the middle of their run, where both sides of the
    run are lower; the ends of the grid do not count. A place is right to one step of
    the grid; maxima that are narrower than that, or lower than the rounding of the
    values, are missed: the number errs on the low side there.
    """
    starts = np.flatnonzero(np.append(True, np.diff(log_density) != 0))
    ends = np.append(starts[1:], len(log_density)) - 1
    rising = np.diff(log_density[starts]) > 0
    tops = np.flatnonzero(rising[:-1] & ~rising[1:]) + 1
    line = grid.points[:, 0]
    places: Array = (line[starts[tops]] + line[ends[tops]]) / 2
    return places
