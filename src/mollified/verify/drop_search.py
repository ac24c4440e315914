r"""Searches around the sharp bound on the drop: its smallest slack over runs, and its largest value over steps."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, ctx

from mollified._validate import Array, check_fraction, check_trials
from mollified.adversary import decode_runs, search_worst, vector_size
from mollified.ball_mbde import ball
from mollified.bounds import kl_drop
from mollified.checks import Check, Tally
from mollified.finite_runs import CERTIFY_BITS, FiniteRuns
from mollified.sweep import edges_below

__all__ = ["best_length", "worst_drop"]

#: Points and rounds of the runs that are searched.
SIZE, ROUNDS = 3, 2
TOLERANCE = 1e-10


def _margins(runs: FiniteRuns, factor: float) -> Array:
    edge_p, edge_q = edges_below(runs)
    bound = kl_drop(runs.theta, runs.c_star, edge_p, edge_q, form="corrected")
    slack = (runs.drop - np.where(bound > 0, factor * bound, bound)) / runs.u
    return np.asarray(np.where(runs.learnable & (runs.u > 1e-6), slack, np.inf).min(axis=1))


def worst_drop(rng: np.random.Generator, instances: int, *, claimed: Fraction = Fraction(1)) -> Check:
    r"""Minimise (drop - sharp bound) / u over two rounds on three points: random starts, then Nelder-Mead. Floats.

    `instances` starts, the 12 best refined; steps with u <= 1e-6 are left out, so that rounding stays below 1e-10.
    `claimed` multiplies the bound where it is positive. Edges are the exact ones less $2^{-30}$ of them.
    """
    rng, instances = check_trials(rng, instances)
    factor = float(check_fraction("claimed", claimed, above=0))
    found = search_worst(
        lambda z: _margins(decode_runs(z, SIZE, ROUNDS), factor),
        vector_size(SIZE, ROUNDS),
        rng,
        starts=instances,
        refine=min(12, instances),
        evaluations=200,
    )
    failed = found.margin < -TOLERANCE
    example = decode_runs(found.point[np.newaxis, :], SIZE, ROUNDS).as_text(0) if failed else None
    return Check(found.evaluated, int(failed), found.margin, "float", tolerance=TOLERANCE, counterexample=example)


def best_length(rng: np.random.Generator, instances: int, *, factor: Fraction = Fraction(1)) -> Check:
    r"""Check that $u\gamma_P-\psi(u,\gamma_Q)$ is largest at $u=\tanh^{-1}\gamma_P+\tanh^{-1}\gamma_Q$. Certified.

    It is compared with steps 0.1 % shorter and longer, which is enough for a concave function of u. `factor`
    multiplies the length.
    """
    rng, instances = check_trials(rng, instances)
    share = check_fraction("factor", factor, above=0)
    tally = Tally("certified")
    with ctx.workprec(CERTIFY_BITS):
        for _ in range(instances):
            edges = [Fraction(int(k), 1000) for k in rng.integers(1, 1000, 2)]
            best = ball(share) * sum((ball(edge).atanh() for edge in edges), arb(0))

            def value(stretch: Fraction, best: arb = best, edges: list[Fraction] = edges) -> arb:
                return arb(kl_drop(best * ball(stretch), arb(1), *map(ball, edges), form="corrected"))

            beside = [value(Fraction(k, 1000)) for k in (999, 1001)]
            slack = min((value(Fraction(1)) - other for other in beside), key=lambda s: float(s.mid()))
            tally.add(float(slack.mid()), decided=bool(slack > 0), gamma_P=edges[0], gamma_Q=edges[1])
    return tally.check()
