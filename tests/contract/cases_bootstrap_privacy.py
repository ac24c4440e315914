"""Cases for the page on plain bootstrapping: laws of types, checks and studies."""

from __future__ import annotations

from tests.contract.kinds import INF, NAN, Case

CASES = [
    Case(
        "studies.bootstrap_privacy.unique_by_records",
        lambda: {"sizes": [10, 20], "delta": 0.01, "most": 50, "points": 5},
        {"most": "count", "points": "count"},
        {
            "sizes": [None, 3, "s", [], [1], [1.5]],
            "delta": [0.0, 1.0, NAN, "d", None],
            "most": [1],
            "points": [1],
        },
    ),
    Case(
        "studies.bootstrap_privacy.loss_on_two_symbols",
        lambda: {"n": 3, "k": 2, "m": 2, "eps": 0.5},
        {"n": "count", "k": "count", "m": "count", "eps": "eps"},
    ),
    Case(
        "studies.bootstrap_privacy.same_type",
        lambda: {"records": [2, 4], "radii": [0.0, 0.1]},
        {},
        {"records": [None, 3, "r", [], [0], [1.5]], "radii": [None, 0.1, "r", [], [-0.1], [0.6], [INF]]},
    ),
]
