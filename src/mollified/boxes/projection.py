r"""Project laws on a box $\{Q: m\le Q\le Em\}$: $\Pi_m(P)=\operatorname{clip}(P/r;\,m,\,Em)$ with r by total one.

The clip is the projection for every f-divergence at once. It is that of Park, Asoodeh and Lee (NeurIPS 2024) for their
floors, and (8) of v3 for $m=e^{-\varepsilon/2}Q_0$. Rows are solved together, by Newton steps inside a bracket: the
total is piecewise linear in $1/r$, so the last step is exact up to rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mollified._validate import TOTAL_TOLERANCE, Array, _echo, check_array, check_finite

__all__ = ["check_laws", "check_rows", "project"]

#: So many entries are worked on at a time.
BLOCK = 1 << 18
#: Smaller probabilities count as zero, so that no quotient overflows.
TINY = 1e-280
STEPS = 400


def check_rows(name: str, value: object, size: int) -> Array:
    """Return rows of shape (..., size), finite and >= 0, of totals > 0.

    Raises ValueError or TypeError that names the argument and its shape or the first row at fault: no value of it,
    since laws may be private.
    """
    try:
        laws = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be an array of laws, got a {type(value).__name__}") from None
    if laws.ndim == 0 or laws.size == 0 or laws.shape[-1] != size:
        raise ValueError(f"{name} must be laws on the {size} points of the floor, got the shape {laws.shape}")
    totals = laws.sum(axis=-1)
    _refuse(name, "finite and >= 0 with a total > 0", ~((laws >= 0).all(axis=-1) & (totals > 0) & (totals < np.inf)))
    return laws


def check_laws(name: str, value: object, size: int) -> Array:
    """Return laws of shape (..., size), of total one within 1e-9; raises as `check_rows`."""
    laws = check_rows(name, value, size)
    _refuse(name, "of total one within 1e-9", ~(np.abs(laws.sum(axis=-1) - 1) <= TOTAL_TOLERANCE))
    return laws


def _refuse(name: str, what: str, bad: NDArray[np.bool_]) -> None:
    if bad.any():
        raise ValueError(
            f"{name} must be {what} in each row, got another one at {tuple(map(int, np.argwhere(bad)[0]))}"
        )


def _scale(p: Array, floor: Array, ceiling: Array) -> Array:
    """Return t = 1/r for rows that have one, shape (n, 1): the total of clip(t p) is one."""
    with np.errstate(divide="ignore"):
        low = (floor / p).min(axis=1)
        high = np.where(p > 0, ceiling / p, 0).max(axis=1)
    found = np.clip(np.ones(len(p)), low, high)
    active = np.arange(len(p))
    for turn in range(STEPS):
        rows, t = p[active], found[active]
        scaled = t[:, None] * rows
        total = np.clip(scaled, floor, ceiling).sum(axis=1)
        free = (scaled > floor) & (scaled < ceiling)
        slope = np.where(free, rows, 0).sum(axis=1)
        low[active] = np.where(total <= 1, t, low[active])
        high[active] = np.where(total >= 1, t, high[active])
        a, b = low[active], high[active]
        with np.errstate(divide="ignore", invalid="ignore"):
            step = t + (1 - total) / slope
        near = np.abs(step - t) <= 4e-16 * t
        # Newton steps can cycle between the ends: not inside, on a flat piece, or every fourth time: halve in logs.
        inside = near | ((step > a) & (step < b) & (turn % 4 < 3))
        step = np.where(inside, step, np.sqrt(a) * np.sqrt(b))
        met = np.abs(total - 1) <= 2e-16
        found[active] = np.where(met, t, step)
        done = near | met | (b <= a * (1 + 4e-16))
        active = active[~done]
        if not active.size:
            break
    return found[:, None]


def _project(p: Array, floor: Array, factor: float) -> Array:
    p = np.where(p < TINY, 0.0, p)
    ceiling = factor * floor
    support = p > 0
    above, below = np.where(support, ceiling, 0).sum(axis=1), np.where(support, 0, floor).sum(axis=1)
    solvable = above + below >= 1
    out = np.empty_like(p)
    if solvable.any():
        rows = p[solvable]
        out[solvable] = np.clip(_scale(rows, floor, ceiling) * rows, floor, ceiling)
    if not solvable.all():
        rest = (1 - above[~solvable]) / below[~solvable]
        filled = np.minimum(rest[:, None] * floor, ceiling)
        out[~solvable] = np.where(support[~solvable], ceiling, filled)
    return out


def project(P: object, m: object, E: object, *, weights: object = None) -> Array:
    r"""Return $\operatorname{clip}(P/r;\,m,\,Em)$, r such that the total is one; shape (..., k) as P.

    `P` are laws of shape (..., k), `m` a floor >= 0 of shape (k,) with a mass in [1/E, 1], `E` the number
    $e^\varepsilon>1$. Where P is so sparse that there is no r, it is the ceiling on the support of P, and a multiple of
    m elsewhere. Entries of P below 1e-280 count as zero. Floats: the result lies in the box by construction, with Em
    rounded to nearest, and its total misses one by at most 1e-12 either way; a level is decided by `BoxSampler`.

    With `weights` > 0, shape (k,), the sizes of the cells of a grid, P, m and the result are densities there: totals
    are weighted sums. A density P of another total is divided by it, which the clip does not notice.

    Raises ValueError or TypeError for other arguments.
    """
    if weights is not None:
        base = check_array("m", m, ndim=1)
        cells = check_array("weights", weights, shape=base.shape)
        if (cells <= 0).any():
            raise ValueError(f"weights must be > 0, got {_echo(weights)}")
        masses = check_rows("P", P, base.size) * cells
        return project(masses / masses.sum(axis=-1, keepdims=True), base * cells, E) / cells
    floor = check_array("m", m, ndim=1)
    factor = check_finite("E", E)
    if factor <= 1:
        raise ValueError(f"E must be > 1, got {_echo(E)}")
    mass = float(floor.sum())
    if (floor < 0).any() or not (1 - TOTAL_TOLERANCE) / factor <= mass <= 1 + TOTAL_TOLERANCE:
        raise ValueError(f"m must be >= 0 with a mass in [1/E, 1], got the mass {mass!r}: {_echo(m)}")
    laws = check_laws("P", P, floor.size)
    flat = laws.reshape(-1, floor.size)
    out = np.empty_like(flat)
    rows = max(1, BLOCK // floor.size)
    for start in range(0, len(flat), rows):
        out[start : start + rows] = _project(flat[start : start + rows], floor, factor)
    return out.reshape(laws.shape)
