"""Checks of the page on the information limit."""

from __future__ import annotations

from fractions import Fraction as F

import pandas as pd


def table(unit, tuned):
    return pd.DataFrame({"domain": ["ring"] * 2, "eps": [1.0, 2.0], "unit": unit, "tuned": tuned})


TABLE = {
    "information_limit.pool_guarantee": ({}, {"margin": False}, "exact"),
    "information_limit.plug_in_gain": ({}, {"factor": F(9, 10)}, "certified"),
    "information_limit.split_members": ({}, {"limit": "even"}, "exact"),
    "information_limit.saved_by_matching": ({}, {"with_log": False}, "float"),
    "information_limit.tuned_start": (
        {"table": table([3.0, 2.0], [2.0, 1.0])},
        {"table": table([3.0, 2.0], [2.0, 2.1])},
        "float",
    ),
}
MORE_HOLD = {"information_limit.pool_guarantee": [{"margin": False, "release": "pool"}]}
MORE_FAIL = {"information_limit.split_members": [{"ceiling": F(101, 100)}]}
