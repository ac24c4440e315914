r"""Project laws on a box $\{Q: m\le Q\le Em\}$.

The projection is $\Pi_m(P)=\operatorname{clip}(P/r;\,m,\,Em)$ with r by total one. The
clip is the projection for every f-divergence at once. It is that of Park, Asoodeh and
Lee (NeurIPS 2024) for their floors, and (8) of v3 for $m=e^{-\varepsilon/2}Q_0$. Rows
are solved together, without sorting, by Newton steps inside a bracket: the total is
piecewise linear in $1/r$, so the last step is exact up to rounding. Far from it the
steps are those for the log of the mass above the floor, against r; together four or
five evaluations are usual. The work is NumPy's, or PyTorch's where P is a tensor: the
functions used have the same names and arguments in both.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from mollified._validate import (
    TOTAL_TOLERANCE,
    Array,
    as_floats,
    check_array,
    check_finite,
    check_tensor,
    echo,
    is_tensor,
    total_tolerance,
)
from mollified.boxes.weights import SMALLEST

__all__ = ["Rows", "check_laws", "project"]

#: So many entries are worked on at a time, on a processor and on another device.
BLOCK = 1 << 16
DEVICE_BLOCK = 1 << 24
STEPS = 400
#: A total is met where it misses one by less, and a scale is right where a step moves
#: it by less, relatively.
RESIDUAL = 1e-15
SMALLEST_STEP = 4e-16
#: The ends between which a scale is looked for.
LEAST_SCALE = 1e-300
LARGEST_SCALE = 1e300
#: From this log of the mass above the floor on, the step is one in logs.
FAR = 0.7
#: Steps up to this one, and later three of four, are Newton's wherever they lie inside.
FREE_STEPS = 8

#: An array of NumPy or a tensor of PyTorch, which have no type in common.
Rows: TypeAlias = Any


def _library(value: object) -> ModuleType:
    return sys.modules["torch"] if is_tensor(value) else np


def check_laws(name: str, value: object, size: int, *, of_one: bool = True) -> Rows:
    """Return laws of shape (..., size), finite and >= 0, of totals > 0.

    With `of_one` the totals must be one within k 2^-23. A tensor stays one, on its
    device. Raises ValueError or TypeError that names the argument and its shape or the
    first row at fault: no value of it, since laws may be private.
    """
    xp = _library(value)
    laws: Rows
    if is_tensor(value):
        laws = check_tensor(name, value).to(xp.float64)
    else:
        laws = as_floats(name, value)
    shape = tuple(laws.shape)
    if not shape or 0 in shape or shape[-1] != size:
        raise ValueError(
            f"{name} must be laws on the {size} points of the floor, got the shape "
            f"{shape}"
        )
    with np.errstate(all="ignore"):
        totals = laws.sum(axis=-1)
    good = (xp.amin(laws, -1) >= 0) & (totals > 0) & (totals < math.inf)
    what = "finite and >= 0 with a total > 0"
    if of_one and good.all():
        good = xp.abs(totals - 1) <= total_tolerance(size)
        what = "of total one within k 2^-23 (counts: divide them by their total)"
    if not good.all():
        row = tuple(map(int, xp.argwhere(~good)[0]))
        raise ValueError(f"{name} must be {what} in each row, got another one at {row}")
    return laws


@dataclass
class _Unsolved:
    """Hold the rows that are not solved yet, of each its scale t and ends around it.

    `index` are their places in the output; `scale`, `low` and `high` are columns.
    """

    index: Rows
    rows: Rows
    scale: Rows
    low: Rows
    high: Rows

    def keep(self, going: Rows) -> _Unsolved:
        """Return those rows that are marked."""
        return _Unsolved(*(part[going] for part in vars(self).values()))


def _newton(
    xp: ModuleType,
    scale: Rows,
    total: Rows,
    slope: Rows,
    floor_mass: Rows,
) -> Rows:
    """Return the next scales, by the slope of the totals in t."""
    with np.errstate(all="ignore"):
        step = scale + (1 - total) / slope
        # Far off, the log of the mass above the floor is nearer to a line in 1/t.
        above = total - floor_mass
        log_above = xp.log(above / (1 - floor_mass))
        in_logs = 1 / (1 / scale + log_above * above / (slope * scale * scale))
        return xp.where(xp.abs(log_above) > FAR, in_logs, step)


def _advance(
    xp: ModuleType,
    unsolved: _Unsolved,
    step: Rows,
    met: Rows,
    turn: int,
) -> Rows:
    """Move the scales on, inside their ends; return which rows are done."""
    scale = unsolved.scale
    low = unsolved.low
    high = unsolved.high
    still = xp.abs(step - scale) <= SMALLEST_STEP * scale
    done = met | still | (high <= low * (1 + SMALLEST_STEP))
    # Steps can cycle between the ends: not inside, on a flat piece, or later on every
    # fourth time: halve in logs.
    trusted = (turn < FREE_STEPS) | (turn % 4 < 3)
    inside = (step > low) & (step < high) & trusted
    middle = xp.sqrt(low) * xp.sqrt(high)
    unsolved.scale = xp.where(done, scale, xp.where(inside, step, middle))
    return done


def _solve(xp: ModuleType, rows: Rows, floor: Rows, ceiling: Rows, out: Rows) -> None:
    """Write clip(t p) with total one to `out`, for rows that have such a t.

    No row has an influence on another.
    """
    one = xp.ones_like(rows[:, :1])
    places = xp.arange(len(rows), device=rows.device)
    unsolved = _Unsolved(places, rows, one, one * LEAST_SCALE, one * LARGEST_SCALE)
    floor_mass = floor.sum()
    clipped = xp.empty_like(rows)
    # It holds the scaled rows first, and then their parts between the bounds.
    buffer = xp.empty_like(rows)
    for turn in range(STEPS):
        scaled = xp.multiply(unsolved.rows, unsolved.scale, out=buffer)
        xp.minimum(xp.maximum(scaled, floor, out=clipped), ceiling, out=clipped)
        total = clipped.sum(axis=1)[:, None]
        met = xp.abs(total - 1) <= RESIDUAL
        if met.all():
            break
        between = scaled == clipped
        slope = xp.multiply(unsolved.rows, between, out=buffer).sum(axis=1)[:, None]
        unsolved.low = xp.where(total <= 1, unsolved.scale, unsolved.low)
        unsolved.high = xp.where(total >= 1, unsolved.scale, unsolved.high)
        step = _newton(xp, unsolved.scale, total, slope, floor_mass)
        going = ~_advance(xp, unsolved, step, met, turn)[:, 0]
        left = int(going.sum())
        if not left:
            break
        if 2 * left < len(unsolved.rows):  # a copy costs more than a few rows
            out[unsolved.index] = clipped
            unsolved = unsolved.keep(going)
            clipped = clipped[:left]
            buffer = buffer[:left]
    out[unsolved.index] = clipped


def _project(xp: ModuleType, p: Rows, floor: Rows, ceiling: Rows, out: Rows) -> None:
    """Write the projections of some rows to `out`."""
    if xp.amin(p) >= SMALLEST:
        _solve(xp, p, floor, ceiling, out)
        return
    p = xp.where(p < SMALLEST, 0.0, p)
    support = p > 0
    above = xp.where(support, ceiling, 0.0).sum(axis=1)
    below = xp.where(support, 0.0, floor).sum(axis=1)
    solvable = above + below >= 1
    if solvable.any():
        rows = p[solvable]
        solved = xp.empty_like(rows)
        _solve(xp, rows, floor, ceiling, solved)
        out[solvable] = solved
    if not solvable.all():
        # a floor of zero off the support stays zero
        room = xp.where(below[~solvable] > 0, below[~solvable], 1.0)
        rest = (1 - above[~solvable]) / room
        filled = xp.minimum(rest[:, None] * floor, ceiling)
        out[~solvable] = xp.where(support[~solvable], ceiling, filled)


def _check_box(m: object, E: object) -> tuple[Array, float]:
    """Return the floor, scaled where rounding missed an end of its masses, and E."""
    floor = check_array("m", m, ndim=1)
    factor = check_finite("E", E)
    if factor <= 1:
        raise ValueError(f"E must be > 1, got {echo('E', E)}")
    mass = float(floor.sum())
    least = (1 - TOTAL_TOLERANCE) / factor
    if (floor < 0).any() or not least <= mass <= 1 + TOTAL_TOLERANCE:
        raise ValueError(
            f"m must be >= 0 with a mass in [1/E, 1], got the mass {mass!r}"
        )
    return floor * min(max(1.0, 1 / (factor * mass)), 1 / mass), factor


def _project_densities(P: object, m: object, E: object, weights: object) -> Rows:
    """Return the projection of densities on the cells of a grid."""
    base = check_array("m", m, ndim=1)
    cells = check_array("weights", weights, shape=base.shape)
    if (cells <= 0).any():
        raise ValueError(f"weights must be > 0, got {echo('weights', weights)}")
    densities = check_laws("P", P, base.size, of_one=False)
    sizes = _library(P).asarray(cells, device=densities.device)
    masses = densities * sizes
    return project(masses / masses.sum(axis=-1)[..., None], base * cells, E) / sizes


def project(P: object, m: object, E: object, *, weights: object = None) -> Rows:
    r"""Return $\operatorname{clip}(P/r;\,m,\,Em)$, shape (..., k) as P.

    The number r is such that the total is one. `P` are laws of shape (..., k), `m` a
    floor >= 0 of shape (k,) with a mass in [1/E, 1] (which it may miss by $10^{-9}$ of
    itself: then it is scaled to the end), `E` the number $e^\varepsilon>1$. A total of
    P may miss one by $k2^{-23}$, at most 1/16. Where P is so sparse that there is no r,
    the result is the ceiling on the support of P, and a multiple of m elsewhere.
    Entries of P below 1e-266 count as zero. Floats: the result lies in the box by
    construction, with Em rounded to nearest, and its total misses one by at most 1e-12
    either way; a level is decided by `BoxSampler`.

    With `weights` > 0, shape (k,), the sizes of the cells of a grid, P, m and the
    result are densities there: totals are weighted sums. A density P of another total
    is divided by it, which the clip does not notice.

    A PyTorch tensor P of any device that has float64 gives a tensor there, under the
    same bounds; one that requires a gradient is refused; the other arguments are on the
    host. A row's result does not depend on the other rows.

    Raises ValueError or TypeError for other arguments.
    """
    if weights is not None:
        return _project_densities(P, m, E, weights)
    floor, factor = _check_box(m, E)
    xp = _library(P)
    laws = check_laws("P", P, floor.size)
    flat = laws.reshape(-1, floor.size)
    out = xp.empty_like(flat)
    base = xp.asarray(floor, device=laws.device)
    block = BLOCK if str(laws.device) == "cpu" else DEVICE_BLOCK
    at_once = max(1, block // floor.size)
    for start in range(0, len(flat), at_once):
        part = slice(start, start + at_once)
        _project(xp, flat[part], base, factor * base, out[part])
    return out.reshape(laws.shape)
