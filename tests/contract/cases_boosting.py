"""Cases for what `mollified.boosting` exports."""

from __future__ import annotations

import numpy as np
from flint import arb

from mollified.boosting.boosted_density import BoostedDensity
from mollified.boosting.finite_runs import random_runs
from mollified.boosting.polynomial_learner import PolynomialLearner
from mollified.boosting.weak_learner import BayesLearner
from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from tests.contract.kinds import INF, NAN, Case
from tests.mollified.tabular import Tabular

NOT_NUMBERS = [None, "x", NAN, INF, True]
EDGE = [*NOT_NUMBERS, -0.1, 1.1, arb("1.1"), np.array([0.5, 1.5])]
POSITIVE = [*NOT_NUMBERS, 0.0, -1.0, arb(-1)]
STEP = {"theta": POSITIVE, "c_star": POSITIVE}
EDGES = {"gamma_p": EDGE, "gamma_q": EDGE}
GOOD_STEP = {"theta": 0.5, "c_star": 0.6}
GOOD_EDGES = {"gamma_p": 0.5, "gamma_q": 0.4}


def bound(name, good, bad, counts=()):
    """A bound with a form; `counts` are integer arguments."""
    return Case(f"boosting.{name}", lambda: good, dict.fromkeys(counts, "count"), bad)


FORM = ["exact", None, 3]


def rng():
    return np.random.default_rng(1)


RUNS = random_runs(np.random.default_rng(1), 3, 2, 2)


def runs_arguments(name, value):
    fields = {key: getattr(RUNS, key) for key in ("target", "reference", "shape", "scale", "eps")}
    return {**fields, name: value}


BAD_ARRAYS = [None, "a", np.full((3, 2, 9), 1.0), np.full((3,), NAN)]
LINE = Grid([-4.0], [4.0], 65)
PLANE_GRID = Grid([0.0, 0.0], [1.0, 1.0], 5)


def fit(name, make, extra=None):
    return Case(
        f"{name}.fit",
        lambda: {"target": Discrete([0.9, 0.1]), "current": Discrete([0.5, 0.5]), "iteration": 1, "rng": rng()},
        {"target": "distribution", "current": "distribution", "iteration": "count", "rng": "rng"},
        extra or {},
        make=make,
    )


def boosted():
    return BoostedDensity(Discrete([0.5, 0.5]), [0.1], [Tabular([0.5, -0.5])], FiniteSpace(2))


POINTS = np.zeros((3, 1))
PLANE = Gaussian.standard(2)
LAWS = [[0.75, 0.25], [0.5, 0.5]]
NOT_ROWS = [None, "p", [0.5, 0.5], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]]]

CASES = [
    bound("kl_drop_hoeffding", {**GOOD_STEP, **GOOD_EDGES}, {**STEP, **EDGES}),
    bound(
        "kl_drop",
        {**GOOD_STEP, **GOOD_EDGES, "form": "printed", "regime": None},
        {**STEP, **EDGES, "form": FORM, "regime": ["middle", 3]},
    ),
    bound("gain_upper", {"eps": 1.0, "rounds": 2, "form": "printed"}, {"eps": POSITIVE, "form": FORM}, ["rounds"]),
    bound(
        "gain_lower",
        {"eps": 1.0, "rounds": 2, **GOOD_EDGES, "form": "corrected", "c_star": None},
        {"eps": POSITIVE, **EDGES, "form": FORM, "c_star": [0.5, [0.5], [0.5, -0.5], "c"]},
        ["rounds"],
    ),
    Case(
        "boosting.random_runs",
        lambda: {"rng": rng(), "instances": 3, "size": 3, "rounds": 2},
        {"rng": "rng", "instances": "count", "size": "count", "rounds": "count"},
    ),
    Case(
        "boosting.FiniteRuns",
        lambda: runs_arguments("eps", RUNS.eps),
        {},
        dict.fromkeys(("target", "reference", "shape", "scale", "eps"), BAD_ARRAYS),
    ),
    Case("boosting.edges_below", lambda: {"runs": RUNS}, {}, {"runs": [None, 3, "runs"]}),
    Case(
        "boosting.PolynomialLearner",
        lambda: {"degree": 1, "method": "clip", "space": LINE},
        {"degree": "count", "method": "choice", "space": "space"},
        {"space": [PLANE_GRID]},
    ),
    Case(
        "boosting.PolynomialLearner.fit",
        lambda: {
            "target": Gaussian.standard(1),
            "current": Gaussian.standard(1),
            "iteration": 1,
            "rng": np.random.default_rng(1),
        },
        {"target": "distribution", "current": "distribution", "iteration": "count", "rng": "rng"},
        make=lambda: PolynomialLearner(1, "clip", LINE),
    ),
    *[
        Case(f"boosting.{name}", lambda: {"eps": 1.0, "rounds": 3}, {"eps": "eps", "rounds": "count"})
        for name in ("theta", "spent_level")
    ],
    Case("boosting.BayesLearner", lambda: {"method": "clip"}, {"method": "choice"}),
    fit("boosting.BayesLearner", lambda: BayesLearner("clip")),
    Case(
        "boosting.BoostedDensity",
        lambda: {
            "reference": Discrete([0.5, 0.5]),
            "thetas": [0.1],
            "classifiers": [Tabular([0.5, -0.5])],
            "space": FiniteSpace(2),
        },
        {"reference": "distribution", "thetas": "vector", "space": "space"},
        {
            "thetas": [[0.1, 0.1], [-0.1]],
            "classifiers": [
                None,
                [],
                3,
                "c",
                [3],
                [lambda x: x[:, 0]],
            ],
            "space": [Grid([0.0, 0.0], [1.0, 1.0], 5)],
        },
    ),
    *[
        Case(f"boosting.BoostedDensity.{name}", lambda: {"x": POINTS}, {"x": "points"}, make=boosted)
        for name in ("statistic", "log_ratio", "log_prob")
    ],
    Case(
        "boosting.BoostedDensity.sample",
        lambda: {"n": 3, "rng": rng()},
        {"n": "count", "rng": "rng"},
        make=boosted,
    ),
    Case(
        "boosting.mbde",
        lambda: {
            "target": Discrete([0.9, 0.1]),
            "reference": Discrete([0.5, 0.5]),
            "eps": 1.0,
            "rounds": 2,
            "learner": BayesLearner("clip"),
            "space": FiniteSpace(2),
            "rng": rng(),
        },
        {
            "target": "distribution",
            "reference": "distribution",
            "eps": "eps",
            "rounds": "count",
            "space": "space",
            "rng": "rng",
        },
        {"target": [PLANE], "reference": [PLANE], "learner": [None, 3, "learner"]},
    ),
    *[
        Case(
            f"boosting.{name}",
            lambda: {"p": LAWS, "reference": LAWS, "oscillation": [0.5, 0.5]},
            {},
            {
                "p": NOT_ROWS,
                "reference": [*NOT_ROWS, [[1.0, 0.0], [0.5, 0.5]]],
                "oscillation": [None, "o", 0.5, [0.5], [0.0, 1.0]],
            },
        )
        for name in ("family_gain",)
    ],
    Case(
        "boosting.run_batches",
        lambda: {"rng": rng(), "instances": 3, "most_rounds": 2},
        {"rng": "rng", "instances": "count", "most_rounds": "count"},
    ),
]
EXEMPT = {
    "boosting.FiniteRuns.take": "takes any index that numpy takes; numpy raises",
}
