r"""Studies for the page on the KL drop: its shape, the bounds against it, and how often the printed ones fail."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_interval, check_seed
from mollified.bounds import kl_drop, kl_drop_hoeffding
from mollified.finite_runs import FiniteRuns, edges_below, run_batches
from mollified.gaussian import Gaussian
from mollified.mbde import mbde
from mollified.spaces import Grid
from mollified.targets import mixture_1d
from mollified.theta import LOG2
from mollified.weak_learner import BayesLearner

__all__ = ["bounds_by_size", "failure_shares", "run_rounds", "shapes", "slack_counts"]

#: Upper ends of the ranges of c*/log 2 in the table of failures.
SIZES = {"below 0.1": (0.0, 0.1), "0.1 to 0.5": (0.1, 0.5), "0.5 to 1": (0.5, 1.0), "1": (1.0, 2.0)}
#: Rounds of the random runs that are counted.
ROUNDS = 5
#: Steps below this length are left out of the histogram: their slack in units of u^2 is lost in rounding.
SHORTEST = 1e-4


def shapes(longest: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the drop against $\theta$ for $c=(\log2,-\log2)$: $P=(2,1)/3$, $Q=(1,2)/3$, and $P=(1,0)$, $Q=(1,1)/2$.

    Columns law ("inside", "top"), theta, drop. The first is largest at $\theta=1$, where $Q_\theta=P$; the second grows
    towards $\log2$ for ever. Raises ValueError or TypeError for longest <= 0 or points < 1. Source: v1 Lemma 11.
    """
    theta = np.linspace(0, check_eps("longest", longest), check_count("points", points))
    u = theta * LOG2
    drops = {
        "inside": u / 3 - np.log(np.exp(u) / 3 + 2 * np.exp(-u) / 3),
        "top": u - np.log(np.cosh(u)),
    }
    table = pd.concat(
        [pd.DataFrame({"law": law, "theta": theta, "drop": drop}) for law, drop in drops.items()], ignore_index=True
    )
    return table, {"divergence_inside": LOG2 / 3, "divergence_top": LOG2}


