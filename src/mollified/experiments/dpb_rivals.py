r"""What DPB is compared with: MBDE on the same domains.

Its learner knows both densities, or is trained.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array
from mollified.boosting.mbde import mbde
from mollified.boosting.theta import spent_level
from mollified.boosting.weak_learner import BayesLearner
from mollified.experiments.contenders import CURVES, DpbSettings, ring_functions
from mollified.experiments.dpb_settings import find_dpb_domain
from mollified.experiments.mbde_sweep import RunSettings, sweep_domain
from mollified.experiments.mbde_sweep import domain as sweep_target
from mollified.experiments.metrics import component_means, maxima_in_plane
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
    """Return how many maxima in the plane are farther than `radius` from all centres.

    `values` has shape (N,), at the points of the grid; `centres` (m, 2). For the maxima
    see `maxima_in_plane`.
    """
    tops = maxima_in_plane(values, grid)
    near = np.linalg.norm(tops[:, None, :] - centres[None, :, :], axis=2) <= radius
    return int((~near.any(axis=1)).sum())


def _perfect(
    target: Distribution,
    reference: Distribution,
    grid: Grid,
    eps: float,
    method: str,
) -> Array:
    """Return log Q_T at the nodes for a learner that knows both densities."""
    learner = BayesLearner("clip" if method == "clip" else "tanh")
    unused = np.random.default_rng(0)
    densities = mbde(target, reference, eps, ROUNDS, learner, grid, unused)
    return densities[-1].log_prob(grid.points)


def ring_rivals(eps: Sequence[float]) -> tuple[pd.DataFrame, float]:
    r"""Return, on the ring, what MBDE can reach, and the loss of $Q_0$; nats.

    Columns eps, floor (the loss of $Q_0=\mathcal N(0,I)$ less
    $\frac\varepsilon2(1-\theta_3)$, below which no output of MBDE is), nll_clip and
    nll_tanh (from the uniform density on the box, with a learner that knows both
    densities). Unit: the whole input, one draw.
    """
    ring = find_dpb_domain("ring")
    low = np.full(2, ring.low)
    high = np.full(2, ring.high)
    grid = Grid(low, high, 121)
    mass = ring.weights(grid)
    start = float(-(mass @ Gaussian.standard(2).log_prob(grid.points)))
    rows = []
    for level in eps:
        row = {"eps": level, "floor": start - spent_level(level, ROUNDS) / 2}
        for method in METHODS:
            logs = _perfect(ring.target, Uniform(low, high), grid, level, method)
            row[f"nll_{method}"] = float(-(mass @ logs))
        rows.append(row)
    return pd.DataFrame(rows), start


def ring_roughness(
    eps: Sequence[float],
    repeats: int,
    settings: DpbSettings,
) -> pd.DataFrame:
    r"""Return the number of stray maxima on the ring, of DPB and of MBDE from $Q_0$.

    Columns method ("published", "exact": DPB, one record; "clip", "tanh": MBDE), eps,
    repeat, stray: local maxima at the nodes, farther than two standard deviations from
    all centres. Neither repair moves a maximum above zero.
    """
    ring = find_dpb_domain("ring")
    grid = ring.grid
    centres = component_means(ring.target)
    rows: list[tuple[str, float, int, int]] = []
    for repeat in range(repeats):
        for curve in CURVES[:2]:
            functions = ring_functions(eps, repeat, curve, settings)
            for level, values in zip(eps, functions, strict=True):
                stray = stray_maxima(values, grid, centres, NEAR)
                rows.append((curve[1], level, repeat, stray))
    for level in eps:
        for method in METHODS:
            logs = _perfect(ring.target, Gaussian.standard(2), grid, level, method)
            rows.append((method, level, 0, stray_maxima(logs, grid, centres, NEAR)))
    return pd.DataFrame(rows, columns=["method", "eps", "repeat", "stray"])


def line_rivals(
    name: str,
    eps: Sequence[float],
    variants: Sequence[str],
    repeats: int,
    seed: int,
) -> pd.DataFrame:
    r"""Return the loss of trained MBDE on a 1D domain: variant, eps, repeat, nll.

    The fast recipe of `mollified.training.recipes`, from $Q_0=\mathcal N(0,1)$. Unit:
    the whole input, one draw.
    """
    places = [(repeat,) for repeat in range(repeats)]
    settings = RunSettings(name, seed, tuple(eps), tuple(variants), "fast")
    table = sweep_domain(places, settings).rename(columns={"place_0": "repeat"})
    return table[["variant", "eps", "repeat", "nll"]]


def random_rivals(
    counts: Sequence[int],
    eps: float,
    repeats: int,
    seed: int,
) -> pd.DataFrame:
    r"""Return the loss of MBDE on m random Gaussians on the line at one eps.

    Columns m, repeat, method, nll. The learner knows both densities; the targets are
    those of `random_1d_losses`.
    """
    grid = Grid(np.array([-6.0]), np.array([6.0]), 4001)
    start = Gaussian.standard(1)
    rows = []
    for m in counts:
        for repeat in range(repeats):
            target = sweep_target("random-1d", (m, repeat), seed)
            mass = grid.weights * np.exp(target.log_prob(grid.points))
            for method in METHODS:
                logs = _perfect(target, start, grid, eps, method)
                rows.append((m, repeat, method, float(-(mass @ logs))))
    return pd.DataFrame(rows, columns=["m", "repeat", "method", "nll"])
