"""The checks of the page on the relaxed exponential mechanism: when they hold and when they fail."""

from fractions import Fraction as F

LESS, MORE = {"claimed": F(98, 100)}, {"claimed": F(102, 100)}

TABLE = {
    "relaxed_exponential.definition_determines": ({"set_given": True}, {}, "exact"),
    "relaxed_exponential.set_exists": ({"finite": True}, {"finite": False}, "certified"),
    "relaxed_exponential.sensitivity_definition": ({}, LESS, "exact"),
    "relaxed_exponential.sampling_rule": ({}, {"printed_name": True}, "exact"),
    "relaxed_exponential.theorem_4": ({"sets": "both rows"}, {"sets": "one row"}, "exact"),
    "relaxed_exponential.one_family": ({}, {"shared": False}, "exact"),
    "relaxed_proof.complement_mass": ({}, LESS, "exact"),
    "relaxed_proof.factors_bounded": ({}, LESS, "exact"),
    "relaxed_proof.ratio_from_below": ({"outside": True}, {"outside": False}, "exact"),
    "relaxed_proof.ratio_over_typical": ({"conditional": True}, {"conditional": False}, "exact"),
    "relaxed_proof.rearranged": ({"inverted": False}, {"inverted": True}, "exact"),
    "relaxed_proof.splitting": ({}, {"forget": True}, "exact"),
    "relaxed_types.type_probability": ({}, {"entropy": False}, "exact"),
    "relaxed_types.divergence_defined": ({}, {"swap": True}, "exact"),
    "relaxed_types.most_probable": ({"classes": True}, {"classes": False}, "exact"),
    "relaxed_types.decay_rate": ({}, MORE, "exact"),
    "relaxed_types.typical_mass": ({}, {"rate": F(3)}, "certified"),
    "relaxed_types.entropy_cancels": ({}, {"reverse": True}, "exact"),
    "relaxed_types.response_formula": ({}, {"second": False}, "exact"),
    "relaxed_types.canonical_instance": ({}, LESS, "exact"),
    "relaxed_sensitivity.sensitivity_formula": ({"form": "at most"}, {"form": "equal"}, "exact"),
    "relaxed_sensitivity.sensitivity_exists": ({}, {"enough": False}, "exact"),
    "relaxed_sensitivity.loss_over_typical": ({}, LESS, "exact"),
    "relaxed_equivalence.equivalence": ({"scale": "formula"}, {"scale": "definition"}, "exact"),
    "relaxed_equivalence.selection": ({"matched": True}, {"matched": False}, "exact"),
    "relaxed_equivalence.whole_records": ({"rational": True}, {"rational": False}, "exact"),
    "relaxed_algebra.decomposition": ({}, {"sign": -1}, "exact"),
    "relaxed_algebra.derivative": ({"which": 1}, {"which": 1, "sign": -1}, "exact"),
    "relaxed_algebra.first_slope_bound": ({"printed": False}, {"printed": True}, "certified"),
    "relaxed_algebra.second_slope_bound": ({}, MORE, "exact"),
    "relaxed_algebra.increasing": ({"which": 1}, {"which": 1, "shift": F(-1, 50)}, "certified"),
    "relaxed_algebra.small_shares": ({}, {"sign": -1}, "certified"),
    "relaxed_algebra.large_shares": ({}, LESS, "certified"),
    "relaxed_algebra.upper_corner": ({}, {"corner": "mixed"}, "certified"),
    "relaxed_algebra.corner_value": ({}, {"sign": -1}, "exact"),
    "relaxed_algebra.lower_corner": ({}, LESS, "certified"),
    "relaxed_sweeps.theorem_sweep": ({}, {"both": False}, "float"),
    "relaxed_sweeps.ratio_sweep": ({}, {"outside": False}, "float"),
    "relaxed_sweeps.mode_sweep": ({}, {"classes": False}, "float"),
    "relaxed_sweeps.theorem_search": ({}, {"both": False}, "float"),
    "relaxed_sweeps.sensitivity_sweep": ({}, {"claimed": 0.98}, "float"),
    "relaxed_sweeps.sensitivity_search": ({}, {"claimed": 0.98}, "float"),
}

MORE_FAIL = {
    "relaxed_exponential.set_exists": [{"finite": True, "whole": False}],
    "relaxed_exponential.theorem_4": [
        {"sets": "both rows", **LESS},
        {"sets": "both rows", "inside": True, **LESS},
        {"sets": "one row", "inside": True},
    ],
    "relaxed_sensitivity.sensitivity_formula": [
        {"form": "to the letter"},
        {"form": "at most", **LESS},
        {"form": "attained", **MORE},
    ],
    "relaxed_algebra.derivative": [{"which": 2, "sign": -1}],
    "relaxed_algebra.increasing": [{"which": 2, "shift": F(-1, 50)}],
    "relaxed_sweeps.theorem_sweep": [{"claimed": 0.98}, {"inside": True, "both": False}],
    "relaxed_sweeps.theorem_search": [{"inside": True, "both": False}],
}
MORE_HOLD = {
    "relaxed_exponential.theorem_4": [{"sets": "both rows", "inside": True}],
    "relaxed_sweeps.theorem_sweep": [{"inside": True}],
    "relaxed_sweeps.theorem_search": [{"inside": True}],
    "relaxed_sensitivity.sensitivity_formula": [{"form": "attained"}],
    "relaxed_algebra.derivative": [{"which": 2}],
    "relaxed_algebra.increasing": [{"which": 2}],
}
