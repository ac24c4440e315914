"""Cases for the page on rates: binned densities, rates with their constants, checks and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.stats import beta

from mollified.histogram_rates import RateChoice
from tests.contract.cases_verify import CLAIMED, NOT_FRACTIONS, random
from tests.contract.kinds import INF, NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
NAMES = ["no-such-choice", None, 3]
SLOPE = [*NOT_FRACTIONS, Fraction(-1), Fraction(3)]
COUNTS = [0, -3, 1.5, "two", None, True]
SEEDS = [-1, 1.5, "seed", None]
DIMENSIONS = [None, 3, "d", [], [0], [1.5]]
RATIONAL = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
NUMBER = [None, "x", True, 0.0, -1.0, NAN, INF]
TABLES = [None, "t", np.zeros((2, 3)), np.array([np.nan]), np.array([None, 1], dtype=object)]
CHOICE = RateChoice(4, 3, 10)
SHARES = [None, "c", 0.0, -1.0, NAN]
UNIT = [0.0, 1.0, -0.5, NAN, "one", None]


def check(name, good, extra):
    return Case(f"verify.{name}", lambda: good, {}, extra)


def random_route(name, instances, **others):
    return random(f"rate_constants.{name}", instances=instances, route=("theorem", NAMES), **others)


def random_constraint(name, instances):
    return random(f"rate_constants.{name}", instances=instances, constraint=("theorem", NAMES), claimed=(1.0, SHARES))


CASES = [
    Case(
        "binned_density.bin_probabilities",
        lambda: {"cdf": beta(2, 3).cdf, "bins": 3},
        {"cdf": "callable", "bins": "count"},
    ),
    Case(
        "binned_density.ks_distance",
        lambda: {"cdf": beta(2, 3).cdf, "masses": [0.5, 0.5], "points": 4},
        {"cdf": "callable", "masses": "vector", "points": "count"},
    ),
    Case(
        "binned_density.ks_distances",
        lambda: {"cdf": beta(2, 3).cdf, "rows": np.full((2, 2), 0.5), "points": 4},
        {"cdf": "callable", "rows": "matrix", "points": "count"},
    ),
    Case(
        "binned_density.running_maximum",
        lambda: {"values": [0.0, -0.1, 1.0], "points": 2},
        {"values": "vector", "points": "count"},
        {"values": [[1.0]]},
    ),
    Case(
        "binned_density.cells_per_side",
        lambda: {"cells": 8, "dimension": 3},
        {"cells": "count", "dimension": "count"},
        {"cells": [7, 9]},
    ),
    Case("binned_density.node_values", lambda: {"masses": np.full((2, 2), 0.25)}, {}, {"masses": TABLES}),
    Case(
        "binned_density.sloped_cdf",
        lambda: {"x": HALF, "slope": ONE},
        {},
        {"x": [*NOT_FRACTIONS, Fraction(-1), Fraction(2)], "slope": SLOPE},
    ),
    Case(
        "binned_density.sloped_masses",
        lambda: {"side": 2, "dimension": 2, "slope": ONE},
        {"side": "count", "dimension": "count"},
        {"slope": SLOPE},
    ),
    Case(
        "binned_density.sloped_distance",
        lambda: {"nodes": np.array([0.0, 0.4, 1.0]), "slope": ONE},
        {},
        {"nodes": [*TABLES, np.array([1.0])], "slope": SLOPE},
    ),
    Case(
        "histogram_rates.rate_exponent",
        lambda: {"column": "printed", "dimension": 2},
        {"dimension": "count"},
        {"column": NAMES},
    ),
    Case(
        "histogram_rates.root_above",
        lambda: {"n": 10, "numerator": 1, "denominator": 3},
        {"n": "count", "numerator": "count", "denominator": "count"},
    ),
    Case(
        "histogram_rates.binomial_deviation",
        lambda: {"n": 4, "p": HALF},
        {"n": "count"},
        {"p": [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]},
    ),
    Case(
        "histogram_rates.point_moments",
        lambda: {"n": 4, "size": 3, "k": 1, "m": 2, "cells": 2, "mass": HALF},
        {"n": "count", "size": "count", "k": "count", "m": "count", "cells": "count"},
        {"cells": [4], "mass": [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]},
    ),
    Case("histogram_rates.maximal_noise", lambda: {"size": 4, "draws": 10.0}, {}, {"size": NUMBER, "draws": NUMBER}),
    Case(
        "histogram_rates.distance_bound",
        lambda: {"n": 10.0, "side": 2, "k": 3, "m": 4, "dimension": 2, "slope": 1.0},
        {"dimension": "count"},
        dict.fromkeys(("n", "side", "k", "m", "slope"), NUMBER),
    ),
    Case(
        "histogram_rates.rate_bound",
        lambda: {"route": "exact", "n": 10.0, "dimension": 2, "eps": 0.5, "delta": 0.01, "slope": 1.0},
        {"dimension": "count"},
        {"route": NAMES, **dict.fromkeys(("n", "eps", "delta", "slope"), NUMBER)},
    ),
    Case(
        "histogram_rates.rate_choice",
        lambda: {"route": "theorem", "n": 100, "dimension": 2, "eps": HALF, "delta": HALF},
        {"n": "count", "dimension": "count"},
        {"route": NAMES, "n": [2], "eps": RATIONAL, "delta": [*RATIONAL, ONE]},
    ),
    check(
        "binned_estimators.multinomial", {"counts": (1, 1), "law": (HALF, HALF)}, {"counts": [(1,)], "law": [(HALF,)]}
    ),
    check("binned_estimators.cubes_fill", {"whole_sides": True, "most": 4}, {"most": COUNTS}),
    check("binned_estimators.consistent", {"shrinking": True, "filled": True}, {}),
    check("binned_estimators.biased", {"exclude_uniform": True, "most": 3}, {"most": COUNTS}),
    random("binned_estimators.distance_at_nodes"),
    random("binned_estimators.estimator_mass"),
    random("binned_estimators.expected_histogram", flags={"corrected": True}),
    random("binned_estimators.corrected_is_private"),
    random("binned_estimators.corrected_cdf", flags={"mended": True}),
    random("binned_estimators.doubling", factor=CLAIMED),
    random("rate_steps.triangle"),
    random("rate_steps.scaled_error", claimed=CLAIMED),
    random("rate_steps.correction_maps"),
    random("rate_steps.maximal_inequality", claimed=CLAIMED),
    random("rate_steps.three_terms", claimed=CLAIMED),
    random("rate_steps.jensen"),
    random("rate_steps.objective"),
    check("rate_steps.bias_of_bins", {"power": 2, "most": 3}, {"power": COUNTS, "most": COUNTS}),
    check("rate_steps.vc_bound", {"form": "corrected", "most": 1001}, {"form": NAMES, "most": [*COUNTS, 1000]}),
    check(
        "bootstrap_rates.printed_choice",
        {"base": 2, "dimension": 3, "eps": HALF, "delta": HALF},
        {"base": COUNTS, "dimension": COUNTS, "eps": RATIONAL, "delta": RATIONAL},
    ),
    check(
        "bootstrap_rates.lower_bound",
        {"bound": "noise", "n": 8, "dimension": 2, "choice": CHOICE},
        {"bound": NAMES, "n": COUNTS, "dimension": COUNTS, "choice": [None, 3, RateChoice(3, 1, 1)]},
    ),
    check(
        "bootstrap_rates.rate_refuted",
        {"column": "exact", "bound": "floor", "dimensions": [1], "eps": HALF, "delta": HALF, "constants": [1]},
        {
            "column": NAMES,
            "bound": NAMES,
            "dimensions": DIMENSIONS,
            "eps": RATIONAL,
            "delta": RATIONAL,
            "constants": [[], [0], [1.5]],
        },
    ),
    check(
        "bootstrap_rates.minimizes",
        {"dimensions": [1], "eps": HALF, "delta": HALF},
        {"dimensions": DIMENSIONS, "eps": RATIONAL, "delta": RATIONAL},
    ),
    check(
        "bootstrap_rates.vanishes",
        {"choice": "exact", "dimensions": [2], "target": Fraction(1, 100), "eps": HALF, "delta": HALF},
        {"choice": NAMES, "dimensions": DIMENSIONS, "target": RATIONAL, "eps": RATIONAL, "delta": RATIONAL},
    ),
    check(
        "bootstrap_rates.columns",
        {"first": "exact", "second": "smoothed", "dimensions": [1], "relation": "greater"},
        {"first": NAMES, "second": NAMES, "dimensions": DIMENSIONS, "relation": NAMES},
    ),
    check("bootstrap_rates.floor_value", {"constant": HALF, "most": 8}, {"constant": RATIONAL, "most": COUNTS}),
    random("bootstrap_rates.noise_at_node", instances=2, share=CLAIMED),
    random("bootstrap_rates.necessary_records", instances=2, factor=CLAIMED),
    check(
        "rate_constants.unsmoothed_is_faster",
        {"dimensions": [5], "eps": HALF, "delta": HALF},
        {"dimensions": DIMENSIONS, "eps": RATIONAL, "delta": RATIONAL},
    ),
    check("rate_constants.minimax_lower", {"constant": HALF}, {"constant": RATIONAL}),
    check("rate_constants.empirical_upper", {"constant": 1.3, "most": 2}, {"constant": SHARES, "most": COUNTS}),
    random_route("upper_rate", 2, shift=(Fraction(0), NOT_FRACTIONS)),
    random_route("swept_upper", 40, claimed=(1.0, [*SHARES, 1.5])),
    random_route("worst_upper", 2, claimed=(1.0, [*SHARES, 1.5])),
    random_constraint("least_order", 200),
    random_constraint("worst_order", 2),
    Case(
        "studies.bootstrap_rates.choose",
        lambda: {"series": "theorem", "n": 100, "dimension": 2, "eps": 0.5, "delta": 0.1},
        {"n": "count", "dimension": "count", "eps": "eps"},
        {"series": NAMES, "delta": UNIT},
    ),
    Case(
        "studies.bootstrap_rates.measured_error",
        lambda: {"series": "exact", "n": 100, "dimension": 2, "choice": CHOICE, "eps": 0.5},
        {"n": "count", "dimension": "count", "eps": "eps"},
        {"series": NAMES, "choice": [None, 3]},
    ),
    Case(
        "studies.bootstrap_rates.simulated_distance",
        lambda: {"n": 10, "dimension": 1, "choice": CHOICE, "repeats": 2, "rng": np.random.default_rng(1)},
        {"n": "count", "dimension": "count", "repeats": "count", "rng": "rng"},
        {"choice": [None, 3], "repeats": [1]},
    ),
    Case(
        "studies.bootstrap_rates.error_curves",
        lambda: {
            "dimensions": [1],
            "sizes": [1000],
            "eps": 0.5,
            "delta": 0.01,
            "simulated": [1000],
            "repeats": 2,
            "seed": 1,
        },
        {"eps": "eps", "repeats": "count"},
        {"dimensions": DIMENSIONS, "sizes": DIMENSIONS, "delta": UNIT, "simulated": DIMENSIONS, "seed": SEEDS},
    ),
    Case(
        "studies.bootstrap_rates.exponents",
        lambda: {"dimensions": [1], "measured": [1], "low": 10, "high": 12, "eps": 0.5, "delta": 0.01},
        {"low": "count", "high": "count", "eps": "eps"},
        {"dimensions": DIMENSIONS, "measured": DIMENSIONS, "high": [10], "delta": UNIT},
    ),
    Case(
        "studies.bootstrap_rates.falling_cdf",
        lambda: {"n": 20, "bins": 4, "k": 4, "eps": 1.0, "delta": 0.01, "seed": 1},
        {"n": "count", "bins": "count", "k": "count", "eps": "eps"},
        {"bins": [2], "delta": UNIT, "seed": SEEDS},
    ),
]

EXEMPT = {"histogram_rates.RateChoice": "a record of the numbers that the choices return"}
