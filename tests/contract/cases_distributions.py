"""Cases for discrete, gaussian, mixture, uniform and targets."""

from __future__ import annotations

import numpy as np

from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.uniform import Uniform
from tests.contract.kinds import INF, NAN, Case


def rng():
    return np.random.default_rng(1)


def mixture():
    return Mixture([Gaussian([0.0], 1.0), Gaussian([1.0], 2.0)], [0.5, 0.5])


MASSES = [0.0, 1.0, -0.1, NAN, INF, "small", None]
NOT_CORNERS = [[[0.5]], [], [NAN], "v", None, [0.0, 0.0, 0.0]]
COMPONENTS = [None, [], "Q", [3], [Gaussian([0.0], 1.0), Gaussian([0.0, 0.0], 1.0)], Gaussian([0.0], 1.0)]


def methods(name, make, box=True):
    target = f"{name}.{type(make()).__name__}"
    cases = [
        Case(f"{target}.log_prob", lambda: {"x": np.zeros((3, 1))}, {"x": "points"}, make=make),
        Case(f"{target}.sample", lambda: {"n": 3, "rng": rng()}, {"n": "count", "rng": "rng"}, make=make),
    ]
    if box:
        cases.append(Case(f"{target}.box", lambda: {"mass": 1e-3}, {}, {"mass": MASSES}, make=make))
    return cases


CASES = [
    Case("laws.discrete.Discrete", lambda: {"probabilities": [0.5, 0.5]}, {"probabilities": "probabilities"}),
    *methods("laws.discrete", lambda: Discrete([0.25, 0.75]), box=False),
    Case(
        "laws.gaussian.Gaussian",
        lambda: {"mean": [0.0, 1.0], "covariance": [[1.0, 0.5], [0.5, 1.0]]},
        {"mean": "vector", "covariance": "matrix"},
        {"covariance": [0.0, -1.0, NAN, [[1.0, 0.5], [0.4, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0]]]},
    ),
    Case("laws.gaussian.Gaussian.standard", lambda: {"dim": 2}, {"dim": "count"}),
    *methods("laws.gaussian", lambda: Gaussian([0.0], 1.0)),
    Case(
        "laws.mixture.Mixture",
        lambda: {"components": [Gaussian([0.0], 1.0), Gaussian([1.0], 1.0)], "weights": [0.5, 0.5]},
        {"weights": "probabilities"},
        {"components": COMPONENTS, "weights": [[1.0], [0.2, 0.3, 0.5]]},
    ),
    *methods("laws.mixture", mixture),
    Case(
        "laws.uniform.Uniform",
        lambda: {"lower": [0.0, 0.0], "upper": [1.0, 2.0]},
        {},
        {"lower": [*NOT_CORNERS[:-1], [0.0, 2.0]], "upper": [*NOT_CORNERS, [0.0, 2.0]]},
    ),
    *methods("laws.uniform", lambda: Uniform([0.0], [1.0])),
    Case(
        "laws.targets.ring",
        lambda: {"modes": 3, "radius": 1.0, "variance": 0.1},
        {"modes": "count", "radius": "eps", "variance": "eps"},
    ),
    Case("laws.targets.mixture_1d", lambda: {"reading": "variance"}, {"reading": "choice"}),
    Case(
        "laws.targets.random_1d",
        lambda: {"m": 3, "rng": rng(), "variance": 0.1},
        {"m": "count", "rng": "rng", "variance": "eps"},
    ),
    Case(
        "laws.targets.random_2d",
        lambda: {"m": 3, "rng": rng(), "half_width": 2.0, "variance": 0.1},
        {"m": "count", "rng": "rng", "half_width": "eps", "variance": "eps"},
    ),
]
