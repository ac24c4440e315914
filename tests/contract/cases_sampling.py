"""Cases for rejection and metropolis."""

from __future__ import annotations

import numpy as np

from mollified.gaussian import Gaussian
from mollified.spaces import FiniteSpace
from tests.contract.kinds import INF, NAN, Case

LOGS = [[], [NAN, 0.0, 0.0], [0.0, INF, 0.0], [0.0, 0.0], [[0.0, 0.0, 0.0]], "v", None, 1.0]
KERNELS = [[], [1.0], [[1.0, 0.0]], [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]], [[NAN]], "m", None]
KERNEL = np.array([[0.5, 0.5], [0.25, 0.75]])


def rng():
    return np.random.default_rng(1)


CASES = [
    Case(
        "rejection.rejection_sample",
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
        "rejection.acceptance_probability",
        lambda: {
            "log_q0": np.log([0.2, 0.3, 0.5]),
            "log_ratio": np.array([0.5, 0.0, -0.5]),
            "log_bound": 0.5,
            "space": FiniteSpace(3),
        },
        {"log_bound": "finite", "space": "space"},
        {"log_q0": [*LOGS, [0.0, 0.0, 701.0]], "log_ratio": [*LOGS, np.array([0.6, 0.0, 0.0])]},
    ),
    Case(
        "metropolis.metropolis_sample",
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
    Case("metropolis.neighbour_proposal", lambda: {"size": 3}, {"size": "count"}),
    Case(
        "metropolis.metropolis_kernel",
        lambda: {"log_density": np.log([0.2, 0.8]), "proposal": KERNEL},
        {},
        {"log_density": [bad for bad in LOGS if bad != [0.0, 0.0]], "proposal": [*KERNELS, np.eye(3)]},
    ),
    Case(
        "metropolis.detailed_balance_gap",
        lambda: {"kernel": KERNEL, "law": [0.5, 0.5]},
        {"law": "probabilities"},
        {"kernel": KERNELS, "law": [[1.0]]},
    ),
    Case(
        "metropolis.law_after",
        lambda: {"kernel": KERNEL, "start_law": [1.0, 0.0], "steps": 2},
        {"start_law": "probabilities", "steps": "size"},
        {"kernel": KERNELS, "start_law": [[1.0]]},
    ),
]

EXEMPT = {
    "rejection.Rejection": "a record that only rejection_sample makes",
    "metropolis.Chains": "a record that only metropolis_sample makes",
}
