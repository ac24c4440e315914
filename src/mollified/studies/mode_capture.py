r"""Studies for the page on mode capture: the mass that each condition asks for, and what is promised and captured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_interval
from mollified.bounds import captured_mass, mass_condition
from mollified.gaussian import Gaussian
from mollified.spaces import Grid
from mollified.targets import ring
from mollified.theta import LOG2, theta

__all__ = ["asked_mass", "most_promised", "ring_capture", "ring_run_on_grid"]

FORMS: tuple[Literal["printed", "proof", "corrected"], ...] = ("printed", "proof", "corrected")


def asked_mass(eps: float, rounds: Sequence[int], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the mass P(B) that (13), (91) and the corrected condition ask for.

    Against $\gamma_P=\gamma_Q$, at $\alpha=0$. Columns condition, rounds (0: none), gamma, mass. Facts, for the largest
    number of rounds: the values at $\gamma=3/4$, and that of (91) at $\gamma=1/3$.
    """
    eps = check_eps("eps", eps)
    check_each("rounds", rounds, check_count)
    gamma = np.linspace(1 / 3, 1, check_count("points", points, minimum=2))
    rows = []
    for count in rounds:
        for form in FORMS[:2]:
            mass = mass_condition(eps, count, gamma, gamma, 0.0, form=form)
            rows.append(pd.DataFrame({"condition": form, "rounds": count, "gamma": gamma, "mass": mass}))
    corrected = mass_condition(eps, 1, gamma, gamma, 0.0, form="corrected")
    rows.append(pd.DataFrame({"condition": "corrected", "rounds": 0, "gamma": gamma, "mass": corrected}))
    last = max(rounds)
    facts = {"eps": eps, "rounds": float(last)}
    facts["proof_first"] = float(mass_condition(eps, last, gamma[0], gamma[0], 0.0, form="proof"))
    for form in FORMS:
        facts[form] = float(mass_condition(eps, last, 0.75, 0.75, 0.0, form=form))
    return pd.concat(rows, ignore_index=True), facts


