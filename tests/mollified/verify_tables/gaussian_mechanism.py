"""Checks of the page on the Gaussian mechanism: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}
MENDED = {"form": "corrected"}
HALF = {"factor": F(1, 2), "most": F(183, 100)}


def _pair(kind, **more):
    return {"kind": kind, **more}, {"kind": kind, "claimed": 0.98, **more}


TABLE = {
    "gaussian_noise.total_mass": ({}, {"rooted": False}, "certified"),
    "gaussian_noise.moments": ({}, {"squared": False}, "certified"),
    "gaussian_noise.tail": ({}, {"factor": F(98, 100)}, "certified"),
    "gaussian_noise.sums": ({"dependent": False}, {}, "exact"),
    "gaussian_noise.sensitivity_exists": ({}, {"absolute": True}, "exact"),
    "gaussian_noise.rule_defined": ({}, {"top": F(2)}, "certified"),
    "gaussian_noise.logarithmic": ({}, {"squared": False}, "certified"),
    "gaussian_noise.never_pure": ({}, {"laplace": True}, "certified"),
    "gaussian_privacy.printed_rule": ({"most": F(378, 100)}, {}, "certified"),
    "gaussian_privacy.proved_below": ({}, {"most": F(379, 100)}, "certified"),
    "gaussian_privacy.grows_with_eps": ({}, {"fixed": True}, "certified"),
    "gaussian_privacy.hockey_stick": ({}, LESS, "certified"),
    "gaussian_privacy.calibrated": ({}, LESS, "certified"),
    "gaussian_privacy.one_dimension": ({}, {"absolute": True}, "exact"),
    "gaussian_privacy.libraries_agree": ({}, {"claimed": 0.98}, "float"),
    "gaussian_privacy.opendp_above": ({}, {"times": 1.5}, "float"),
    "gaussian_proof.loss_bound": (MENDED, {}, "exact"),
    "gaussian_proof.displayed_loss": ({}, {"mirrored": True}, "exact"),
    "gaussian_proof.threshold": (MENDED, {}, "exact"),
    "gaussian_proof.tail_suffices": ({}, {"shifted": False}, "certified"),
    "gaussian_proof.slide_tail": (HALF, {}, "certified"),
    "gaussian_proof.slide_bound": ({}, {"claimed": F(157, 100)}, "certified"),
    "gaussian_proof.printed_condition": ({"most": F(1), "top": F(95, 100)}, {}, "certified"),
    "gaussian_error.error_bound": (MENDED, {}, "certified"),
    "gaussian_error.union_bound": ({"form": "slides"}, {}, "certified"),
    "gaussian_search.sweep": (*_pair("tail"), "float"),
    "gaussian_search.climb": (*_pair("tail", starts=500), "float"),
    "gaussian_exercises.rule_fails": ({}, {"root": True}, "certified"),
    "gaussian_exercises.releases": ({}, {"added": True}, "exact"),
}
KINDS = ("small", "events", "loss", "threshold", "half", "error", "union", "slides")
MORE_FAIL = {
    "gaussian_noise.tail": [{"factor": F(999, 1000)}],
    "gaussian_privacy.proved_below": [
        {"most": F(337, 100), "sides": 1},
        {"most": F(1), "sides": 2, "top": F(96, 100)},
        {"most": F(1), "sides": 2, "top": F(51, 100), "mills": True},
    ],
    "gaussian_proof.loss_bound": [{**MENDED, **LESS}],
    "gaussian_proof.threshold": [{**MENDED, **LESS}, {"form": "exact", **LESS}],
    "gaussian_proof.tail_suffices": [{"sides": 1, "shifted": False}],
    "gaussian_proof.slide_tail": [{**HALF, **LESS}, {"factor": F(1, 2), "most": F(2)}, {"factor": F(1)}],
    "gaussian_error.error_bound": [{**MENDED, **LESS}],
    "gaussian_error.union_bound": [{"form": "slides", **LESS}, {"form": "sharper", **LESS}],
    "gaussian_search.climb": [_pair(kind, starts=4000)[1] for kind in KINDS],
}
MORE_HOLD = {
    "gaussian_noise.tail": [{"factor": F(1)}],
    "gaussian_privacy.proved_below": [
        {"most": F(336, 100), "sides": 1},
        {"most": F(1), "sides": 2, "top": F(95, 100)},
        {"most": F(1), "sides": 2, "top": F(1, 2), "mills": True},
    ],
    "gaussian_proof.threshold": [{"form": "exact"}],
    "gaussian_proof.tail_suffices": [{"sides": 1}],
    "gaussian_error.union_bound": [{"form": "sharper"}],
    "gaussian_search.sweep": [{"kind": kind} for kind in KINDS],
    "gaussian_search.climb": [_pair(kind, starts=500)[0] for kind in KINDS],
}
