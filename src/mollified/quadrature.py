"""Quadrature on ever finer grids, until an error estimate is small enough."""

from __future__ import annotations

import math
from collections.abc import Callable

from mollified._densities import echo
from mollified._validate import Array, check_callable, check_count, check_eps
from mollified.spaces import Grid, Integral

__all__ = ["QuadratureError", "refine"]


class QuadratureError(ArithmeticError):
    """Report that no grid allowed meets the error asked for."""


def refine(
    compute: Callable[[Grid], Integral],
    lower: Array,
    upper: Array,
    tol: float,
    nodes: int = 65,
    max_points: int = 2**21,
) -> Integral:
    """Return `compute(grid)` on the first grid, of ever more nodes, whose error estimate is at most `tol`.

    `compute` takes a `Grid` on the box and returns an `Integral`, e.g.
    `lambda grid: grid.integrate(f(grid.points))`, or a divergence. The number of steps on each axis doubles
    from `nodes` - 1 as long as the grid has at most `max_points` points. The error is an estimate.

    Raises QuadratureError where no such grid meets `tol`, and ValueError or TypeError for bad arguments.
    """
    check_callable("compute", compute)
    wanted, limit = check_eps("tol", tol), check_count("max_points", max_points)
    grid = Grid(lower, upper, nodes)
    if grid.weights.size > limit:
        raise ValueError(f"max_points must allow the first grid of {grid.weights.size} points, got {echo(limit)}")
    while True:
        result = compute(grid)
        if result.error <= wanted:
            return result
        finer = tuple(2 * count - 1 for count in grid.shape)
        if math.prod(finer) > limit:
            raise QuadratureError(
                f"no grid of at most {limit} points has an error estimate of at most tol={wanted}: "
                f"{grid!r} gives {result}"
            )
        grid = Grid(lower, upper, finer)
