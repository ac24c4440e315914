"""Cases for rejection and metropolis."""

from __future__ import annotations

import numpy as np

from mollified.laws.gaussian import Gaussian
from tests.contract.kinds import INF, NAN, Case

LOGS = [[], [NAN, 0.0, 0.0], [0.0, INF, 0.0], [0.0, 0.0], [[0.0, 0.0, 0.0]], "v", None, 1.0]


def rng():
    return np.random.default_rng(1)


CASES = [
    Case(
        "sampling.rejection.rejection_sample",
        lambda: {
            "reference": Gaussian([0.0], 1.0),
            "log_ratio": lambda x: np.clip(x[:, 0], -0.5, 0.5),
            "log_bound": 0.5,
            "n": 3,
            "rng": rng(),
            "max_proposals": 10**4,
        },
        {
            "reference": "distribution",
            "log_ratio": "callable",
            "log_bound": "finite",
            "n": "count",
            "rng": "rng",
            "max_proposals": "count",
        },
    ),
    Case(
        "sampling.metropolis.metropolis_sample",
        lambda: {
            "log_density": lambda x: -0.5 * x[:, 0] ** 2,
            "start": np.zeros((3, 1)),
            "steps": 2,
            "scale": 1.0,
            "rng": rng(),
        },
        {"log_density": "callable", "steps": "count", "scale": "eps", "rng": "rng"},
        {"start": [np.zeros((0, 1)), np.zeros(3), np.array([[NAN]]), "x", None]},
    ),
]

EXEMPT = {
    "sampling.rejection.Rejection": "a record that only rejection_sample makes",
    "sampling.metropolis.Chains": "a record that only metropolis_sample makes",
}
