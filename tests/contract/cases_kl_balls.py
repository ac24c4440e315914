"""Cases for the page on KL balls: the least bound, its checks and its studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb

from tests.contract.kinds import INF, NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
PAIR = (HALF, HALF)
NOT_FRACTIONS = [None, 0.5, "r", True]
NOT_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (Fraction(3, 2), -HALF)]
SHARE = (ONE, [*NOT_FRACTIONS, Fraction(0), Fraction(-1), Fraction(2)])
FORM = ("exact", ["no-such-form", None, 3])
SIZE = [-2, 1.5, "two", None, True]
LEVEL = [None, "e", [], [0.0], -1.0, NAN, INF, 701.0]
RADIUS = [None, "d", [], -1.0, [NAN], INF]
BALLS = [None, 1.0, "b", arb(-1), arb("nan")]
SEEDS = [-1, 1.5, "seed", None]


def random(name, *, flags=None, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    good = {**(flags or {}), **{key: value for key, (value, _) in others.items()}}
    return Case(
        f"verify.{name}",
        lambda: {"rng": np.random.default_rng(1), "instances": 8, **good},
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


CASES = [
    Case("kl_ball_bound.equality_radius", lambda: {"eps": [0.5, 2.0]}, {}, {"eps": LEVEL}),
    *(
        Case(
            f"kl_ball_bound.{name}",
            lambda: {"delta": 0.1, "eps": [0.5, 2.0]},
            {},
            {"delta": RADIUS, "eps": LEVEL},
        )
        for name in ("exact_kl_ball", "exact_kl_outside")
    ),
    Case(
        "kl_ball_bound.certified_kl",
        lambda: {"one": PAIR, "two": PAIR},
        {},
        {"one": NOT_LAWS, "two": [*NOT_LAWS, (ONE, 0)]},
    ),
    Case(
        "kl_ball_bound.certified_kl_ball",
        lambda: {"delta": arb("0.1"), "eps": arb(1)},
        {},
        {"delta": BALLS, "eps": [*BALLS, arb(0), arb(701)]},
    ),
    Case(
        "kl_ball_bound.extreme_laws",
        lambda: {"exp_eps": Fraction(2), "weight": Fraction(3, 4), "inner": ONE},
        {},
        {
            "exp_eps": [*NOT_FRACTIONS, ONE, HALF],
            "weight": [*NOT_FRACTIONS, HALF, Fraction(2)],
            "inner": [*NOT_FRACTIONS, Fraction(0), Fraction(2), HALF],
        },
    ),
    # checks
    random("kl_balls.decomposition", flags={"inverted": False}),
    random("kl_balls.level_bound", claimed=SHARE),
    random("kl_balls.radius_grows", claimed=SHARE, form=FORM),
    random("kl_balls.good_ones_excluded", claimed=SHARE),
    random("kl_balls.mbde_stays_close", claimed=SHARE),
    random("kl_ball_extremes.bound_attained", form=FORM),
    random("kl_ball_extremes.best_possible", flags={"enough": True}),
    random("kl_ball_extremes.relative_attains", share=(ONE, [*NOT_FRACTIONS, Fraction(0)])),
    random("kl_ball_extremes.sweep", claimed=SHARE, form=FORM),
    random("kl_ball_extremes.climb", claimed=SHARE, form=("printed", FORM[1]), steps=(5, [0, *SIZE])),
    random("kl_ball_extremes.laws_of_level", eps=(1.0, [0.0, -1.0, NAN, 21.0])),
    random("bad_outputs.possible_outputs", flags={"deterministic": True}),
    random("bad_outputs.averaged_law", claimed=SHARE),
    random("bad_outputs.output_ratio", flags={"averaged": True}),
    random("bad_outputs.probability_floor", missing=(0, SIZE)),
    random("neighbour_paths.telescoping"),
    Case(
        "verify.neighbour_paths.path_length",
        lambda: {"most": 2, "letters": 2, "short": 0},
        {"most": "count"},
        {"letters": [1, *SIZE], "short": SIZE},
    ),
    Case(
        "verify.neighbour_paths.chain_attains",
        lambda: {"most": 2, "start": ONE},
        {"most": "count"},
        {"start": [*NOT_FRACTIONS, Fraction(0)]},
    ),
    # studies
    Case(
        "studies.kl_balls.exact_curve",
        lambda: {"eps": 1.0, "points": 3, "pairs": 50, "seed": 1},
        {"eps": "eps", "points": "count", "pairs": "count"},
        {"points": [1], "seed": SEEDS},
    ),
    Case(
        "studies.kl_balls.growth_by_level",
        lambda: {"deltas": [0.0, 0.1], "points": 3},
        {"points": "count"},
        {"deltas": [None, 0.1, "d", [], [NAN], [-0.1], ["one"]], "points": [1]},
    ),
    Case(
        "studies.kl_balls.bad_output",
        lambda: {"eps": 0.1, "size": 2, "mass": 0.01},
        {"eps": "eps", "size": "count"},
        {"mass": [0.0, 0.5, NAN, "m", None]},
    ),
]
