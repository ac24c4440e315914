r"""Studies for the page on reaching the target: what MBDE can output against the mollification, over the budget."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_probabilities, check_seed
from mollified.finite_runs import random_runs
from mollified.mbde_family import family_gain
from mollified.relative_mollifier import clip_constant
from mollified.theta import LOG2, theta

__all__ = ["gain_ratios", "overshoot", "two_limits"]


def _mollification_gain(p: Array, q0: Array, eps: float) -> float:
    """Return the gain of the closest density of the relative mollifier, in nats."""
    log_p, log_q = np.log(p), np.log(q0)
    log_c = clip_constant(log_p, log_q, np.ones_like(q0), eps)
    return float((p * np.clip(log_p - log_q - log_c, -eps / 2, eps / 2)).sum())


def two_limits(
    p: Sequence[float], reference: Sequence[float], eps: Sequence[float]
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return KL(P, .) of the mollification and of the closest density of oscillation $\varepsilon/2$, for each eps.

    Columns eps, mollification, outputs (T -> infinity), start; in nats, rounding errors below 1e-11. Facts: the
    divergences at the smallest eps at which P lies in the mollifier, and that eps. Raises ValueError for laws that
    are no probabilities. Source: v3, after Theorem 6.
    """
    target, base = check_probabilities("p", p), check_probabilities("reference", reference)
    levels = check_each("eps", eps, check_eps)
    start = float((target * np.log(target / base)).sum())
    own = 2 * float(np.abs(np.log(target / base)).max())

    def row(level: float) -> tuple[float, float, float, float]:
        outputs = float(family_gain([target], [base], [level / 2])[0])
        return level, start - _mollification_gain(target, base, level), start - outputs, start

    table = pd.DataFrame([row(level) for level in levels], columns=["eps", "mollification", "outputs", "start"])
    spread = 2 * float(np.ptp(np.log(target / base)))
    facts = {"eps_p": own, "eps_output": spread, "at_eps_p": row(own)[2], "mollification_at_eps_p": row(own)[1]}
    return table, {**facts, "start": start}


def gain_ratios(
    eps: Sequence[float], instances: int, sizes: Sequence[int], seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the best gain of an output of MBDE over the gain of the mollification, for random laws and a coin.

    Columns kind (random, coin), instance, eps, ratio; at least 1/2 by convexity, at most 1. The coin is
    $Q_0=(1,1)/2$, $P=(3,1)/4$. Errs by rounding, about 1e-9 where gains are small. Raises as `random_runs`.
    """
    levels = check_each("eps", eps, check_eps)
    count, rng = check_count("instances", instances), np.random.default_rng(check_seed("seed", seed))
    rows = []
    pairs = []
    for size in check_each("sizes", sizes, check_count):
        runs = random_runs(rng, count, size, 1)
        pairs += [("random", p, q) for p, q in zip(runs.p, runs.q0, strict=True)]
    pairs.append(("coin", np.array([0.75, 0.25]), np.array([0.5, 0.5])))
    for level in levels:
        for number, (kind, p, q) in enumerate(pairs):
            best = float(family_gain([p], [q], [level / 2])[0])
            rows.append((kind, number, level, best / _mollification_gain(p, q, level)))
    table = pd.DataFrame(rows, columns=["kind", "instance", "eps", "ratio"])
    coin = table[table["kind"] == "coin"].sort_values("eps")
    facts = {
        "smallest": float(table["ratio"].min()),
        "largest": float(table["ratio"].max()),
        "instances": float(len(pairs) - 1),
        "coin_small_eps": float(coin["ratio"].iloc[0]),
        "smallest_eps": float(coin["eps"].iloc[0]),
    }
    return table, facts


def overshoot(
    edges: Sequence[float], edge_q: float, eps: Sequence[float], rounds: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\operatorname{KL}(P,Q_T)$ on two points against the budget, for targets with several edges over P.

    $P=(1+\gamma_P,1-\gamma_P)/2$, $Q_0=(1-\gamma_Q,1+\gamma_Q)/2$, $c_t=\pm\log2$ in every round. Columns edge, eps,
    divergence in nats. Facts per edge: the budget of the smallest divergence on the grid (inf where it is the last).
    """
    levels, gammas = check_each("eps", eps, check_eps), check_array("edges", edges, ndim=1)
    gamma_q, count = check_eps("edge_q", edge_q), check_count("rounds", rounds)
    rows, facts = [], {}
    for gamma in gammas:
        p, q = np.array([1 + gamma, 1 - gamma]) / 2, np.array([1 - gamma_q, 1 + gamma_q]) / 2
        divergences = []
        for level in levels:
            step = float(theta(level, count).sum()) * LOG2
            weights = q * np.exp(step * np.array([1.0, -1.0]))
            divergences.append(float((p * np.log(p * weights.sum() / weights)).sum()))
            rows.append((float(gamma), level, divergences[-1]))
        best = int(np.argmin(divergences))
        facts[f"best_{gamma:g}"] = levels[best] if best < len(levels) - 1 else math.inf
        facts[f"last_{gamma:g}"] = divergences[-1]
        facts[f"least_{gamma:g}"] = divergences[best]
    facts = {key: value for key, value in facts.items() if math.isfinite(value)}
    return pd.DataFrame(rows, columns=["edge", "eps", "divergence"]), facts
