"""Checks of the page on the gain: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

ANY = {"form": "corrected", "regime": "any"}

TABLE = {
    "gamma.gamma_at_rationals": ({"reverse": True}, {"reverse": False}, "exact"),
    "gamma.gamma_below_line": ({}, {"slope": F(98, 100)}, "certified"),
    "gamma.gamma_in_sum": ({"reverse": True}, {"reverse": False}, "certified"),
    "gamma.moment_of_step": ({}, {"linear": True}, "certified"),
    "gamma.edge_with_log2": ({"full": True}, {"full": False}, "certified"),
    "gamma.sum_of_steps": ({"rounds": 20}, {"rounds": 20, "missing": 1}, "exact"),
    "gamma.constant_of_gain": ({}, {"divisor": 3}, "exact"),
    "approximation.gain_identity": ({}, {"swapped": True}, "certified"),
    "approximation.members_gain": ({"reading": "relative"}, {"reading": "absolute"}, "exact"),
    "approximation.barrier": ({}, {"share": F(1, 2)}, "float"),
    "approximation.lower_bound": (ANY, {**ANY, "share": F(3, 2)}, "float"),
    "approximation.two_sided": ({}, {"share": F(9, 10)}, "float"),
    "approximation.drops_summed": ({"full": True}, {"full": False}, "float"),
    "product_example.product_example": (
        {"rounds": 8, "form": "corrected"},
        {"rounds": 8, "form": "printed"},
        "certified",
    ),
    "product_example.product_attains": ({"rounds": 6}, {"rounds": 6, "form": "printed"}, "certified"),
    "product_example.first_drop": ({"scale": F(1)}, {"scale": F(1, 10)}, "certified"),
}

HELPERS = {"product_example.product_gain"}

MORE_FAIL = {
    "gamma.edge_with_log2": [{"full": True, "reverse": True}],
    "approximation.members_gain": [
        {"reading": "relative", "claimed": F(49, 50)},
        {"reading": "absolute", "claimed": F(49, 25)},
    ],
    "approximation.lower_bound": [{"form": "printed"}, {"form": "printed", "regime": "any"}],
    "product_example.product_attains": [{"rounds": 3, "form": "closed"}],
    "product_example.product_example": [
        {"rounds": 50, "form": "printed", "ratio": F(1, 100)},
        {"rounds": 50, "form": "printed", "ratio": F(9, 10), "scale": F(1, 3)},
    ],
}
MORE_HOLD = {
    "gamma.edge_with_log2": [{"full": False, "reverse": True}],
    "approximation.members_gain": [{"reading": "absolute", "claimed": F(2)}],
    "approximation.lower_bound": [{"form": "corrected"}],
    "product_example.product_attains": [{"rounds": 5, "gamma_p": F(1, 10), "gamma_q": F(9, 10), "scale": F(1, 3)}],
    "product_example.product_example": [{"rounds": 8, "form": "closed", "ratio": F(9, 10)}],
}
