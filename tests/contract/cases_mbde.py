"""Cases for MBDE: step sizes, classifiers, weak learners, the density and its ball arithmetic twin."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import torch

from mollified.boosting.boosted_density import BoostedDensity
from mollified.boosting.classifiers import Tabular
from mollified.boosting.weak_learner import BayesLearner
from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.mollifiers.exact_level import ExactLevel
from mollified.training.network import NetworkLearner
from tests.contract.kinds import Case

HALF = Fraction(1, 2)
PAIR = (HALF, HALF)
LEVEL = ExactLevel(eps=Fraction(1))
NOT_LEVELS = [None, 1.0, "level", Fraction(2)]
NOT_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3))]
PLANE = Gaussian.standard(2)


def rng():
    return np.random.default_rng(1)


def boosted():
    return BoostedDensity(Discrete([0.5, 0.5]), [0.1], [Tabular([0.5, -0.5])], FiniteSpace(2))


def learner():
    return NetworkLearner("clip", samples=4, steps=1, device=torch.device("cpu"))


def fit(name, make, extra=None):
    return Case(
        f"{name}.fit",
        lambda: {"target": Discrete([0.9, 0.1]), "current": Discrete([0.5, 0.5]), "iteration": 1, "rng": rng()},
        {"target": "distribution", "current": "distribution", "iteration": "count", "rng": "rng"},
        extra or {},
        make=make,
    )


POINTS = np.zeros((3, 1))
CASES = [
    Case("boosting.ball_mbde.ball", lambda: {"value": HALF}, {}, {"value": [None, 0.5, "1/2", True]}),
    *[
        Case(f"boosting.theta.{name}", lambda: {"eps": 1.0, "rounds": 3}, {"eps": "eps", "rounds": "count"})
        for name in ("theta", "theta_sum", "spent_level")
    ],
    Case(
        "boosting.classifiers.bounded",
        lambda: {"logit": [0.5, 3.0], "method": "clip"},
        {"logit": "array", "method": "choice"},
    ),
    Case(
        "boosting.classifiers.BoundedLogit",
        lambda: {"logit": lambda x: x[:, 0], "method": "tanh"},
        {"logit": "callable", "method": "choice"},
    ),
    Case(
        "boosting.classifiers.Tabular", lambda: {"values": [0.5, -0.5]}, {"values": "vector"}, {"values": [[0.0, 0.0]]}
    ),
    Case(
        "boosting.classifiers.edge",
        lambda: {"values": [0.5, -0.5], "law": [0.9, 0.1], "bound": 0.5},
        {"values": "vector", "law": "probabilities", "bound": "eps"},
        {"law": [[1.0]]},
    ),
    Case("boosting.weak_learner.BayesLearner", lambda: {"method": "clip"}, {"method": "choice"}),
    fit("boosting.weak_learner.BayesLearner", lambda: BayesLearner("clip")),
    Case(
        "training.network.build_network",
        lambda: {"dim": 2, "generator": torch.Generator()},
        {"dim": "count"},
        {"generator": [None, 0, np.random.default_rng(1)]},
    ),
    Case(
        "training.network.NetworkLearner",
        lambda: {
            "method": "clip",
            "samples": 4,
            "steps": 1,
            "optimiser": "adam",
            "learning_rate": 0.01,
            "momentum": 0.9,
            "device": torch.device("cpu"),
        },
        {
            "method": "choice",
            "samples": "count",
            "steps": "count",
            "optimiser": "choice",
            "learning_rate": "eps",
            "momentum": "eps",
        },
        {"device": ["cpu", 0]},
    ),
    fit("training.network.NetworkLearner", learner, {"target": [PLANE], "current": [PLANE]}),
    Case(
        "boosting.boosted_density.BoostedDensity",
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
        Case(f"boosting.boosted_density.BoostedDensity.{name}", lambda: {"x": POINTS}, {"x": "points"}, make=boosted)
        for name in ("statistic", "log_ratio", "log_prob")
    ],
    Case(
        "boosting.boosted_density.BoostedDensity.sample",
        lambda: {"n": 3, "rng": rng()},
        {"n": "count", "rng": "rng"},
        make=boosted,
    ),
    Case(
        "boosting.mbde.mbde",
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
    Case(
        "boosting.ball_mbde.ball_theta",
        lambda: {"level": LEVEL, "rounds": 3},
        {"rounds": "count"},
        {"level": NOT_LEVELS},
    ),
    Case(
        "boosting.ball_mbde.ball_mbde",
        lambda: {"reference": PAIR, "classifiers": [(1, -1)], "level": LEVEL},
        {},
        {
            "reference": NOT_LAWS,
            "classifiers": [None, 3, "c", [], [3], [(1, -1, 1)], [(0.5, 0.5)], [(True, False)]],
            "level": NOT_LEVELS,
        },
    ),
]

EXEMPT = {"boosting.boosted_density.Certificate": "a record that only BoostedDensity.certificate makes"}
