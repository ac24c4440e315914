"""Cases for composition: levels of several runs."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import INF, NAN, NOT_FRACTIONS, Case

HALF = Fraction(1, 2)
OPEN = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]
RATIONAL = [*NOT_FRACTIONS, Fraction(-1)]
STEP = [0.0, -1.0, NAN, INF, "one", None, 51.0]
LEVEL = [-1.0, NAN, INF, "one", None]
ABOVE = [*NOT_FRACTIONS, Fraction(1), HALF]


CASES = [
    Case(
        "privacy.composition.response_walk",
        lambda: {"exp_eps0": Fraction(2), "runs": 3},
        {"runs": "count"},
        {"exp_eps0": ABOVE},
    ),
    Case(
        "privacy.composition.certified_response_delta",
        lambda: {"eps": HALF, "exp_eps0": Fraction(2), "runs": 3},
        {"runs": "count"},
        {"eps": RATIONAL, "exp_eps0": ABOVE},
    ),
    Case(
        "privacy.composition.response_delta",
        lambda: {"eps": 0.5, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"eps": LEVEL, "eps0": STEP},
    ),
    Case(
        "privacy.composition.response_epsilon",
        lambda: {"delta": 0.1, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"delta": OPEN, "eps0": STEP},
    ),
    Case(
        "privacy.composition.renyi_epsilon",
        lambda: {"eps0": 0.1, "runs": 3, "delta": 0.1},
        {"runs": "count"},
        {"eps0": STEP, "delta": OPEN},
    ),
]
