"""Cases for the studies behind the figures, with settings small enough to run in a moment."""

from __future__ import annotations

import numpy as np

from mollified.laws.spaces import Grid
from tests.contract.kinds import NAN, Case

LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
NODES = [0, 4, 6, 1.5, "two", None]

PLANE = Grid([-6.0, -6.0], [6.0, 6.0], 5)

CASES = [
    Case(
        "experiments.modes.modes_shown",
        lambda: {"log_density": np.zeros(25), "grid": PLANE, "centres": np.zeros((1, 2)), "radius": 1.0},
        {"log_density": "vector", "grid": "space", "centres": "points", "radius": "eps"},
        {"grid": [Grid([0.0], [1.0], 5)], "log_density": [[0.0]]},
    ),
]
