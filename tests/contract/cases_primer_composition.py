"""Cases for composition and group privacy: bounds and studies."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import INF, NAN, NOT_FRACTIONS, Case

HALF = Fraction(1, 2)
OPEN = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]
RATIONAL = [*NOT_FRACTIONS, Fraction(-1)]
SHARES = [*RATIONAL, Fraction(2)]
LAWS = [None, 3, "p", (), (0.5, 0.5)]
STEP = [0.0, -1.0, NAN, INF, "one", None, 51.0]
LEVEL = [-1.0, NAN, INF, "one", None]
ABOVE = [*NOT_FRACTIONS, Fraction(1), HALF]


CASES = [
    Case(
        "composition.exact_hockey_stick",
        lambda: {"one": (HALF, HALF), "two": (Fraction(1), Fraction(0)), "factor": Fraction(2)},
        {},
        {"one": LAWS, "two": LAWS, "factor": RATIONAL},
    ),
    Case(
        "composition.canonical_pair",
        lambda: {"exp_eps": Fraction(2), "delta": HALF},
        {},
        {"exp_eps": ABOVE, "delta": SHARES},
    ),
    Case(
        "composition.group_factor",
        lambda: {"exp_eps": 2.0, "count": 3, "form": "printed"},
        {"count": "count", "form": "choice"},
        {"exp_eps": [None, "r", True, 0.5, NAN, INF]},
    ),
    Case(
        "composition.group_delta",
        lambda: {"eps": 1.0, "delta": 0.1, "count": 3, "form": "printed"},
        {"count": "count", "form": "choice", "delta": "unit"},
        {"eps": [*LEVEL, 701.0]},
    ),
    Case(
        "composition.response_walk",
        lambda: {"exp_eps0": Fraction(2), "runs": 3},
        {"runs": "count"},
        {"exp_eps0": ABOVE},
    ),
    Case(
        "composition.certified_response_delta",
        lambda: {"eps": HALF, "exp_eps0": Fraction(2), "runs": 3},
        {"runs": "count"},
        {"eps": RATIONAL, "exp_eps0": ABOVE},
    ),
    Case(
        "composition.response_delta",
        lambda: {"eps": 0.5, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"eps": LEVEL, "eps0": STEP},
    ),
    Case(
        "composition.response_epsilon",
        lambda: {"delta": 0.1, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"delta": OPEN, "eps0": STEP},
    ),
    Case(
        "composition.advanced_epsilon",
        lambda: {"eps0": 0.1, "runs": 3, "delta": 0.1, "form": "mean"},
        {"eps0": "eps", "runs": "count", "form": "choice"},
        {"delta": OPEN},
    ),
    Case(
        "composition.renyi_epsilon",
        lambda: {"eps0": 0.1, "runs": 3, "delta": 0.1},
        {"runs": "count"},
        {"eps0": STEP, "delta": OPEN},
    ),
    # studies
    Case(
        "studies.primer_composition.composed_curves",
        lambda: {"eps0": 1.0, "delta0": 0.1, "runs": 2, "points": 3},
        {"eps0": "eps", "runs": "count", "points": "count"},
        {"delta0": OPEN},
    ),
    Case("studies.primer_composition.table_levels", lambda: {"eps": 1.0}, {"eps": "eps"}),
    Case(
        "studies.primer_composition.group_factors",
        lambda: {"eps": 1.0, "most": 10},
        {"most": "count"},
        {"eps": [0.0, -1.0, NAN, INF, "one", None, 11.0]},
    ),
]
