"""Cases for noisy histograms, the exponential mechanism, the paper's parameters and the page that compares them."""

from __future__ import annotations

import numpy as np

from tests.contract.kinds import INF, NAN, Case

COUNTS = [None, "abc", [1], [0, 0], [-1, 2], [1.0, 2.0], [[1, 2]]]
DELTA = [0.0, 1.0, -0.1, NAN, "x", None]
ABOVE_ZERO = [-0.5, NAN, INF, "x", None]
TWO_UP = [0, 1, 1.5, "two", None]
LEVELS = [None, 1.0, "eps", [], [0.0], [-1.0], [NAN], ["one"]]
BINS = [None, 3, "n", [], [0], [1], [1.5], ["two"]]
SEEDS = [-1, 1.5, "seed", None]
LEVEL = [-0.1, 1.1, NAN, "x", None]


def rng():
    return np.random.default_rng(1)


STUDY = {"n": 400, "delta": 0.05, "eps": [1.0], "bins": [3], "simulations": 2, "gamma": 0.3, "seed": 1}
STUDY_BAD = {"n": "count", "simulations": "count"}
STUDY_EXTRA = {"delta": DELTA, "eps": LEVELS, "bins": BINS, "gamma": DELTA, "seed": SEEDS}


def only(names, **others):
    """Return the good values and the bad values of some of the arguments of a study."""
    return {
        "good": lambda: {name: {**STUDY, **others}[name] for name in names},
        "bad": {name: kind for name, kind in STUDY_BAD.items() if name in names},
    }


CASES = [
    Case("releases.histogram_release.laplace_scale", lambda: {"eps": 1.0}, {"eps": "eps"}),
    Case(
        "releases.histogram_release.discrete_laplace_delta",
        lambda: {"eps": 1.0, "scale": 1.0},
        {"scale": "eps"},
        {"eps": ABOVE_ZERO},
    ),
    Case(
        "releases.histogram_release.discrete_gaussian_delta",
        lambda: {"eps": 1.0, "scale": 1.0},
        {"scale": "eps"},
        {"eps": ABOVE_ZERO},
    ),
    *(
        Case(
            f"releases.histogram_release.{name}", lambda: {"eps": 1.0, "delta": 0.01}, {"eps": "eps"}, {"delta": DELTA}
        )
        for name in ("discrete_laplace_scale", "gaussian_scale", "discrete_gaussian_scale", "opendp_zcdp")
    ),
    Case(
        "releases.histogram_release.opendp_scale",
        lambda: {"eps": 1.0, "delta": 0.01, "noise": "discrete-gaussian"},
        {"eps": "eps", "noise": "choice"},
        {"delta": DELTA},
    ),
    Case(
        "releases.histogram_release.noisy_histogram",
        lambda: {"counts": [1, 2], "noise": "gaussian", "scale": 1.0, "rng": rng(), "repair": "clip"},
        {"noise": "choice", "scale": "eps", "rng": "rng", "repair": "choice"},
        {"counts": COUNTS},
    ),
    Case(
        "releases.histogram_release.opendp_release",
        lambda: {"counts": [1, 2], "noise": "discrete-laplace", "scale": 1.0, "repair": "centre"},
        {"noise": "choice", "scale": "eps", "repair": "choice"},
        {"counts": COUNTS},
    ),
    Case(
        "bootstrap.paper_parameters.recipe_parameters",
        lambda: {"gamma": 0.1, "eps": 1.0, "delta": 0.01, "n": 1000, "size": 5},
        {"eps": "eps", "n": "count"},
        {"gamma": DELTA, "delta": DELTA, "size": TWO_UP},
    ),
    Case(
        "bootstrap.paper_parameters.theorem_parameters",
        lambda: {"eps": 1.0, "delta": 0.01, "n": 1000, "size": 5, "within": 0.1, "most_records": 10**7},
        {"eps": "eps", "n": "count", "most_records": "count"},
        {"delta": DELTA, "size": TWO_UP, "within": DELTA},
    ),
    Case(
        "bootstrap.paper_parameters.smoothed_parameters",
        lambda: {"eps": 1.0, "n": 1000, "size": 5},
        {"eps": "eps", "n": "count"},
        {"size": TWO_UP},
    ),
    Case("releases.ks_exponential.suggested_records", lambda: {"n": 10}, {"n": "count"}),
    Case(
        "releases.ks_exponential.ks_release",
        lambda: {"counts": [1, 2], "records": 2, "eps": 1.0, "rng": rng(), "draws": 2},
        {"records": "count", "eps": "eps", "rng": "rng", "draws": "count"},
        {"counts": COUNTS},
    ),
    Case("experiments.bootstrap_experiments.runs", lambda: dict(STUDY), STUDY_BAD, STUDY_EXTRA),
    Case(
        "experiments.bootstrap_experiments.settings",
        **only(("n", "delta", "eps", "bins", "gamma")),
        extra={"delta": DELTA, "eps": LEVELS, "bins": BINS, "gamma": DELTA},
    ),
]
