r"""Studies of the Bernstein mechanism: loss by unit and calibration, degrees, the ring, random lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.experiments.dpb_settings import (
    MIXED,
    DpbDomain,
    find_dpb_domain,
    random_line,
)
from mollified.experiments.mbde_sweep import domain as sweep_target
from mollified.experiments.task_list import task_rng
from mollified.laws.kernel_density import kernel_density
from mollified.laws.spaces import Grid
from mollified.mechanisms.bernstein_release import (
    BernsteinRelease,
    Calibration,
    Unit,
    noise_scale,
    release_lattice,
)
from mollified.mollifiers.repair import Repair, repaired

__all__ = [
    "CURVES",
    "degrees",
    "dpb_losses",
    "random_1d_losses",
    "ring_functions",
    "ring_row",
]

#: (unit, calibration): one record of 10,000 with the published and the exact noise, the
#: whole input with the exact one.
CURVES: tuple[tuple[Unit, Calibration], ...] = (
    ("record", "published"),
    ("record", "exact"),
    ("input", "exact"),
)


REPAIRS: tuple[Repair, ...] = ("shift", "clip")
#: Repeats for which the kernel estimate itself is evaluated on the grid.
SLOW = 2


@lru_cache(maxsize=256)
def _data(name: str, records: int, repeat: int, seed: int) -> tuple[Array, float]:
    """Return a data set of a domain and its bandwidth; the stream is (seed, repeat)."""
    data, choice = find_dpb_domain(name).draw(records, task_rng(seed, repeat, 0))
    return data, choice.bandwidth


@lru_cache(maxsize=8)
def _bench(name: str) -> tuple[Grid, Array]:
    """Return the grid of a domain and the masses of its target at the nodes."""
    setting = find_dpb_domain(name)
    return setting.grid, setting.weights(setting.grid)


def _loss(values: Array, grid: Grid, mass: Array, repair: Repair) -> float:
    """Return the loss on the target of a repaired function given at the nodes, in nats."""
    return float(
        -(mass @ np.log(repaired(values, grid.weights, repair, uniform=MIXED)))
    )


def _releases(
    setting: DpbDomain, data: Array, width: float, degree: int, stream: tuple[int, ...]
) -> tuple[BernsteinRelease, BernsteinRelease]:
    """Return the release without noise, and the same with noise of scale one."""
    rng = task_rng(*stream)
    plain = release_lattice(data, setting.low, setting.high, degree, width, 0.0, rng)
    return plain, replace(
        plain, values=plain.values + rng.laplace(size=plain.values.shape), scale=1.0
    )


def _pair(
    releases: tuple[BernsteinRelease, BernsteinRelease],
    order: int,
    axes: Sequence[Array],
) -> tuple[Array, Array]:
    """Return the released function without noise, and with noise of scale one alone, on a grid, flattened.

    The release at scale b is the first plus b times the second: the polynomial is
    linear in the lattice values.
    """
    plain, noisy = (made.function(axes, order).ravel() for made in releases)
    return plain, noisy - plain


def _scale(
    setting: DpbDomain,
    records: int,
    width: float,
    degree: int,
    eps: float,
    curve: tuple[Unit, Calibration],
) -> float:
    """Return the scale of the noise in one unit and calibration."""
    unit, calibration = curve
    share = width / (setting.high - setting.low)
    return noise_scale(
        eps, degree, setting.target.dim, share, records, calibration, unit
    )


def dpb_losses(
    domains: Sequence[str],
    eps: Sequence[float],
    degree: int,
    order: int,
    repair: Repair,
    repeats: int,
    records: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the loss $-\mathbb E_P\log Q$ of DPB against eps, for each domain, unit and calibration, by repeat.

    Each repeat has its own data set and bandwidth; the noise of one repeat is the same
    variates at every eps, scaled. Columns domain, unit, calibration, eps, repeat, nll
    (nats, P given the box). Facts by domain: losses of the uniform density, of the
    kernel estimate and of the noiseless polynomial (means), the range of the
    bandwidths, the overcount, the share of negative releases at eps = 1.
    """
    rows: list[tuple[object, ...]] = []
    facts: dict[str, float] = {}
    for name in domains:
        setting = find_dpb_domain(name)
        grid, mass = _bench(name)
        widths = []
        kernel = []
        bare = []
        negative = []
        for repeat in range(repeats):
            data, width = _data(name, records, repeat, seed)
            widths.append(width)
            plain, noise = _pair(
                _releases(setting, data, width, degree, (seed, repeat, 2)),
                order,
                grid.axes,
            )
            bare.append(_loss(plain, grid, mass, repair))
            if repeat < SLOW:
                kernel.append(
                    _loss(
                        kernel_density(data, grid.axes, width).ravel(),
                        grid,
                        mass,
                        "clip",
                    )
                )
            for curve in CURVES:
                for level in eps:
                    made = (
                        plain
                        + _scale(setting, records, width, degree, level, curve) * noise
                    )
                    rows.append(
                        (
                            name,
                            *curve,
                            level,
                            repeat,
                            round(_loss(made, grid, mass, repair), 5),
                        )
                    )
            one = (
                plain + _scale(setting, records, width, degree, 1.0, CURVES[0]) * noise
            )
            negative.append(float(one.min() < 0))
        pair = [
            _scale(setting, records, width, degree, 1.0, curve) for curve in CURVES[:2]
        ]
        facts[f"{name}.uniform"] = setting.uniform_nll
        facts[f"{name}.kernel"] = float(np.mean(kernel))
        facts[f"{name}.bare"] = float(np.mean(bare))
        facts[f"{name}.narrowest"] = min(widths)
        facts[f"{name}.widest"] = max(widths)
        facts[f"{name}.overcount"] = pair[0] / pair[1]
        facts[f"{name}.negative"] = float(np.mean(negative))
    table = pd.DataFrame(
        rows, columns=["domain", "unit", "calibration", "eps", "repeat", "nll"]
    )
    return table, facts


