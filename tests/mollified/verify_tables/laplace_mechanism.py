"""Checks of the page on the Laplace mechanism: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

TWO_NAMES = {"question": "all-given-names", "l1": F(1), "l2_squared": F(1)}

TABLE = {
    "laplace_noise.total_mass": ({}, {"factor": F(2)}, "certified"),
    "laplace_noise.moment": ({"order": 2, "claimed": F(2)}, {"order": 2, "claimed": F(1)}, "certified"),
    "laplace_noise.two_sided_tail": ({}, {"rate": F(102, 100)}, "certified"),
    "laplace_noise.density_ratio": ({}, {"claimed": F(98, 100)}, "exact"),
    "laplace_sensitivity.count_answers": (
        {"question": "blond", "l1": F(1), "l2_squared": F(1)},
        {"question": "blond", "l1": F(2), "l2_squared": F(1)},
        "exact",
    ),
    "laplace_sensitivity.average_salary": ({}, {"share": F(49, 100)}, "exact"),
    "laplace_sensitivity.unbounded_average": ({}, {"clipped": True}, "exact"),
    "laplace_sensitivity.maximum_attained": ({"weights": (F(0), F(-1), F(4))}, {}, "exact"),
    "laplace_sensitivity.whole_changes": ({}, {"whole": False}, "exact"),
    "laplace_sensitivity.supremum_serves": ({}, {"scale": F(98, 100)}, "exact"),
    "laplace_sensitivity.order_free": ({}, {"first": True}, "exact"),
    "laplace_sensitivity.is_norm": ({}, {"size": "squared"}, "exact"),
    "laplace_privacy.private_outputs": ({}, {"claimed": F(98, 100)}, "exact"),
    "laplace_privacy.private_sets": ({}, {"scale": F(98, 100)}, "certified"),
    "laplace_privacy.ratio_of_integrals": ({}, {"extreme": "min"}, "exact"),
    "laplace_privacy.product_density": ({}, {"power": False}, "certified"),
    "laplace_privacy.exponent_identity": ({}, {"sign": -1}, "certified"),
    "laplace_privacy.triangle_step": ({}, {"norm": "l2"}, "exact"),
    "laplace_privacy.scale_defined": ({}, {"constant": True}, "exact"),
    "laplace_privacy.exact_level": ({}, {"rate": F(1)}, "certified"),
    "laplace_search.sweep": ({}, {"claimed": 0.98}, "float"),
    "laplace_search.climb": ({}, {"claimed": 0.98}, "float"),
    "laplace_error.expected_error": ({}, {"factor": "root"}, "certified"),
    "laplace_error.threshold_bound": ({}, {"share": F(98, 100)}, "certified"),
    "laplace_error.exact_promise": ({}, {"power": 1}, "certified"),
    "laplace_error.union_bound": ({}, {"missing": 1}, "exact"),
    "laplace_error.error_is_norm": ({}, {"absolute": False}, "exact"),
    "laplace_error.bound_form": ({}, {"smaller": True}, "exact"),
    "laplace_error.exact_quantile": (
        {"size": 10_000, "beta": F(1, 20), "low": F(12), "high": F(1219, 100)},
        {"size": 10_000, "beta": F(1, 20), "low": F(11), "high": F(12)},
        "certified",
    ),
    "laplace_names.errors_within": ({}, {"share": F(98, 100)}, "certified"),
    "laplace_names.rounded_threshold": ({}, {"claimed": 13}, "certified"),
    "laplace_names.order_kept": ({}, {"multiple": F(19, 10)}, "exact"),
    "laplace_names.pair_ordered": ({"gap": 25}, {}, "certified"),
    "laplace_names.top_gap": ({"gap": F(25, 2)}, {"gap": F(12)}, "certified"),
    "laplace_libraries.opendp_noise": ({}, {"claimed": 2.5}, "float"),
    "laplace_libraries.own_noise": ({}, {"claimed": 3.0}, "float"),
    "laplace_libraries.opendp_map": ({}, {"shrink": 0.5}, "exact"),
    "laplace_libraries.accountant_delta": ({}, {"moved": 1.02}, "float"),
}

HELPERS = {"laplace_libraries.noise_law", "laplace_search.Kind"}

MORE_FAIL = {
    "laplace_noise.density_ratio": [{"gaussian": True}],
    "laplace_noise.two_sided_tail": [{"share": F(98, 100)}],
    "laplace_noise.moment": [{"order": 1, "claimed": F(1, 10), "sign": "odd"}],
    "laplace_sensitivity.count_answers": [
        TWO_NAMES,
        {**TWO_NAMES, "question": "first-names", "relation": "replace-one"},
    ],
    "laplace_sensitivity.order_free": [{"names": True, "first": True}],
    "laplace_search.sweep": [{"kind": "supremum", "claimed": 0.98}],
    "laplace_search.climb": [{"kind": "supremum", "claimed": 0.98}],
    "laplace_error.expected_error": [{"factor": "one"}],
    "laplace_names.errors_within": [{"threshold": F(12)}],
}
MORE_HOLD = {
    "laplace_noise.moment": [{"order": 1, "claimed": F(0), "sign": "odd"}, {"order": 1, "claimed": F(1)}],
    "laplace_sensitivity.count_answers": [
        {"question": "male-and-blond", "l1": F(2), "l2_squared": F(2)},
        {"question": "male-and-blond", "l1": F(2), "l2_squared": F(2), "relation": "replace-one"},
        {"question": "colours", "l1": F(1), "l2_squared": F(1)},
        {"question": "colours", "l1": F(2), "l2_squared": F(2), "relation": "replace-one"},
        {"question": "first-names", "l1": F(1), "l2_squared": F(1)},
        {"question": "all-given-names", "l1": F(2), "l2_squared": F(2)},
    ],
    "laplace_sensitivity.order_free": [{"names": True}],
    "laplace_search.sweep": [{"kind": "supremum"}],
    "laplace_search.climb": [{"kind": "supremum"}],
}
