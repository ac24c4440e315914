"""Cases for the page on reaching the target: the family of outputs and its studies."""

from __future__ import annotations

from tests.contract.kinds import Case

LAWS = [[0.75, 0.25], [0.5, 0.5]]
NOT_ROWS = [None, "p", [0.5, 0.5], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]]]

CASES = [
    *[
        Case(
            f"mbde_family.{name}",
            lambda: {"p": LAWS, "reference": LAWS, "oscillation": [0.5, 0.5]},
            {},
            {
                "p": NOT_ROWS,
                "reference": [*NOT_ROWS, [[1.0, 0.0], [0.5, 0.5]]],
                "oscillation": [None, "o", 0.5, [0.5], [0.0, 1.0]],
            },
        )
        for name in ("family_projection", "family_gain")
    ],
    Case(
        "studies.reaching.lasting_edges",
        lambda: {"largest": 0.25, "points": 3},
        {"largest": "eps"},
        {"largest": [1.0, 2.0], "points": [None, 1, 2.0]},
    ),
    Case(
        "studies.reaching.two_limits",
        lambda: {"p": [0.75, 0.25], "reference": [0.5, 0.5], "eps": [1.0]},
        {"p": "probabilities", "reference": "probabilities"},
        {"eps": [None, [], [0.0], 1.0]},
    ),
    Case(
        "studies.reaching.gain_ratios",
        lambda: {"eps": [1.0], "instances": 2, "sizes": [2], "coin_points": 2, "seed": 1},
        {"instances": "count", "seed": "size"},
        {"eps": [None, [], [0.0], 1.0], "sizes": [None, [], [0], 2], "coin_points": [None, 1, 2.0]},
    ),
    Case(
        "studies.reaching.overshoot",
        lambda: {"edges": [0.1], "edge_q": 0.4, "low": 1.0, "high": 2.0, "points": 2, "rounds": 1},
        {"edge_q": "eps", "low": "eps", "high": "eps", "points": "count", "rounds": "count"},
        {"edges": [None, "e", 0.1, [], [1.0]]},
    ),
]
