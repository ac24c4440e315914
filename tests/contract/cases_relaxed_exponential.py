"""Cases for the sensitivities of the relaxed exponential mechanism, and for the studies of its page."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import NAN, Case

F = Fraction
UNIT = [F(-1), F(2), 0.5, None, True]
TWO_UP = [0, 1, 1.5, "two", None, True]
COUNTS = [None, [], [1.5, 2.5], [-1, 2], [0, 0], [3]]

CASES = [
    Case(
        "relaxed_exponential.formula_share",
        lambda: {"n": 1, "size": 2, "k": 1, "gamma": F(1, 2)},
        {"n": "count", "k": "count"},
        {"size": TWO_UP, "gamma": UNIT},
    ),
    Case(
        "relaxed_exponential.typical_change",
        lambda: {"n": 1, "size": 2, "k": 1, "gamma": F(1, 2)},
        {"n": "count", "k": "count"},
        {"size": TWO_UP, "gamma": UNIT},
    ),
    Case(
        "relaxed_exponential.definition_change",
        lambda: {"counts": [1, 1], "k": 1, "gamma": F(1, 2)},
        {"k": "count"},
        {"counts": COUNTS, "gamma": UNIT},
    ),
    Case(
        "studies.relaxed_exponential.two_outputs",
        lambda: {"delta": 0.001, "low": -14.0, "high": 12.0, "points": 5},
        {"points": "count"},
        {"delta": [0.0, 1.0, -1.0, NAN, "one", None], "low": [NAN, "one", None, 99.0], "high": [-20.0, NAN, None]},
    ),
    Case(
        "studies.relaxed_exponential.sensitivities",
        lambda: {"n": 2, "k": 1, "sizes": [2, 3], "points": 3},
        {"n": "count", "k": "count", "points": "count"},
        {"sizes": [None, [], [1], [2.5], "s"]},
    ),
    Case(
        "studies.relaxed_exponential.probable_types",
        lambda: {"counts": [2, 1, 0], "k": 1, "m": 3},
        {"k": "count", "m": "count"},
        {"counts": [*COUNTS, [1, 1]]},
    ),
]

EXEMPT = {"relaxed_exponential.Change": "a record of four rationals that the functions beside it make"}
