r"""Gaussian kernel density estimates.

Values on a lattice, and the bandwidth by cross-validation. The estimate is
$F_D(y)=\frac1n\sum_i(2\pi h^2)^{-d/2}e^{-\|y-x_i\|^2/(2h^2)}$, with one bandwidth h for
all axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mollified._validate import Array

__all__ = ["BandwidthChoice", "choose_bandwidth", "kernel_density"]

#: Nodes an axis on which records are gathered for cross-validation, by dimension.
BINS = {1: 1001, 2: 301}


def _kernel_matrix(places: Array, centres: Array, bandwidth: float) -> Array:
    r"""Return $\frac1h\phi\bigl(\frac{y-x}h\bigr)$ for all pairs, (len y, len x).

    It is the normal density on the line.
    """
    gaps = (places[:, np.newaxis] - centres[np.newaxis, :]) / bandwidth
    values: Array = np.exp(-0.5 * gaps * gaps) / (bandwidth * math.sqrt(2.0 * math.pi))
    return values


def kernel_density(data: Array, axes: Sequence[Array], bandwidth: float) -> Array:
    """Return the estimate on the tensor grid of `axes`, one array an axis.

    `data` has shape (n, d), d in {1, 2}. Exact up to rounding.
    """
    sides = [
        _kernel_matrix(places, centres, bandwidth)
        for places, centres in zip(list(axes), data.T, strict=True)
    ]
    if len(sides) == 1:
        return np.asarray(sides[0].mean(axis=1))
    return np.asarray(sides[0] @ sides[1].T / len(data))


@dataclass(frozen=True)
class BandwidthChoice:
    """Hold the best bandwidth, and the mean log-likelihood of each candidate.

    The best has the largest held-out log-likelihood.
    """

    bandwidth: float
    candidates: tuple[float, ...]
    scores: tuple[float, ...]


def _gather(
    records: Array,
    low: float,
    step: float,
    nodes: int,
) -> tuple[Array, list[NDArray[np.int64]], list[Array]]:
    """Share each record among the nearest nodes, linearly.

    Returns the counts on the grid, and the cells and shares used.
    """
    dim = records.shape[1]
    where = (records - low) / step
    cell = np.clip(np.floor(where).astype(np.int64), 0, nodes - 2)
    part = where - cell
    flat: list[NDArray[np.int64]] = [np.zeros(len(records), dtype=np.int64)]
    weight: list[Array] = [np.ones(len(records))]
    for axis in range(dim):
        flat = [
            place * nodes + cell[:, axis] + shift for place in flat for shift in (0, 1)
        ]
        sides = (1 - part[:, axis], part[:, axis])
        weight = [share * side for share in weight for side in sides]
    counts = sum(
        np.bincount(place, weights=share, minlength=nodes**dim)
        for place, share in zip(flat, weight, strict=True)
    )
    table: Array = np.asarray(counts, dtype=np.float64).reshape((nodes,) * dim)
    return table, flat, weight


def _smooth(tables: list[Array], step: float, bandwidth: float) -> list[Array]:
    """Return the tables of counts smoothed by the kernel along each axis."""
    nodes = len(tables[0])
    axis: Array = np.arange(nodes) * np.float64(step)
    gaps = np.abs(np.subtract.outer(np.arange(nodes), np.arange(nodes)))
    kernel = _kernel_matrix(axis[:1], axis, bandwidth)[0][gaps]
    if tables[0].ndim == 1:
        return list((kernel @ np.stack(tables, axis=1)).T)
    return [kernel @ table @ kernel for table in tables]


def choose_bandwidth(
    data: Array,
    candidates: Sequence[float],
    folds: int,
    rng: np.random.Generator,
    *,
    bins: int | None = None,
) -> BandwidthChoice:
    r"""Return the bandwidth that k-fold cross-validation picks.

    It has the largest mean log-likelihood of held-out records. Records, shape (n, d)
    with d in {1, 2}, are dealt at random into folds of nearly equal size. They are
    gathered on a grid of `bins` nodes an axis by linear shares, and held-out records
    read the estimate by the same shares; the kernel's variance is reduced by
    $\delta^2/3$, $\delta$ the step of the grid, for what the two sharings add on
    average, so that the error is of order $(\delta/h)^4$ relative. A candidate below
    $2\delta$ is refused. Held-out records where the estimate underflows count with
    log-density -745.
    """
    count, dim = data.shape
    widths = list(candidates)
    nodes = bins or BINS[dim]
    low = float(data.min())
    high = float(data.max())
    step = max(high - low, 1e-300) / (nodes - 1)
    deal = rng.permutation(count) % folds
    parts = [_gather(data[deal == fold], low, step, nodes) for fold in range(folds)]
    whole = sum((part[0] for part in parts), np.zeros((nodes,) * dim))
    rest_counts = [whole - counts for counts, _, _ in parts]
    scores = []
    for width in widths:
        reduced = math.sqrt(width * width - step * step / 3.0)
        smoothed = _smooth(rest_counts, step, reduced)
        total = 0.0
        for rest, (counts, flat, weight) in zip(smoothed, parts, strict=True):
            table = rest.ravel() / (count - counts.sum())
            densities = sum(
                share * table[place] for place, share in zip(flat, weight, strict=True)
            )
            total += float(np.log(np.maximum(densities, math.ulp(0.0))).sum())
        scores.append(total / count)
    best = widths[int(np.argmax(scores))]
    return BandwidthChoice(best, tuple(widths), tuple(scores))
