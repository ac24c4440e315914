"""Cases for the Laplace mechanism: laws and the studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import INF, NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
LEVELS = [-1.0, NAN, INF, "one", None]
SHARES = [0.0, -0.5, 1.5, NAN, Fraction(0), Fraction(3, 2), "b", None]
OUTSIDE = [0.0, 1.0, -1.0, NAN, "b", None]


CASES = [
    Case(
        "laplace_mechanism.noise_scale",
        lambda: {"sensitivity": 2.0, "eps": 0.5},
        {"sensitivity": "eps", "eps": "eps"},
    ),
    Case("laplace_mechanism.density", lambda: {"y": np.zeros(3), "scale": 1.0}, {"y": "array", "scale": "eps"}),
    Case(
        "laplace_mechanism.log_ratio",
        lambda: {"outputs": np.zeros((2, 3)), "one": np.ones((2, 3)), "two": np.zeros((2, 3)), "scale": np.ones(2)},
        {"outputs": "matrix", "one": "matrix", "two": "matrix", "scale": "vector"},
        {"scale": [np.zeros(2), np.ones(3)]},
    ),
    Case("laplace_mechanism.hockey_stick", lambda: {"eps": 0.1, "shift": 1.0}, {}, {"eps": LEVELS, "shift": LEVELS}),
    Case(
        "laplace_mechanism.error_multiple",
        lambda: {"beta": 0.5, "size": 3},
        {"size": "count"},
        {"beta": SHARES},
    ),
    Case("laplace_mechanism.coverage", lambda: {"multiple": 2.0, "size": 3}, {"size": "count"}, {"multiple": LEVELS}),
    Case(
        "laplace_mechanism.promised_coverage",
        lambda: {"beta": HALF, "size": 3},
        {"size": "count"},
        {"beta": SHARES},
    ),
    Case(
        "laplace_mechanism.release",
        lambda: {"answer": np.zeros(3), "sensitivity": 1.0, "eps": 1.0, "rng": np.random.default_rng(1)},
        {"answer": "vector", "sensitivity": "eps", "eps": "eps", "rng": "rng"},
    ),
    Case("laplace_mechanism.swap_probability", lambda: {"gap": 1.0}, {}, {"gap": LEVELS}),
    Case(
        "laplace_mechanism.top_probability",
        lambda: {"gap": ONE, "others": 3},
        {"others": "count"},
        {"gap": [None, 0.5, "g", -ONE]},
    ),
    Case(
        "studies.laplace_mechanism.two_densities",
        lambda: {"eps": 1.0, "sensitivity": 1.0, "low": -1.0, "high": 2.0, "points": 5},
        {"eps": "eps", "sensitivity": "eps", "low": "finite", "high": "finite", "points": "count"},
        {"high": [-1.0], "points": [1]},
    ),
    Case(
        "studies.laplace_mechanism.largest_errors",
        lambda: {"betas": [0.5], "sizes": [1, 3]},
        {},
        {"betas": [None, [], [0.0], [2.0]], "sizes": [None, [], [0], [1.5]]},
    ),
    Case(
        "studies.laplace_mechanism.smallest_top_gap",
        lambda: {"others": 3, "beta": 0.1},
        {"others": "count"},
        {"beta": OUTSIDE},
    ),
    Case(
        "studies.laplace_mechanism.census_errors",
        lambda: {"names": 10, "beta": 0.1, "low": 0.5, "high": 3.0, "points": 3},
        {"names": "count", "low": "eps", "high": "eps", "points": "count"},
        {"beta": OUTSIDE, "names": [1], "high": [0.5], "points": [1]},
    ),
]

EXEMPT: dict[str, str] = {}
