"""Cases for the checks and studies of the page on mode capture."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.finite_runs import random_runs
from tests.contract.cases_verify import AT_LEAST_ZERO, CLAIMED, random
from tests.contract.kinds import Case

RUNS = random_runs(np.random.default_rng(1), 3, 2, 2)
NOT_NUMBERS = [None, "x", True]
EDGE = [*NOT_NUMBERS, 0.0, 1.0, -0.5]
VALUES = [[], 3, "x", None, [0.0], [1.0, -1.0]]


def rng():
    return np.random.default_rng(1)


def plain(name, good, **bad):
    """A check without random instances."""
    return Case(f"verify.{name}", lambda: good, {}, bad)


SWEPT = {"instances": 400}

CASES = [
    Case(
        "threshold_runs.threshold_runs",
        lambda: {"rng": rng(), "instances": 3},
        {"rng": "rng", "instances": "count"},
    ),
    random("region_lemmas.region_terms"),
    random("region_lemmas.mass_difference"),
    random("region_lemmas.mass_from_divergence", factor=CLAIMED),
    random("region_lemmas.region_from_whole", factor=CLAIMED),
    random("output_lemmas.split_divergence"),
    random("output_lemmas.complement_exponent", flags={"exponential": True}),
    random("output_lemmas.complement_bound", flags={"exponential": True}, claimed=CLAIMED),
    random("output_lemmas.output_divergence", claimed=CLAIMED),
    random("output_lemmas.output_mass", claimed=CLAIMED),
    random("output_lemmas.divergence_on_region", flags={"allowance": True}),
    plain("mass_condition.elementary_log", {"factor": Fraction(1)}, factor=CLAIMED[1]),
    Case(
        "verify.mass_condition.bernoulli",
        lambda: {"rounds": 3, "factor": Fraction(1)},
        {"rounds": "count"},
        {"factor": CLAIMED[1]},
    ),
    plain(
        "mass_condition.condition_algebra",
        {"numerator": Fraction(4), "denominator": Fraction(2)},
        numerator=CLAIMED[1],
        denominator=CLAIMED[1],
    ),
    random("mass_condition.printed_condition_suffices", share=CLAIMED),
    random("mass_condition.sufficient_mass", share=CLAIMED),
    random("mass_condition.condition_vanishes"),
    plain("mass_condition.rate_bound", {"factor": Fraction(1, 2)}, factor=CLAIMED[1]),
    random("mass_condition.relaxed_is_weaker", share=CLAIMED),
    random("mass_condition.regime_not_needed", share=CLAIMED),
    random(
        "mode_extremes.relative_gain", flags={"form": "printed"}, form=("printed", ["none", None, 3]), factor=CLAIMED
    ),
    random("mode_extremes.bound_attained", factor=CLAIMED),
    random("mode_extremes.condition_attained", share=CLAIMED),
    random("mode_capture.captured_bound", **SWEPT, missing=(Fraction(1), AT_LEAST_ZERO)),
    random("mode_capture.theorem_eight", **SWEPT, share=(Fraction(1), AT_LEAST_ZERO), claimed=CLAIMED),
    random("mode_capture.corrected_condition", **SWEPT, share=(Fraction(1), AT_LEAST_ZERO)),
    random("mode_capture.sufficient_condition", **SWEPT),
    random("mode_capture.fat_region_captured", **SWEPT, share=CLAIMED),
    Case(
        "verify.mode_capture.star_margins",
        lambda: {"runs": RUNS, "missing": Fraction(1)},
        {},
        {"runs": [None, 3, "runs"], "missing": AT_LEAST_ZERO},
    ),
    Case(
        "verify.mode_capture.printed_margins",
        lambda: {"runs": RUNS, "share": Fraction(1), "claimed": Fraction(1), "regime": True},
        {},
        {"runs": [None, 3, "runs"], "share": AT_LEAST_ZERO, "claimed": CLAIMED[1]},
    ),
    random("fat_regions.edges_force_divergence", **SWEPT, excess=(Fraction(0), AT_LEAST_ZERO)),
    random("fat_regions.least_attained", excess=(Fraction(0), AT_LEAST_ZERO)),
    plain("fat_regions.fat_region_exists", {"edge": Fraction(1, 2)}, edge=[*CLAIMED[1], Fraction(1), Fraction(2)]),
    Case(
        "verify.fat_regions.least_divergence",
        lambda: {"mass": 0.5, "gamma_p": 0.5, "gamma_q": 0.5},
        {},
        {"mass": [*NOT_NUMBERS, 0.0, 1.5, 0.01], "gamma_p": EDGE, "gamma_q": EDGE},
    ),
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
    Case(
        "studies.mode_capture.smallest_margin",
        lambda: {
            "rng": rng(),
            "statement": "bound",
            "size": 2,
            "rounds": 1,
            "starts": 40,
            "evaluations": 5,
        },
        {"rng": "rng", "statement": "choice", "rounds": "count", "starts": "count"},
        {"size": [1, 0, 1.5, None], "evaluations": [0, 1.5, None]},
    ),
]
