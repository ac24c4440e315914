"""Cases for the studies of the page on the gain."""

from __future__ import annotations

from tests.contract.kinds import NAN, Case

LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
CASES = [
    Case("studies.approximation.product_gains", lambda: {"rounds": 2}, {"rounds": "count"}),
    Case("studies.approximation.gamma_line", lambda: {"points": 5}, {"points": "count"}, {"points": [1, 3]}),
    Case(
        "studies.approximation.gain_slack",
        lambda: {"instances": 2000, "bins": 4, "seed": 1},
        {"instances": "count", "bins": "count"},
        {"seed": SEEDS},
    ),
    Case(
        "studies.approximation.failures_by_rounds",
        lambda: {"rounds": [1], "instances": 200, "seed": 1},
        {"instances": "count"},
        {"rounds": COUNTS, "seed": SEEDS},
    ),
    Case(
        "studies.approximation.run_gains",
        lambda: {"eps": [1.0], "rounds": 1, "nodes": 41},
        {"rounds": "count"},
        {"eps": LEVELS, "nodes": [0, 4, 6, 1.5, "two", None]},
    ),
]
