"""Cases for the pages on exponential moments and the KL drop: their studies."""

from __future__ import annotations

from tests.contract.kinds import NAN, Case

SEEDS = [-1, 1.5, "seed", None]
COUNTS = [0, -3, 1.5, "two", None]
SIZES = [None, 1.0, "s", [], [0.0], [1.5], [NAN]]
EDGES = [None, 0.5, "e", [], [-0.1], [1.5], [NAN]]

CASES = [
    Case("studies.kl_drop.shapes", lambda: {"longest": 1.0, "points": 3}, {"longest": "eps", "points": "count"}),
    Case(
        "studies.kl_drop.bounds_by_size",
        lambda: {"theta": 0.5, "edges": [0.5], "smallest": 0.1, "points": 3},
        {"points": "count"},
        {"theta": [0.0, 1.5, NAN, None], "edges": EDGES, "smallest": [0.0, 1.5, NAN, None]},
    ),
    Case(
        "studies.kl_drop.failure_shares", lambda: {"instances": 200, "seed": 1}, {"instances": "count"}, {"seed": SEEDS}
    ),
    Case(
        "studies.kl_drop.slack_counts",
        lambda: {"instances": 200, "edges": [0.0, 0.5], "seed": 1},
        {"instances": "count"},
        {"edges": [None, "e", [], [0.0], [1.0, 0.0], [NAN, 1.0]], "seed": SEEDS},
    ),
    Case(
        "studies.kl_drop.run_rounds",
        lambda: {"eps": 1.0, "rounds": 1, "nodes": 41, "seed": 1},
        {"eps": "eps", "rounds": "count"},
        {"nodes": COUNTS, "seed": SEEDS},
    ),
]
