"""The checks of the page on private GANs: when they hold and when they fail."""

from fractions import Fraction as F

import pandas as pd

RUNS = pd.DataFrame({"kind": ["a", "a", "b", "b"], "seed": [0, 1, 0, 1], "modes": [8, 8, 3, 8], "near": [0.8] * 4})
FEW = pd.DataFrame({"kind": ["a", "a"], "seed": [0, 1], "modes": [3, 7], "near": [0.2, 0.3]})
PAIRS = pd.DataFrame({"contender": ["p", "p", "q", "q"], "seed": [0, 1, 0, 1], "loss": [4.0, 5.0, 4.2, 4.9]})
CURVE = {"noises": [1.0], "deltas": [1e-3]}

TABLE = {
    "gan_accounting.event_allowed": ({"steps": 5}, {"steps": 10_000}, "certified"),
    "gan_accounting.loop_without_noise": ({"steps": 8}, {"steps": 9}, "exact"),
    "gan_accounting.enough_noise": ({"noise": F(1, 8)}, {"noise": F(1, 16)}, "certified"),
    "gan_accounting.accounted_curve": (CURVE, {**CURVE, "assumed": 2.0}, "float"),
    "gan_accounting.bounded_share": ({}, {"average": True}, "float"),
    "contenders_compared.loss_floor": (
        {"floor": F(996, 100), "eps": F(1, 4), "radii": [F(4)]},
        {"floor": F(997, 100), "eps": F(1, 4), "radii": [F(4)]},
        "certified",
    ),
    "contenders_compared.gap_at_most": (
        {"table": PAIRS, "first": "p", "second": "q", "most": 0.25},
        {"table": PAIRS, "first": "p", "second": "q", "most": 0.15},
        "float",
    ),
    "contenders_compared.beaten_by": (
        {"losses": [5.0, 6.0], "others": [4.0], "margin": 1.0},
        {"losses": [5.0, 6.0], "others": [4.0, 5.5], "margin": 0.1},
        "float",
    ),
    "contenders_compared.loses_modes": (
        {"table": FEW, "column": "kind", "value": "a"},
        {"table": RUNS, "column": "kind", "value": "b"},
        "float",
    ),
    "contenders_compared.most_cover": (
        {"table": RUNS, "column": "kind", "values": ["a", "b"], "share": 0.5},
        {"table": RUNS, "column": "kind", "values": ["a", "b"], "share": 0.75},
        "float",
    ),
}

HELPERS = {"gan_accounting.noise_of_formula"}

MORE_FAIL = {
    "gan_accounting.event_allowed": [{"steps": 9}, {"steps": 10_000, "eps": F(1)}],
    "gan_accounting.accounted_curve": [{**CURVE, "assumed": 0.5}],
}
MORE_HOLD = {
    "gan_accounting.event_allowed": [{"steps": 8}, {"steps": 10_000, "noise": F(2)}],
    "contenders_compared.loss_floor": [{"floor": F(18, 10), "eps": F(5), "radii": [F(4), F(6)]}],
}
