"""Checks of the page on the readings of MBDE."""

from __future__ import annotations

from fractions import Fraction as F

TABLE = {
    "variants.successors_level": ({}, {"claimed": F(98, 100)}, "certified"),
    "variants.raw_logit_level": ({"limit": 1}, {}, "certified"),
    "variants.perfect_learner_path": ({}, {"add_steps": True}, "certified"),
}
MORE_HOLD = {"variants.raw_logit_level": [{"exceeds": True}]}
MORE_FAIL = {"variants.raw_logit_level": [{"limit": 2}, {"exceeds": True, "limit": 1}]}
