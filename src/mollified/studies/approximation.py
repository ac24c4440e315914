r"""Studies for the page on the gain: the product example, Gamma, the slack of both lower bounds, and real runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_seed
from mollified.boosted_density import BoostedDensity
from mollified.bounds import gain_lower, gain_share, gain_upper, gamma_function
from mollified.distributions import Distribution
from mollified.divergences import kl
from mollified.finite_runs import FiniteRuns, edges_below, random_runs, run_batches
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.spaces import Grid, Space
from mollified.targets import mixture_1d, ring
from mollified.theta import LOG2, theta
from mollified.weak_learner import BayesLearner

__all__ = ["failures_by_rounds", "gain_slack", "gamma_line", "product_gains", "run_gains"]

#: The edges of the product example: coins that show 1 with probability 9/10 under P and 1/4 under the reference.
EDGE_P, EDGE_Q = 4 / 5, 1 / 2


def product_gains(rounds: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the gain of the product example for T = 1..`rounds` at $\varepsilon=4\log2$ with its bounds, in nats.

    On $\{0,1\}^T$ the laws are T independent coins, and $c_t=\pm\log2$ looks at coin t: edges 4/5 and 1/2 in every
    round, and the gain is a sum over coins. Columns T, barrier (sharp), printed, corrected, closed (lower bounds at the
    exact edges), gain. Raises TypeError or ValueError for rounds < 1.
    """
    count, eps = check_count("rounds", rounds), 4 * LOG2
    rows, gain, heads = [], 0.0, (1 - EDGE_Q) / 2
    for last, step in enumerate(theta(eps, count) * LOG2, 1):
        gain += step * EDGE_P - np.log(heads * np.exp(step) + (1 - heads) * np.exp(-step))
        barrier = float(gain_upper(eps, last, form="corrected"))
        rows.append(
            (
                last,
                barrier,
                float(gain_lower(eps, last, EDGE_P, EDGE_Q, form="printed")),
                float(gain_lower(eps, last, EDGE_P, EDGE_Q, form="corrected")),
                barrier * float(gain_share(EDGE_P, EDGE_Q, form="corrected")),
                gain,
            )
        )
    table = pd.DataFrame(rows, columns=["T", "barrier", "printed", "corrected", "closed", "gain"])
    facts = {"eps": eps, "half": eps / 2}
    for name in ("barrier", "printed", "corrected", "closed", "gain"):
        facts[f"{name}_first"], facts[f"{name}_last"] = float(table[name].iloc[0]), float(table[name].iloc[-1])
    return table, facts


