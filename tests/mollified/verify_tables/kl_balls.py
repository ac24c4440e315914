"""Checks of the page on KL balls: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "kl_balls.decomposition": ({"inverted": False}, {"inverted": True}, "exact"),
    "kl_balls.level_bound": ({}, LESS, "exact"),
    "kl_balls.radius_grows": ({}, LESS, "certified"),
    "kl_balls.good_ones_excluded": ({}, LESS, "certified"),
    "kl_balls.mbde_stays_close": ({}, LESS, "certified"),
    "kl_ball_extremes.bound_attained": ({}, {"form": "corrected"}, "certified"),
    "kl_ball_extremes.best_possible": ({"enough": True}, {"enough": False}, "certified"),
    "kl_ball_extremes.relative_attains": ({}, {"share": F(51, 50)}, "exact"),
    "kl_ball_extremes.sweep": ({}, LESS, "float"),
    "kl_ball_extremes.climb": ({"form": "printed", "steps": 20}, {"form": "printed", "steps": 20, **LESS}, "float"),
    "bad_outputs.possible_outputs": ({"deterministic": True}, {"deterministic": False}, "certified"),
    "bad_outputs.averaged_law": ({}, LESS, "certified"),
    "bad_outputs.output_ratio": ({"averaged": True}, {"averaged": False}, "exact"),
    "bad_outputs.probability_floor": ({}, {"missing": 1}, "exact"),
    "neighbour_paths.path_length": ({}, {"short": 1}, "exact"),
    "neighbour_paths.telescoping": ({}, {"inverted": True}, "exact"),
    "neighbour_paths.chain_attains": ({}, {"start": F(51, 50)}, "exact"),
}

HELPERS = {"kl_ball_extremes.laws_of_level"}

MORE_FAIL = {
    "kl_balls.level_bound": [{"inverted": True, **LESS}],
    "kl_balls.radius_grows": [{"form": "corrected", **LESS}, {"form": "exact", **LESS}],
    "kl_ball_extremes.bound_attained": [{"form": "printed"}],
    "kl_ball_extremes.sweep": [{"form": form, **LESS} for form in ("printed", "corrected", "outside")],
}
MORE_HOLD = {
    "kl_balls.level_bound": [{"inverted": True}],
    "kl_balls.radius_grows": [{"form": "corrected"}, {"form": "exact"}],
    "kl_ball_extremes.sweep": [{"form": form} for form in ("printed", "corrected", "outside", "root")],
    "kl_ball_extremes.climb": [{"form": form, "steps": 60} for form in ("exact", "corrected", "outside", "root")],
}
