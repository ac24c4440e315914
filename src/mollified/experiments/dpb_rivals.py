r"""What DPB is compared with: MBDE on the same domains, with a learner that knows both densities or a trained one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.mbde import mbde
from mollified.boosting.theta import spent_level
from mollified.boosting.weak_learner import BayesLearner
from mollified.experiments.contenders import CURVES, ring_functions
from mollified.experiments.dpb_settings import find_dpb_domain
from mollified.experiments.mbde_sweep import domain as sweep_target
from mollified.experiments.mbde_sweep import sweep_domain
from mollified.laws.distributions import Distribution
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid
from mollified.laws.uniform import Uniform

__all__ = [
    "line_rivals",
    "random_rivals",
    "ring_rivals",
    "ring_roughness",
    "stray_maxima",
]

METHODS = ("clip", "tanh")
ROUNDS = 3
#: Two standard deviations of a component of the ring.
NEAR = 1.0


def stray_maxima(values: Array, grid: Grid, centres: Array, radius: float) -> int:
    """Return how many strict local maxima a function on a grid in the plane has farther than `radius` from all centres.

    `values` has shape (N,), at the points of the grid; `centres` (m, 2). Each inner
    node is compared with its 8 neighbours; the border is left out.
    """
    table = values.reshape(grid.shape)
    inner = table[1:-1, 1:-1]
    rows, columns = inner.shape
    steps = [(i, j) for i in (0, 1, 2) for j in (0, 1, 2) if (i, j) != (1, 1)]
    peak = np.logical_and.reduce(
        [inner > table[i : i + rows, j : j + columns] for i, j in steps]
    )
    tops = grid.points.reshape(*grid.shape, 2)[1:-1, 1:-1][peak]
    near = np.linalg.norm(tops[:, None, :] - centres[None, :, :], axis=2) <= radius
    return int((~near.any(axis=1)).sum())


def _centres() -> Array:
    """Return the means of the ring, shape (8, 2)."""
    means = [
        item.mean
        for item in find_dpb_domain("ring").target.components
        if isinstance(item, Gaussian)
    ]
    centres: Array = np.stack(means)
    return centres


def _perfect(
    target: Distribution, reference: Distribution, grid: Grid, eps: float, method: str
) -> Array:
    """Return log Q_T at the nodes for a learner that knows both densities; no randomness is used."""
    learner = BayesLearner("clip" if method == "clip" else "tanh")
    return mbde(
        target, reference, eps, ROUNDS, learner, grid, np.random.default_rng(0)
    )[-1].log_prob(grid.points)


def ring_rivals(eps: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, on the ring and for each eps, what MBDE can reach from a Gaussian and from the box of DPB.

    Columns eps, floor (the loss of $Q_0=\mathcal N(0,I)$ less
    $\frac\varepsilon2(1-\theta_3)$, below which no output of MBDE is), nll_clip and
    nll_tanh (from the uniform density on the box, with a learner that knows both
    densities). Facts: the loss of $Q_0$. Unit: the whole input, one draw.
    """
    setting = find_dpb_domain("ring")
    grid = Grid(np.full(2, setting.low), np.full(2, setting.high), 121)
    mass = setting.weights(grid)
    box = Uniform(np.full(2, setting.low), np.full(2, setting.high))
    before = float(-(mass @ Gaussian.standard(2).log_prob(grid.points)))
    rows = []
    for level in eps:
        row = {"eps": level, "floor": before - spent_level(level, ROUNDS) / 2}
        for method in METHODS:
            row[f"nll_{method}"] = float(
                -(mass @ _perfect(setting.target, box, grid, level, method))
            )
        rows.append(row)
    return pd.DataFrame(rows), {"start": before}


def ring_roughness(
    eps: Sequence[float], degree: int, order: int, repeats: int, records: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the number of stray maxima on the ring, of DPB (one record, both calibrations) and of MBDE from $Q_0$.

    Columns method ("published", "exact", "clip", "tanh"), eps, repeat, stray: local
    maxima at the nodes, farther than two standard deviations from all centres. Neither
    repair moves a maximum above zero. Facts: means by method, eps.
    """
    setting = find_dpb_domain("ring")
    grid = setting.grid
    rows: list[tuple[str, float, int, int]] = []
    for repeat in range(repeats):
        for curve in CURVES[:2]:
            for level, table in ring_functions(
                eps, degree, order, records, repeat, seed, curve
            ):
                rows.append(
                    (
                        curve[1],
                        level,
                        repeat,
                        stray_maxima(table.ravel(), grid, _centres(), NEAR),
                    )
                )
    for level in eps:
        for method in METHODS:
            made = _perfect(setting.target, Gaussian.standard(2), grid, level, method)
            rows.append((method, level, 0, stray_maxima(made, grid, _centres(), NEAR)))
    counted = pd.DataFrame(rows, columns=["method", "eps", "repeat", "stray"])
    means = counted.groupby(["method", "eps"])["stray"].mean()
    return counted, {
        f"{method}_{level:g}": float(means[method, level])
        for method, level in means.index
    }


def line_rivals(
    name: str, eps: Sequence[float], variants: Sequence[str], repeats: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the loss of trained variants of MBDE on a 1D domain: columns variant, eps, repeat, nll.

    The fast recipe of `mollified.training.recipes`, from $Q_0=\mathcal N(0,1)$. Unit:
    the whole input, one draw.
    """
    places = tuple((repeat,) for repeat in range(repeats))
    table = sweep_domain(
        places, name=name, seed=seed, eps=eps, variants=tuple(variants), recipe="fast"
    )
    kept = table[["variant", "eps", "place_0", "nll"]].rename(
        columns={"place_0": "repeat"}
    )
    return kept, {"largest": float(kept["nll"].max())}


def random_rivals(
    counts: Sequence[int], eps: float, repeats: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the loss of MBDE on m random Gaussians on the line at one eps: columns m, repeat, method, nll.

    The learner knows both densities; the targets are those of `random_1d_losses`.
    """
    grid = Grid(np.array([-6.0]), np.array([6.0]), 4001)
    start = Gaussian.standard(1)
    rows = []
    for m in counts:
        for repeat in range(repeats):
            target = sweep_target("random-1d", (m, repeat), seed)
            mass = grid.weights * np.exp(target.log_prob(grid.points))
            for method in METHODS:
                rows.append(
                    (
                        m,
                        repeat,
                        method,
                        float(-(mass @ _perfect(target, start, grid, eps, method))),
                    )
                )
    table = pd.DataFrame(rows, columns=["m", "repeat", "method", "nll"])
    return table, {"mean": float(table["nll"].mean())}
