"""Cases for spaces, quadrature and divergences."""

from __future__ import annotations

import numpy as np

from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from tests.contract.kinds import INF, NAN, Case

VALUES = [[], [NAN, 0.0, 0.0], [0.0, INF, 0.0], [0.0, 0.0], [[0.0, 0.0, 0.0]], "v", None, 1.0]
GRID_VALUES = [[], [NAN] * 5, [INF] * 5, [0.0] * 4, np.zeros((5, 1)), "v", None, 1.0]
LOWER = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0], [1.0]]
UPPER = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0], [0.0], [-1.0]]
NODES = [0, 4, 6, 7, 1.5, "two", None, True, [5, 5], [], [7]]
MASSES = [0.0, 1.0, -0.1, NAN, INF, "small", None]
P = np.log([0.5, 0.3, 0.2])
Q = np.log([0.2, 0.3, 0.5])
LOGS = [*VALUES, [0.0, 0.0, 701.0]]
DENSITIES = [*LOGS, np.zeros(3), np.full(3, -np.inf)]


def finite():
    return FiniteSpace(3)


def grid():
    return Grid([0.0], [1.0], 5)


def space_methods(name, make, values, size):
    return [
        Case(f"{name}.integrate", lambda: {"values": np.ones(size)}, {}, {"values": values}, make),
        Case(f"{name}.log_integral", lambda: {"log_values": np.zeros(size)}, {}, {"log_values": values}, make),
        Case(f"{name}.supremum", lambda: {"values": np.zeros(size)}, {}, {"values": values}, make),
    ]


def divergence(name, logs=LOGS, **others):
    """A case for a divergence of P and Q; `others` are its further arguments, as (good value, kind)."""
    return Case(
        f"laws.divergences.{name}",
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
    Case("laws.spaces.FiniteSpace", lambda: {"size": 3}, {"size": "count"}),
    *space_methods("laws.spaces.FiniteSpace", finite, VALUES, 3),
    Case(
        "laws.spaces.Grid",
        lambda: {"lower": [0.0], "upper": [1.0], "nodes": 5},
        {},
        {"lower": LOWER, "upper": UPPER, "nodes": NODES},
    ),
    Case(
        "laws.spaces.Grid.covering",
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
    *space_methods("laws.spaces.Grid", grid, GRID_VALUES, 5),
    Case("laws.divergences.entropy", lambda: {"log_p": P, "space": finite()}, {"space": "space"}, {"log_p": LOGS}),
    divergence("kl", DENSITIES),
    divergence("renyi", alpha=(2.0, [0.0, -1.0, 1.0, NAN, INF, "two", None])),
    divergence("max_divergence"),
]

EXEMPT = {"laws.spaces.Integral": "a record of two numbers, which may be inf"}
