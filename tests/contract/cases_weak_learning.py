"""Cases for the exact edges of classifiers, the naive sampler, and the studies of their pages."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.cases_verify import NOT_LAWS, PAIR
from tests.contract.kinds import Case

HALF, ONE = Fraction(1, 2), Fraction(1)
UNIT = [None, 0.5, "w", True, Fraction(-1), Fraction(2)]
TEXTS = [None, 3, "p", [], [0.5, 0.5], ["1/2", "x"], ["1/0", "1"], ["1/2", "1/3"]]
SEEDS = [-1, 1.5, "seed", None]
CLASSIFIERS = [None, 3, "c", (), (0.5, 1), (Fraction(0), Fraction(0)), (ONE,)]


def pair(name, **others):
    """A case for a function of two laws; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"weak_learning.{name}",
        lambda: {"p": PAIR, "q": (ONE, Fraction(0)), **{key: good for key, (good, _) in others.items()}},
        {},
        {"p": NOT_LAWS, "q": [*NOT_LAWS, (ONE,)], **{key: bad for key, (_, bad) in others.items()}},
    )


CASES = [
    pair("total_variation_exact"),
    pair("edges", classifier=((ONE, -ONE), CLASSIFIERS)),
    pair("support_value", weight=(HALF, UNIT)),
    pair("weights_to_try"),
    pair("edge_region"),
    pair("weak_game", gamma_p=(HALF, UNIT), gamma_q=(HALF, UNIT)),
    pair("largest_edge"),
    Case(
        "studies.weak_learning.edges_of_a_pair",
        lambda: {"p": ["1/2", "1/2"], "q": ["1", "0"]},
        {},
        {"p": TEXTS, "q": [*TEXTS, ["1"]]},
    ),
    Case(
        "studies.weak_learning.edges_against_tv", lambda: {"pairs": 3, "seed": 1}, {"pairs": "count"}, {"seed": SEEDS}
    ),
    Case(
        "studies.weak_learning.far_but_unlearnable",
        lambda: {"share": "1/10", "digits": 2},
        {"digits": "count"},
        {"share": [None, 0.5, "x", "1/0", "0", "1"]},
    ),
]

EXEMPT = {
    "weak_learning.Game": "holds the result of weak_game, which checks its arguments",
}
