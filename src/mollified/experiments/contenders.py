r"""Studies of the Bernstein mechanism: loss by unit and noise, degrees, pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.dpb_settings import (
    DEGREE,
    MIXED,
    ORDER,
    Curve,
    DpbData,
    DpbDomain,
    find_dpb_domain,
    random_line,
)
from mollified.experiments.mbde_sweep import domain as sweep_target
from mollified.experiments.task_list import task_rng
from mollified.laws.kernel_density import kernel_density
from mollified.laws.spaces import Grid
from mollified.mechanisms.bernstein_release import BernsteinRelease
from mollified.mollifiers.repair import Repair, repaired

__all__ = [
    "CURVES",
    "DpbSettings",
    "DpbSummary",
    "degrees",
    "dpb_losses",
    "random_1d_losses",
    "ring_functions",
    "ring_row",
    "significant",
]

#: (unit, calibration): one record of 10,000 with the published and the exact noise, the
#: whole input with the exact one.
CURVES: tuple[Curve, ...] = (
    ("record", "published"),
    ("record", "exact"),
    ("input", "exact"),
)


REPAIRS: tuple[Repair, ...] = ("shift", "clip")
#: Repeats for which the kernel estimate itself is evaluated on the grid.
SLOW = 2


@dataclass(frozen=True)
class DpbSettings:
    """Hold what the studies share: records, seed, degree and order."""

    records: int
    seed: int
    degree: int = DEGREE
    order: int = ORDER


@lru_cache(maxsize=256)
def _data(name: str, repeat: int, records: int, seed: int) -> DpbData:
    """Return a data set of a domain; the stream is (seed, repeat)."""
    return find_dpb_domain(name).draw(records, task_rng(seed, repeat, 0))


@lru_cache(maxsize=8)
def _bench(name: str) -> tuple[Grid, Array]:
    """Return the grid of a domain and the masses of its target at the nodes."""
    box = find_dpb_domain(name)
    return box.grid, box.weights(box.grid)


def _loss(values: Array, grid: Grid, mass: Array, repair: Repair) -> float:
    """Return the loss of a repaired function given at the nodes, in nats."""
    density = repaired(values, grid.weights, repair, uniform=MIXED)
    return float(-(mass @ np.log(density)))


@dataclass(frozen=True, eq=False)
class _NoisyData:
    """Hold releases of one data set: without noise, and with noise of scale one.

    The release at scale b is the first plus b times the noise: the polynomial is linear
    in the lattice values.
    """

    data: DpbData
    degree: int
    plain: BernsteinRelease
    noisy: BernsteinRelease

    def on(self, axes: Sequence[Array], order: int) -> _NoisyValues:
        """Return the released function on a grid."""
        plain = self.plain.function(axes, order).ravel()
        noisy = self.noisy.function(axes, order).ravel()
        return _NoisyValues(self.data, self.degree, plain, noisy - plain)


@dataclass(frozen=True, eq=False)
class _NoisyValues:
    """Hold a released function on a grid without noise, and the noise of scale one."""

    data: DpbData
    degree: int
    plain: Array
    noise: Array

    def at(self, eps: float, curve: Curve) -> Array:
        """Return the released function at a budget, in one unit and calibration."""
        return self.plain + self.data.noise_scale(eps, curve, self.degree) * self.noise


def _noisy_data(data: DpbData, degree: int, rng: np.random.Generator) -> _NoisyData:
    """Release a data set with one draw of the noise, for all scales."""
    plain = data.released(0.0, rng, degree)
    noise = rng.laplace(size=plain.values.shape)
    noisy = replace(plain, values=plain.values + noise, scale=1.0)
    return _NoisyData(data, degree, plain, noisy)


def _released_twice(
    name: str,
    repeat: int,
    settings: DpbSettings,
    degree: int,
) -> _NoisyData:
    """Return the releases of one repeat on a domain."""
    data = _data(name, repeat, settings.records, settings.seed)
    return _noisy_data(data, degree, task_rng(settings.seed, repeat, 2))


@dataclass(frozen=True)
class DpbSummary:
    """Hold what is said of a domain beside the losses by budget; losses are in nats.

    `uniform` is the loss of the uniform density, `kernel` and `bare` the mean ones of
    the kernel estimate and of the polynomial without noise, `negative` the share of
    negative releases at eps = 1 with the published noise.
    """

    uniform: float
    kernel: float
    bare: float
    negative: float


def dpb_losses(
    domains: Sequence[str],
    eps: Sequence[float],
    repair: Repair,
    repeats: int,
    settings: DpbSettings,
) -> tuple[pd.DataFrame, dict[str, DpbSummary]]:
    r"""Return the loss of DPB against eps, and a summary by domain.

    The loss is $-\mathbb E_P\log Q$. Each repeat has its own data set and bandwidth;
    the noise of one repeat is the same variates at every eps, scaled. Columns domain,
    unit, calibration, eps, repeat, nll (nats, P given the box).
    """
    rows: list[tuple[str, str, str, float, int, float]] = []
    summaries = {}
    for name in domains:
        grid, mass = _bench(name)
        kernel = []
        bare = []
        negative = []
        for repeat in range(repeats):
            values = _released_twice(name, repeat, settings, settings.degree).on(
                grid.axes, settings.order
            )
            bare.append(_loss(values.plain, grid, mass, repair))
            if repeat < SLOW:
                data = values.data
                estimate = kernel_density(data.records, grid.axes, data.bandwidth)
                kernel.append(_loss(estimate.ravel(), grid, mass, "clip"))
            for curve in CURVES:
                for level in eps:
                    loss = _loss(values.at(level, curve), grid, mass, repair)
                    rows.append((name, *curve, level, repeat, round(loss, 5)))
            negative.append(float(values.at(1.0, CURVES[0]).min() < 0))
        summaries[name] = DpbSummary(
            uniform=find_dpb_domain(name).uniform_nll,
            kernel=float(np.mean(kernel)),
            bare=float(np.mean(bare)),
            negative=float(np.mean(negative)),
        )
    columns = ["domain", "unit", "calibration", "eps", "repeat", "nll"]
    return pd.DataFrame(rows, columns=columns), summaries


def degrees(
    name: str,
    degrees: Sequence[int],
    orders: Sequence[int],
    eps: float,
    repeats: int,
    settings: DpbSettings,
) -> pd.DataFrame:
    r"""Return the mean loss by degree K, order h of the iterated operator and repair.

    Without noise, and at one level. Columns degree, order, repair, noise ("none",
    "exact", "published"; one record replaced), nll.
    """
    grid, mass = _bench(name)
    rows = []
    for degree in degrees:
        losses: dict[tuple[int, str, str], list[float]] = {}
        for repeat in range(repeats):
            noisy = _released_twice(name, repeat, settings, degree)
            for order in orders:
                values = noisy.on(grid.axes, order)
                functions = {"none": values.plain}
                for curve in CURVES[:2]:
                    functions[curve[1]] = values.at(eps, curve)
                for kind, function in functions.items():
                    for repair in REPAIRS:
                        loss = _loss(function, grid, mass, repair)
                        losses.setdefault((order, repair, kind), []).append(loss)
        for key, values_of_key in losses.items():
            rows.append((degree, *key, round(float(np.mean(values_of_key)), 5)))
    return pd.DataFrame(rows, columns=["degree", "order", "repair", "noise", "nll"])


def ring_row(
    eps: Sequence[float],
    pixels: int,
    settings: DpbSettings,
) -> tuple[pd.DataFrame, pd.Series[float]]:
    r"""Return the densities of DPB on the ring for each eps, and the loss of each.

    One record replaced, with the published and the exact noise, shifted; the noise is
    one draw of variates, scaled. Columns x, y, and one column `published_<eps>`,
    `exact_<eps>` each (four significant digits). The losses, in nats, are indexed by
    noise and eps.
    """
    grid, mass = _bench("ring")
    box = find_dpb_domain("ring")
    side = np.linspace(box.low, box.high, pixels)
    x, y = (axis.ravel() for axis in np.meshgrid(side, side, indexing="ij"))
    densities = {"x": np.round(x, 4), "y": np.round(y, 4)}
    losses = {}
    noisy = _released_twice("ring", 0, settings, settings.degree)
    fine = noisy.on(grid.axes, settings.order)
    coarse = noisy.on([side, side], settings.order)
    for curve in CURVES[:2]:
        for level in eps:
            function = fine.at(level, curve)
            losses[curve[1], level] = _loss(function, grid, mass, "shift")
            least = min(float(function.min()), 0.0)
            total = float((function - least) @ grid.weights)
            shifted = np.maximum(coarse.at(level, curve) - least, 0.0)
            densities[f"{curve[1]}_{level:g}"] = significant(shifted / total)
    return pd.DataFrame(densities), pd.Series(losses)


def ring_functions(
    eps: Sequence[float],
    repeat: int,
    curve: Curve,
    settings: DpbSettings,
) -> list[Array]:
    """Return the released function on the grid of the ring at each eps, not repaired.

    For one repeat of `dpb_losses`; shape (N,) each.
    """
    grid, _ = _bench("ring")
    noisy = _released_twice("ring", repeat, settings, settings.degree)
    values = noisy.on(grid.axes, settings.order)
    return [values.at(level, curve) for level in eps]


def significant(values: Array) -> Array:
    """Round to four significant digits, at most six decimals."""
    rounded = np.round(values, 6)
    return np.array(
        [float(f"{value:.4g}") if value > 1e-6 else 0.0 for value in rounded]
    )


def random_1d_losses(
    counts: Sequence[int],
    eps: Sequence[float],
    repeats: int,
    settings: DpbSettings,
) -> pd.DataFrame:
    r"""Return the loss of DPB on m random Gaussians on the line (v1 Figure 7, left).

    The targets are those of `mollified.experiments.mbde_sweep.domain("random-1d", (m,
    repeat), seed)`. Repair: shift. Columns unit, calibration, m, eps, repeat, nll.
    """
    rows = []
    for m in counts:
        for repeat in range(repeats):
            box = _line_box(m, repeat, settings.seed)
            grid = box.grid
            mass = box.weights(grid)
            stream = task_rng(settings.seed, m, repeat, 2)
            data = box.draw(settings.records, stream)
            noise_stream = task_rng(settings.seed, m, repeat, 3)
            noisy = _noisy_data(data, settings.degree, noise_stream)
            values = noisy.on(grid.axes, settings.order)
            for curve in CURVES:
                for level in eps:
                    loss = _loss(values.at(level, curve), grid, mass, "shift")
                    rows.append((*curve, m, level, repeat, round(loss, 5)))
    columns = ["unit", "calibration", "m", "eps", "repeat", "nll"]
    return pd.DataFrame(rows, columns=columns)


def _line_box(m: int, repeat: int, seed: int) -> DpbDomain:
    """Return the domain of m random Gaussians on the line."""
    return random_line(sweep_target("random-1d", (m, repeat), seed))
