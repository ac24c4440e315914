r"""Checks of mode capture: v1 and v2 Theorem 8, v3 Theorem 7, and the sharper bound (*).

(*) is $Q_T(B)\ge P(B)-\operatorname{KL}(P,Q_0;B)+\sum_tu_t[P(B)(1+G_t)-(1-\gamma_P)]$ with
$G_t=-\psi(u_t,\gamma_Q)/u_t$, `bounds.captured_mass`. Random runs are tried with every region at once, and count
with their worst one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mollified._validate import _echo, check_fraction, check_trials
from mollified.bounds import captured_mass, gain_share, gain_upper, mass_condition
from mollified.checks import Check
from mollified.finite_runs import FiniteRuns
from mollified.sweep import Statement, edges_below, sweep
from mollified.threshold_runs import threshold_runs

__all__ = [
    "captured_bound",
    "corrected_condition",
    "fat_region_captured",
    "printed_margins",
    "star_margins",
    "sufficient_condition",
    "theorem_eight",
]

ONE = Fraction(1)


def _check_runs(runs: object) -> None:
    if not isinstance(runs, FiniteRuns):
        raise TypeError(f"runs must be FiniteRuns, got {_echo(runs)}")


def _regions(runs: FiniteRuns) -> tuple[Any, Any, Any, Any]:
    r"""Return $P(B)$, $\operatorname{KL}(P,Q_0;B)$, $Q_T(B)$ and $Q_0(B)$, each (N, 2^k - 1).

    For all regions B but the empty one.
    """
    size = np.shape(runs.target)[1]
    inside: Any = (np.arange(1, 2**size)[:, np.newaxis] >> np.arange(size)) & 1
    if np.asarray(runs.eps).dtype == object:
        inside = inside.astype(object)
    local = runs.p * np.log(runs.p / runs.q0)
    parts = [law @ inside.T for law in (runs.p, local, runs.laws[:, -1], runs.q0)]
    if parts[0].dtype != object:
        parts[0] = np.minimum(parts[0], 1.0)
    return parts[0], parts[1], parts[2], parts[3]


def _edges(runs: FiniteRuns) -> tuple[Any, Any, Any]:
    """Return the smallest edges over all rounds, (N, 1), and whether all rounds have positive ones."""
    edge_p, edge_q = edges_below(runs)
    learnable: Any = np.asarray(runs.learnable, dtype=bool).all(axis=1)
    return edge_p.min(axis=1)[:, np.newaxis], edge_q.min(axis=1)[:, np.newaxis], learnable[:, np.newaxis]


def _mask(condition: Any) -> Any:
    return np.asarray(condition, dtype=bool)


def _number(share: Fraction, like: Any) -> Any:
    return like * 0 + share.numerator if share.denominator == 1 else (like * 0 + share.numerator) / share.denominator


def _swept(
    rng: np.random.Generator, instances: int, statement: Statement, certified: bool, *, near: bool = False
) -> Check:
    """Sweep a statement; `near` adds 100 runs near the threshold of the condition on the mass."""
    rng, instances = check_trials(rng, instances)
    extra = [threshold_runs(rng, 100)] if near else []
    found = sweep(rng, instances, statement, certify=200 if certified else 1, extra=extra)
    return found.certified if certified else found.floats


def star_margins(runs: FiniteRuns, *, missing: Fraction = ONE) -> tuple[Any, Any]:
    r"""Return $Q_T(B)$ minus the right-hand side of (*) for all regions, (N, 2^k - 1), and where it applies.

    It applies where both edges are positive in all rounds. Edges are the smallest of the run. `missing` replaces
    $1-\gamma_P$ by that share of it. Floats err by rounding only.
    """
    missing = check_fraction("missing", missing, minimum=0)
    _check_runs(runs)
    mass, divergence, captured, _ = _regions(runs)
    edge_p, edge_q, learnable = _edges(runs)
    u = runs.u[:, np.newaxis, :]
    bound = captured_mass(mass, divergence, form="corrected", u=u, gamma_p=edge_p, gamma_q=edge_q)
    length = runs.u.sum(axis=1)[:, np.newaxis]
    bound = bound + length * (1 - edge_p) * _number(1 - missing, edge_p)
    return captured - bound, learnable & np.ones(mass.shape, dtype=bool)


def captured_bound(
    rng: np.random.Generator, instances: int, *, missing: Fraction = ONE, certified: bool = False
) -> Check:
    r"""Check (*) on random runs and all regions, no matter the regime.

    With `missing` times $1-\gamma_P$ in place of it. `threshold_runs` are among the runs.
    Floats on all runs; with `certified` balls on the 200 of least margin.
    """
    missing = check_fraction("missing", missing, minimum=0)
    return _swept(rng, instances, lambda runs: star_margins(runs, missing=missing), certified, near=True)


def printed_margins(
    runs: FiniteRuns, *, share: Fraction = ONE, claimed: Fraction = ONE, regime: bool = True
) -> tuple[Any, Any]:
    r"""Return the margins of Theorem 8 for all regions, (N, 2^k - 1), and where it applies.

    $Q_T(B)-k(1-\alpha)P(B)+\operatorname{KL}(P,Q_0;B)$, k = `claimed`. (13) is taken with `share` times its right-hand
    side, and $\alpha$ is the least that it allows then, and a little more; share 0 drops (13), with $\alpha=0$.
    Without `regime` any $\gamma_Q>0$ is admitted.
    """
    _check_runs(runs)
    share, claimed = check_fraction("share", share, minimum=0), check_fraction("claimed", claimed, above=0)
    target, divergence, captured, _ = _regions(runs)
    edge_p, edge_q, applies = _edges(runs)
    eps = runs.eps[:, np.newaxis]
    alpha = target * 0
    if share:
        asks = _number(share, edge_p)
        least = asks * mass_condition(eps, runs.rounds, edge_p, edge_q, eps * 0, form="printed")
        alpha = np.maximum(eps / 2 * (least / target - 1) * (1 + 2.0**-30), alpha)
        alpha = np.minimum(alpha, alpha * 0 + 1)
        asked = mass_condition(eps, runs.rounds, edge_p, edge_q, alpha, form="printed")
        applies = applies & _mask(target >= asks * asked)
    else:
        applies = applies & np.ones(target.shape, dtype=bool)
    if regime:
        applies = applies & _mask(3 * edge_q >= 1)
    bound = captured_mass(target, divergence, form="printed", alpha=alpha)
    return captured - bound - (1 - alpha) * target * _number(claimed - 1, target), applies


def theorem_eight(
    rng: np.random.Generator,
    instances: int,
    *,
    share: Fraction = ONE,
    claimed: Fraction = ONE,
    regime: bool = True,
    certified: bool = False,
) -> Check:
    r"""Check Theorem 8 (v3 Theorem 7) on random runs, all regions, and the least $\alpha$ that (13) allows for each.

    Random runs and `threshold_runs`. With `share` 49/100 of the mass that (13) asks for it fails, and with `claimed`
    times $(1-\alpha)P(B)$ in the conclusion for 1.02; without `regime` the high boosting regime is dropped, and it does
    not. Floats on all runs; with `certified` balls on the 200 of least margin.
    """
    share, claimed = check_fraction("share", share, minimum=0), check_fraction("claimed", claimed, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        return printed_margins(runs, share=share, claimed=claimed, regime=regime)

    return _swept(rng, instances, statement, certified, near=True)


def corrected_condition(
    rng: np.random.Generator, instances: int, *, share: Fraction = ONE, certified: bool = False
) -> Check:
    r"""Check the corrected condition: it gives $Q_T(B)\ge P(B)-\operatorname{KL}(P,Q_0;B)$.

    For $P(B)\ge k(1-\gamma_P)/(1+\Gamma(\gamma_Q)/\log2)$ and $\gamma_Q\ge\frac13$. `share` is k: true for 1, and
    refuted for 0.98 by `threshold_runs`, which are among the runs.
    Floats on all runs; with `certified` balls on the 200 of least margin.
    """
    share = check_fraction("share", share, minimum=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        mass, divergence, captured, _ = _regions(runs)
        edge_p, edge_q, applies = _edges(runs)
        asked = mass_condition(runs.eps[:, np.newaxis], runs.rounds, edge_p, edge_q, edge_p * 0, form="corrected")
        applies = applies & _mask(3 * edge_q >= 1) & _mask(mass >= asked * _number(share, edge_p))
        return captured - captured_mass(mass, divergence, form="printed"), applies

    return _swept(rng, instances, statement, certified, near=True)


def sufficient_condition(
    rng: np.random.Generator, instances: int, *, premise: bool = True, certified: bool = False
) -> Check:
    r"""Check (91)-(92) on runs for which (90) holds, with the least $\alpha$ that (91) allows.

    Without `premise` the mass condition (91) is dropped, with $\alpha=0$. Floats, or with `certified` balls.
    """

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        mass, divergence, captured, _ = _regions(runs)
        edge_p, edge_q, applies = _edges(runs)
        eps = runs.eps[:, np.newaxis]
        gain = runs.gain[:, np.newaxis]
        promised = gain_share(edge_p, edge_q, form="printed") * gain_upper(eps, runs.rounds, form="corrected")
        applies = applies & _mask(gain >= promised) & np.ones(mass.shape, dtype=bool)
        alpha = mass * 0
        if premise:
            least = mass_condition(eps, runs.rounds, edge_p, edge_q, eps * 0, form="proof")
            alpha = np.maximum(eps / 2 * (least / mass - 1) * (1 + 2.0**-30), alpha)
            alpha = np.minimum(alpha, alpha * 0 + 1)
            asked = mass_condition(eps, runs.rounds, edge_p, edge_q, alpha, form="proof")
            applies = applies & _mask(mass >= asked)
        return captured - captured_mass(mass, divergence, form="printed", alpha=alpha), applies

    return _swept(rng, instances, statement, certified)


def fat_region_captured(
    rng: np.random.Generator,
    instances: int,
    *,
    share: Fraction = Fraction(1, 2),
    start: bool = False,
    certified: bool = False,
) -> Check:
    r"""Check $Q_T(B)\ge kP(B)$, k = `share`, for regions that Theorem 8 covers with a positive promise.

    Those with (13) for $\alpha=\frac14$, $\operatorname{KL}(P,Q_0;B)\le\frac14P(B)$ and $\gamma_Q\ge\frac13$.
    Theorem 8 gives k = 1/2. `start` checks $Q_0(B)\ge kP(B)$ under the same hypotheses, where Lemma 15 gives k =
    3/4.
    """
    share = check_fraction("share", share, above=0)

    def statement(runs: FiniteRuns) -> tuple[Any, Any]:
        mass, divergence, captured, before = _regions(runs)
        edge_p, edge_q, applies = _edges(runs)
        quarter = edge_p * 0 + 0.25
        asked = mass_condition(runs.eps[:, np.newaxis], runs.rounds, edge_p, edge_q, quarter, form="printed")
        applies = applies & _mask(3 * edge_q >= 1) & _mask(mass >= asked) & _mask(4 * divergence <= mass)
        return (before if start else captured) - _number(share, mass) * mass, applies

    return _swept(rng, instances, statement, certified)
