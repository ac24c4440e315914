"""Cases for the core of the experiments: networks, recipes, variants, runs on grids, their metrics and sweeps."""

from __future__ import annotations

import numpy as np
import torch

from mollified.boosting.grid_mbde import GridRun
from mollified.boosting.variants import VARIANTS
from mollified.laws.discrete import Discrete
from mollified.laws.gaussian import Gaussian
from mollified.laws.spaces import FiniteSpace, Grid
from mollified.training.logit_stack import LogitStack
from mollified.training.recipes import FAST, Nodes, Recipe
from tests.contract.kinds import INF, NAN, Case

CPU = torch.device("cpu")
LINE, PLANE = Gaussian.standard(1), Gaussian.standard(2)
GRID = Grid([-8.0], [8.0], 65)
QUICK = Recipe("quick", "adam", 0.05, 1, batch=4)
PLACES = [None, 3, "p", [1, 0], (0.5, 0), (-1, 0), (True, 0)]
POSITIVE = [0.0, -1.0, NAN, INF, "one", None, True]
NOT_RECIPES = ["fast", 3, {"rate": 1.0}]
NOT_DEVICES = ["cpu", 0]
NOT_TENSORS = [None, 3, "x", np.zeros((1, 1, 3))]
NOT_GENERATORS = [None, [], 3, [0], [np.random.default_rng(1)]]


def rng():
    return np.random.default_rng(1)


def stack(dim=1):
    return LogitStack(dim, [torch.Generator().manual_seed(0)], device=CPU)


def nodes(total=1.0):
    first, both = (torch.full((1, 1, 3), part, dtype=torch.float64) for part in (total / 6, total / 3))
    return Nodes(torch.zeros(1, 1, 3, dtype=torch.float64), first, both)


def bad_tensors(rows):
    return [
        *NOT_TENSORS,
        torch.zeros(rows, 3),
        torch.zeros(2, rows, 3),
        torch.zeros(1, rows + 1, 3),
        torch.zeros(1, rows, 0),
        torch.zeros(1, rows, 3, dtype=torch.int64),
    ]


def masses():
    return [*bad_tensors(1), torch.zeros(1, 1, 4)]


def run(size=65):
    return GridRun(VARIANTS["clip"], 1.0, np.array([0.1]), np.zeros(size), [0.5], 0.1)


def gradient(name):
    return Case(
        f"training.logit_stack.LogitStack.{name}",
        lambda: {"points": torch.zeros(1, 1, 3), "first": torch.ones(1, 1, 3), "total": torch.ones(1, 1, 3)},
        {},
        {"points": bad_tensors(1), "first": masses(), "total": masses()},
        make=stack,
    )


def numbers(count):
    """Further bad values of a tuple of privacy levels."""
    return [None, 3, "eps", (), (0.0,), (1.0, NAN), (True,), [0.0] * count]


SWEEP = {
    "name": "mixture-sd",
    "seed": 0,
    "eps": (1.0,),
    "variants": ("clip",),
    "recipe": "fast",
    "rounds": 1,
    "samples": 20,
}
SWEEP_BAD = {"name": "choice", "seed": "size", "rounds": "count", "samples": "count"}
SWEEP_EXTRA = {
    "eps": numbers(1),
    "variants": [None, 3, "clip", (), ("no-such",), ("clip", 3)],
    "recipe": ["no-such", 3, FAST],
}

