"""Cases for the pages on the mixture on the line and on random Gaussians."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mollified.boosting.polynomial_learner import PolynomialLearner
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import Grid
from tests.contract.kinds import NAN, Case

LINE = Grid([-4.0], [4.0], 65)
PLANE = Grid([0.0, 0.0], [1.0, 1.0], 5)
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
COUNTS = [None, 3, [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
READINGS = ["no-such-reading", None, 3]
TABLES = [None, 3, "t", pd.DataFrame()]
PLACES = [None, 3, [], [-1], [0.5], ["a"]]
RECIPES = ["no-such-recipe", 3]
REPEAT = [-1, 1.5, "two", None]

MODES = pd.DataFrame({"reading": ["variance"], "variant": ["clip"], "eps": [1.0], "place_0": [0], "x": [0.3]})
SPREAD = {"seed": 1, "counts": [1], "eps": [1.0]}
SPREAD_BAD = {"seed": SEEDS, "counts": COUNTS, "eps": LEVELS}

CASES = [
    Case(
        "experiments.modes.modes_on_line",
        lambda: {"log_density": np.zeros(65), "grid": LINE},
        {"log_density": "vector", "grid": "space"},
        {"grid": [PLANE], "log_density": [[0.0]]},
    ),
    Case(
        "boosting.polynomial_learner.PolynomialLearner",
        lambda: {"degree": 1, "method": "clip", "space": LINE},
        {"degree": "count", "method": "choice", "space": "space"},
        {"space": [PLANE]},
    ),
    Case(
        "boosting.polynomial_learner.PolynomialLearner.fit",
        lambda: {
            "target": Gaussian.standard(1),
            "current": Gaussian.standard(1),
            "iteration": 1,
            "rng": np.random.default_rng(1),
        },
        {"target": "distribution", "current": "distribution", "iteration": "count", "rng": "rng"},
        make=lambda: PolynomialLearner(1, "clip", LINE),
    ),
    Case(
        "experiments.line_experiment.line_runs",
        lambda: {"places": [0], "seed": 1, "eps": [1.0], "recipe": "fast", "drawn": [1.0]},
        {},
        {"places": PLACES, "seed": SEEDS, "eps": LEVELS, "recipe": RECIPES, "drawn": LEVELS},
    ),
    Case(
        "experiments.line_experiment.mode_distances",
        lambda: {"table": MODES, "reading": "variance"},
        {},
        {"table": TABLES, "reading": READINGS},
    ),
    Case(
        "experiments.random_experiment.deviation_interval",
        lambda: {"repeats": 4, "level": 0.95},
        {"repeats": "count"},
        {"repeats": [1], "level": [0.0, 1.0, NAN, "one", None]},
    ),
    Case(
        "experiments.random_experiment.random_runs",
        lambda: {**SPREAD, "repeats": 1, "recipe": "fast"},
        {"repeats": "count"},
        {**SPREAD_BAD, "recipe": RECIPES},
    ),
    Case(
        "experiments.random_experiment.fixed_placement",
        lambda: {"seed": 1, "m": 1, "eps": (1.0,), "repeat": 0},
        {"m": "count"},
        {"seed": SEEDS, "eps": LEVELS, "repeat": REPEAT},
    ),
    Case(
        "experiments.random_plane.plane_target",
        lambda: {"m": 2, "repeat": 0, "seed": 1, "half_width": 4.0},
        {"m": "count", "half_width": "eps"},
        {"seed": SEEDS, "repeat": REPEAT},
    ),
    Case(
        "experiments.random_plane.plane_losses",
        lambda: {"seed": 1, "counts": [2], "repeats": 1, "eps": [1.0], "scales": [1.0]},
        {"repeats": "count"},
        {"seed": SEEDS, "counts": COUNTS, "eps": LEVELS, "scales": LEVELS},
    ),
    Case(
        "experiments.random_plane.plane_densities",
        lambda: {"seed": 1, "m": 2, "eps": [1.0], "half_width": 1.0, "pixels": 3},
        {"m": "count", "half_width": "eps"},
        {"seed": SEEDS, "eps": LEVELS, "pixels": [0, 1, 1.5, "two", None]},
    ),
]
