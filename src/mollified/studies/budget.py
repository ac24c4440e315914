r"""Studies for the page on MBDE: step sizes, the level that T rounds spend, and how much of it is reached."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps, check_finite, check_seed
from mollified.gaussian import Gaussian
from mollified.spaces import Grid
from mollified.targets import mixture_1d
from mollified.theta import LOG2, spent_level, theta, theta_sum
from mollified.weak_learner import BayesLearner

__all__ = ["absolute_counterexample", "log_ratio_spread", "reached", "step_sizes"]


def step_sizes(eps: Sequence[float], rounds: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\theta_t$, the level spent after t rounds and its share of $\varepsilon$, for several $\varepsilon$.

    Columns eps, t, theta, spent, share. Source: Algorithm 1; the sharp level $\varepsilon(1-\theta_T)$ is ours.
    """
    check_each("eps", eps, check_eps)
    check_count("rounds", rounds)
    rows = [
        (level, t, float(step), spent_level(level, t), spent_level(level, t) / level)
        for level in eps
        for t, step in enumerate(theta(level, check_count("rounds", rounds)), start=1)
    ]
    table = pd.DataFrame(rows, columns=["eps", "t", "theta", "spent", "share"])
    facts = {f"unused_{level:g}": 1 - spent_level(level, 3) / level for level in eps}
    return table, facts


def reached(eps: float, rounds: Sequence[int], atoms: Sequence[float]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the level that the worst pair of inputs reaches, against the mass of the small atom of $Q_0$.

    Opposite classifiers, $\pm\log2$ on an atom of mass a and $\mp\log2$ elsewhere, lead to
    $2S+\log\frac{ae^{-S}+(1-a)e^{S}}{ae^{S}+(1-a)e^{-S}}$ with $S=\log2\sum_t\theta_t$, which tends to
    $4S=\varepsilon(1-\theta_T)$ as the atom shrinks. Columns rounds, atom, level, bound. Raises ValueError for atoms
    outside (0, 1).
    """
    check_eps("eps", eps)
    check_each("rounds", rounds, check_count)
    check_each("atoms", atoms, check_finite)
    if not all(0 < a < 1 for a in atoms):
        raise ValueError(f"atoms must lie in (0, 1), got {atoms!r}")
    rows = []
    for count in rounds:
        bound, half = spent_level(eps, count), LOG2 * theta_sum(eps, count)
        up, down = np.exp(half), np.exp(-half)
        rows += [
            (count, a, float(2 * half + np.log((a * down + (1 - a) * up) / (a * up + (1 - a) * down))), bound)
            for a in atoms
        ]
    table = pd.DataFrame(rows, columns=["rounds", "atom", "level", "bound"])
    last = table[table["rounds"] == max(rounds)]
    facts = {
        "eps": check_eps("eps", eps),
        "share_half": float(last.iloc[(last["atom"] - 0.5).abs().argmin()]["level"] / eps),
        "share_smallest": float(last.iloc[last["atom"].argmin()]["level"] / eps),
        "share_bound": float(last["bound"].iloc[0] / eps),
    }
    return table, facts


def absolute_counterexample(eps: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the two-step example on [0, 1] in which $Q_T$ leaves the absolute range but not the relative one.

    $Q_0$ is 1/2 on the first half, 3/2 on the second; T = 1 and $c_1=\mp\log2$. Columns piece, q0, q1, low, high,
    relative_low, relative_high. Source: v1 and v2 Theorem 5.
    """
    eps = check_eps("eps", eps)
    q0 = np.array([0.5, 1.5])
    statistic = theta_sum(eps, 1) * LOG2 * np.array([-1.0, 1.0])
    q1 = q0 * np.exp(statistic)
    q1 = q1 / (q1.sum() / 2)
    low, high = np.exp(-eps / 2), np.exp(eps / 2)
    table = pd.DataFrame(
        {
            "piece": [0, 1],
            "q0": q0,
            "q1": q1,
            "low": low,
            "high": high,
            "relative_low": q0 * low,
            "relative_high": q0 * high,
        }
    )
    facts = {
        "eps": eps,
        "low": float(low),
        "high": float(high),
        "q1_left": float(q1[0]),
        "q1_right": float(q1[1]),
        "gaussian_at_4": float(np.exp(eps / 2 + Gaussian.standard(1).log_prob(np.array([[4.0]]))[0])),
    }
    return table, facts


def log_ratio_spread(eps: float, rounds: int, nodes: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\log Q_T/Q_0$ along the line for a perfectly trained learner on the 1D mixture, with its bounds.

    Columns t, x, log_ratio, bound ($2\log2\sum_{s\le t}\theta_s$); facts: the largest value per round, and how much of
    $\varepsilon/2$ it is.
    """
    check_eps("eps", eps)
    check_count("rounds", rounds)
    check_seed("seed", seed)
    from mollified.mbde import mbde

    target, reference = mixture_1d(), Gaussian.standard(1)
    grid = Grid(np.array([-5.0]), np.array([5.0]), check_count("nodes", nodes))
    densities = mbde(target, reference, eps, rounds, BayesLearner("clip"), grid, np.random.default_rng(seed))
    keep = np.abs(grid.points[:, 0]) <= 2
    rows, facts = [], {"eps": eps}
    for t, density in enumerate(densities, start=1):
        ratio = density.log_ratio(grid.points[keep])
        bound = 2 * LOG2 * theta_sum(eps, t)
        rows.append(pd.DataFrame({"t": t, "x": grid.points[keep, 0], "log_ratio": ratio, "bound": bound}))
        facts[f"observed_{t}"] = density.certificate().observed
        facts[f"bound_{t}"] = bound
    facts["share"] = facts[f"observed_{rounds}"] / (eps / 2)
    return pd.concat(rows, ignore_index=True), facts
