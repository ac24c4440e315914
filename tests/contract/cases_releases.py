"""Cases for what `mollified.releases` exports."""

from __future__ import annotations

import numpy as np

from tests.contract.kinds import NAN, Case

DELTA = [0.0, 1.0, -0.1, NAN, "x", None]
COUNTS = [None, "abc", [1], [0, 0], [-1, 2], [1.0, 2.0], [[1, 2]]]


def rng():
    return np.random.default_rng(1)


CASES = [
    Case("releases.laplace_scale", lambda: {"eps": 1.0}, {"eps": "eps"}),
    *(
        Case(f"releases.{name}", lambda: {"eps": 1.0, "delta": 0.01}, {"eps": "eps"}, {"delta": DELTA})
        for name in ("discrete_laplace_scale", "gaussian_scale", "discrete_gaussian_scale", "opendp_zcdp")
    ),
    Case(
        "releases.opendp_scale",
        lambda: {"eps": 1.0, "delta": 0.01, "noise": "discrete-gaussian"},
        {"eps": "eps", "noise": "choice"},
        {"delta": DELTA},
    ),
    Case(
        "releases.noisy_histogram",
        lambda: {"counts": [1, 2], "noise": "gaussian", "scale": 1.0, "rng": rng(), "repair": "clip"},
        {"noise": "choice", "scale": "eps", "rng": "rng", "repair": "choice"},
        {"counts": COUNTS},
    ),
    Case("releases.suggested_records", lambda: {"n": 10}, {"n": "count"}),
    Case(
        "releases.ks_release",
        lambda: {"counts": [1, 2], "records": 2, "eps": 1.0, "rng": rng(), "draws": 2},
        {"records": "count", "eps": "eps", "rng": "rng", "draws": "count"},
        {"counts": COUNTS},
    ),
    Case(
        "releases.lattice_sensitivity",
        lambda: {"degree": 3, "dim": 2, "bandwidth": 0.125},
        {"degree": "count", "dim": "count", "bandwidth": "eps"},
    ),
]
