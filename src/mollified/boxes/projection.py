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
from typing import Any

import numpy as np

from mollified._validate import (
    TOTAL_TOLERANCE,
    as_floats,
    check_array,
    check_finite,
    check_tensor,
    echo,
    is_tensor,
    total_tolerance,
)
from mollified.boxes.weights import SMALLEST

__all__ = ["check_laws", "project"]

#: So many entries are worked on at a time, on a processor.
BLOCK = 1 << 16
STEPS = 400


def _library(value: object) -> Any:
    return sys.modules["torch"] if is_tensor(value) else np


def check_laws(name: str, value: object, size: int, *, of_one: bool = True) -> Any:
    """Return laws of shape (..., size), finite and >= 0, of totals > 0.

    With `of_one` the totals must be one within k 2^-23. A tensor stays one, on its
    device. Raises ValueError or TypeError that names the argument and its shape or the
    first row at fault: no value of it, since laws may be private.
    """
    xp = _library(value)
    laws = (
        as_floats(name, value) if xp is np else check_tensor(name, value).to(xp.float64)
    )
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


def _solve(xp: Any, rows: Any, floor: Any, ceiling: Any, out: Any) -> None:
    """Write clip(t p) with total one to `out`, for rows that have such a t.

    No row has an influence on another.
    """
    here = xp.arange(len(rows), device=rows.device)
    t = xp.ones_like(rows[:, :1])
    mass = floor.sum()
    low = t * 1e-300
    high = t * 1e300
    made = xp.empty_like(rows)
    other = xp.empty_like(rows)
    for turn in range(STEPS):
        scaled = xp.multiply(rows, t, out=other)
        xp.minimum(xp.maximum(scaled, floor, out=made), ceiling, out=made)
        total = made.sum(axis=1)[:, None]
        met = xp.abs(total - 1) <= 1e-15
        if met.all():
            break
        slope = xp.multiply(rows, scaled == made, out=other).sum(axis=1)[:, None]
        low, high = xp.where(total <= 1, t, low), xp.where(total >= 1, t, high)
        with np.errstate(all="ignore"):
            step = t + (1 - total) / slope
            # Far off, the log of the mass above the floor is nearer to a line in 1/t.
            far = xp.log((total - mass) / (1 - mass))
            step = xp.where(
                xp.abs(far) > 0.7,
                1 / (1 / t + far * (total - mass) / (slope * t * t)),
                step,
            )
        done = met | (xp.abs(step - t) <= 4e-16 * t) | (high <= low * (1 + 4e-16))
        # Steps can cycle between the ends: not inside, on a flat piece, or later on
        # every fourth time: halve in logs.
        inside = (step > low) & (step < high) & ((turn < 8) | (turn % 4 < 3))
        t = xp.where(done, t, xp.where(inside, step, xp.sqrt(low) * xp.sqrt(high)))
        going = ~done[:, 0]
        left = int(going.sum())
        if not left:
            break
        if 2 * left < len(rows):  # a copy costs more than a few rows that are done
            out[here] = made
            here, rows, t, low, high = (
                here[going],
                rows[going],
                t[going],
                low[going],
                high[going],
            )
            made, other = made[:left], other[:left]
    out[here] = made


def _project(xp: Any, p: Any, floor: Any, ceiling: Any, out: Any) -> None:
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
        made = xp.empty_like(rows)
        _solve(xp, rows, floor, ceiling, made)
        out[solvable] = made
    if not solvable.all():
        empty = xp.where(
            below[~solvable] > 0, below[~solvable], 1.0
        )  # a floor of zero there stays zero
        rest = (1 - above[~solvable]) / empty
        filled = xp.minimum(rest[:, None] * floor, ceiling)
        out[~solvable] = xp.where(support[~solvable], ceiling, filled)


def project(P: object, m: object, E: object, *, weights: object = None) -> Any:
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
        base = check_array("m", m, ndim=1)
        cells = check_array("weights", weights, shape=base.shape)
        if (cells <= 0).any():
            raise ValueError(f"weights must be > 0, got {echo('weights', weights)}")
        densities = check_laws("P", P, base.size, of_one=False)
        sizes = _library(P).asarray(cells, device=densities.device)
        masses = densities * sizes
        return project(masses / masses.sum(axis=-1)[..., None], base * cells, E) / sizes
    floor = check_array("m", m, ndim=1)
    factor = check_finite("E", E)
    if factor <= 1:
        raise ValueError(f"E must be > 1, got {echo('E', E)}")
    mass = float(floor.sum())
    if (floor < 0).any() or not (
        1 - TOTAL_TOLERANCE
    ) / factor <= mass <= 1 + TOTAL_TOLERANCE:
        raise ValueError(
            f"m must be >= 0 with a mass in [1/E, 1], got the mass {mass!r}"
        )
    floor = floor * min(
        max(1.0, 1 / (factor * mass)), 1 / mass
    )  # an end that rounding missed
    xp = _library(P)
    laws = check_laws("P", P, floor.size)
    flat = laws.reshape(-1, floor.size)
    out = xp.empty_like(flat)
    base = xp.asarray(floor, device=laws.device)
    rows = max(1, (BLOCK if str(laws.device) == "cpu" else 1 << 24) // floor.size)
    for start in range(0, len(flat), rows):
        _project(
            xp,
            flat[start : start + rows],
            base,
            factor * base,
            out[start : start + rows],
        )
    return out.reshape(laws.shape)
