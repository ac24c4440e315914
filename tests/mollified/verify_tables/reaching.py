"""Checks of the page on reaching the target."""

from __future__ import annotations

from fractions import Fraction as F

HALF = F(1, 2)
COIN = (HALF, HALF)
NARROW = ((F(3, 10), F(1, 100)), (HALF, F(1, 10)), (F(7, 10), F(1, 10)))
WIDE = ((F(0), F(1)), (F(0), F(1, 4)))

TABLE = {
    "mbde_family.oscillation": ({}, {"claimed": F(98, 100)}, "certified"),
    "mbde_family.closest_member": ({}, {"mix": F(1, 50)}, "exact"),
    "mbde_family.limit_reached": (
        {"p": (F(11, 20), F(9, 20)), "reference": COIN, "root": F(2)},
        {"p": (F(3, 4), F(1, 4)), "reference": COIN, "root": F(2)},
        "certified",
    ),
    "mbde_family.never_below_family": ({}, {"narrow": F(9, 10)}, "certified"),
    "mbde_family.half_gain": ({}, {"share": F(51, 100)}, "certified"),
    "high_edges.gain_at_high_edges": ({"full": True}, {"full": False}, "certified"),
    "high_edges.mollification_in_limit": ({"full": True}, {"full": False}, "certified"),
    "high_edges.share_tangent": ({}, {"slope": F(147, 100)}, "exact"),
    "reaching.closer_with_budget": ({"p": (F(4, 5), F(1, 5))}, {"p": (F(21, 40), F(19, 40))}, "certified"),
    "reaching.bound_grows": ({}, {"smallest": F(3, 10)}, "certified"),
    "reaching.target_in_mollifier": (
        {"modes": WIDE, "level": F(2), "exceeds": False},
        {"modes": NARROW, "level": F(1000), "exceeds": False},
        "certified",
    ),
    "reaching.target_output": ({}, {"factor": F(196, 100)}, "certified"),
    "reaching.variation_bounded": ({}, {"claimed": F(98, 100)}, "exact"),
    "reaching.drops_exceed": ({"rounds": 3}, {"rounds": 2}, "certified"),
    "reaching.edges_bring_closer": ({"shrinking": False}, {"shrinking": True}, "certified"),
    "reaching.guarantee_grows": ({}, {"smallest": F(1, 10)}, "certified"),
    "reaching.rounds_limited": ({}, {"factor": F(102, 100)}, "certified"),
}
MORE_HOLD = {"reaching.target_in_mollifier": [{"modes": NARROW, "level": F(1000), "exceeds": True}]}
MORE_FAIL = {"reaching.target_in_mollifier": [{"modes": WIDE, "level": F(2), "exceeds": True}]}