def most_promised(masses: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the largest share of P(B) that Theorem 8 can promise, against the edges.

    That is $1-\operatorname{KL}(P,Q_0;B)/P(B)$ with $\gamma_P=\gamma_Q=1-2x$ and $\alpha=0$, for regions of masses m >=
    1/2, where $\operatorname{KL}(P,Q_0;B)\ge(m-x)\log\frac{m-x}x+x\log\frac x{1-x}$. Columns mass, gamma, share.
    Facts: the edge from which nothing can be promised, by mass, to the spacing of the points.
    """
    check_each("masses", masses, lambda name, value: check_interval(name, value, 0.5, 1.0))
    gamma = np.linspace(0.35, 0.99, check_count("points", points, minimum=2))
    rows, facts = [], {}
    x = (1 - gamma) / 2
    for mass in masses:
        share = 1 - ((mass - x) * np.log((mass - x) / x) + x * np.log(x / (1 - x))) / mass
        rows.append(pd.DataFrame({"mass": mass, "gamma": gamma, "share": share}))
        facts[f"last_{mass:g}"] = float(gamma[share > 0].max())
    return pd.concat(rows, ignore_index=True), facts


def ring_run_on_grid(
    log_p: Array, log_q0: Array, weights: Array, eps: float, rounds: int
) -> tuple[list[tuple[float, float]], Array]:
    r"""Run MBDE with clipped log-odds as classifiers on densities given at nodes.

    Returns the edges by round and $\log Q_T$. `log_p`, `log_q0` and the quadrature `weights` have shape (N,). What
    `mbde` gives with `BayesLearner("clip")`, by arrays: integrals are sums with the weights. Raises ValueError or
    TypeError for shapes that differ or bad numbers.
    """
    log_p = check_array("log_p", log_p, ndim=1)
    log_q = check_array("log_q0", log_q0, shape=log_p.shape)
    weights = check_array("weights", weights, shape=log_p.shape)
    p, edges = weights * np.exp(log_p), []
    for step in theta(eps, rounds):
        classifier = np.clip(log_p - log_q, -LOG2, LOG2)
        largest = float(np.abs(classifier).max())
        raised = log_q + step * classifier
        edges.append((float(p @ classifier) / largest, -float((weights * np.exp(log_q)) @ classifier) / largest))
        log_q = raised - np.log(weights @ np.exp(raised))
    return edges, log_q


def ring_capture(
    variances: Sequence[float], eps: Sequence[float], rounds: int, radius: float, nodes: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what is promised and captured on the modes of the ring, by reference and $\varepsilon$.

    Regions: "one" and "all", a disc of `radius` around one mode and around all eight; "sector", the points nearest to
    one mode. The first two are means over the modes, which differ by the grid only. Columns variance, eps, region,
    target ($P(B)$), start ($Q_0(B)$), output ($Q_T(B)$), promised (Theorem 8 with $\alpha=0$:
    $P(B)-\operatorname{KL}(P,Q_0;B)$), bound ((*) with the edges of each round), gamma_p, gamma_q (least edges), asked
    and asked_printed (the corrected condition, and (13) with $\alpha=0$). Facts: the largest spread of the output over
    the modes; for "all" and the largest variance, start, output and bound at the ends of `eps`, and the levels
    between which the bound passes the start (nan where it does not).
    """
    check_each("variances", variances, check_eps)
    check_each("eps", eps, check_eps)
    check_count("rounds", rounds)
    radius = check_interval("radius", radius, 0.0, 1.5, open_low=True)
    target = ring()
    centres = np.stack([part.mean for part in target.components if isinstance(part, Gaussian)])
    rows, spread = [], 0.0
    for variance in variances:
        start = Gaussian(np.zeros(2), variance)
        grid = Grid.covering([target, start], nodes=nodes)
        distance = np.linalg.norm(grid.points[:, np.newaxis] - centres, axis=2)
        discs = distance <= radius
        sectors = distance.argmin(axis=1)[:, np.newaxis] == np.arange(len(centres))
        inside = np.concatenate([discs, sectors], axis=1).astype(np.float64)
        log_p, log_q0 = target.log_prob(grid.points), start.log_prob(grid.points)
        for level in eps:
            edges, log_q = ring_run_on_grid(log_p, log_q0, grid.weights, level, rounds)
            p = np.exp(log_p)
            parts = np.stack([p, p * (log_p - log_q0), np.exp(log_q0), np.exp(log_q)])
            sums = (parts * grid.weights) @ inside
            spread = max(spread, float(np.ptp(sums[3, :8])))
            for region, found in (
                ("one", sums[:, :8].mean(axis=1)),
                ("all", sums[:, :8].sum(axis=1)),
                ("sector", sums[:, 8:].mean(axis=1)),
            ):
                mass, divergence = float(found[0]), float(found[1])
                promised = captured_mass(mass, divergence, form="printed")
                gains = [
                    captured_mass(
                        mass, divergence, form="corrected", u=[step * LOG2], gamma_p=edge[0], gamma_q=max(edge[1], 0.0)
                    )
                    - promised
                    for step, edge in zip(theta(level, rounds), edges, strict=True)
                ]
                least = [min(edge[side] for edge in edges) for side in (0, 1)]
                asked = [mass_condition(level, rounds, least[0], least[1], 0.0, form=form) for form in FORMS[::-2]]
                bound = promised + sum(gains)
                rows.append((variance, level, region, mass, *found[2:], promised, bound, *least, *asked))
    names = ["variance", "eps", "region", "target", "start", "output", "promised", "bound"]
    names += ["gamma_p", "gamma_q", "asked", "asked_printed"]
    table = pd.DataFrame(rows, columns=names)
    facts = {"spread": spread, "radius": radius, "rounds": float(rounds)}
    return table, facts | _ends(table[(table["variance"] == max(variances)) & (table["region"] == "all")])


def _ends(rows: pd.DataFrame) -> dict[str, float]:
    """Return masses at the least and the largest level, and the two levels between which the bound passes the start."""
    rows = rows.sort_values("eps")
    facts = {"start": float(rows["start"].iloc[0])}
    for column in ("output", "bound"):
        facts[f"{column}_first"], facts[f"{column}_last"] = (float(rows[column].iloc[end]) for end in (0, -1))
    passed = rows["bound"] > rows["start"]
    facts["below"], facts["above"] = float(rows["eps"][~passed].max()), float(rows["eps"][passed].min())
    return facts
