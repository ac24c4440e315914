"""Cases for the page on the ring: checks on tables of runs, and the studies."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tests.contract.kinds import NAN, Case

TABLES = [None, 3, "t", pd.DataFrame()]
COLUMNS = [None, 3, "no-such"]
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
NAMES = [None, "clip", [], ["no-such"], [3]]
SEEDS = [-1, 1.5, "seed", None]


def runs():
    """One printed and one released run of twenty places at two budgets, the reference, and what was measured."""
    rows = [
        {"domain": "ring", "variant": variant, "recipe": "fast", "place_0": place, "place_1": 0, "eps": eps}
        for variant in ("clip", "released")
        for place in range(20)
        for eps in (0.0, 2.0, 5.0)
    ]
    table = pd.DataFrame(rows)
    table["nll"] = 10 - np.sqrt(table["eps"]) * np.where(table["variant"] == "clip", 0.4, 2.0)
    return table.assign(spent=table["eps"], promised=table["eps"], coverage=0.5)


CASES = [
    Case(
        "experiments.run_shapes.steepness",
        lambda: {"table": runs(), "knee": 2.0, "last": 5.0},
        {"knee": "eps", "last": "eps"},
        {"table": TABLES, "knee": [3.0, 6.0], "last": [1.0]},
    ),
    Case(
        "experiments.run_shapes.falls_from_start",
        lambda: {"table": runs(), "column": "nll"},
        {},
        {"table": TABLES, "column": COLUMNS},
    ),
    Case(
        "experiments.ring_experiment.domain_runs",
        lambda: {
            "name": "mixture-sd",
            "places": [[0]],
            "seed": 1,
            "eps": [5.0],
            "variants": ["clip"],
            "recipe": "fast",
            "start": (0.0, 1.0),
            "pixels": 0,
        },
        {},
        {
            "name": ["no-such", None, 3],
            "places": [None, 3, [], [[-1]], [["one"]]],
            "seed": SEEDS,
            "eps": LEVELS,
            "variants": NAMES,
            "recipe": ["no-such", None, 3],
            "start": [None, 3, (0.0,), (0.0, -1.0), (NAN, 1.0)],
            "pixels": [-1, 1.5, "two", None],
        },
    ),
]
