"""Cases for what the papers leave open: exact training draws, the ideal learner, and the studies of that page."""

from __future__ import annotations

import numpy as np

from mollified.boosting.variants import VARIANTS
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.training.recipes import Recipe
from tests.contract.kinds import NAN, Case

LINE, PLANE = Gaussian.standard(1), Gaussian.standard(2)
GRID = Grid([-8.0], [8.0], 65)
QUICK = Recipe("quick", "adam", 0.05, 1, batch=4)
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
DOMAINS = [None, 3, "ring", [], ["no-such"], [3]]
VARIANT_NAMES = [None, 3, "clip", [], ["no-such"], [3]]
LAWS = {"target": [PLANE], "reference": [PLANE], "grid": [FiniteSpace(3), Grid([0.0, 0.0], [1.0, 1.0], 5)]}
ONE_RUN = {"target": "distribution", "reference": "distribution", "grid": "space", "eps": "eps", "rounds": "count"}


def one_run():
    return {
        "target": Gaussian([1.0], 0.5),
        "reference": LINE,
        "grid": GRID,
        "eps": 1.0,
        "variant": VARIANTS["clip"],
        "rounds": 1,
    }


SHORT = {"repeats": 1, "samples": 20, "seed": 1}
SHORT_BAD = {"repeats": "count", "samples": "count", "seed": "size"}

CASES = [
    Case("boosting.ideal_learner.ideal_log_ratios", one_run, ONE_RUN, {**LAWS, "variant": [None, 3, "clip"]}),
    Case(
        "training.exact_training.exact_draw_mbde",
        lambda: {**one_run(), "rng": np.random.default_rng(1), "recipe": QUICK, "samples": 8},
        {**ONE_RUN, "rng": "rng", "samples": "count"},
        {**LAWS, "variant": [None, 3, "clip", VARIANTS["released"]], "recipe": [None, 3, "fast"]},
    ),
    Case(
        "experiments.open_settings.run_setting",
        lambda: {"setting": "ring-radius-2", "repeat": 0, "seed": 1, "eps": (1.0,), "samples": 20, "nodes": 21},
        {"setting": "choice", "repeat": "size", "seed": "size", "samples": "count"},
        {"eps": LEVELS, "nodes": [0, 4, 1.5, "two"]},
    ),
    Case(
        "experiments.open_settings.sensitivity",
        lambda: {"settings": ["ring-base"], "eps": [1.0], "nodes": 21, **SHORT},
        SHORT_BAD,
        {"settings": [None, 3, "ring-base", ["no-such"], [3]], "eps": LEVELS, "nodes": [0, 4, 1.5, "two"]},
    ),
    Case(
        "experiments.optimisers.problems_of_repeat",
        lambda: {"name": "mixture-sd", "repeat": 0, "seed": 1, "eps": 1.0, "rounds": 1, "samples": 20},
        {
            "name": "choice",
            "repeat": "size",
            "seed": "size",
            "eps": "eps",
            "rounds": "count",
            "samples": "count",
        },
    ),
    Case(
        "experiments.optimisers.equal_problems",
        lambda: {"domains": ["mixture-sd"], "eps": 1.0, "rounds": 1, **SHORT},
        {**SHORT_BAD, "eps": "eps", "rounds": "count"},
        {"domains": DOMAINS},
    ),
    Case(
        "experiments.optimisers.outcomes",
        lambda: {"domains": ["mixture-variance"], "variants": ["clip"], "eps": [1.0], **SHORT},
        SHORT_BAD,
        {"domains": DOMAINS, "variants": VARIANT_NAMES, "eps": LEVELS},
    ),
    Case(
        "experiments.optimisers.rounds_share",
        lambda: {"domains": ["mixture-sd"], "variants": ["clip"], "eps": [1.0], "rounds": [1, 2], **SHORT},
        SHORT_BAD,
        {
            "domains": DOMAINS,
            "variants": VARIANT_NAMES,
            "eps": LEVELS,
            "rounds": [None, 3, "n", [], [0], [1.5], ["two"], [2]],
        },
    ),
]

EXEMPT = {"experiments.open_settings.Setting": "a record of the registry SETTINGS, which run_setting looks up by name"}
