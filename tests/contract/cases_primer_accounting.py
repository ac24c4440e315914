"""Cases for accounting: checks, checks against dp-accounting, studies."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.cases_primer_composition import OPEN
from tests.contract.cases_verify import CLAIMED, SIZE, random
from tests.contract.kinds import NAN, Case

CHOICES = ["no-such-choice", None, 3]
COUNT = [0, -3, 1.5, "two", None, True]
MEAN = ("right", CHOICES)
MORE = (0, SIZE)
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]

CASES = [
    random("primer_accounting.optimal_pure", claimed=CLAIMED),
    random("primer_accounting.advanced_bound", form=("mean", CHOICES), mean=MEAN),
    random("primer_accounting.advanced_sweep", mean=MEAN),
    random("primer_accounting.advanced_climb", instances=40, mean=MEAN, refine=(1, COUNT)),
    random("primer_accounting.gaussian_tighter", merged=("root", CHOICES)),
    Case("verify.primer_accounting.square_root", lambda: {"condition": True}, {}),
    Case("verify.primer_accounting.quadrupled", lambda: {"condition": True}, {}),
    Case("verify.primer_accounting.linear_level", lambda: {"share": Fraction(50, 101)}, {}, {"share": [0, 0.49, None]}),
    Case("verify.primer_accounting.runs_allowed", lambda: {"most": 727}, {}, {"most": COUNT}),
    random(
        "library_accounting.library_brackets", instances=1, algorithm=("response", [*CHOICES, "parameters"]), more=MORE
    ),
    random(
        "library_accounting.library_agrees",
        instances=1,
        algorithm=("response", CHOICES),
        relative=(0.1, [-0.1, 1.1, NAN, "one", None]),
        more=MORE,
    ),
    random("library_accounting.library_renyi", instances=1, more=MORE),
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