def gamma_line(points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\Gamma(x)$ and $x\log2$ on `points` points of [0, 1], at least 4. Columns x, gamma, line."""
    x = np.linspace(0.0, 1.0, check_count("points", points, minimum=4))
    table = pd.DataFrame({"x": x, "gamma": gamma_function(x), "line": x * LOG2})
    inside = np.linspace(1 / 3, 1.0, 4001)
    gap = inside * LOG2 - gamma_function(inside)
    facts = {"line_third": LOG2 / 3, "gap_high": float(gap.max()), "gamma_zero": float(gamma_function(0.0))}
    return table, facts


def _high(runs: FiniteRuns) -> tuple[FiniteRuns, Array, Array] | None:
    """Return the runs that stay in the high regime, with edges just below the least exact ones."""
    edge_p, edge_q = (edges.min(axis=1) for edges in edges_below(runs))
    keep = np.flatnonzero(edge_q >= 1 / 3)
    return (runs.take(keep), edge_p[keep], edge_q[keep]) if keep.size else None


def gain_slack(instances: int, bins: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return histograms of the gain divided by the printed and by the corrected lower bound, over random runs.

    Of `instances` random runs those in the high regime in every round count, with the least edges over the rounds.
    Columns bound, left, right, count; bins in $\log_{10}$ of the ratio from -2 to 1.2, the ends hold what lies beyond.
    Facts: runs, how many lie below one, the least ratios.
    """
    count, number, seed = check_count("instances", instances), check_count("bins", bins), check_seed("seed", seed)
    ratios: dict[str, list[Array]] = {"printed": [], "corrected": []}
    for runs in run_batches(np.random.default_rng(seed), count):
        kept = _high(runs)
        if kept is None:
            continue
        high, edge_p, edge_q = kept
        printed = gain_lower(high.eps, high.rounds, edge_p, edge_q, form="printed")
        corrected = gain_lower(high.eps, high.rounds, edge_p, edge_q, form="corrected", c_star=high.c_star)
        ratios["printed"].append(high.gain / printed)
        ratios["corrected"].append(high.gain / corrected)
    if not ratios["printed"]:
        raise ValueError(f"instances must be large enough for a run in the high regime, got {instances!r}")
    limits = np.linspace(-2.0, 1.2, number + 1)
    rows, facts = [], {}
    for name, parts in ratios.items():
        values = np.concatenate(parts)
        counts, _ = np.histogram(np.clip(np.log10(values), limits[0], limits[-1]), limits)
        rows += [(name, a, b, int(c)) for a, b, c in zip(limits[:-1], limits[1:], counts, strict=True)]
        facts[f"runs_{name}"] = float(values.size)
        facts[f"below_{name}"] = float((values < 1 - 1e-12).sum())
        facts[f"least_{name}"] = float(values.min())
    return pd.DataFrame(rows, columns=["bound", "left", "right", "count"]), facts


def failures_by_rounds(rounds: Sequence[int], instances: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how often either lower bound exceeds the gain, by T, at the least edges over the rounds.

    `instances` random runs on four points for each T, of which those in the high regime in every round count. Columns
    T, full (1 where $c_t^*=\log2$ in all rounds), runs, printed, corrected (numbers of failures, beyond 1e-13 nats).
    """
    lengths, count = check_each("rounds", rounds, check_count), check_count("instances", instances)
    rng, rows = np.random.default_rng(check_seed("seed", seed)), []
    for last in lengths:
        kept = _high(random_runs(rng, count, 4, last))
        if kept is None:
            raise ValueError(f"instances must be large enough for a run in the high regime, got {instances!r}")
        high, edge_p, edge_q = kept
        printed = high.gain - gain_lower(high.eps, last, edge_p, edge_q, form="printed")
        corrected = high.gain - gain_lower(high.eps, last, edge_p, edge_q, form="corrected", c_star=high.c_star)
        full = (high.scale == 1).all(axis=1)
        for flag in (True, False):
            among = full == flag
            rows.append(
                (last, int(flag), int(among.sum()), *(int((m[among] < -1e-13).sum()) for m in (printed, corrected)))
            )
    table = pd.DataFrame(rows, columns=["T", "full", "runs", "printed", "corrected"])
    facts = {
        f"{name}_{row['T']}_{row['full']}": float(row[name])
        for row in table.to_dict("records")
        for name in ("runs", "printed")
    }
    facts["corrected"] = float(table["corrected"].sum())
    return table, facts


def _row(
    setting: str, eps: float, learned: Sequence[BoostedDensity], target: Distribution, space: Space
) -> tuple[str | float, ...]:
    """Measure edges against log 2 (at least every $c_t^*$), the gain and its bounds, by quadrature."""
    points = space.points
    log_p, log_q = target.log_prob(points), learned[0].reference.log_prob(points)
    start, edges = log_q, []
    for density in learned:
        values = check_array("classifier's values", density.classifiers[-1](points)) / LOG2
        edges.append([space.integrate(np.exp(log) * sign * values).value for log, sign in ((log_p, 1), (log_q, -1))])
        log_q = density.log_prob(points)
    edge_p, edge_q = np.clip(np.min(edges, axis=0), 0.0, 1.0)
    gain = kl(log_p, start, space).value - kl(log_p, log_q, space).value
    rounds = len(learned)
    bounds = [float(gain_lower(eps, rounds, edge_p, edge_q, form=form)) for form in ("printed", "corrected")]
    return (setting, eps, float(gain), float(gain_upper(eps, rounds, form="corrected")), *bounds, edge_p, edge_q)


def run_gains(eps: Sequence[float], rounds: int, nodes: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return gain, sharp barrier and lower bounds of runs of a perfect learner on the ring and on the line.

    Columns setting ("ring", "line"), eps, gain, barrier, printed, corrected, edge_p, edge_q: nats, by quadrature with
    `nodes` nodes an axis on the ring; edges are the least over the rounds and measured against $\log2\ge c_t^*$. The
    learner knows both densities (clipped log-odds). Raises TypeError or ValueError for bad arguments.
    """
    check_each("eps", eps, check_eps)
    rounds = check_count("rounds", rounds)
    if check_count("nodes", nodes, minimum=5) % 4 != 1:
        raise ValueError(f"nodes must be of the form 4 k + 1, got {nodes!r}")
    places: list[tuple[str, Distribution, Distribution, Space]] = []
    for name, mixture, normal, size in (
        ("ring", ring(), Gaussian.standard(2), nodes),
        ("line", mixture_1d(), Gaussian.standard(1), 4001),
    ):
        places.append((name, mixture, normal, Grid.covering([mixture, normal], nodes=size)))
    rows, facts = [], {}
    for name, target, start, space in places:
        for level in eps:
            rng = np.random.default_rng(0)  # the learner draws nothing
            learned = mbde(target, start, level, rounds, BayesLearner("clip"), space, rng)
            rows.append(_row(name, level, learned, target, space))
    columns = ["setting", "eps", "gain", "barrier", "printed", "corrected", "edge_p", "edge_q"]
    table = pd.DataFrame(rows, columns=columns)
    for row in table.to_dict("records"):
        name = f"{row['setting']}_{row['eps']:g}"
        for column in ("gain", "barrier", "printed", "corrected"):
            facts[f"{column}_{name}"] = row[column] / (row["eps"] / 2)
        facts[f"edge_q_{name}"] = row["edge_q"]
    return table, facts
