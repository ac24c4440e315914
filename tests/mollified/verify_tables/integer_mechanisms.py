"""Checks of the page on integer mechanisms: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "integer_privacy.geometric_private": ({}, LESS, "exact"),
    "integer_privacy.geometric_level": ({}, LESS, "exact"),
    "integer_privacy.binomial_level": ({}, LESS, "exact"),
    "integer_privacy.binomial_floor": ({}, {"factor": 2}, "exact"),
    "integer_privacy.smallest_trials": (
        {"exp_eps": F(2), "delta": F(1, 10**5), "claimed": 115},
        {"exp_eps": F(2), "delta": F(1, 10**5), "claimed": 116},
        "exact",
    ),
    "integer_privacy.gaussian_level": ({}, LESS, "certified"),
    "integer_privacy.gaussian_moment": ({}, LESS, "certified"),
    "integer_privacy.gaussian_support": ({}, {"truncated": True}, "certified"),
    "integer_truncation.count_range": ({}, {"missing": 1}, "exact"),
    "integer_truncation.natural_outputs": ({"truncate": True}, {"truncate": False}, "exact"),
    "integer_truncation.rounding_preserves": ({}, {"independent": False}, "exact"),
    "integer_truncation.rounded_laplace": ({}, LESS, "certified"),
    "integer_truncation.truncated_to_size": ({"relation": "replace"}, {}, "exact"),
    "integer_truncation.truncated_bias": ({}, {"factor": F(0)}, "exact"),
    "integer_libraries.opendp_geometric": ({}, {"claimed": F(5, 2)}, "float"),
    "integer_libraries.opendp_gaussian": ({}, {"claimed": F(5)}, "float"),
    "integer_libraries.numpy_binomial": ({}, {"claimed": 32}, "float"),
    "integer_libraries.opendp_map": ({}, {"shrink": 0.98}, "exact"),
    "integer_libraries.opendp_delta": ({}, {"sensitivity": 0.5}, "certified"),
    "integer_libraries.accountant_delta": ({}, {"factor": 1.02}, "float"),
}

HELPERS = {"integer_libraries.output_fit", "integer_truncation.Cap"}

MORE_FAIL = {
    "integer_privacy.smallest_trials": [{"exp_eps": F(2), "delta": F(1, 10**5), "claimed": 114}],
    "integer_libraries.accountant_delta": [
        {"mechanism": "gaussian", "factor": 1.02},
        {"mechanism": "binomial", "factor": 1.1},
    ],
}
MORE_HOLD = {
    "integer_truncation.truncated_to_size": [{"cap": "public"}, {"relation": "replace", "cap": "public"}],
    "integer_libraries.accountant_delta": [{"mechanism": "gaussian"}, {"mechanism": "binomial"}],
}
