"""Cases for the page on KL balls: the least bound and its studies."""

from __future__ import annotations

from tests.contract.kinds import INF, NAN, Case

LEVEL = [None, "e", [], [0.0], -1.0, NAN, INF, 701.0]
RADIUS = [None, "d", [], -1.0, [NAN], INF]
SEEDS = [-1, 1.5, "seed", None]

CASES = [
    Case("kl_ball_bound.equality_radius", lambda: {"eps": [0.5, 2.0]}, {}, {"eps": LEVEL}),
    Case(
        "kl_ball_bound.exact_kl_ball",
        lambda: {"delta": 0.1, "eps": [0.5, 2.0]},
        {},
        {"delta": RADIUS, "eps": LEVEL},
    ),
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