CASES = [
    Case(
        "training.logit_stack.LogitStack",
        lambda: {"dim": 1, "generators": [torch.Generator()], "start": "glorot", "device": CPU},
        {"dim": "count", "start": "choice"},
        {"generators": NOT_GENERATORS, "device": NOT_DEVICES},
    ),
    Case(
        "training.logit_stack.LogitStack.logits",
        lambda: {"points": torch.zeros(1, 1, 3)},
        {},
        {"points": bad_tensors(1)},
        make=stack,
    ),
    gradient("gradient"),
    gradient("flat_gradient"),
    Case(
        "training.recipes.Recipe",
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
        "training.recipes.train",
        lambda: {"stack": stack(), "batches": [nodes()], "recipe": QUICK},
        {},
        {"stack": [None, 3, "s"], "batches": [None, [], 3, "b", [3]], "recipe": [None, *NOT_RECIPES]},
    ),
    Case(
        "training.training_nodes.make_nodes",
        lambda: {
            "inside": np.zeros((8, 1)),
            "outside": np.ones((2, 8, 1)),
            "recipe": QUICK,
            "device": CPU,
            "group": 2,
        },
        {"group": "count"},
        {
            "inside": [None, "x", [], np.zeros(3), np.full((8, 1), NAN)],
            "outside": [None, "x", [], np.zeros((8, 1)), np.zeros((2, 7, 1)), np.zeros((2, 8, 2)), [[[NAN]]]],
            "recipe": [None, *NOT_RECIPES],
            "device": [None, *NOT_DEVICES],
        },
    ),
    Case(
        "boosting.variants.Variant",
        lambda: {"name": "mine", "title": "my own", "output": "clip", "constant": 4.0, "recipe": FAST},
        {"output": "choice", "constant": "eps"},
        {"name": [None, 3, ""], "title": [None, 3, ""], "recipe": [None, *NOT_RECIPES]},
    ),
    *[
        Case(
            f"boosting.variants.Variant.{name}",
            lambda: {"eps": 1.0, "rounds": 3},
            {"eps": "eps", "rounds": "count"},
            make=lambda: VARIANTS["clip"],
        )
        for name in ("steps", "level")
    ],
    Case(
        "boosting.variants.Variant.classifier",
        lambda: {"logit": [0.5, 3.0]},
        {"logit": "array"},
        make=lambda: VARIANTS["tanh"],
    ),
    Case("boosting.variants.find_variant", lambda: {"name": "clip"}, {"name": "choice"}),
    Case(
        "boosting.grid_mbde.cell_sample",
        lambda: {"grid": GRID, "log_density": np.zeros(65), "uniforms": np.full((3, 2), 0.5)},
        {"grid": "space"},
        {
            "grid": [FiniteSpace(3)],
            "log_density": [None, "l", [], np.zeros(64), np.full(65, NAN), np.full(65, -INF)],
            "uniforms": [None, "u", [], np.zeros(3), np.zeros((3, 3)), [[0.5, 1.5]], [[-0.1, 0.5]], [[NAN, 0.5]]],
        },
    ),
    Case(
        "boosting.grid_mbde.grid_mbde",
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
        "experiments.coverage.mode_coverage",
        lambda: {
            "log_model": np.zeros(3),
            "log_target": np.zeros(3),
            "space": FiniteSpace(3),
            "level": 0.95,
            "form": "printed",
        },
        {"space": "space", "form": "choice"},
        {
            "log_model": [None, "m", [], np.zeros(2), [NAN] * 3, [INF] * 3, [-INF] * 3],
            "log_target": [None, "t", [], np.zeros(2), [NAN] * 3, [INF] * 3, [-INF] * 3],
            "level": [0.0, 1.0, -0.1, NAN, "one", None],
        },
    ),
    Case("experiments.run_metrics.spent", lambda: {"run": run()}, {}, {"run": [None, 3, "run", np.zeros(3)]}),
    Case(
        "experiments.run_metrics.measure",
        lambda: {"runs": [run()], "target": Gaussian([1.0], 0.5), "reference": LINE, "space": GRID},
        {"target": "distribution", "reference": "distribution", "space": "space"},
        {
            "runs": [None, [], 3, [3], [run(64)]],
            "target": [PLANE],
            "reference": [PLANE],
        },
    ),
    Case("training.task_list.task_rng", lambda: {"seed": 0}, {"seed": "size"}),
    Case(
        "training.task_list.run_tasks",
        lambda: {"function": dict, "tasks": [{"a": 1}], "backend": "sequential", "jobs": 1},
        {"function": "callable"},
        {"jobs": [0, -3, 1.5, "two", True], "tasks": [None, 3, {"a": 1}, [3]], "backend": ["", "no-such", 3]},
    ),
    Case(
        "experiments.mbde_sweep.domain",
        lambda: {"name": "random-1d", "place": (2, 0), "seed": 0},
        {"name": "choice", "seed": "size"},
        {"place": [*PLACES, (), (0, 0)]},
    ),
    Case(
        "experiments.mbde_sweep.domain_grid",
        lambda: {"target": LINE, "nodes": 65},
        {"target": "distribution"},
        {"target": [Gaussian.standard(3), Discrete([0.5, 0.5])], "nodes": [0, 4, 1.5, "two", True]},
    ),
    *[
        Case(
            f"experiments.mbde_sweep.{name}",
            lambda: {**SWEEP, "place": (0,)},
            SWEEP_BAD,
            {**SWEEP_EXTRA, "place": PLACES},
        )
        for name in ("runs_of_seed", "sweep_seed")
    ],
    Case(
        "experiments.mbde_sweep.sweep_domain",
        lambda: {**SWEEP, "places": ((0,),)},
        SWEEP_BAD,
        {**SWEEP_EXTRA, "places": [None, (), 3, "p", [(0,)], (0, 1), ((0.5,),), ((-1,),)]},
    ),
]

#: Records: what fills them has been checked, and what reads them checks them.
EXEMPT = {
    "training.recipes.Nodes": "a record that make_nodes fills; train and LogitStack check its tensors",
    "boosting.grid_mbde.GridRun": "a record that grid_mbde fills; measure and spent check it",
}
