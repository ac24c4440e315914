"""Checks of the pages on exponential moments and the KL drop: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS, MORE = {"claimed": F(98, 100)}, {"claimed": F(102, 100)}

TABLE = {
    "scalar_drop.chord": ({}, {"factor": F(98, 100)}, "certified"),
    "scalar_drop.chord_general": ({}, {"factor": F(98, 100)}, "certified"),
    "scalar_drop.gamma_nonnegative": ({}, {"threshold": F(98, 300)}, "certified"),
    "scalar_drop.hoeffding_scalar": ({}, {"factor": F(98, 100)}, "certified"),
    "scalar_drop.beats_printed_high": ({}, {"factor": F(102, 100)}, "certified"),
    "scalar_drop.grows_with_edge": ({}, {"factor": F(102, 100)}, "certified"),
    "scalar_drop.positive_above": ({}, {"factor": F(98, 100)}, "certified"),
    "exponential_moments.attained": ({}, LESS, "exact"),
    "exponential_moments.before_edge": ({}, LESS, "float"),
    "exponential_moments.centred_interval": ({"shifted": True}, {"shifted": False}, "exact"),
    "exponential_moments.centred_mean": ({}, {"centred": False}, "exact"),
    "exponential_moments.chord_in_mean": ({}, LESS, "exact"),
    "exponential_moments.hoeffding_lemma": ({}, LESS, "certified"),
    "exponential_moments.insert_edge": ({"form": "corrected"}, {"form": "printed"}, "certified"),
    "exponential_moments.moment_at_one": ({"form": "corrected"}, {"form": "printed"}, "certified"),
    "exponential_moments.moment_bound": ({}, {"claimed": F(9, 10)}, "float"),
    "exponential_moments.printed_below": ({"least": F(3, 5)}, {"least": F(1, 2)}, "certified"),
    "exponential_moments.rewrite_gamma": ({}, {"constant": F(408, 100)}, "certified"),
    "kl_drop.concave": ({}, LESS, "exact"),
    "low_regime.condition_minor": ({}, {"decay": False}, "certified"),
    "kl_drop.drop_bound": ({"bound": "sharp"}, {"bound": "low"}, "certified"),
    "kl_drop.drop_identity": ({}, {"skip_normaliser": True}, "certified"),
    "kl_drop.drop_swept": ({"bound": "sharp"}, {"bound": "sharp", **MORE}, "float"),
    "kl_drop.jensen": ({}, MORE, "float"),
    "kl_drop.optimal_step": ({"inside": True}, {"inside": False}, "exact"),
    "kl_drop.one_parameter_family": ({}, {"normalised": False}, "exact"),
    "low_regime.useful_condition": ({"bound": "low"}, {"bound": "low", **LESS}, "certified"),
    "drop_search.best_length": ({}, {"factor": F(98, 100)}, "certified"),
    "drop_search.worst_drop": ({}, MORE, "float"),
}

MORE_FAIL = {
    "kl_drop.drop_bound": [{"bound": "high"}, *({"bound": b, **MORE} for b in ("hoeffding", "jensen", "sharp"))],
    "kl_drop.drop_swept": [{"bound": b, **MORE} for b in ("hoeffding", "jensen", "high")],
    "kl_drop.one_parameter_family": [{"varying": False}],
    "low_regime.useful_condition": [
        {"bound": "low", **MORE},
        {"bound": "hoeffding", **LESS},
        {"bound": "sharp"},
        {"bound": "sharp", "needed": False, "claimed": F(9, 10)},
    ],
    "scalar_drop.hoeffding_scalar": [{"factor": F(999, 1000)}],
    "scalar_drop.chord": [{"factor": F(102, 100)}],
}
MORE_HOLD = {
    "kl_drop.drop_bound": [{"bound": "hoeffding"}, {"bound": "jensen"}, {"bound": "high", "largest": True}],
    "kl_drop.drop_swept": [{"bound": "hoeffding"}, {"bound": "jensen"}, {"bound": "high"}],
    "exponential_moments.moment_at_one": [{"form": "printed", "largest": True}],
    "exponential_moments.insert_edge": [{"form": "printed", "largest": True}],
    "low_regime.useful_condition": [{"bound": "hoeffding"}, {"bound": "sharp", "needed": False}],
}
