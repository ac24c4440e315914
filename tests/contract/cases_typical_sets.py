"""Cases for the bootstrapping mechanism and the sharper form of its theorem."""

from __future__ import annotations

import numpy as np

from tests.contract.kinds import NAN, Case

BAD_COUNTS = [None, 3, "n", [], [0, 0], [3], [[1, 2]], [1, -1], [1.0, 2.0], [True, False]]
BAD_RECORDS = [None, 3, "aab", []]
BAD_DOMAINS = [None, 3, "ab", [], ["a"], ["a", "a"]]
BAD_DELTAS = [0.0, 1.0, -0.1, 1.5, NAN, "one", None]
SIZE = [0, 1, 1.5, "two", None, True]
LEVEL = {"eps": 1.0, "delta": 0.01, "n": 100, "size": 3}


def rng():
    return np.random.default_rng(1)


CASES = [
    # bootstrap_mechanism
    Case(
        "bootstrap.mechanism.check_counts",
        lambda: {"name": "value", "value": [1, 2]},
        {},
        {"value": BAD_COUNTS, "name": []},
    ),
    Case(
        "bootstrap.mechanism.count_records",
        lambda: {"records": ["a"], "domain": ["a", "b"]},
        {},
        {"records": BAD_RECORDS, "domain": BAD_DOMAINS},
    ),
    Case(
        "bootstrap.mechanism.smoothed_law", lambda: {"counts": [1, 2], "k": 1}, {"k": "count"}, {"counts": BAD_COUNTS}
    ),
    Case(
        "bootstrap.mechanism.release",
        lambda: {"counts": [1, 2], "k": 1, "m": 3, "rng": rng()},
        {"k": "count", "m": "count", "rng": "rng"},
        {"counts": BAD_COUNTS},
    ),
    Case(
        "bootstrap.mechanism.release_records",
        lambda: {"records": ["a", "b"], "domain": ["a", "b", "c"], "k": 1, "m": 3, "rng": rng()},
        {"k": "count", "m": "count", "rng": "rng"},
        {"records": BAD_RECORDS, "domain": BAD_DOMAINS},
    ),
    Case(
        "bootstrap.mechanism.corrected_histogram",
        lambda: {"released": [1, 2], "n": 2, "k": 1},
        {"n": "count", "k": "count"},
        {"released": BAD_COUNTS},
    ),
    # bootstrap_bounds
    Case(
        "bootstrap.typical_bounds.hoeffding_records",
        lambda: {**LEVEL, "k": 20},
        {"eps": "eps", "n": "count", "k": "count"},
        {"delta": BAD_DELTAS, "size": SIZE},
    ),
]
