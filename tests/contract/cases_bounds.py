"""Cases for the bounds of the papers, and for what tries them: runs, searches, proofs by subdivision."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb

from mollified.sampling.finite_runs import random_runs
from tests.contract.kinds import INF, NAN, Case

NOT_NUMBERS = [None, "x", NAN, INF, True]
EDGE = [*NOT_NUMBERS, -0.1, 1.1, arb("1.1"), np.array([0.5, 1.5])]
POSITIVE = [*NOT_NUMBERS, 0.0, -1.0, arb(-1)]
FORM = ["exact", None, 3]
STEP = {"theta": POSITIVE, "c_star": POSITIVE}
EDGES = {"gamma_p": EDGE, "gamma_q": EDGE}
GOOD_STEP = {"theta": 0.5, "c_star": 0.6}
GOOD_EDGES = {"gamma_p": 0.5, "gamma_q": 0.4}
RUNS = random_runs(np.random.default_rng(1), 3, 2, 2)
F = Fraction


def rng():
    return np.random.default_rng(1)


def bound(name, good, bad, counts=()):
    """A bound with a form; `counts` are integer arguments."""
    return Case(f"boosting.bounds.{name}", lambda: good, dict.fromkeys(counts, "count"), bad)


def runs_arguments(name, value):
    fields = {key: getattr(RUNS, key) for key in ("target", "reference", "shape", "scale", "eps")}
    return {**fields, name: value}


BAD_ARRAYS = [None, "a", np.full((3, 2, 9), 1.0), np.full((3,), NAN)]
CASES = [
    bound("gamma_function", {"z": 0.5}, {"z": [*NOT_NUMBERS, 1.5]}),
    bound("log_moment", {"u": 0.5, "gamma_q": 0.5}, {"u": [*NOT_NUMBERS, -1.0, 400.0], "gamma_q": EDGE}),
    bound("kl_drop_hoeffding", {**GOOD_STEP, **GOOD_EDGES}, {**STEP, **EDGES}),
    bound(
        "kl_drop",
        {**GOOD_STEP, **GOOD_EDGES, "form": "printed", "regime": None},
        {**STEP, **EDGES, "form": FORM, "regime": ["middle", 3]},
    ),
    bound("gain_upper", {"eps": 1.0, "rounds": 2, "form": "printed"}, {"eps": POSITIVE, "form": FORM}, ["rounds"]),
    bound("gain_share", {**GOOD_EDGES, "form": "printed"}, {**EDGES, "form": FORM}),
    bound(
        "gain_lower",
        {"eps": 1.0, "rounds": 2, **GOOD_EDGES, "form": "corrected", "c_star": None},
        {"eps": POSITIVE, **EDGES, "form": FORM, "c_star": [0.5, [0.5], [0.5, -0.5], "c"]},
        ["rounds"],
    ),
    Case(
        "sampling.finite_runs.random_runs",
        lambda: {"rng": rng(), "instances": 3, "size": 3, "rounds": 2},
        {"rng": "rng", "instances": "count", "size": "count", "rounds": "count"},
    ),
    Case(
        "sampling.finite_runs.FiniteRuns",
        lambda: runs_arguments("eps", RUNS.eps),
        {},
        dict.fromkeys(("target", "reference", "shape", "scale", "eps"), BAD_ARRAYS),
    ),
    Case("sampling.finite_runs.edges_below", lambda: {"runs": RUNS}, {}, {"runs": [None, 3, "runs"]}),
]
CASES += [
    Case(
        "sampling.finite_runs.run_batches",
        lambda: {"rng": rng(), "instances": 3, "most_rounds": 2},
        {"rng": "rng", "instances": "count", "most_rounds": "count"},
    ),
]
EXEMPT = {
    "sampling.finite_runs.FiniteRuns.take": "takes any index that numpy takes; numpy raises",
}
