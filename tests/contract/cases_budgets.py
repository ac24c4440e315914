"""Cases for budgets of groups and of samples, and for the figures of post-processing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
NUMBER = [0.0, -1.0, NAN, "one", None, True, [], np.array([None])]
ABOVE_ONE = [*NUMBER, 1.0, 0.5]
FORMS = ["no-such-form", None, 3]
FORM = ("corrected", FORMS)
LEVELS = [0.0, -1.0, NAN, "one", None, True]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
TWO_UP = [0, 1, 1.5, "two", None]
COUNT = [0, -3, 1.5, "two", None, True]


CASES = [
    Case(
        "budget_bounds.level_of_draws",
        lambda: {"eps": 1.0, "rounds": 3, "draws": 2, "form": "corrected"},
        {"rounds": "count", "draws": "count"},
        {"eps": LEVELS, "form": FORMS},
    ),
    Case(
        "budget_bounds.divided_level",
        lambda: {"eps": 1.0, "rounds": 3, "eps_by": 2, "classifiers_by": 2},
        {"rounds": "count"},
        {"eps": NUMBER, "eps_by": NUMBER, "classifiers_by": NUMBER},
    ),
    Case(
        "budget_bounds.laplace_variance",
        lambda: {"sensitivity": 1.0, "eps": HALF},
        {},
        {"sensitivity": NUMBER, "eps": NUMBER},
    ),
    Case("budget_bounds.geometric_variance", lambda: {"ratio": Fraction(2)}, {}, {"ratio": ABOVE_ONE}),
    Case(
        "budget_bounds.variance_ratio", lambda: {"group": 2, "form": "corrected"}, {}, {"group": NUMBER, "form": FORMS}
    ),
    # studies
    Case("studies.budgets.group_costs", lambda: {"eps": 1.0, "groups": [1, 2]}, {"eps": "eps"}, {"groups": COUNTS}),
    Case(
        "studies.budgets.budget_shares",
        lambda: {"rounds": 2, "draws": 3, "low": 0.1, "high": 1.0, "points": 4},
        {"rounds": "count", "draws": "count", "low": "eps", "high": "eps"},
        {"points": TWO_UP},
    ),
    Case(
        "studies.budgets.promised_gains",
        lambda: {"eps": 1.0, "rounds": 2, "draws": 3, "edges": [0.2]},
        {"eps": "eps", "rounds": "count", "draws": "count"},
        {"edges": [None, 0.2, "a", [], [NAN], [0.0], [1.0]]},
    ),
    Case(
        "studies.budgets.told_apart",
        lambda: {"eps": 1.0, "rounds": 2, "draws": [1, 2]},
        {"eps": "eps", "rounds": "count"},
        {"draws": COUNTS},
    ),
]
