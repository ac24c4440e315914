"""Cases for the primer's pages on privacy and on post-processing: finite mechanisms and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.finite_mechanisms import data_sets
from tests.contract.kinds import INF, NAN, Case

ONE, HALF = Fraction(1), Fraction(1, 2)
NOT_FRACTIONS = [None, 0.5, "r", True]
WORD = ["no-such-relation", None, 3]
NOT_LISTS = [None, 3, "d", []]
LAW, NOT_LAWS = (HALF, HALF), [None, 0.5, "l", (HALF,), (0.5, 0.5), (Fraction(2), -ONE)]
LEVEL = [*NOT_FRACTIONS, HALF]
TABLE, NOT_TABLES = {(0,): LAW, (1,): LAW}, [None, 3, "t", {}]


CASES = [
    Case("finite_mechanisms.data_sets", lambda: {"most": 2, "values": 2}, {"most": "size", "values": "count"}),
    Case(
        "finite_mechanisms.neighbour_pairs",
        lambda: {"data": data_sets(1, 2), "relation": "replace"},
        {},
        {"data": NOT_LISTS, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.excess",
        lambda: {"one": LAW, "two": LAW, "exp_eps": Fraction(2)},
        {},
        {"one": NOT_LAWS, "two": NOT_LAWS, "exp_eps": LEVEL},
    ),
    Case(
        "finite_mechanisms.largest_excess",
        lambda: {"table": TABLE, "exp_eps": Fraction(2), "relation": "all"},
        {},
        {"table": NOT_TABLES, "exp_eps": LEVEL, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.pure_ratio",
        lambda: {"table": TABLE, "relation": "add-remove"},
        {},
        {"table": NOT_TABLES, "relation": WORD},
    ),
    Case(
        "finite_mechanisms.make_table",
        lambda: {"data": data_sets(1, 2), "law": lambda counts: LAW},
        {"law": "callable"},
        {"data": NOT_LISTS},
    ),
    Case(
        "finite_mechanisms.random_table",
        lambda: {"rng": np.random.default_rng(1), "data": data_sets(1, 2), "outputs": 2, "zeros": 0.5},
        {"rng": "rng", "outputs": "count", "zeros": "unit"},
        {"data": NOT_LISTS, "outputs": [1]},
    ),
    Case(
        "finite_mechanisms.truncated_geometric",
        lambda: {"values": [0, 1], "low": 0, "high": 2, "exp_eps": Fraction(2)},
        {},
        {
            "values": [None, 3, [], [-1], [3], [0.5]],
            "low": [0.5, None, True, 2],
            "high": [0.5, None, True],
            "exp_eps": [*NOT_FRACTIONS, ONE],
        },
    ),
    Case(
        "finite_mechanisms.sharp_replacement",
        lambda: {"exp_eps": Fraction(2), "delta": Fraction(1, 10)},
        {},
        {"exp_eps": LEVEL, "delta": [*NOT_FRACTIONS, -ONE, HALF]},
    ),
    Case(
        "finite_mechanisms.thinned_law",
        lambda: {"counts": (1, 1), "rate": HALF, "outputs": data_sets(2, 2)},
        {},
        {"counts": [None, 3, "c", ()], "rate": [*NOT_FRACTIONS, -ONE, Fraction(2)], "outputs": [*NOT_LISTS, [(0, 0)]]},
    ),
    Case(
        "finite_mechanisms.thinned_records",
        lambda: {"most": 2, "delta": HALF},
        {"most": "count"},
        {"delta": [*NOT_FRACTIONS, -ONE, Fraction(2)]},
    ),
    # studies
    *(
        Case(
            f"studies.primer_privacy.{name}",
            lambda: {"mean": 6.0, "eps": 0.5, "most": 20},
            {"mean": "eps", "eps": "eps", "most": "count"},
        )
        for name in ("count_outputs", "count_losses")
    ),
    Case(
        "studies.primer_privacy.exposed_records",
        lambda: {"low": 10.0, "high": 1000.0, "points": 3, "powers": [1.0, 2.0], "fixed": 0.1},
        {"points": "count"},
        {
            "low": [1.0, NAN, INF, "l", None],
            "high": [10.0, 5.0, NAN, INF, "h", None],
            "points": [1],
            "powers": [None, 1.0, [], [0.1], ["p"], [NAN]],
            "fixed": [0.0, 1.5, NAN, "f", None],
        },
    ),
    Case(
        "studies.primer_post_processing.test_curves",
        lambda: {"mean": 6.0, "eps": 0.5, "most": 20, "threshold": 5},
        {"mean": "eps", "eps": "eps", "most": "count", "threshold": "size"},
        {"threshold": [21]},
    ),
    Case(
        "studies.primer_post_processing.odds_range",
        lambda: {"levels": [0.1, 1.0], "points": 5},
        {"points": "count"},
        {"levels": [None, 1.0, [], [0.0], [NAN], ["e"]], "points": [1]},
    ),
    Case("studies.primer_post_processing.privacy_map", lambda: {"records": 2}, {"records": "count"}),
]
