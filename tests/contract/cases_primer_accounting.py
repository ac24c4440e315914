"""Cases for accounting: studies."""

from __future__ import annotations

from tests.contract.cases_primer_composition import OPEN
from tests.contract.kinds import NAN, Case

COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]

CASES = [
    Case(
        "studies.primer_accounting.levels_by_method",
        lambda: {"eps0": 0.1, "delta": 0.001, "most": 5, "points": 2, "library": [1]},
        {"eps0": "eps", "most": "count", "points": "count"},
        {"delta": OPEN, "library": COUNTS},
    ),
    Case(
        "studies.primer_accounting.growth_shares",
        lambda: {"levels": [0.1], "delta": 0.1, "most": 5, "points": 2},
        {"most": "count", "points": "count"},
        {"levels": LEVELS, "delta": OPEN},
    ),
    Case(
        "studies.primer_accounting.gaussian_levels",
        lambda: {"mu": 0.1, "delta": 0.001, "most": 5, "points": 2, "library": [1]},
        {"mu": "eps", "most": "count", "points": "count"},
        {"delta": OPEN, "library": COUNTS},
    ),
]
