"""The checks of the page on the rates of the bootstrapped histogram: when they hold and when they fail."""

from fractions import Fraction as F

ALL = list(range(1, 13))
FLOOR = {"column": "printed", "bound": "floor"}

TABLE = {
    "binned_estimators.cubes_fill": ({"whole_sides": True}, {"whole_sides": False}, "exact"),
    "binned_estimators.distance_at_nodes": ({}, {"all_nodes": False}, "exact"),
    "binned_estimators.estimator_mass": ({}, {"sum_to_cells": True}, "exact"),
    "binned_estimators.expected_histogram": ({"corrected": True}, {"corrected": True, "smoothed": False}, "exact"),
    "binned_estimators.biased": ({"exclude_uniform": True}, {"exclude_uniform": False}, "exact"),
    "binned_estimators.corrected_is_private": ({}, {"public": False}, "exact"),
    "binned_estimators.corrected_cdf": ({"mended": True}, {"mended": False}, "exact"),
    "binned_estimators.doubling": ({}, {"factor": F(1, 2)}, "exact"),
    "binned_estimators.consistent": ({}, {"shrinking": False}, "exact"),
    "rate_steps.triangle": ({}, {"keep_second": False}, "exact"),
    "rate_steps.scaled_error": ({}, {"claimed": F(98, 100)}, "exact"),
    "rate_steps.correction_maps": ({}, {"over_total": True}, "exact"),
    "rate_steps.maximal_inequality": ({}, {"claimed": F(1, 2)}, "certified"),
    "rate_steps.three_terms": ({}, {"claimed": F(1, 4)}, "certified"),
    "rate_steps.bias_of_bins": ({}, {"power": 3}, "exact"),
    "rate_steps.jensen": ({}, {"corrected": False}, "exact"),
    "rate_steps.objective": ({}, {"drop_release": True}, "exact"),
    "rate_steps.vc_bound": ({"form": "corrected"}, {"form": "printed"}, "certified"),
    "bootstrap_rates.rate_refuted": (
        {"column": "exact", "bound": "floor", "dimensions": [1, 2, 3]},
        {**FLOOR, "dimensions": [1, 2, 3]},
        "certified",
    ),
    "bootstrap_rates.minimizes": ({"dimensions": [1]}, {"dimensions": [2, 3]}, "certified"),
    "bootstrap_rates.vanishes": (
        {"choice": "theorem", "dimensions": [1, 4, 6]},
        {"choice": "printed", "dimensions": [4]},
        "certified",
    ),
    "bootstrap_rates.columns": (
        {"first": "theorem", "second": "smoothed", "dimensions": ALL},
        {"first": "choice", "second": "smoothed", "dimensions": ALL},
        "exact",
    ),
    "bootstrap_rates.floor_value": ({"most": 60}, {"constant": F(1, 6), "most": 60}, "exact"),
    "bootstrap_rates.noise_at_node": ({}, {"share": F(1)}, "exact"),
    "bootstrap_rates.necessary_records": ({}, {"factor": F(1, 1000)}, "float"),
    "rate_constants.minimax_lower": ({}, {"constant": F(1, 5)}, "exact"),
    "rate_constants.empirical_upper": ({"most": 50}, {"constant": 0.8, "most": 400}, "float"),
    "rate_constants.unsmoothed_is_faster": ({"dimensions": [5, 8]}, {"dimensions": [4]}, "certified"),
    "rate_constants.upper_rate": ({"route": "theorem"}, {"route": "theorem", "shift": F(1, 20)}, "certified"),
    "rate_constants.swept_upper": ({"route": "theorem"}, {"route": "theorem", "claimed": 0.01}, "float"),
    "rate_constants.worst_upper": ({"route": "exact"}, {"route": "exact", "claimed": 0.05}, "float"),
    "rate_constants.least_order": ({"constraint": "theorem"}, {"constraint": "theorem", "claimed": 1e3}, "float"),
    "rate_constants.worst_order": ({"constraint": "exact"}, {"constraint": "exact", "claimed": 20.0}, "float"),
}

HELPERS = {
    "binned_estimators.multinomial",
    "rate_steps.exact_expectations",
    "bootstrap_rates.lower_bound",
    "bootstrap_rates.printed_choice",
}

MORE_FAIL = {
    "binned_estimators.consistent": [{"filled": False}],
    "binned_estimators.expected_histogram": [{"corrected": False, "smoothed": False}],
    "bootstrap_rates.rate_refuted": [
        {**FLOOR, "dimensions": [3]},
        {"column": "printed", "bound": "private", "dimensions": list(range(1, 9))},
        {"column": "printed", "bound": "noise", "dimensions": [5, 8]},
        {"column": "perturbed", "bound": "minimax", "dimensions": [1]},
        {"column": "smoothed", "bound": "private", "dimensions": [3]},
    ],
    "bootstrap_rates.columns": [
        {"first": "minimax", "second": "printed", "dimensions": [1], "relation": "at least"},
        {"first": "exact", "second": "perturbed", "dimensions": [2]},
    ],
    "rate_constants.upper_rate": [
        {"route": "exact", "shift": F(1, 20)},
        {"route": "laplace", "shift": F(1, 20)},
        {"route": "smoothed", "shift": F(1, 20)},
    ],
    "rate_constants.least_order": [{"constraint": "exact", "claimed": 1e3}, {"constraint": "pure", "claimed": 1e3}],
    "rate_steps.maximal_inequality": [{"claimed": F(1, 2), "records": True}],
    "rate_steps.vc_bound": [{"form": "doubled"}],
}

MORE_HOLD = {
    "binned_estimators.expected_histogram": [{"corrected": False}],
    "bootstrap_rates.rate_refuted": [
        {"column": "choice", "bound": "private", "dimensions": list(range(1, 9))},
        {"column": "printed", "bound": "floor", "dimensions": [4]},
        {"column": "printed", "bound": "noise", "dimensions": [4]},
        {"column": "smoothed", "bound": "private", "dimensions": [1, 2]},
    ],
    "bootstrap_rates.vanishes": [
        {"choice": "printed", "dimensions": [1, 2, 3]},
        {"choice": "exact", "dimensions": [1, 4, 6]},
    ],
    "bootstrap_rates.columns": [
        {"first": "theorem", "second": "perturbed", "dimensions": ALL, "relation": "equal", "cap": True},
        {"first": "minimax", "second": "exact", "dimensions": ALL, "relation": "at least"},
    ],
    "rate_constants.upper_rate": [{"route": "exact"}, {"route": "laplace"}, {"route": "smoothed"}],
    "rate_constants.swept_upper": [{"route": "exact"}, {"route": "laplace"}, {"route": "smoothed"}],
    "rate_constants.least_order": [{"constraint": "exact"}, {"constraint": "pure"}],
    "rate_constants.worst_order": [{"constraint": "pure"}, {"constraint": "theorem"}],
    "rate_steps.maximal_inequality": [{"records": True}],
}
