"""Checks of the page on hazards of implementation: arguments under which each statement holds, and fails."""

from fractions import Fraction as F

THIRDS = (F(1, 3), F(1, 3), F(1, 3))

TABLE = {
    "implementation.revealing_share": ({"claimed": F(4, 5)}, {"claimed": F(81, 100)}, "exact"),
    "implementation.float_delta": ({"claimed": F(4, 5)}, {"claimed": F(81, 100)}, "certified"),
    "implementation.double_outputs": ({}, {"shift": 1}, "exact"),
    "implementation.seed_recovered": ({}, {"known": False}, "exact"),
    "implementation.time_formula": ({}, {"claimed": F(102, 100)}, "exact"),
    "implementation.time_leaks": ({}, {"constant": True}, "exact"),
    "finite_weights.weights_keep_level": ({}, {"nearest": True}, "exact"),
    "finite_weights.weights_close": ({}, {"share": F(1, 8)}, "exact"),
    "finite_weights.fewest_bits": (
        {"reference": THIRDS, "root": F(11, 10), "claimed": 5},
        {"reference": THIRDS, "root": F(11, 10), "claimed": 4},
        "exact",
    ),
    "finite_weights.draws_follow": ({}, {"swap": True}, "float"),
}

MORE_HOLD = {
    "implementation.revealing_share": [
        {"claimed": F(2, 65535), "spacing": F(1), "equal": True},
        {"claimed": F(1, 100), "answer": 100},
    ],
    "implementation.float_delta": [{"claimed": F(4, 5), "eps": F(20)}],
}
MORE_FAIL = {
    "implementation.revealing_share": [
        {"claimed": F(share, 65535), "spacing": F(1), "equal": True} for share in (1, 3)
    ],
    "finite_weights.fewest_bits": [{"reference": THIRDS, "root": F(11, 10), "claimed": 6}],
}
