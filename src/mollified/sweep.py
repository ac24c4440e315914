r"""Try a statement on many random runs of MBDE: in floats on all of them, in balls on those with the least margin.

A statement is a function of `FiniteRuns` that returns margins, (N,) or (N, T), and where it applies. The same function
is evaluated on floats and, for the worst instances, on balls, where its sign is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from flint import ctx

from mollified._validate import Array, check_callable, check_count, check_eps, check_rng
from mollified.checks import Check, Tally
from mollified.finite_runs import CERTIFY_BITS, FiniteRuns, run_batches

__all__ = ["BELOW", "Statement", "Sweep", "edges_below", "sweep"]

#: Returns margins and a mask of where the statement applies, both (N,) or both (N, T).
Statement = Callable[[FiniteRuns], tuple[Any, Any]]

#: The assumption is strict: bounds are tested at edges this share below the exact ones.
BELOW = 2.0**-30


@dataclass(frozen=True)
class Sweep:
    """Hold the outcome in floats, the outcome in balls on the worst instances, and the margins that were seen."""

    floats: Check
    certified: Check
    margins: Array


def edges_below(runs: FiniteRuns) -> tuple[Any, Any]:
    r"""Return admissible edges $(\gamma_P^t,\gamma_Q^t)$, (N, T): the exact ones times $1-2^{-30}$, or zero.

    Zero stands where an edge is not positive. Lower bounds that grow with the edges are tested hardest there.
    """
    if not isinstance(runs, FiniteRuns):
        raise TypeError(f"runs must be FiniteRuns, got {runs!r:.100}")
    edges = []
    for edge in (runs.edge_p, runs.edge_q):
        kept = np.where(runs.learnable, edge, edge * 0) * (1 - BELOW)
        edges.append(kept if kept.dtype == object else np.minimum(kept, 1.0))
    return edges[0], edges[1]


def _worst_by_run(margins: Array, applies: Any) -> Array:
    seen = np.where(applies, margins, np.inf)
    return np.asarray(seen if seen.ndim == 1 else seen.min(axis=1))


def sweep(
    rng: np.random.Generator,
    instances: int,
    statement: Statement,
    *,
    certify: int = 200,
    tolerance: float = 1e-13,
    most_rounds: int = 50,
    keep: int = 200_000,
    extra: Sequence[FiniteRuns] = (),
) -> Sweep:
    r"""Try a statement on at least `instances` random runs and certify the `certify` runs of least margin.

    A run in which the statement applies nowhere counts as no instance; one in which it applies in some round counts
    once, with its least margin. `tolerance` covers rounding of the margins (the sums of at most 50 steps of u <= log 2
    err by less than 1e-14). In balls the sign decides; a run whose sign 256 bits cannot tell raises
    ArithmeticError. At most `keep` margins are returned, the first ones. `extra` runs are tried before the random
    ones. Raises as `run_batches`.
    """
    rng, instances = check_rng("rng", rng), check_count("instances", instances)
    check_callable("statement", statement)
    certify, tolerance = check_count("certify", certify), check_eps("tolerance", tolerance)
    keep = check_count("keep", keep)
    if not (isinstance(extra, Sequence) and all(isinstance(runs, FiniteRuns) for runs in extra)):
        raise TypeError(f"extra must hold FiniteRuns, got {extra!r:.100}")
    tried = violations = 0
    worst, kept, held, example = np.inf, [], 0, None
    candidates: list[tuple[float, FiniteRuns]] = []
    for runs in chain(extra, run_batches(rng, instances, most_rounds)):
        margins, applies = statement(runs)
        by_run = _worst_by_run(np.asarray(margins, dtype=np.float64), applies)
        meets = np.isfinite(by_run)
        if not meets.any():
            continue
        tried, violations = tried + int(meets.sum()), violations + int((by_run < -tolerance).sum())
        if float(by_run[meets].min()) < worst:
            worst = float(by_run[meets].min())
            example = runs.as_text(int(by_run.argmin()))
        if held < keep:
            kept.append(by_run[meets])
            held += int(meets.sum())
        order = np.argsort(by_run)[: min(certify, int(meets.sum()))]
        candidates += [(float(by_run[i]), runs.take([i])) for i in order]
        candidates = sorted(candidates, key=lambda item: item[0])[:certify]
    if not tried:
        raise ValueError(f"statement must apply to some run, got none among {instances}")
    floats = Check(
        tried, violations, worst, "float", tolerance=tolerance, counterexample=example if violations else None
    )
    tally = Tally("certified")
    for _, one in candidates:
        margin, values = _certify(statement, one)
        tally.add(float(margin.mid()), decided=bool(margin > 0), **values)
    return Sweep(floats, tally.check(), np.concatenate(kept)[:keep])


def _certify(statement: Statement, one: FiniteRuns) -> tuple[Any, dict[str, str]]:
    with ctx.workprec(CERTIFY_BITS):
        margins, applies = statement(one.as_balls())
        least = min(
            (m for m, a in zip(np.ravel(margins), np.ravel(applies), strict=True) if a), key=lambda m: float(m.mid())
        )
        if not (least > 0 or least < 0):
            raise ArithmeticError(f"the sign of a margin is not decided at {CERTIFY_BITS} bits: {least}")
    return least, one.as_text(0)
