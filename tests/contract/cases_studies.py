"""Cases for the studies behind the figures, with settings small enough to run in a moment."""

from __future__ import annotations

import numpy as np

from mollified.spaces import Grid
from tests.contract.kinds import NAN, Case

LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
COUNTS = [None, 3, "n", [], [0], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
NODES = [0, 4, 6, 1.5, "two", None]
ROOTS = [None, 2, "2", [], [2], ["x"], ["1"], ["1/0"]]
LAWS = [[], [[0.5, 0.5]], [0.5, NAN], [0.5, 0.6], [1.5, -0.5], "p", None]

PLANE = Grid([-6.0, -6.0], [6.0, 6.0], 5)
RUN = {
    "eps": [1.0],
    "rounds": 1,
    "bounding": "clip",
    "samples": 8,
    "steps": 1,
    "optimiser": "adam",
    "nodes": 41,
    "seed": 1,
}
RUN_BAD = {"rounds": "count", "samples": "count", "steps": "count", "optimiser": "choice"}
RUN_EXTRA = {"eps": LEVELS, "seed": SEEDS, "nodes": NODES}


def ring(name, **others):
    """A case for a study of the ring; `others` are its further arguments, as (good value, bad values)."""
    boundings = name == "log_ratios"
    good = {key: value for key, value in RUN.items() if not (boundings and key == "bounding")}
    good |= {"boundings": ["clip"]} if boundings else {}
    extra = {**RUN_EXTRA, **{key: bad for key, (_, bad) in others.items()}}
    if boundings:
        extra["boundings"] = [None, "clip", 3, [], ["no-such-choice"]]
    return Case(
        f"studies.{'ring_samples' if name == 'exact_samples' else 'ring'}.{name}",
        lambda: {**good, **{key: value for key, (value, _) in others.items()}},
        RUN_BAD if boundings else {**RUN_BAD, "bounding": "choice"},
        extra,
    )


CASES = [
    Case("studies.budget.step_sizes", lambda: {"eps": [1.0], "rounds": 2}, {"rounds": "count"}, {"eps": LEVELS}),
    Case(
        "studies.budget.reached",
        lambda: {"eps": 1.0, "rounds": [1], "atoms": [0.5]},
        {"eps": "eps"},
        {"rounds": COUNTS, "atoms": [None, 0.5, "a", [], [NAN], [0.0], [1.0]]},
    ),
    Case("studies.budget.absolute_counterexample", lambda: {"eps": 1.0}, {"eps": "eps"}),
    Case(
        "studies.budget.log_ratio_spread",
        lambda: {"eps": 1.0, "rounds": 1, "nodes": 41, "seed": 1},
        {"eps": "eps", "rounds": "count"},
        {"nodes": NODES, "seed": SEEDS},
    ),
    *[
        Case(
            f"studies.projection.{name}",
            lambda: {"eps": 1.0, "p": [0.9, 0.1], "q0": [0.5, 0.5]},
            {"eps": "eps"},
            {"p": LAWS, "q0": [*LAWS, [1.0]]},
        )
        for name in ("finite", "moving_mode")
    ],
    Case(
        "studies.projection.continuous",
        lambda: {"eps": [1.0], "nodes": 101, "thin": 10},
        {"thin": "count"},
        {"eps": LEVELS, "nodes": NODES},
    ),
    Case(
        "studies.projection.exact_levels",
        lambda: {"roots": ["3/2"], "atoms": 3},
        {"atoms": "count"},
        {"roots": ROOTS, "atoms": [1]},
    ),
    Case(
        "modes.modes_shown",
        lambda: {"log_density": np.zeros(25), "grid": PLANE, "centres": np.zeros((1, 2)), "radius": 1.0},
        {"log_density": "vector", "grid": "space", "centres": "points", "radius": "eps"},
        {"grid": [Grid([0.0], [1.0], 5)], "log_density": [[0.0]]},
    ),
    ring("densities", pixels=(3, [0, 1, 1.5, "two", None])),
    ring("log_ratios"),
    ring("exact_samples", draws=(200, [0, 1.5, "two", None]), bins=(3, [0, 1, 1.5, "two", None])),
]
