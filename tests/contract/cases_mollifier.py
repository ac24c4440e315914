"""Cases for mollifiers: exact levels, membership, projection, ranges, hulls, instances."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.laws.discrete import Discrete
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.mollifiers.exact_level import ExactLevel
from mollified.mollifiers.relative_mollifier import Mollification, RelativeMollifier
from tests.contract.kinds import INF, NAN, Case

HALF, THIRD, ONE = Fraction(1, 2), Fraction(1, 3), Fraction(1)
PAIR = (HALF, HALF)
LEVEL = ExactLevel(exp_eps=Fraction(4))
#: Not a vector of two rationals that sum to one exactly.
NOT_EXACT = [None, 3, "p", (), (0.5, 0.5), (HALF, THIRD), (Fraction(3, 2), -HALF), (True, False), (ONE,)]
NOT_LAWS = [*NOT_EXACT[:-1]]
NOT_FAMILIES = [None, 3, "f", (), ((0.5, 0.5),), ((HALF, THIRD),)]
NOT_LEVELS = [None, 1.0, "level", Fraction(2)]
NOT_FRACTIONS = [None, 0.5, "r", True]
NOT_POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
NOT_ROOTS = [*NOT_FRACTIONS, ONE, HALF]
LOG_FAMILIES = [None, "f", [], [0.5, 0.5], [[NAN, 0.0]], [[INF, 0.0]]]
LOGS = [[], [NAN, 0.0], [0.0, INF], [[0.0, 0.0]], "v", None, 1.0]
BOUNDS = [None, 3, "low", (), (0.5, 0.5), (-HALF, HALF), (HALF,)]


def rng():
    return np.random.default_rng(1)


def mollifier():
    return RelativeMollifier(Discrete([0.5, 0.5]), 1.0)


def mollification():
    return Mollification(Discrete([0.9, 0.1]), Discrete([0.5, 0.5]), 1.0, 0.0)


POINTS = np.zeros((3, 1))
CASES = [
    Case(
        "mollifiers.exact_level.ExactLevel",
        lambda: {"eps": Fraction(1), "exp_eps": None},
        {},
        {"eps": [0.5, "one", True, 0, Fraction(-1), None], "exp_eps": [Fraction(2)]},
    ),
    Case(
        "mollifiers.exact_level.ExactLevel",
        lambda: {"eps": None, "exp_eps": Fraction(2)},
        {},
        {"eps": [Fraction(2)], "exp_eps": [1.5, "two", True, 1, HALF, None]},
    ),
    *[
        Case(
            f"mollifiers.exact_level.ExactLevel.{method}",
            lambda: {"value": Fraction(3), "power": HALF},
            {},
            {"value": NOT_FRACTIONS, "power": NOT_FRACTIONS},
            make=lambda: LEVEL,
        )
        for method in ("compare", "at_most")
    ],
    Case(
        "mollifiers.mollifier.mollifier_level",
        lambda: {"log_densities": np.zeros((2, 3))},
        {},
        {"log_densities": LOG_FAMILIES},
    ),
    Case(
        "mollifiers.mollifier.exact_violation",
        lambda: {"family": (PAIR, (THIRD, 2 * THIRD)), "level": LEVEL},
        {},
        {"family": NOT_FAMILIES[:4], "level": NOT_LEVELS},
    ),
    Case(
        "mollifiers.relative_mollifier.RelativeMollifier",
        lambda: {"reference": Discrete([0.5, 0.5]), "eps": 1.0},
        {"reference": "distribution", "eps": "eps"},
    ),
    Case(
        "mollifiers.relative_mollifier.RelativeMollifier.log_bounds",
        lambda: {"x": POINTS},
        {"x": "points"},
        make=mollifier,
    ),
    Case(
        "mollifiers.relative_mollifier.RelativeMollifier.contains",
        lambda: {"q": Discrete([0.5, 0.5]), "space": FiniteSpace(2), "tolerance": 1e-9},
        {"q": "distribution", "space": "space", "tolerance": "finite"},
        {"tolerance": [-1e-9], "space": [Grid([0.0, 0.0], [1.0, 1.0], 5)]},
        make=mollifier,
    ),
    *[
        Case(
            f"mollifiers.relative_mollifier.RelativeMollifier.{method}",
            lambda: {"p": Discrete([0.9, 0.1]), "space": FiniteSpace(2)},
            {"p": "distribution", "space": "space"},
            {"space": [Grid([0.0, 0.0], [1.0, 1.0], 5)]},
            make=mollifier,
        )
        for method in ("project", "complete")
    ],
    Case(
        "mollifiers.relative_mollifier.Mollification",
        lambda: {
            "target": Discrete([0.9, 0.1]),
            "reference": Discrete([0.5, 0.5]),
            "eps": 1.0,
            "log_constant": 0.0,
        },
        {"target": "distribution", "reference": "distribution", "eps": "eps", "log_constant": "finite"},
    ),
    Case(
        "mollifiers.relative_mollifier.Mollification.log_ratio",
        lambda: {"x": POINTS},
        {"x": "points"},
        make=mollification,
    ),
    Case(
        "mollifiers.relative_mollifier.Mollification.log_prob",
        lambda: {"x": POINTS},
        {"x": "points"},
        make=mollification,
    ),
    Case(
        "mollifiers.relative_mollifier.Mollification.sample",
        lambda: {"n": 3, "rng": rng()},
        {"n": "count", "rng": "rng"},
        make=mollification,
    ),
    Case(
        "mollifiers.relative_mollifier.clip_constant",
        lambda: {
            "log_p": np.log([0.9, 0.1]),
            "log_q0": np.log([0.5, 0.5]),
            "weights": np.ones(2),
            "eps": 1.0,
        },
        {"eps": "eps"},
        {
            "log_p": LOGS,
            "log_q0": LOGS,
            "weights": [[], [NAN, 1.0], np.array([-1.0, 1.0]), [1.0], "w", None],
            "eps": [1401.0],
        },
    ),
    Case(
        "mollifiers.exact_projection.exact_contains",
        lambda: {"q": PAIR, "reference": (THIRD, 2 * THIRD), "level": LEVEL},
        {},
        {"q": NOT_EXACT, "reference": NOT_LAWS, "level": NOT_LEVELS},
    ),
    Case(
        "mollifiers.exact_projection.projection_mass",
        lambda: {"p": PAIR, "reference": (THIRD, 2 * THIRD), "root": Fraction(2), "constant": ONE},
        {},
        {"p": NOT_EXACT, "reference": NOT_LAWS, "root": NOT_ROOTS, "constant": NOT_POSITIVE},
    ),
    Case(
        "mollifiers.exact_projection.exact_projection",
        lambda: {"p": PAIR, "reference": (THIRD, 2 * THIRD), "root": Fraction(2)},
        {},
        {"p": NOT_EXACT, "reference": NOT_LAWS, "root": NOT_ROOTS},
    ),
    Case(
        "laws.random_laws.random_law",
        lambda: {"rng": rng(), "size": 3, "spread": 4},
        {"rng": "rng", "size": "count", "spread": "count"},
        {"spread": [64]},
    ),
    Case(
        "laws.random_laws.random_fraction",
        lambda: {"rng": rng(), "low": Fraction(0), "high": ONE, "steps": 4},
        {"rng": "rng", "steps": "count"},
        {"low": [*NOT_FRACTIONS, Fraction(2)], "high": [*NOT_FRACTIONS, Fraction(-1)]},
    ),
    Case("laws.random_laws.random_root", lambda: {"rng": rng()}, {"rng": "rng"}),
    Case(
        "laws.random_laws.member_of_box",
        lambda: {"rng": rng(), "low": (Fraction(0), Fraction(0)), "high": (ONE, ONE)},
        {"rng": "rng"},
        {"low": [*BOUNDS, (ONE, ONE)], "high": [*BOUNDS, (THIRD, THIRD)]},
    ),
    Case(
        "laws.random_laws.random_signs",
        lambda: {"rng": rng(), "size": 3, "limit": ONE},
        {"rng": "rng", "size": "count"},
        {"limit": [*NOT_FRACTIONS, Fraction(-1)]},
    ),
    Case("laws.random_laws.random_level", lambda: {"rng": rng()}, {"rng": "rng"}),
    Case(
        "laws.random_laws.random_sparse_law",
        lambda: {"rng": rng(), "size": 3},
        {"rng": "rng", "size": "count"},
    ),
    Case(
        "laws.random_laws.mollifier_box",
        lambda: {"base": (THIRD, 1 - THIRD), "root": Fraction(2)},
        {},
        {"base": BOUNDS, "root": [*NOT_FRACTIONS, ONE]},
    ),
]

EXEMPT = {
    "mollifiers.relative_mollifier.Membership": "a record that only RelativeMollifier.contains makes",
    "mollifiers.exact_level.exact_probabilities": "checks an argument for its callers, whose cases here all run it",
}
