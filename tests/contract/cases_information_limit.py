"""Cases for the page on the information limit: the closed form, its checks and its studies."""

from __future__ import annotations

import numpy as np
import torch

from mollified.laws.gaussian import Gaussian
from mollified.laws.targets import mixture_1d
from mollified.mollifiers.clipped_ratio import ONE_LOGIT, ClippedRatio
from mollified.training.logit_stack import LogitStack
from tests.contract.cases_studies import LEVELS, SEEDS
from tests.contract.kinds import INF, NAN, Case

STANDARD = Gaussian.standard(1)
SPARES = [0.0, 1.0, -1.0, NAN, "s", None]
DOMAINS = [None, "ring", [], ["no-such-domain"], [3]]
RECIPES = ["no-such-recipe", 3]
SCORES = [None, "s", [], [[0.0]], [NAN], [1.0, 0.0]]


def rng():
    return np.random.default_rng(1)


def score(x):
    return x[:, 0]


def clipped():
    return ClippedRatio(**CLIPPED)


def sweep(name):
    return Case(
        f"experiments.information_limit.{name}",
        lambda: {
            "domains": ["mixture-sd"],
            "repeats": 1,
            "seed": 1,
            "eps": [1.0],
            "fine": [2.0],
            "recipe": "fast",
            "plane_variants": ["clip"],
            "pool": 64,
        },
        {"repeats": "count", "pool": "count"},
        {
            "domains": DOMAINS,
            "seed": SEEDS,
            "eps": LEVELS,
            "fine": LEVELS,
            "recipe": RECIPES,
            "plane_variants": [None, "clip", [], ["released"]],
        },
    )


CLIPPED = {"score": score, "reference": STANDARD, "eps": 1.0, "shift": 0.0, "width": 0.4, "tau": 0.1}

CASES = [
    Case(
        "mollifiers.clipped_ratio.LearnedRatio",
        lambda: {"stack": LogitStack(1, [torch.Generator()])},
        {},
        {"stack": [None, 3]},
    ),
    Case(
        "mollifiers.clipped_ratio.learn_log_ratio",
        lambda: {
            "target": mixture_1d(),
            "reference": STANDARD,
            "rng": rng(),
            "samples": 40,
            "recipe": ONE_LOGIT,
            "device": None,
        },
        {"target": "distribution", "reference": "distribution", "rng": "rng", "samples": "count"},
        {"reference": [Gaussian.standard(2)], "recipe": [None, 3, "fast"], "device": [3, "gpu"]},
    ),
    Case(
        "mollifiers.clipped_ratio.half_width",
        lambda: {"eps": 1.0, "pool": 1000, "draws": 2, "spare": 1e-6},
        {"eps": "eps", "pool": "size", "draws": "count"},
        {"spare": SPARES},
    ),
    Case(
        "mollifiers.clipped_ratio.pool_scores",
        lambda: {"score": score, "reference": STANDARD, "pool": 8, "rng": rng()},
        {"score": "callable", "reference": "distribution", "pool": "count", "rng": "rng"},
    ),
    Case(
        "mollifiers.clipped_ratio.pool_constant",
        lambda: {"scores": [-1.0, 0.0, 2.0], "width": 0.5},
        {"width": "eps"},
        {"scores": SCORES},
    ),
    Case(
        "mollifiers.clipped_ratio.ClippedRatio",
        lambda: CLIPPED,
        {"score": "callable", "reference": "distribution", "eps": "eps", "shift": "finite"},
        {"width": [-0.1, 0.6, NAN, "w"], "tau": [-0.1, 0.6, NAN, "t"]},
    ),
    Case(
        "mollifiers.clipped_ratio.ClippedRatio.statistic",
        lambda: {"x": np.zeros((2, 1))},
        {"x": "points"},
        make=clipped,
    ),
    Case(
        "mollifiers.clipped_ratio.ClippedRatio.sample",
        lambda: {"n": 2, "rng": rng()},
        {"n": "count", "rng": "rng"},
        make=clipped,
    ),
    Case(
        "mollifiers.clipped_ratio.clip_score",
        lambda: {
            "score": score,
            "reference": STANDARD,
            "eps": 1.0,
            "scores": [-1.0, 0.0, 2.0],
            "draws": 1,
            "spare": 0.1,
        },
        {"score": "callable", "reference": "distribution", "eps": "eps", "draws": "count"},
        {"scores": SCORES, "spare": SPARES},
    ),
    Case(
        "boosting.mbde_family.closest_level",
        lambda: {"log_ratio": [-1.0, 1.0], "masses": [0.5, 0.5], "oscillation": 1.0},
        {"log_ratio": "vector", "oscillation": "eps"},
        {"masses": [None, "m", [0.5], [0.5, 0.6], [1.5, -0.5]]},
    ),
    sweep("curves"),
    sweep("causes"),
    Case("experiments.reference_worth.matched_variance", lambda: {"target": mixture_1d()}, {}, {"target": [None, 3]}),
    Case(
        "experiments.reference_worth.tuned_gains",
        lambda: {"domains": ["mixture-sd"], "seed": 1, "eps": [2.0], "variance": 0.5},
        {},
        {"domains": DOMAINS, "seed": SEEDS, "eps": LEVELS, "variance": [0.0, -1.0, NAN, INF, "one", True]},
    ),
    *[
        Case(f"experiments.reference_worth.{name}", lambda: {"rng": rng(), "dim": 3}, {"rng": "rng", "dim": "count"})
        for name in ("wide_mixture", "turned_ring")
    ],
    Case(
        "experiments.reference_worth.ten_dimensions",
        lambda: {"seed": 1, "eps": [1.0], "samples": 100, "pool": 100, "draws": 200, "batches": 2},
        {"samples": "count", "pool": "count", "draws": "count", "batches": "count"},
        {"seed": SEEDS, "eps": LEVELS, "batches": [1]},
    ),
    Case(
        "experiments.ring_explorer.log_ratio_pixels",
        lambda: {"seed": 1, "eps": [1.0], "recipe": "fast", "pixels": 3},
        {"pixels": "count"},
        {"seed": SEEDS, "eps": LEVELS, "recipe": RECIPES},
    ),
    Case(
        "experiments.ring_explorer.ring_measures",
        lambda: {"seed": 1, "eps": [1.0], "recipe": "fast"},
        {},
        {"seed": SEEDS, "eps": LEVELS, "recipe": RECIPES},
    ),
]
