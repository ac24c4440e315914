"""Cases for the bootstrapping mechanism, types and the typical set, and the checks and studies of their page."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.cases_verify import POSITIVE, random
from tests.contract.kinds import NAN, Case

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
        {"law": BAD_LAWS, "gamma": POSITIVE},
    ),
    Case(
        "typical_set.is_typical",
        lambda: {"law": LAW, "counts": (1, 0, 2), "gamma": HALF},
        {},
        {"law": BAD_LAWS, "counts": [*BAD_COUNTS, (1, 2)], "gamma": POSITIVE},
    ),
    *(
        Case(
            f"typical_set.{name}",
            lambda gap=gap: {"law": LAW, "m": 2, gap: HALF},
            {"m": "count"},
            {"law": BAD_LAWS, gap: POSITIVE},
        )
        for name, gap in (
            ("typical_probability", "gamma"),
            ("typical_probability_float", "gamma"),
            ("cdf_gap_probability", "t"),
        )
    ),
    # checks
    random("typical_sets.mechanism_law"),
    random("typical_sets.augmented_size"),
    random("typical_sets.type_definition"),
    random("typical_sets.typical_definition"),
    random("typical_sets.likely_set"),
    random("typical_sets.cdf_bound", front=(TWO, POSITIVE)),
    random("typical_sets.mass_bound", rate=(HALF, POSITIVE)),
    random("typical_sets.theorem_seven", factor=(TWO, POSITIVE)),
    random("typical_sets.cdf_halves", share=(HALF, POSITIVE)),
    random("typical_sets.probability_chain", step=("half", ["no-such-step", None, 3])),
    random("typical_proof.typical_set_suffices"),
    random("typical_proof.two_cells"),
    random("typical_proof.within_gamma", instances=20, share=(ONE, POSITIVE)),
    random("typical_proof.loss_bound", instances=20, share=(ONE, POSITIVE)),
    random("typical_proof.data_free_bound", share=(ONE, POSITIVE)),
    random("typical_proof.lower_bound", share=(ONE, POSITIVE)),
    random("typical_proof.changed_range"),
    random("typical_proof.new_range", form=("printed", ["no-such-form", None, 3])),
    Case("verify.typical_monotone.bound_decreases", lambda: {"lower": False}, {}),
    Case(
        "verify.typical_monotone.lower_increases",
        lambda: {"from_w": Fraction(5, 8)},
        {},
        {"from_w": [None, 0.5, "w", True, -ONE]},
    ),
    random("typical_theorem.theorem_two"),
    random("typical_theorem.loss_tail", rate=(TWO, POSITIVE)),
    random("typical_theorem.loss_sweep", rate=(2.0, NUMBER)),
    Case(
        "verify.typical_theorem.loss_search",
        lambda: {"rng": rng(), "starts": 30, "rate": 2.0},
        {"rng": "rng", "starts": "count"},
        {"rate": NUMBER},
    ),
    random("typical_theorem.exact_curve"),
    random("typical_theorem.closed_form", times=(1, [0, -3, 1.5, "two", None, True])),
    random("typical_theorem.pure_first", times=(1.0, NUMBER)),
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
