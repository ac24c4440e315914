"""Cases for the integer mechanisms: exact deltas and draws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import Case

HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
NOT_FRACTIONS = [None, 0.5, "r", True]
POSITIVE = [*NOT_FRACTIONS, Fraction(0), -ONE]
ABOVE_ONE = [*NOT_FRACTIONS, ONE, HALF]
FROM_ONE = [*NOT_FRACTIONS, HALF]
ENDS = {"low": [None, 0.5, "l", True, 9], "high": [None, 0.5, "h", True, -9]}


CASES = [
    Case(
        "privacy.integer_mechanisms.binomial_delta",
        lambda: {"trials": 4, "exp_eps": TWO},
        {"trials": "count"},
        {"exp_eps": FROM_ONE},
    ),
    Case(
        "privacy.integer_mechanisms.binomial_trials",
        lambda: {"exp_eps": TWO, "delta": HALF},
        {},
        {"exp_eps": ABOVE_ONE, "delta": [*POSITIVE, ONE, TWO]},
    ),
    Case(
        "privacy.integer_mechanisms.discrete_gaussian_masses",
        lambda: {"sigma_squared": TWO, "low": -2, "high": 3},
        {},
        {"sigma_squared": POSITIVE, **ENDS},
    ),
    Case(
        "privacy.integer_mechanisms.discrete_gaussian_delta",
        lambda: {"eps": HALF, "sigma_squared": TWO},
        {},
        {"eps": [*NOT_FRACTIONS, -ONE], "sigma_squared": POSITIVE},
    ),
    Case(
        "privacy.integer_mechanisms.weight_beyond",
        lambda: {"sigma_squared": TWO, "reach": 5},
        {"reach": "size"},
        {"sigma_squared": POSITIVE},
    ),
    Case(
        "privacy.integer_mechanisms.geometric_counts",
        lambda: {"count": 2, "eps": 0.5, "low": 0, "high": 4, "draws": 3},
        {"eps": "eps", "draws": "count"},
        {
            "count": [None, 0.5, "c", True, -1, 5],
            "low": [None, 0.5, True, 4, 9],
            "high": [None, 0.5, True, 0, -9],
        },
    ),
    Case(
        "privacy.integer_mechanisms.discrete_gaussian_noise",
        lambda: {"sigma": 1.0, "draws": 3},
        {"sigma": "eps", "draws": "count"},
    ),
    Case(
        "privacy.integer_mechanisms.opendp_gaussian_delta",
        lambda: {"sigma": 1.0, "eps": 0.5, "sensitivity": 1.0},
        {"sigma": "eps", "eps": "eps", "sensitivity": "eps"},
    ),
    Case(
        "privacy.integer_mechanisms.binomial_noise",
        lambda: {"trials": 4, "rng": np.random.default_rng(1), "draws": 3},
        {"trials": "count", "rng": "rng", "draws": "count"},
        {"trials": [3, 1]},
    ),
]

EXEMPT: dict[str, str] = {}
