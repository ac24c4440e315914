"""The checks of the pages on the line and on random Gaussians: when they hold and when they fail."""

from fractions import Fraction as F

import pandas as pd

SPREADS = pd.DataFrame(
    [
        (placement, method, m, 1.0, deviation)
        for placement, small in (("new", 0.1), ("same", 0.001))
        for m in (1, 2)
        for method, deviation in (("clip", small), ("tanh", small), ("record", 0.2), ("input", 0.3))
    ],
    columns=["placement", "method", "m", "eps", "deviation"],
)
LOSSES = pd.DataFrame(
    [
        (scale, 3, 0, method, 1.0, nll)
        for scale, shift in ((4.0, 2.0), (1.0, -2.0))
        for method, nll in (("clip", 5.0 + shift), ("record", 5.0))
    ],
    columns=["half_width", "m", "repeat", "method", "eps", "nll"],
)
MOST = F(9999, 10000)

TABLE = {
    "random_experiment.coverage_floor": (
        {"eps": [F(1, 4), F(1)], "least": MOST},
        {"eps": [F(2)], "least": MOST},
        "certified",
    ),
    "random_experiment.domain_as_printed": ({}, {"variance": 0.1}, "float"),
    "random_experiment.often_smaller": (
        {"table": SPREADS, "placement": "same", "unit": "record"},
        {"table": SPREADS, "placement": "new", "unit": "record"},
        "float",
    ),
    "random_experiment.ratios_below": (
        {"table": SPREADS, "placement": "new", "factor": 10.0},
        {"table": SPREADS, "placement": "same", "factor": 10.0},
        "float",
    ),
    "random_experiment.plane_order": (
        {"table": LOSSES, "first": ["clip"], "second": "record", "half_width": 1.0},
        {"table": LOSSES, "first": ["clip"], "second": "record", "half_width": 4.0},
        "float",
    ),
    "random_experiment.upper_factor_below": (
        {"repeats": [18, 20], "limit": 1.5},
        {"repeats": [17], "limit": 1.5},
        "float",
    ),
}

MORE_FAIL = {
    "random_experiment.coverage_floor": [{"eps": [F(1)], "least": MOST, "mean": F(12, 10)}],
}
