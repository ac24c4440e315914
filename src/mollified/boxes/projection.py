r"""Project laws on a box $\{Q: m\le Q\le Em\}$: $\Pi_m(P)=\operatorname{clip}(P/r;\,m,\,Em)$ with r by total one.

The clip is the projection for every f-divergence at once. It is that of Park, Asoodeh and Lee (NeurIPS 2024) for their
floors, and (8) of v3 for $m=e^{-\varepsilon/2}Q_0$. Rows are solved together, without sorting, by Newton steps inside a
bracket: the total is piecewise linear in $1/r$, so the last step is exact up to rounding. Far from it the steps are
those for the log of the mass above the floor, against r; together four or five evaluations are usual.
"""

from __future__ import annotations

import numpy as np

from mollified._validate import TOTAL_TOLERANCE, Array, _echo, check_array, check_finite

__all__ = ["check_laws", "project"]

#: So many entries are worked on at a time.
BLOCK = 1 << 17
#: Smaller probabilities count as zero, so that no quotient overflows.
TINY = 1e-280
STEPS = 400


def check_laws(name: str, value: object, size: int, *, of_one: bool = True) -> Array:
    """Return laws of shape (..., size), finite and >= 0, of totals > 0, and of total one within 1e-9 if `of_one`.

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
    good = (laws.min(axis=-1) >= 0) & (totals > 0) & (totals < np.inf)
    what = "finite and >= 0 with a total > 0"
    if of_one and good.all():
        good, what = np.abs(totals - 1) <= TOTAL_TOLERANCE, "of total one within 1e-9"
    if not good.all():
        row = tuple(map(int, np.argwhere(~good)[0]))
        raise ValueError(f"{name} must be {what} in each row, got another one at {row}")
    return laws


def _clip(scaled: Array, floor: Array, ceiling: Array, out: Array) -> Array:
    """Do what np.clip does, four times as fast, in place."""
    return np.minimum(np.maximum(scaled, floor, out=out), ceiling, out=out)


def _scale(rows: Array, floor: Array, ceiling: Array) -> Array:
    """Return t = 1/r for rows that have one, shape (n, 1): the total of clip(t p) is one."""
    found, here, t = np.ones(len(rows)), np.arange(len(rows)), np.ones(len(rows))
    low, high = np.full(len(rows), 1e-300), np.full(len(rows), 1e300)
    work, other, mass = np.empty_like(rows), np.empty_like(rows), floor.sum()
    for turn in range(STEPS):
        inner = np.multiply(rows, t[:, None], out=other) == _clip(other, floor, ceiling, work)
        total = work.sum(axis=1)
        slope = np.multiply(rows, inner, out=other).sum(axis=1)
        low, high = np.where(total <= 1, t, low), np.where(total >= 1, t, high)
        with np.errstate(all="ignore"):
            step = t + (1 - total) / slope
            # Far off, the log of the mass above the floor is nearer to a line in 1/t.
            far = np.log((total - mass) / (1 - mass))
            step = np.where(np.abs(far) > 0.7, 1 / (1 / t + far * (total - mass) / (slope * t * t)), step)
        met = np.abs(total - 1) <= 1e-15
        done = met | (np.abs(step - t) <= 4e-16 * t) | (high <= low * (1 + 4e-16))
        # Steps can cycle between the ends: not inside, on a flat piece, or later on every fourth time: halve in logs.
        inside = done | ((step > low) & (step < high) & ((turn < 8) | (turn % 4 < 3)))
        if not inside.all():
            with np.errstate(divide="ignore"):
                ends = [
                    np.divide(a, rows, where=rows > 0, out=np.full_like(rows, b))
                    for a, b in ((floor, np.inf), (ceiling, 0))
                ]
            low, high = np.maximum(low, ends[0].min(axis=1)), np.minimum(high, ends[1].max(axis=1))
            step = np.where(inside, step, np.sqrt(low) * np.sqrt(high))
        found[here] = t = np.where(met, t, step)
        going = np.flatnonzero(~done)
        if not going.size:
            break
        if 2 * going.size < len(rows):  # a copy costs more than a few rows that are done
            here, t, low, high, rows = here[going], t[going], low[going], high[going], rows[going]
            work, other = work[: going.size], other[: going.size]
    return found[:, None]


def _project(p: Array, floor: Array, factor: float, out: Array) -> None:
    ceiling = factor * floor
    if p.min() >= TINY:
        _clip(_scale(p, floor, ceiling) * p, floor, ceiling, out)
        return
    p = np.where(p < TINY, 0.0, p)
    support = p > 0
    above, below = np.where(support, ceiling, 0).sum(axis=1), np.where(support, 0, floor).sum(axis=1)
    solvable = above + below >= 1
    if solvable.any():
        rows = p[solvable]
        out[solvable] = _clip(_scale(rows, floor, ceiling) * rows, floor, ceiling, rows)
    if not solvable.all():
        rest = (1 - above[~solvable]) / below[~solvable]
        filled = np.minimum(rest[:, None] * floor, ceiling)
        out[~solvable] = np.where(support[~solvable], ceiling, filled)


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
        masses = check_laws("P", P, base.size, of_one=False) * cells
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
        _project(flat[start : start + rows], floor, factor, out[start : start + rows])
    return out.reshape(laws.shape)
