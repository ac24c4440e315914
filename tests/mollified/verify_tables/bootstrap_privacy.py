"""Checks of the pages on plain bootstrapping and on the recipe: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}
STEEPER = {"exponent": F(3)}

TABLE = {
    "bootstrap_privacy.unique_appears": ({}, {"union": True}, "exact"),
    "bootstrap_privacy.infinite_loss": ({}, {"without": True}, "exact"),
    "bootstrap_privacy.needs_delta": ({}, {"k": 1}, "exact"),
    "bootstrap_privacy.least_delta": ({}, LESS, "exact"),
    "bootstrap_privacy.records_allowed": ({}, LESS, "exact"),
    "bootstrap_privacy.single_draw": ({}, {"below": False}, "exact"),
    "bootstrap_privacy.repeated_values": ({}, {"least": 1}, "exact"),
    "bootstrap_privacy.all_ones": ({}, {"shift": 1}, "exact"),
    "bootstrap_privacy.smoothing_bounds": ({}, {"least": 0}, "exact"),
    "bootstrap_privacy.pure_threshold": ({}, LESS, "certified"),
    "bootstrap_privacy.small_budget": ({}, {"below": False}, "certified"),
    "bootstrap_definitions.data_sets": ({}, {"as_sets": True}, "exact"),
    "bootstrap_definitions.adjacent_counts": ({}, {"add_remove": True}, "exact"),
    "bootstrap_definitions.with_replacement": ({}, {"replace": False}, "exact"),
    "bootstrap_definitions.toy_domain": ({}, {"power": True}, "exact"),
    "bootstrap_definitions.two_forms": ({}, {"absolute": True}, "exact"),
    "bootstrap_definitions.loss_defined": ({}, {"possible": False}, "exact"),
    "bootstrap_definitions.post_processing": ({}, {"shared": True}, "exact"),
    "bootstrap_definitions.posterior_mean": ({}, {"shift": 1}, "exact"),
    "bootstrap_definitions.posterior_draws": ({}, {"mean": True}, "exact"),
    "privacy_loss.bounded_loss": ({"direction": "sufficient"}, {"direction": "necessary"}, "exact"),
    "privacy_loss.loss_form": ({"form": "equal"}, {"form": "equal", **LESS}, "exact"),
    "privacy_loss.loss_sweep": ({"form": "equal"}, {"form": "equal", **LESS}, "float"),
    "privacy_loss.loss_climb": ({"starts": 2000}, {"starts": 2000, **LESS}, "float"),
    "typical_loss.all_ones_rare": ({}, LESS, "certified"),
    "typical_loss.concentration": ({}, STEEPER, "certified"),
    "typical_loss.mean_loss": ({}, {"other": True}, "exact"),
    "typical_loss.mean_loss_small": ({}, {"grow": False}, "certified"),
    "typical_loss.same_distribution": ({"within": True}, {"within": False}, "certified"),
    "typical_loss.typical_cover": ({}, {"smallest": True}, "exact"),
    "typical_loss.binomial_sweep": ({}, STEEPER, "float"),
    "typical_loss.binomial_climb": ({"starts": 1000}, {"starts": 1000, **STEEPER}, "float"),
}
MORE_FAIL = {
    "bootstrap_privacy.repeated_values": [{"smoothed": True}],
    "bootstrap_privacy.smoothing_bounds": [{"shift": 1}],
    "privacy_loss.loss_form": [{"form": form, **LESS} for form in ("tail", "capped")],
    "privacy_loss.loss_sweep": [{"form": "tail", **LESS}],
}
MORE_HOLD = {
    "privacy_loss.loss_form": [{"form": "tail"}, {"form": "capped"}],
    "privacy_loss.loss_sweep": [{"form": "tail"}],
}