def bounds_by_size(
    theta: float, edges: Sequence[float], smallest: float, points: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the bounds on the drop per unit of u against $c^*/\log2$, with $\gamma_P=\gamma_Q$ one of `edges`.

    Columns edge, size, sharp, hoeffding, printed. The sharp bound is what the worst classifier gives. Raises ValueError
    or TypeError for theta or smallest outside (0, 1], edges outside [0, 1], points < 1. Source: v1 Theorem 6, (43).
    """
    step = check_interval("theta", theta, 0.0, 1.0, open_low=True)
    start = check_interval("smallest", smallest, 0.0, 1.0, open_low=True)
    levels = check_each("edges", edges, lambda name, value: check_interval(name, value, 0.0, 1.0))
    size = np.linspace(start, 1, check_count("points", points))
    c = size * LOG2
    rows, facts = [], {"theta": step}
    for edge in levels:
        sharp = kl_drop(step, c, edge, edge, form="corrected")
        printed = kl_drop(step, c, edge, edge, form="printed")
        hoeffding = kl_drop_hoeffding(step, c, edge, edge)
        frame = pd.DataFrame({"edge": edge, "size": size})
        for name, value in (("sharp", sharp), ("hoeffding", hoeffding), ("printed", printed)):
            frame[name] = value / (step * c)
        rows.append(frame)
        facts[f"excess_{edge:g}"] = float(printed[-1] / sharp[-1] - 1)

        def margin(share: float, edge: float = edge) -> float:
            asked = (step, share * LOG2, edge, edge)
            return float(kl_drop(*asked, form="corrected") - kl_drop(*asked, form="printed"))

        if margin(start) < 0 < margin(1.0):
            facts[f"holds_from_{edge:g}"] = float(brentq(margin, start, 1.0, xtol=1e-12))
    return pd.concat(rows, ignore_index=True), facts


def failure_shares(instances: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return how often the printed bound exceeds the true drop, by regime and $c^*$, over rounds of random runs.

    Edges are the exact ones less $2^{-30}$ of them; a round fails where the bound exceeds the drop by more than 1e-9 u.
    Columns regime, c*/log 2, rounds, printed fails (%), (43) fails (%), sharp fails (%). Raises ValueError or TypeError
    for instances < 1 or a bad seed. Source: v1 Theorem 6.
    """
    count, start = check_count("instances", instances), check_seed("seed", seed)
    seen: dict[tuple[str, str], Array] = {}
    for runs in run_batches(np.random.default_rng(start), count, ROUNDS):
        edge_p, edge_q = edges_below(runs)
        slack = [runs.drop - value for value in _three(runs, edge_p, edge_q)]
        for regime, chosen in (("high", edge_q >= 1 / 3), ("low", edge_q < 1 / 3)):
            for name, (low, high) in SIZES.items():
                there = chosen & runs.learnable & (runs.scale >= low) & (runs.scale < high)
                fails = [float((there & (s < -1e-9 * runs.u)).sum()) for s in slack]
                seen[regime, name] = seen.get((regime, name), np.zeros(4)) + np.array([float(there.sum()), *fails])
    rows = [
        (regime, name, int(total[0]), *(100 * part / total[0] if total[0] else 0.0 for part in total[1:]))
        for (regime, name), total in seen.items()
    ]
    columns = ["regime", "c*/log 2", "rounds", "printed fails (%)", "(43) fails (%)", "sharp fails (%)"]
    facts = {}
    for regime in ("low", "high"):
        whole = sum((total for (which, _), total in seen.items() if which == regime), np.zeros(4))
        facts[f"share_{regime}"] = 100 * float(whole[1] / whole[0])
        facts[f"rounds_{regime}"] = float(whole[0])
    facts["other_failures"] = float(sum(total[2] + total[3] for total in seen.values()))
    return pd.DataFrame(rows, columns=columns), facts


def _three(runs: FiniteRuns, edge_p: Array, edge_q: Array) -> list[Array]:
    """Return the printed bound, (43) and the sharp one, each (N, T)."""
    return [
        kl_drop(runs.theta, runs.c_star, edge_p, edge_q, form="printed"),
        kl_drop_hoeffding(runs.theta, runs.c_star, edge_p, edge_q),
        kl_drop(runs.theta, runs.c_star, edge_p, edge_q, form="corrected"),
    ]


def slack_counts(instances: int, edges: Sequence[float], seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Count the rounds of random runs by (drop - bound) / u^2 at the exact edges, for the sharp bound and (43).

    Columns bound, kind ("two values": $|c|=c^*$ everywhere, "other"), low, high, count; `edges` are the ends of the
    bins, increasing. The outer bins hold everything beyond, so the first one equality with its rounding. Facts: the
    rounds, those of two values and the rest, and of the rest those in the first bin for the sharp bound. Raises
    ValueError or TypeError for bad arguments.
    """
    count, start, ends = (
        check_count("instances", instances),
        check_seed("seed", seed),
        check_array("edges", edges, ndim=1),
    )
    if ends.size < 2 or (np.diff(ends) <= 0).any():
        raise ValueError(f"edges must increase, got {edges!r}")
    totals = {(b, k): np.zeros(ends.size - 1) for b in ("sharp", "hoeffding") for k in ("two values", "other")}
    smallest = {"two values": np.inf, "other": np.inf, "hoeffding": np.inf}
    largest_two = 0.0
    for runs in run_batches(np.random.default_rng(start), count, ROUNDS):
        chosen = runs.learnable & (runs.u > SHORTEST)
        edge_p, edge_q = np.minimum(runs.edge_p, 1.0), np.minimum(runs.edge_q, 1.0)
        bounds = _three(runs, np.where(chosen, edge_p, 0.0), np.where(chosen, edge_q, 0.0))
        two = (np.abs(runs.shape) == 1).all(axis=2)
        for name, bound in (("sharp", bounds[2]), ("hoeffding", bounds[1])):
            slack = (runs.drop - bound) / runs.u**2
            for kind, which in (("two values", two & chosen), ("other", ~two & chosen)):
                values = slack[which]
                inside = np.clip(values, ends[0], np.nextafter(ends[-1], 0))
                totals[name, kind] += np.histogram(inside, bins=ends)[0]
                if values.size:
                    key = kind if name == "sharp" else name
                    smallest[key] = min(smallest[key], float(values.min()))
                    if name == "sharp" and kind == "two values":
                        largest_two = max(largest_two, float(np.abs(values).max()))
    rows = [
        pd.DataFrame({"bound": bound, "kind": kind, "low": ends[:-1], "high": ends[1:], "count": total})
        for (bound, kind), total in totals.items()
    ]
    facts = {
        "rounds": float(sum(total.sum() for (bound, _), total in totals.items() if bound == "sharp")),
        "two": float(totals["sharp", "two values"].sum()),
        "others": float(totals["sharp", "other"].sum()),
        "others_first": float(totals["sharp", "other"][0]),
        "largest_two": largest_two,
        "smallest_hoeffding": smallest["hoeffding"],
    }
    return pd.concat(rows, ignore_index=True), facts


def run_rounds(eps: float, rounds: int, nodes: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Run MBDE on the 1D mixture with a learner that knows both densities; the drop of each round beside its bounds.

    Columns t, theta, size ($c^*/\log2$), edge_p, edge_q, drop, printed, hoeffding, sharp, the last four per unit of
    $\theta_t$. Facts: how many rounds the printed bound fails in, the first of them, and the first round of the low
    regime (0 if none). Integrals on a grid of `nodes` points. Raises ValueError or TypeError for bad arguments.
    """
    level, count = check_eps("eps", eps), check_count("rounds", rounds)
    target, reference = mixture_1d(), Gaussian.standard(1)
    grid = Grid.covering([target, reference], nodes=check_count("nodes", nodes))
    rng = np.random.default_rng(check_seed("seed", seed))
    before, rows = reference.log_prob(grid.points), []
    p = np.exp(target.log_prob(grid.points)) * grid.weights
    for t, density in enumerate(mbde(target, reference, level, count, BayesLearner("clip"), grid, rng), start=1):
        theta, c = float(density.thetas[-1]), density.classifiers[-1](grid.points)
        after, largest = density.log_prob(grid.points), float(np.abs(c).max())
        edge_p, edge_q = float(p @ c) / largest, -float((np.exp(before) * grid.weights) @ c) / largest
        asked = (theta, largest, edge_p, edge_q)
        bounds = (kl_drop(*asked, form="printed"), kl_drop_hoeffding(*asked), kl_drop(*asked, form="corrected"))
        drop = float(p @ (after - before))
        rows.append((t, theta, largest / LOG2, edge_p, edge_q, *(value / theta for value in (drop, *bounds))))
        before = after
    columns = ["t", "theta", "size", "edge_p", "edge_q", "drop", "printed", "hoeffding", "sharp"]
    table = pd.DataFrame(rows, columns=columns)
    failing = table[table["printed"] > table["drop"]]
    facts = {"eps": level, "failing": float(len(failing)), "share_sharp": float((table["sharp"] / table["drop"]).min())}
    facts["first_failing"] = float(failing["t"].min()) if len(failing) else 0.0
    low = table[table["edge_q"] < 1 / 3]
    facts["first_low"] = float(low["t"].min()) if len(low) else 0.0
    return table, facts
