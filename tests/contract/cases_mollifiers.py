"""Cases for what `mollified.mollifiers` exports."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.laws.discrete import Discrete
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.mollifiers.relative_mollifier import Mollification, RelativeMollifier
from mollified.privacy.exact_level import ExactLevel
from tests.contract.kinds import HALF, NOT_FRACTIONS, ONE, THIRD, Case

CHOICE = ["no-such-choice", None, 3]


def mollifier():
    return RelativeMollifier(Discrete([0.5, 0.5]), 1.0)


POINTS = np.zeros((3, 1))


def mollification():
    return Mollification(Discrete([0.9, 0.1]), Discrete([0.5, 0.5]), 1.0, 0.0)


def rng():
    return np.random.default_rng(1)


PAIR = (HALF, HALF)
LEVEL = ExactLevel(exp_eps=Fraction(4))
#: Not a vector of two rationals that sum to one exactly.
NOT_EXACT = [None, 3, "p", (), (0.5, 0.5), (HALF, THIRD), (Fraction(3, 2), -HALF), (True, False), (ONE,)]
NOT_LAWS = [*NOT_EXACT[:-1]]
NOT_LEVELS = [None, 1.0, "level", Fraction(2)]
NOT_ROOTS = [*NOT_FRACTIONS, ONE, HALF]

CASES = [
    Case(
        "mollifiers.repaired",
        lambda: {
            "values": np.array([-1.0, 2.0]),
            "weights": np.array([0.5, 0.5]),
            "repair": "shift",
            "uniform": 0.1,
        },
        {"values": "array", "weights": "vector", "uniform": "unit"},
        {"values": [np.ones(3)], "weights": [np.array([0.0, 1.0])], "repair": CHOICE},
    ),
    Case(
        "mollifiers.repair_error",
        lambda: {"error": 0.1, "largest": 3.0, "repair": "clip"},
        {"error": "unit", "largest": "eps"},
        {"error": [1.0], "repair": CHOICE},
    ),
    Case(
        "mollifiers.RelativeMollifier",
        lambda: {"reference": Discrete([0.5, 0.5]), "eps": 1.0},
        {"reference": "distribution", "eps": "eps"},
    ),
    Case(
        "mollifiers.RelativeMollifier.contains",
        lambda: {"q": Discrete([0.5, 0.5]), "space": FiniteSpace(2), "tolerance": 1e-9},
        {"q": "distribution", "space": "space", "tolerance": "finite"},
        {"tolerance": [-1e-9], "space": [Grid([0.0, 0.0], [1.0, 1.0], 5)]},
        make=mollifier,
    ),
    *[
        Case(
            f"mollifiers.RelativeMollifier.{method}",
            lambda: {"p": Discrete([0.9, 0.1]), "space": FiniteSpace(2)},
            {"p": "distribution", "space": "space"},
            {"space": [Grid([0.0, 0.0], [1.0, 1.0], 5)]},
            make=mollifier,
        )
        for method in ("project", "complete")
    ],
    Case(
        "mollifiers.Mollification",
        lambda: {
            "target": Discrete([0.9, 0.1]),
            "reference": Discrete([0.5, 0.5]),
            "eps": 1.0,
            "log_constant": 0.0,
        },
        {"target": "distribution", "reference": "distribution", "eps": "eps", "log_constant": "finite"},
    ),
    Case(
        "mollifiers.Mollification.log_ratio",
        lambda: {"x": POINTS},
        {"x": "points"},
        make=mollification,
    ),
    Case(
        "mollifiers.Mollification.log_prob",
        lambda: {"x": POINTS},
        {"x": "points"},
        make=mollification,
    ),
    Case(
        "mollifiers.Mollification.sample",
        lambda: {"n": 3, "rng": rng()},
        {"n": "count", "rng": "rng"},
        make=mollification,
    ),
    Case(
        "mollifiers.exact_contains",
        lambda: {"q": PAIR, "reference": (THIRD, 2 * THIRD), "level": LEVEL},
        {},
        {"q": NOT_EXACT, "reference": NOT_LAWS, "level": NOT_LEVELS},
    ),
    Case(
        "mollifiers.exact_projection",
        lambda: {"p": PAIR, "reference": (THIRD, 2 * THIRD), "root": Fraction(2)},
        {},
        {"p": NOT_EXACT, "reference": NOT_LAWS, "root": NOT_ROOTS},
    ),
]
EXEMPT = {
    "mollifiers.Membership": "a record that only RelativeMollifier.contains makes",
}
