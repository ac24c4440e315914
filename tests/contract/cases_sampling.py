"""Cases for what `mollified.sampling` exports."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.laws.gaussian import Gaussian
from mollified.privacy.exact_level import ExactLevel
from mollified.sampling.finite_sampler import FiniteSampler
from tests.contract.kinds import HALF, NAN, ONE, Case

BYTES = [None, 3, "bytes"]


def rng():
    return np.random.default_rng(1)


RATES = [None, 0.5, "r", Fraction(0), Fraction(3, 2)]
NOT_RATES = [None, 0.5, "r", True, Fraction(-1)]
POSITIVE_ONLY = [*NOT_RATES, Fraction(0)]
LAW = (HALF, HALF)
LAWS = [None, 3, "law", (), (0.5, 0.5), (HALF, ONE)]
WIDTHS = [0, 63, 1.5, "two", None]
LEVEL = ExactLevel(exp_eps=Fraction(2))
LEVELS = [None, 1.0, "level"]
ROWS = [None, 3, "row", (), (1, -1), (0.5, 0.5), (1, 1, 1), (3, 1)]
NUMBERS = [None, 3, "law", [], [0.5], [0.5, NAN], [-0.5, 1.5], [0, 0], ["a", "b"], [True, 1]]


def sampler():
    return FiniteSampler(LAW, LEVEL, 5)


CASES = [
    Case(
        "sampling.uniform_integers",
        lambda: {"below": 5, "count": 10, "random_bytes": rng().bytes},
        {"below": "count", "count": "count"},
        {"below": [(1 << 62) + 1], "random_bytes": BYTES},
    ),
    Case(
        "sampling.time_delta",
        lambda: {"rate": HALF, "other": ONE, "exp_eps": Fraction(2)},
        {},
        {"rate": RATES, "other": RATES, "exp_eps": [None, 2.0, "e", HALF]},
    ),
    Case(
        "sampling.acceptance_rates",
        lambda: {"mass": ONE, "quarter": Fraction(5, 4)},
        {},
        {"mass": [*POSITIVE_ONLY, Fraction(2)], "quarter": [None, 1.5, "r", HALF]},
    ),
    Case(
        "sampling.nearest_weights",
        lambda: {"law": LAW, "bits": 3},
        {},
        {"law": LAWS, "bits": WIDTHS},
    ),
    Case(
        "sampling.smallest_bits",
        lambda: {"reference": LAW, "level": LEVEL},
        {},
        {"reference": [*LAWS, (1 - Fraction(1, 2**70), Fraction(1, 2**70))], "level": LEVELS},
    ),
    Case(
        "sampling.weight_ratio",
        lambda: {"one": (1, 1), "two": (2, 0)},
        {},
        {"one": ROWS[:6], "two": ROWS},
    ),
    Case(
        "sampling.FiniteSampler",
        lambda: {"reference": LAW, "level": LEVEL, "bits": 5},
        {},
        {"reference": LAWS, "level": LEVELS, "bits": WIDTHS},
    ),
    Case("sampling.FiniteSampler.weights", lambda: {"law": [0.4, 0.6]}, {}, {"law": NUMBERS}, make=sampler),
    Case(
        "sampling.FiniteSampler.sample",
        lambda: {"law": [0.4, 0.6], "n": 3, "random_bytes": rng().bytes},
        {"n": "count", "random_bytes": "callable"},
        {"law": NUMBERS},
        make=sampler,
    ),
    Case(
        "sampling.rejection_sample",
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
        "sampling.metropolis_sample",
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
    "sampling.Chains": "a record that only metropolis_sample makes",
    "sampling.Rejection": "a record that only rejection_sample makes",
}
