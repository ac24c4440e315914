"""Cases for what `mollified.laws` exports."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.laws.uniform import Uniform
from tests.contract.kinds import HALF, INF, NAN, NOT_FRACTIONS, ONE, THIRD, Case


def rng():
    return np.random.default_rng(1)


MASSES = [0.0, 1.0, -0.1, NAN, INF, "small", None]


def methods(name, make, box=True):
    cases = [
        Case(f"{name}.log_prob", lambda: {"x": np.zeros((3, 1))}, {"x": "points"}, make=make),
        Case(f"{name}.sample", lambda: {"n": 3, "rng": rng()}, {"n": "count", "rng": "rng"}, make=make),
    ]
    if box:
        cases.append(Case(f"{name}.box", lambda: {"mass": 1e-3}, {}, {"mass": MASSES}, make=make))
    return cases


COMPONENTS = [None, [], "Q", [3], [Gaussian([0.0], 1.0), Gaussian([0.0, 0.0], 1.0)], Gaussian([0.0], 1.0)]


def mixture():
    return Mixture([Gaussian([0.0], 1.0), Gaussian([1.0], 2.0)], [0.5, 0.5])


NOT_CORNERS = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0]]
BOUNDS = [None, 3, "low", (), (0.5, 0.5), (-HALF, HALF), (HALF,)]
VALUES = [[], [NAN, 0.0, 0.0], [0.0, INF, 0.0], [0.0, 0.0], [[0.0, 0.0, 0.0]], "v", None, 1.0]


def finite():
    return FiniteSpace(3)


def space_methods(name, make, values, size):
    return [
        Case(f"{name}.integrate", lambda: {"values": np.ones(size)}, {}, {"values": values}, make),
        Case(f"{name}.log_integral", lambda: {"log_values": np.zeros(size)}, {}, {"log_values": values}, make),
        Case(f"{name}.supremum", lambda: {"values": np.zeros(size)}, {}, {"values": values}, make),
    ]


LOWER = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0], [1.0]]
UPPER = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0], [0.0], [-1.0]]
NODES = [0, 4, 6, 7, 1.5, "two", None, True, [5, 5], [], [7]]
GRID_VALUES = [[], [NAN] * 5, [INF] * 5, [0.0] * 4, np.zeros((5, 1)), "v", None, 1.0]


def grid():
    return Grid([0.0], [1.0], 5)


P = np.log([0.5, 0.3, 0.2])
Q = np.log([0.2, 0.3, 0.5])
LOGS = [*VALUES, [0.0, 0.0, 701.0]]
DENSITIES = [*LOGS, np.zeros(3), np.full(3, -np.inf)]


def divergence(name, logs=LOGS, **others):
    """A case for a divergence of P and Q; `others` are its further arguments, as (good value, kind)."""
    return Case(
        f"laws.{name}",
        lambda: {
            "log_p": P,
            "log_q": Q,
            "space": finite(),
            **{key: good for key, (good, _) in others.items()},
        },
        {"space": "space"},
        {"log_p": logs, "log_q": logs, **{key: bad for key, (_, bad) in others.items()}},
    )


CASES = [
    Case("laws.Discrete", lambda: {"probabilities": [0.5, 0.5]}, {"probabilities": "probabilities"}),
    *methods("laws.Discrete", lambda: Discrete([0.25, 0.75]), box=False),
    Case(
        "laws.Gaussian",
        lambda: {"mean": [0.0, 1.0], "covariance": [[1.0, 0.5], [0.5, 1.0]]},
        {"mean": "vector", "covariance": "matrix"},
        {"covariance": [0.0, -1.0, NAN, [[1.0, 0.5], [0.4, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0]]]},
    ),
    Case("laws.Gaussian.standard", lambda: {"dim": 2}, {"dim": "count"}),
    *methods("laws.Gaussian", lambda: Gaussian([0.0], 1.0)),
    Case(
        "laws.Mixture",
        lambda: {"components": [Gaussian([0.0], 1.0), Gaussian([1.0], 1.0)], "weights": [0.5, 0.5]},
        {"weights": "probabilities"},
        {"components": COMPONENTS, "weights": [[1.0], [0.2, 0.3, 0.5]]},
    ),
    *methods("laws.Mixture", mixture),
    Case(
        "laws.Uniform",
        lambda: {"lower": [0.0, 0.0], "upper": [1.0, 2.0]},
        {},
        {"lower": [*NOT_CORNERS[:-1], [0.0, 2.0]], "upper": [*NOT_CORNERS, [0.0, 2.0]]},
    ),
    *methods("laws.Uniform", lambda: Uniform([0.0], [1.0])),
    Case(
        "laws.ring",
        lambda: {"modes": 3, "radius": 1.0, "variance": 0.1},
        {"modes": "count", "radius": "eps", "variance": "eps"},
    ),
    Case("laws.mixture_1d", lambda: {"reading": "variance"}, {"reading": "choice"}),
    Case(
        "laws.random_law",
        lambda: {"rng": rng(), "size": 3, "spread": 4},
        {"rng": "rng", "size": "count", "spread": "count"},
        {"spread": [64]},
    ),
    Case("laws.random_root", lambda: {"rng": rng()}, {"rng": "rng"}),
    Case(
        "laws.member_of_box",
        lambda: {"rng": rng(), "low": (Fraction(0), Fraction(0)), "high": (ONE, ONE)},
        {"rng": "rng"},
        {"low": [*BOUNDS, (ONE, ONE)], "high": [*BOUNDS, (THIRD, THIRD)]},
    ),
    Case(
        "laws.random_sparse_law",
        lambda: {"rng": rng(), "size": 3},
        {"rng": "rng", "size": "count"},
    ),
    Case(
        "laws.mollifier_box",
        lambda: {"base": (THIRD, 1 - THIRD), "root": Fraction(2)},
        {},
        {"base": BOUNDS, "root": [*NOT_FRACTIONS, ONE]},
    ),
    Case("laws.FiniteSpace", lambda: {"size": 3}, {"size": "count"}),
    *space_methods("laws.FiniteSpace", finite, VALUES, 3),
    Case(
        "laws.Grid",
        lambda: {"lower": [0.0], "upper": [1.0], "nodes": 5},
        {},
        {"lower": LOWER, "upper": UPPER, "nodes": NODES},
    ),
    Case(
        "laws.Grid.covering",
        lambda: {"distributions": [Gaussian([0.0], 1.0)], "mass": 1e-3, "nodes": 5},
        {},
        {
            "distributions": [
                None,
                3,
                [],
                [3],
                [Gaussian([0.0], 1.0), Gaussian.standard(2)],
                [Gaussian.standard(3)],
            ],
            "mass": MASSES,
            "nodes": [bad for bad in NODES if bad is not None],
        },
    ),
    *space_methods("laws.Grid", grid, GRID_VALUES, 5),
    divergence("kl", DENSITIES),
]
EXEMPT = {
    "laws.Integral": "a record of two numbers, which may be inf",
}
