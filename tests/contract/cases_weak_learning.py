"""Cases for the exact edges of classifiers, the naive sampler, and the checks and studies of their pages."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.cases_verify import CLAIMED, NOT_LAWS, PAIR, ROOT, SIZE, random
from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
UNIT = [None, 0.5, "w", True, Fraction(-1), Fraction(2)]
RATIOS = [*ROOT, Fraction(1)]
CHOICES = ["no-such-choice", None, 3]
TEXTS = [None, 3, "p", [], [0.5, 0.5], ["1/2", "x"], ["1/0", "1"], ["1/2", "1/3"]]
ROOTS = [None, 2, "2", [], [2], ["x"], ["1"], ["1/0"]]
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
    pair("equal_edges", classifier=((ONE, -ONE), [*CLASSIFIERS, (ONE, ONE)])),
    pair("support_value", weight=(HALF, UNIT)),
    pair("weights_to_try"),
    pair("edge_region"),
    pair("weak_game", gamma_p=(HALF, UNIT), gamma_q=(HALF, UNIT)),
    pair("largest_edge"),
    Case(
        "naive_sampler.response_floor", lambda: {"size": 2, "ratio": Fraction(2)}, {"size": "count"}, {"ratio": RATIOS}
    ),
    *[
        Case(
            f"naive_sampler.{name}",
            lambda: {"p": PAIR, "ratio": Fraction(2)},
            {},
            {"p": [*NOT_LAWS, (ONE,)], "ratio": RATIOS},
        )
        for name in ("response_law", "closest_in_hull")
    ],
    Case(
        "naive_sampler.closest_in_relative",
        lambda: {"p": PAIR, "reference": PAIR, "root": Fraction(2)},
        {},
        {"p": [*NOT_LAWS, (ONE,)], "reference": NOT_LAWS, "root": ROOT},
    ),
    Case(
        "naive_sampler.reference_bounds",
        lambda: {"family": [PAIR, PAIR], "root": Fraction(2)},
        {},
        {"family": [None, 3, "family", []], "root": ROOT},
    ),
    random("weak_learning.scale_free"),
    random("weak_learning.always_exists", flags={"condition": True}),
    random("weak_learning.criterion", weights=("all", CHOICES)),
    random("weak_learning.one_edge_gives_two", claimed=("shifted", CHOICES)),
    random("weak_learning.tv_needed", factor=CLAIMED),
    random("weak_learning.closer_is_harder", closeness=("segment", CHOICES)),
    random("weak_learning.failure_means_learned", learned=("tv", CHOICES), bound=CLAIMED, shrink=CLAIMED),
    random("bounded_classifiers.rescaling_keeps_edges"),
    random("bounded_classifiers.shrinking_loses_nothing", measure=("drop", CHOICES)),
    random("bounded_classifiers.only_the_range_matters", spread=CLAIMED),
    random("naive_sampler.hull_is_floor", factor=CLAIMED),
    random("naive_sampler.inclusions", shift=(0, SIZE)),
    random("naive_sampler.in_some_relative", conditions=("both", CHOICES)),
    random("naive_sampler.hull_projection_optimal"),
    random("naive_sampler.projection_is_closer", mollifier=("own", CHOICES)),
    random("naive_sampler.worst_case_optimal", claimed=CLAIMED),
    random("naive_sampler.point_mass_is_worst", claimed=CLAIMED),
    random("naive_sampler.support_rule"),
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
    Case("studies.naive_sampler.hulls_by_level", lambda: {"roots": ["2"]}, {}, {"roots": ROOTS}),
    Case(
        "studies.naive_sampler.losses_by_support",
        lambda: {"roots": ["2"], "size": 3},
        {"size": "count"},
        {"roots": ROOTS},
    ),
    Case(
        "studies.naive_sampler.losses_of_random_laws",
        lambda: {"root": "2", "size": 3, "laws": 2, "seed": 1},
        {"size": "count", "laws": "count"},
        {"root": [None, 2, "x", "1", "1/0"], "seed": SEEDS},
    ),
    Case(
        "studies.naive_sampler.worst_losses",
        lambda: {"sizes": [3], "eps": [1.0]},
        {},
        {"sizes": [None, 3, "k", [], [1], [1.5]], "eps": [None, 1.0, "eps", [], [0.0], [NAN]]},
    ),
]

EXEMPT = {
    "verify.weak_learning.stumps": "takes nothing but a flag: there is no bad value",
    "weak_learning.Game": "holds the result of weak_game, which checks its arguments",
}
