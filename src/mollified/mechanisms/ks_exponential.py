r"""Sample exactly from the exponential mechanism with the Kolmogorov-Smirnov score.

Source: Wasserman and Zhou, 2010. For binned data with counts $n_1,\dots,n_s$ it
releases m records with probability proportional to $e^{-n\varepsilon \rho/2}$,
$\rho=\max_j|C_j/m-\hat F_j|$ over the bin edges, $C_j$ the released records up to edge
j. The score moves by at most 1/n when one record is replaced, so the release is pure
eps-DP, record by record.

$e^{-a\rho}$ is the probability that an exponential variable T of rate a exceeds $\rho$.
So (T, records) has density $ae^{-aT}$ on $\{\rho\le T\}$: draw T, then records
uniformly from those within T of the data, by dynamic programming over the cumulative
counts. T is drawn from an envelope, constant between levels; records that lie within
the upper end of its cell but not within T are rejected. No Markov chain, no truncation:
exact up to rounding. For experiments only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from mollified._validate import (
    Array,
    Counts,
    check_count,
    check_counts,
    check_interval,
    check_rng,
)

__all__ = ["ks_release", "suggested_records"]

#: Levels are added until at least this share of proposals is accepted.
ACCEPTED = 0.4
#: At most this many levels are tried at once, and cells are split in this many parts.
BATCH = 24
PARTS = 4
#: Levels whose products with counts are floats, and the steps of a level that take
#: seconds.
LEVELS = (1e-280, 1e280)
MOST_STEPS = 1 << 30
#: What comparisons of counts, and of levels, leave for rounding, relatively.
ROUNDING = 1e-15
LEVEL_ROUNDING = 1e-14
#: What has a log mass so far below the largest one does not matter; cells that lose a
#: smaller share are not split.
NEGLIGIBLE = 12
SMALLEST_LOSS = 1e-9


def suggested_records(n: int) -> int:
    r"""Return $\lfloor n^{2/3}\rfloor$, the number of records of the rate $n^{-1/3}$.

    Raises ValueError for n < 1. The source gives the order $n^{2/3}$ up to a factor.
    """
    n = check_count("n", n)
    root = int(n ** (2 / 3)) + 2
    while root**3 > n**2:
        root -= 1
    return root


def _move(padded: Array, step: int, width: int) -> Array:
    """Return the matrix that adds the records of one bin to the sums before it."""
    stride = padded.strides[0]
    view = np.lib.stride_tricks.as_strided(
        padded[step:], (width, width), (-stride, stride)
    )
    return np.ascontiguousarray(view)


class _Tables:
    """Sum over the records within a level of one data set.

    Holds the data set and the kernel of uniform records.
    """

    def __init__(self, table: Counts, records: int) -> None:
        self.records = records
        self.size = table.size
        self.aims = np.cumsum(table) / table.sum() * records
        self.centres = np.rint(self.aims).astype(np.int64)
        # attained: rounding is monotone
        self.least = float(np.abs(self.aims - self.centres).max()) / records
        count = np.arange(records + 1)
        mean = records / table.size
        self.kernel = np.exp(count * math.log(mean) - mean - gammaln(count + 1))
        # the log Poisson mass of the sum
        self.total = records * math.log(records) - records - math.lgamma(records + 1)

    def _half(self, level: float) -> int:
        return min(self.records, math.floor(level * self.records + 0.5) + 1)

    def _steps(self, half: int) -> tuple[Array, list[int]]:
        """Return the kernel between zeros, and by bin where in it a step begins.

        A step is one between two centres.
        """
        padded = np.zeros(4 * half + 2 * self.records + 1)
        padded[2 * half : 2 * half + self.records + 1] = self.kernel
        jumps = np.diff(self.centres, prepend=0)
        return padded, [int(jump) + 2 * half for jump in jumps]

    def _inside(self, levels: Array, half: int) -> NDArray[np.bool_]:
        """Return which cumulative counts lie within each level of the data.

        Each bin has its counts about its centre: (bins, levels, 2 half + 1).
        """
        values = self.centres[:, None] + np.arange(-half, half + 1)
        away = np.abs(values - self.aims[:, None])
        away[(values < 0) | (values > self.records)] = np.inf
        bounds = levels[None, :, None] * self.records * (1 + ROUNDING)
        near = away[:, None, :] <= bounds
        return np.asarray(near, dtype=np.bool_)

    def forward(
        self,
        levels: Array,
        *,
        keep: bool = False,
    ) -> tuple[Array, list[Array]]:
        """Return the log of the share of all records within each level.

        With `keep` also the sums of each bin.
        """
        half = self._half(float(levels.max()))
        width = 2 * half + 1
        padded, steps = self._steps(half)
        moves = {step: _move(padded, step, width) for step in set(steps)}
        weights = np.zeros((len(levels), width))
        weights[:, half] = 1.0
        logs = np.zeros(len(levels))
        sums = []
        for step, inside in zip(steps, self._inside(levels, half), strict=True):
            if keep:
                sums.append(weights)
            weights = weights @ moves[step]
            weights *= inside
            top = weights.max(axis=1)
            top[top == 0] = 1.0
            weights /= top[:, None]
            logs += np.log(top)
        with np.errstate(divide="ignore"):
            # the last edge holds all records
            logs += np.log(weights[:, half]) - self.total
        return logs, sums

    def backward(self, level: float, rng: np.random.Generator) -> Counts:
        """Return counts of records drawn uniformly from those within the level."""
        if level >= 1:
            uniform_law = np.full(self.size, 1 / self.size)
            counts = rng.multinomial(self.records, uniform_law)
            return np.asarray(counts, dtype=np.int64)
        levels = np.array([level])
        half = self._half(level)
        padded, steps = self._steps(half)
        _, sums = self.forward(levels, keep=True)
        places = np.empty(self.size + 1, dtype=np.int64)
        places[self.size] = half
        uniform = rng.random(self.size)
        for index in range(self.size - 1, -1, -1):
            step = steps[index] + places[index + 1]
            kernel = padded[step - 2 * half : step + 1][::-1]
            chances = np.cumsum(sums[index][0] * kernel)
            target = uniform[index] * chances[-1]
            places[index] = np.searchsorted(chances, target, side="right")
        counts = np.diff(self.centres, prepend=0) + np.diff(places)
        return np.asarray(counts, dtype=np.int64)


def _log_cells(levels: Array, logs: Array, rate: float) -> tuple[Array, Array]:
    """Return the log mass of each cell, and a lower bound of the true one.

    The first is that under the envelope. A cell reaches from one level to the next, the
    last to infinity; the share at its upper end bounds it above.
    """
    gaps = np.append(np.diff(levels), np.inf)
    lengths = -rate * levels + np.log(-np.expm1(-rate * gaps))
    return lengths + np.append(logs[1:], 0.0), lengths + logs


def _lowest_levels(tables: _Tables, rate: float) -> tuple[Array, Array]:
    """Return rising levels up to where nothing matters, and the log share in each."""
    least = tables.least * (1 + LEVEL_ROUNDING) + 1e-300
    levels = np.array([least])
    logs = tables.forward(np.array([least]))[0]
    if not np.isfinite(logs[0]):
        raise ValueError(
            "counts must be spread more evenly: the share of records near them "
            "underflows"
        )
    step = 1 / (8 * tables.records)
    while levels[-1] + step < 1:
        _, below = _log_cells(levels, logs, rate)
        if -rate * levels[-1] <= float(below.max()) - NEGLIGIBLE:
            break
        levels = np.append(levels, levels[-1] + step)
        logs = np.append(logs, tables.forward(levels[-1:])[0])
        step *= 2
    return levels, logs


def _envelope(tables: _Tables, rate: float) -> tuple[Array, Array]:
    """Return rising levels, fine enough for `ACCEPTED`, and the log share in each."""
    levels, logs = _lowest_levels(tables, rate)
    while True:
        above, below = _log_cells(levels, logs, rate)
        top = float(above.max())
        masses = np.exp(above - top)
        sure = np.exp(below - top)
        losses = (masses - sure)[:-1]
        total = masses.sum()
        accepted = sure.sum() >= ACCEPTED * total
        if accepted or losses.max(initial=0.0) < SMALLEST_LOSS * total:
            return levels, logs
        cells = np.argsort(-losses)[: BATCH // (PARTS - 1)]
        cells = cells[losses[cells] > 0.02 * losses.sum()]
        parts = np.arange(1, PARTS) / PARTS
        widths = levels[cells + 1] - levels[cells]
        new = (levels[cells, None] + parts * widths[:, None]).ravel()
        levels = np.concatenate([levels, new])
        logs = np.concatenate([logs, tables.forward(new)[0]])
        order = np.argsort(levels)
        levels = levels[order]
        logs = logs[order]


def _check_cost(records: int, size: int, rate: float) -> None:
    """Refuse what may take minutes, by what is public.

    That is how far from the data, at most, levels can matter.
    """
    reach = min(1.0, 2 * (records * math.log(size) + NEGLIGIBLE) / rate)
    if size * (2 * records * reach + 3) ** 2 > MOST_STEPS:
        raise ValueError(
            "records must be fewer, or eps larger: a level may cost over 2^30 steps, "
            f"got {records}"
        )


def ks_release(
    counts: Sequence[int] | Counts,
    records: int,
    eps: float,
    rng: np.random.Generator,
    *,
    draws: int = 1,
) -> Counts:
    r"""Return the counts of independent releases of `records` records, (draws, s).

    The law is proportional to $e^{-n\varepsilon\rho/2}$ on ordered lists of records,
    exactly up to rounding: idealised numerics. Costs about s (eps-dependent width)^2 a
    level, some dozens of levels. Raises TypeError or ValueError for what are no counts,
    records < 1 or so many that a level may cost more than 2^30 steps, eps outside
    [1e-280, 1e280], draws < 1, an rng that is no Generator, and counts so concentrated
    that floats underflow.
    """
    table = check_counts("counts", counts)
    records = check_count("records", records)
    eps = check_interval("eps", eps, *LEVELS)
    draws = check_count("draws", draws)
    rng = check_rng("rng", rng)
    rate = eps * int(table.sum()) / 2
    _check_cost(records, table.size, rate)
    tables = _Tables(table, records)
    levels, logs = _envelope(tables, rate)
    above, _ = _log_cells(levels, logs, rate)
    chances = np.cumsum(np.exp(above - above.max()))
    releases: list[Counts] = []
    while len(releases) < draws:
        cell = int(np.searchsorted(chances, rng.random() * chances[-1], side="right"))
        last = cell == len(levels) - 1
        gap = math.inf if last else levels[cell + 1] - levels[cell]
        level = levels[cell] - math.log1p(rng.random() * math.expm1(-rate * gap)) / rate
        upper_end = 1.0 if last else float(levels[cell + 1])
        proposal = tables.backward(upper_end, rng)
        distance = np.abs(np.cumsum(proposal) - tables.aims).max() / records
        if distance <= level * (1 + LEVEL_ROUNDING):
            releases.append(proposal)
    return np.array(releases)
