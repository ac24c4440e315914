r"""Studies for the page on reaching the target: what MBDE can output against the mollification, over the budget."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_probabilities, check_seed
from mollified.bounds import log_moment
from mollified.finite_runs import random_runs
from mollified.mbde_family import family_gain
from mollified.relative_mollifier import clip_constant
from mollified.theta import LOG2, theta

__all__ = ["gain_ratios", "lasting_edges", "overshoot", "two_limits"]


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
    eps: Sequence[float], instances: int, sizes: Sequence[int], coin_points: int, seed: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the best gain of an output of MBDE over the gain of the mollification, for random laws and a coin.

    Columns kind (random, coin), instance, eps, ratio; at least 1/2 by convexity, at most 1. The coin is
    $Q_0=(1,1)/2$, $P=(3,1)/4$, at `coin_points` budgets of equal ratio from the smallest to the largest eps. Errs by
    rounding, about 1e-9 where gains are small. Raises as `random_runs`.
    """
    levels = check_each("eps", eps, check_eps)
    count, fine = check_count("instances", instances), check_count("coin_points", coin_points, minimum=2)
    rng = np.random.default_rng(check_seed("seed", seed))
    pairs = []
    for size in check_each("sizes", sizes, check_count):
        runs = random_runs(rng, count, size, 1)
        pairs += list(zip(runs.p, runs.q0, strict=True))

    def ratio(p: Array, q: Array, level: float) -> float:
        return float(family_gain([p], [q], [level / 2])[0]) / _mollification_gain(p, q, level)

    rows = [("random", i, level, ratio(p, q, level)) for level in levels for i, (p, q) in enumerate(pairs)]
    p, q = np.array([0.75, 0.25]), np.array([0.5, 0.5])
    for level in np.geomspace(min(levels), max(levels), fine).tolist():
        rows.append(("coin", len(pairs), level, ratio(p, q, level)))
    table = pd.DataFrame(rows, columns=["kind", "instance", "eps", "ratio"])
    coin = table[table["kind"] == "coin"].sort_values("eps")
    facts = {
        "smallest": float(table["ratio"].min()),
        "largest": float(table["ratio"].max()),
        "instances": float(len(pairs)),
        "coin_small_eps": float(coin["ratio"].iloc[0]),
        "smallest_eps": float(coin["eps"].iloc[0]),
    }
    return table, facts


def _excess(first: float, rounds: int, needed: float) -> float:
    """Return what steps first, first^2, ... add up to beyond what is needed."""
    return math.fsum(first**t for t in range(1, rounds + 1)) - needed


def overshoot(
    edges: Sequence[float], edge_q: float, low: float, high: float, points: int, rounds: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $\operatorname{KL}(P,Q_T)$ on two points against the budget, for targets with several edges over P.

    $P=(1+\gamma_P,1-\gamma_P)/2$, $Q_0=(1-\gamma_Q,1+\gamma_Q)/2$, $c_t=\pm\log2$ in every round. Columns edge, eps
    (`points` of equal ratio from low to high), divergence in nats. Facts per edge: the last divergence; and
    landing_<edge>, the budget at which $Q_T=P$, where the steps add up to
    $t=(\operatorname{artanh}\gamma_P+\operatorname{artanh}\gamma_Q)/\log2$; there is none for $t\ge T$. For $T=1$ it is
    $4\log2\cdot t/(1-t)$. Raises ValueError or TypeError for edges outside (-1, 1) or other bad arguments.
    """
    first, last, gammas = check_eps("low", low), check_eps("high", high), check_array("edges", edges, ndim=1)
    levels = np.geomspace(first, last, check_count("points", points)).tolist()
    gamma_q, count = check_eps("edge_q", edge_q), check_count("rounds", rounds)
    for name, given in (("edges", gammas.tolist()), ("edge_q", [gamma_q])):
        if max(map(abs, given)) >= 1:
            raise ValueError(f"{name} must be less than 1 in size, got {given!r}")
    rows, facts = [], {}
    for gamma in gammas:
        p, q = np.array([1 + gamma, 1 - gamma]) / 2, np.array([1 - gamma_q, 1 + gamma_q]) / 2
        divergences = []
        for level in levels:
            step = float(theta(level, count).sum()) * LOG2
            weights = q * np.exp(step * np.array([1.0, -1.0]))
            divergences.append(float((p * np.log(p * weights.sum() / weights)).sum()))
            rows.append((float(gamma), level, divergences[-1]))
        facts[f"last_{gamma:g}"] = divergences[-1]
        needed = (math.atanh(gamma) + math.atanh(gamma_q)) / LOG2
        if 0 < needed < count:
            theta_1 = float(brentq(_excess, 0.0, 1.0, args=(count, needed), xtol=1e-15))
            facts[f"landing_{gamma:g}"] = 4 * LOG2 * theta_1 / (1 - theta_1)
    return pd.DataFrame(rows, columns=["edge", "eps", "divergence"]), facts


def lasting_edges(largest: float, points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the edge over P above which edges cannot last with $c_t^*=\log2$, for each edge over Q.

    $\gamma_P=\frac1{\log2}\int_0^{\log2}\psi(u,\gamma_Q)/u\,du$. Columns edge_q (`points` from 0 to `largest`), edge_p
    (not below 0), enough ($\frac{\log2}4-\gamma_Q$, not below 0). Facts: least and largest sum of the two edges where
    edge_p > 0, and simple, $\frac{\log2}4$. Errs by less than 1e-9. Raises ValueError for `largest` not in (0, 1).
    """
    last = check_eps("largest", largest)
    if last >= 1:
        raise ValueError(f"largest must be less than 1, got {largest!r}")
    rows = []
    for edge_q in np.linspace(0, last, check_count("points", points, minimum=2)).tolist():
        whole, _ = quad(lambda u, edge=edge_q: log_moment(u, edge) / u, 1e-12, LOG2, epsabs=1e-12)
        rows.append((edge_q, max(whole / LOG2, 0.0), max(LOG2 / 4 - edge_q, 0.0)))
    table = pd.DataFrame(rows, columns=["edge_q", "edge_p", "enough"])
    sums = (table["edge_q"] + table["edge_p"])[table["edge_p"] > 0]
    return table, {"least_sum": float(sums.min()), "largest_sum": float(sums.max()), "simple": LOG2 / 4}
