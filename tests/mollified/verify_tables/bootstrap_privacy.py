"""Checks of what differential privacy asks of the loss: arguments under which each holds, and fails."""

from fractions import Fraction as F

LESS = {"claimed": F(98, 100)}

TABLE = {
    "bootstrap_definitions.two_forms": ({}, {"absolute": True}, "exact"),
    "privacy_loss.loss_form": ({"form": "equal"}, {"form": "equal", **LESS}, "exact"),
    "privacy_loss.loss_sweep": ({"form": "equal"}, {"form": "equal", **LESS}, "float"),
    "privacy_loss.loss_climb": ({"starts": 2000}, {"starts": 2000, **LESS}, "float"),
}
MORE_FAIL = {
    "privacy_loss.loss_form": [{"form": form, **LESS} for form in ("tail", "capped")],
    "privacy_loss.loss_sweep": [{"form": "tail", **LESS}],
}
MORE_HOLD = {
    "privacy_loss.loss_form": [{"form": "tail"}, {"form": "capped"}],
    "privacy_loss.loss_sweep": [{"form": "tail"}],
}
