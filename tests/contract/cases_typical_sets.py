"""Cases for the bootstrapping mechanism, types and the typical set, and the studies of their page."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import NAN, NOT_POSITIVE, Case

HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
LAW = (HALF, Fraction(1, 3), Fraction(1, 6))
BAD_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (Fraction(3, 2), -HALF)]
BAD_COUNTS = [None, 3, "n", [], [0, 0], [3], [[1, 2]], [1, -1], [1.0, 2.0], [True, False]]
BAD_RECORDS = [None, 3, "aab", []]
BAD_DOMAINS = [None, 3, "ab", [], ["a"], ["a", "a"]]
BAD_DELTAS = [0.0, 1.0, -0.1, 1.5, NAN, "one", None]
LIST = [None, 3, "m", [], [0], [1.5], ["two"]]
SIZE = [0, 1, 1.5, "two", None, True]
NUMBER = [0.0, -1.0, NAN, "one", None, True]
LEVEL = {"eps": 1.0, "delta": 0.01, "n": 100, "size": 3}


def rng():
    return np.random.default_rng(1)


CASES = [
    # bootstrap_mechanism
    Case(
        "bootstrap_mechanism.check_counts",
        lambda: {"name": "value", "value": [1, 2]},
        {},
        {"value": BAD_COUNTS, "name": []},
    ),
    Case(
        "bootstrap_mechanism.count_records",
        lambda: {"records": ["a"], "domain": ["a", "b"]},
        {},
        {"records": BAD_RECORDS, "domain": BAD_DOMAINS},
    ),
    Case(
        "bootstrap_mechanism.smoothed_law", lambda: {"counts": [1, 2], "k": 1}, {"k": "count"}, {"counts": BAD_COUNTS}
    ),
    Case(
        "bootstrap_mechanism.release",
        lambda: {"counts": [1, 2], "k": 1, "m": 3, "rng": rng()},
        {"k": "count", "m": "count", "rng": "rng"},
        {"counts": BAD_COUNTS},
    ),
    Case(
        "bootstrap_mechanism.release_records",
        lambda: {"records": ["a", "b"], "domain": ["a", "b", "c"], "k": 1, "m": 3, "rng": rng()},
        {"k": "count", "m": "count", "rng": "rng"},
        {"records": BAD_RECORDS, "domain": BAD_DOMAINS},
    ),
    Case(
        "bootstrap_mechanism.corrected_histogram",
        lambda: {"released": [1, 2], "n": 2, "k": 1},
        {"n": "count", "k": "count"},
        {"released": BAD_COUNTS},
    ),
    # bootstrap_bounds
    Case(
        "bootstrap_bounds.hoeffding_records",
        lambda: {**LEVEL, "k": 20},
        {"eps": "eps", "n": "count", "k": "count"},
        {"delta": BAD_DELTAS, "size": SIZE},
    ),
    # typical_set
    Case("typical_set.types", lambda: {"size": 3, "m": 2}, {"m": "count"}, {"size": SIZE}),
    Case(
        "typical_set.type_probability",
        lambda: {"law": LAW, "counts": (1, 0, 2)},
        {},
        {"law": BAD_LAWS, "counts": [*BAD_COUNTS, (1, 2)]},
    ),
    Case("typical_set.type_probabilities", lambda: {"law": LAW, "m": 2}, {"m": "count"}, {"law": BAD_LAWS}),
    Case(
        "typical_set.typical_ranges",
        lambda: {"law": LAW, "m": 2, "gamma": HALF},
        {"m": "count"},
        {"law": BAD_LAWS, "gamma": NOT_POSITIVE},
    ),
    *(
        Case(
            f"typical_set.{name}",
            lambda: {"law": LAW, "m": 2, "gamma": HALF},
            {"m": "count"},
            {"law": BAD_LAWS, "gamma": NOT_POSITIVE},
        )
        for name in ("typical_probability", "typical_probability_float")
    ),
    # studies
    Case(
        "studies.typical_sets.simplex_types",
        lambda: {"counts": [2, 1, 0], "k": 1, "m": 6, "delta": 0.2},
        {"k": "count", "m": "count"},
        {"counts": [*BAD_COUNTS, [1, 2]], "delta": BAD_DELTAS},
    ),
    Case(
        "studies.typical_sets.loss_of_release",
        lambda: {"n": 100, "size": 3, "k": 100, "eps": 1.0, "delta": 0.1},
        {"n": "count", "eps": "eps"},
        {"size": [*SIZE, 2], "k": [0, -3, 1.5, "two", None, True], "delta": BAD_DELTAS},
    ),
    Case(
        "studies.typical_sets.bounds_by_size",
        lambda: {"counts": [2, 1, 0], "k": 1, "gamma": 0.2, "draws": [2, 4]},
        {"k": "count"},
        {"counts": [*BAD_COUNTS, [1, 2]], "gamma": BAD_DELTAS, "draws": LIST},
    ),
    Case(
        "studies.typical_sets.records_allowed",
        lambda: {"n": 10, "size": 3, "eps": 1.0, "delta": 0.1, "pseudocounts": [5, 50]},
        {"n": "count", "eps": "eps"},
        {"size": SIZE, "delta": BAD_DELTAS, "pseudocounts": LIST},
    ),
]