def degrees(
    name: str,
    degrees: Sequence[int],
    orders: Sequence[int],
    eps: float,
    repeats: int,
    records: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the mean loss by degree K, order h of the iterated operator and repair: without noise, and at one level.

    Columns degree, order, repair, noise ("none", "exact", "published"; one record
    replaced), nll. Facts: the losses of the uniform density and of the kernel
    estimate's own bandwidth choice (the last one).
    """
    setting = find_dpb_domain(name)
    (grid, mass) = _bench(name)
    rows = []
    for degree in degrees:
        losses: dict[tuple[int, str, str], list[float]] = {}
        for repeat in range(repeats):
            data, width = _data(name, records, repeat, seed)
            scales = {"none": 0.0}
            for curve in CURVES[:2]:
                scales[curve[1]] = _scale(setting, records, width, degree, eps, curve)
            releases = _releases(setting, data, width, degree, (seed, repeat, 2))
            for order in orders:
                plain, noise = _pair(releases, order, grid.axes)
                for kind, scale in scales.items():
                    for repair in REPAIRS:
                        value = _loss(plain + scale * noise, grid, mass, repair)
                        losses.setdefault((order, repair, kind), []).append(value)
        rows += [
            (degree, *key, round(float(np.mean(values)), 5))
            for key, values in losses.items()
        ]
    table = pd.DataFrame(rows, columns=["degree", "order", "repair", "noise", "nll"])
    return table, {"uniform": setting.uniform_nll, "eps": eps, "bandwidth": width}


def ring_row(
    eps: Sequence[float], degree: int, order: int, records: int, pixels: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the densities of DPB on the ring for each eps, with the published and the exact noise, shifted.

    One record replaced; the noise is one draw of variates, scaled. Columns x, y, and
    one column `published_<eps>`, `exact_<eps>` each (four significant digits). Facts:
    the loss of each panel in nats.
    """
    setting = find_dpb_domain("ring")
    data, width = _data("ring", records, 0, seed)
    grid = setting.grid
    side = np.linspace(setting.low, setting.high, pixels)
    mesh = np.stack([a.ravel() for a in np.meshgrid(side, side, indexing="ij")], axis=1)
    columns = {"x": np.round(mesh[:, 0], 4), "y": np.round(mesh[:, 1], 4)}
    facts: dict[str, float] = {"bandwidth": width}
    _, mass = _bench("ring")
    releases = _releases(setting, data, width, degree, (seed, 0, 2))
    fine, coarse = (_pair(releases, order, axes) for axes in (grid.axes, [side, side]))
    for curve in CURVES[:2]:
        for level in eps:
            scale = _scale(setting, records, width, degree, level, curve)
            made = fine[0] + scale * fine[1]
            drawn = coarse[0] + scale * coarse[1]
            facts[f"{curve[1]}_{level:g}"] = _loss(made, grid, mass, "shift")
            least = min(float(made.min()), 0.0)
            total = float((made - least) @ grid.weights)
            columns[f"{curve[1]}_{level:g}"] = _short(
                np.maximum(drawn - least, 0.0) / total
            )
    return pd.DataFrame(columns), facts


def ring_functions(
    eps: Sequence[float],
    degree: int,
    order: int,
    records: int,
    repeat: int,
    seed: int,
    curve: tuple[Unit, Calibration],
) -> list[tuple[float, Array]]:
    """Return (eps, released function on the grid of the ring, not repaired) for one repeat of `dpb_losses`."""
    setting = find_dpb_domain("ring")
    grid, _ = _bench("ring")
    data, width = _data("ring", records, repeat, seed)
    plain, noise = _pair(
        _releases(setting, data, width, degree, (seed, repeat, 2)), order, grid.axes
    )
    scales = [_scale(setting, records, width, degree, level, curve) for level in eps]
    return [
        (level, (plain + b * noise).reshape(grid.shape))
        for level, b in zip(eps, scales, strict=True)
    ]


def _short(values: Array) -> Array:
    """Round to four significant digits, at most six decimals."""
    return np.array(
        [
            float(f"{value:.4g}") if value > 1e-6 else 0.0
            for value in np.round(values, 6)
        ]
    )


def random_1d_losses(
    counts: Sequence[int],
    eps: Sequence[float],
    degree: int,
    order: int,
    repeats: int,
    records: int,
    seed: int,
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the loss of DPB on m random Gaussians on the line, for each eps and repeat (v1 Figure 7, left).

    The targets are those of
    `mollified.experiments.mbde_sweep.domain("random-1d", (m, repeat), seed)`. Repair:
    shift. Columns unit, calibration, m, eps, repeat, nll. Facts: the loss of the
    uniform density on [-1, 2].
    """
    rows = []
    for m in counts:
        for repeat in range(repeats):
            setting = random_line(sweep_target("random-1d", (m, repeat), seed))
            grid = setting.grid
            mass = setting.weights(grid)
            data, choice = setting.draw(records, task_rng(seed, m, repeat, 2))
            width = choice.bandwidth
            plain, noise = _pair(
                _releases(setting, data, width, degree, (seed, m, repeat, 3)),
                order,
                grid.axes,
            )
            for curve in CURVES:
                for level in eps:
                    made = (
                        plain
                        + _scale(setting, records, width, degree, level, curve) * noise
                    )
                    rows.append(
                        (
                            *curve,
                            m,
                            level,
                            repeat,
                            round(_loss(made, grid, mass, "shift"), 5),
                        )
                    )
    table = pd.DataFrame(
        rows, columns=["unit", "calibration", "m", "eps", "repeat", "nll"]
    )
    return table, {"uniform": setting.uniform_nll}
