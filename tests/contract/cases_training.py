"""Cases for what `mollified.training` exports."""

from __future__ import annotations

import numpy as np
import torch

from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.training.network import NetworkLearner
from mollified.training.recipes import FAST, Recipe
from mollified.training.variants import VARIANTS
from tests.contract.kinds import NAN, Case

NOT_RECIPES = ["fast", 3, {"rate": 1.0}]
CPU = torch.device("cpu")
LINE, PLANE = Gaussian.standard(1), Gaussian.standard(2)
GRID = Grid([-8.0], [8.0], 65)
QUICK = Recipe("quick", "adam", 0.05, 1, batch=4)
NOT_DEVICES = ["cpu", 0]


def rng():
    return np.random.default_rng(1)


SPARES = [0.0, 1.0, -1.0, NAN, "s", None]
PLANE_MBDE = Gaussian.standard(2)


def learner():
    return NetworkLearner("clip", samples=4, steps=1, device=torch.device("cpu"))


def fit(name, make, extra=None):
    return Case(
        f"{name}.fit",
        lambda: {"target": Discrete([0.9, 0.1]), "current": Discrete([0.5, 0.5]), "iteration": 1, "rng": rng()},
        {"target": "distribution", "current": "distribution", "iteration": "count", "rng": "rng"},
        extra or {},
        make=make,
    )


OPEN_UNIT = [0.0, 1.0, -0.5, NAN, "q", None, True]
LEVEL = [0.0, -1.0, NAN, "one", None, True]

CASES = [
    Case(
        "training.Recipe",
        lambda: {
            "name": "mine",
            "optimiser": "adam",
            "rate": 0.1,
            "epochs": 2,
            "batch": 3,
            "share": 0.5,
            "scale": 2.0,
            "momentum": 0.9,
            "start": "torch",
        },
        {"optimiser": "choice", "rate": "eps", "epochs": "count", "scale": "eps", "start": "choice"},
        {
            "name": [None, 3, ""],
            "batch": [0, -3, 1.5, "two", True],
            "share": [0.0, -0.1, 1.1, NAN, "one", None],
            "momentum": [-0.1, 1.0, NAN, "one", None],
        },
    ),
    Case(
        "training.Variant",
        lambda: {"name": "mine", "title": "my own", "output": "clip", "constant": 4.0, "recipe": FAST},
        {"output": "choice", "constant": "eps"},
        {"name": [None, 3, ""], "title": [None, 3, ""], "recipe": [None, *NOT_RECIPES]},
    ),
    *[
        Case(
            f"training.Variant.{name}",
            lambda: {"eps": 1.0, "rounds": 3},
            {"eps": "eps", "rounds": "count"},
            make=lambda: VARIANTS["clip"],
        )
        for name in ("steps", "level")
    ],
    Case(
        "training.Variant.classifier",
        lambda: {"logit": [0.5, 3.0]},
        {"logit": "array"},
        make=lambda: VARIANTS["tanh"],
    ),
    Case("training.find_variant", lambda: {"name": "clip"}, {"name": "choice"}),
    Case(
        "training.grid_mbde",
        lambda: {
            "target": Gaussian([1.0], 0.5),
            "reference": LINE,
            "grid": GRID,
            "eps": [1.0],
            "variants": [VARIANTS["clip"]],
            "rounds": 1,
            "rng": rng(),
            "samples": 8,
            "recipe": QUICK,
            "device": CPU,
        },
        {
            "target": "distribution",
            "reference": "distribution",
            "grid": "space",
            "rounds": "count",
            "rng": "rng",
            "samples": "count",
        },
        {
            "target": [PLANE],
            "reference": [PLANE],
            "grid": [FiniteSpace(3), Grid([0.0, 0.0], [1.0, 1.0], 5)],
            "eps": [None, [], [0.0], 1.0, [NAN]],
            "variants": [None, [], "clip", ["clip"], 3],
            "recipe": NOT_RECIPES,
            "device": NOT_DEVICES,
        },
    ),
    Case(
        "training.half_width",
        lambda: {"eps": 1.0, "pool": 1000, "draws": 2, "spare": 1e-6},
        {"eps": "eps", "pool": "size", "draws": "count"},
        {"spare": SPARES},
    ),
    Case(
        "training.NetworkLearner",
        lambda: {
            "method": "clip",
            "samples": 4,
            "steps": 1,
            "optimiser": "adam",
            "learning_rate": 0.01,
            "momentum": 0.9,
            "device": torch.device("cpu"),
        },
        {
            "method": "choice",
            "samples": "count",
            "steps": "count",
            "optimiser": "choice",
            "learning_rate": "eps",
            "momentum": "eps",
        },
        {"device": ["cpu", 0]},
    ),
    fit("training.NetworkLearner", learner, {"target": [PLANE_MBDE], "current": [PLANE_MBDE]}),
    Case(
        "training.whole_run_level",
        lambda: {"rate": 0.1, "noise": 2.0, "steps": 2, "delta": 0.1, "side": "upper"},
        {"steps": "count", "side": "choice"},
        {"rate": OPEN_UNIT, "noise": [0.1, NAN, "s", None], "delta": OPEN_UNIT},
    ),
    Case(
        "training.low_noise_bracket",
        lambda: {"rate": 0.1, "noise": 0.1, "steps": 20, "delta": 0.1},
        {"steps": "count"},
        {"rate": OPEN_UNIT, "noise": LEVEL, "delta": OPEN_UNIT},
    ),
    Case(
        "training.noise_for_level",
        lambda: {"eps": 500.0, "rate": 0.1, "steps": 20, "delta": 0.1},
        {"steps": "count"},
        {"eps": LEVEL, "rate": OPEN_UNIT, "delta": OPEN_UNIT},
    ),
]
EXEMPT = {
    "training.GridRun": "a record that grid_mbde fills",
}
