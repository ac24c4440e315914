"""Cases for the studies of the page on mode capture."""

from __future__ import annotations

import numpy as np

from tests.contract.kinds import Case

VALUES = [[], 3, "x", None, [0.0], [1.0, -1.0]]

CASES = [
    Case(
        "studies.mode_capture.asked_mass",
        lambda: {"eps": 1.0, "rounds": [3], "points": 5},
        {"eps": "eps"},
        {"rounds": [[], 3, "x", [0], [1.5]], "points": [1, 1.5, "x", None]},
    ),
    Case(
        "studies.mode_capture.most_promised",
        lambda: {"masses": [0.5, 1.0], "points": 5},
        {},
        {"masses": [[], 3, [0.4], [1.1], ["x"]], "points": [1, 1.5, "x", None]},
    ),
    Case(
        "studies.mode_capture.ring_run_on_grid",
        lambda: {
            "log_p": np.log([0.2, 0.8, 2.0]),
            "log_q0": np.zeros(3),
            "weights": np.ones(3) / 3,
            "eps": 1.0,
            "rounds": 2,
        },
        {"eps": "eps", "rounds": "count", "log_p": "vector"},
        {"log_q0": [np.zeros(2), "q"], "weights": [np.zeros(2), "w"]},
    ),
    Case(
        "studies.mode_capture.ring_capture",
        lambda: {"variances": [8.25], "eps": [1.0], "rounds": 1, "radius": 1.0, "nodes": 41},
        {"rounds": "count"},
        {"variances": VALUES, "eps": VALUES, "radius": [0.0, 2.0, None, "r"], "nodes": [40, 0, "x"]},
    ),
]
