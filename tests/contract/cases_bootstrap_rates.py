"""Cases for the page on rates: binned densities, choices, and studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.stats import beta

from mollified.histogram_rates import RateChoice
from tests.contract.kinds import INF, NAN, NOT_FRACTIONS, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
NAMES = ["no-such-choice", None, 3]
SLOPE = [*NOT_FRACTIONS, Fraction(-1), Fraction(3)]
COUNTS = [0, -3, 1.5, "two", None, True]
SEEDS = [-1, 1.5, "seed", None]
DIMENSIONS = [None, 3, "d", [], [0], [1.5]]
RATIONAL = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
NUMBER = [None, "x", True, 0.0, -1.0, NAN, INF]
TABLES = [None, "t", np.zeros((2, 3)), np.array([np.nan]), np.array([None, 1], dtype=object)]
CHOICE = RateChoice(4, 3, 10)
SHARES = [None, "c", 0.0, -1.0, NAN]
UNIT = [0.0, 1.0, -0.5, NAN, "one", None]


CASES = [
    Case(
        "binned_density.ks_distances",
        lambda: {"cdf": beta(2, 3).cdf, "rows": np.full((2, 2), 0.5), "points": 4},
        {"cdf": "callable", "rows": "matrix", "points": "count"},
    ),
    Case(
        "binned_density.running_maximum",
        lambda: {"values": [0.0, -0.1, 1.0], "points": 2},
        {"values": "vector", "points": "count"},
        {"values": [[1.0]]},
    ),
    Case("binned_density.node_values", lambda: {"masses": np.full((2, 2), 0.25)}, {}, {"masses": TABLES}),
    Case(
        "binned_density.sloped_cdf",
        lambda: {"x": HALF, "slope": ONE},
        {},
        {"x": [*NOT_FRACTIONS, Fraction(-1), Fraction(2)], "slope": SLOPE},
    ),
    Case(
        "binned_density.sloped_masses",
        lambda: {"side": 2, "dimension": 2, "slope": ONE},
        {"side": "count", "dimension": "count"},
        {"slope": SLOPE},
    ),
    Case(
        "binned_density.sloped_distance",
        lambda: {"nodes": np.array([0.0, 0.4, 1.0]), "slope": ONE},
        {},
        {"nodes": [*TABLES, np.array([1.0])], "slope": SLOPE},
    ),
    Case(
        "histogram_rates.rate_exponent",
        lambda: {"column": "printed", "dimension": 2},
        {"dimension": "count"},
        {"column": NAMES},
    ),
    Case(
        "histogram_rates.root_above",
        lambda: {"n": 10, "numerator": 1, "denominator": 3},
        {"n": "count", "numerator": "count", "denominator": "count"},
    ),
    Case(
        "histogram_rates.point_moments",
        lambda: {"n": 4, "size": 3, "k": 1, "m": 2, "cells": 2, "mass": HALF},
        {"n": "count", "size": "count", "k": "count", "m": "count", "cells": "count"},
        {"cells": [4], "mass": [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]},
    ),
    Case(
        "histogram_rates.rate_choice",
        lambda: {"route": "theorem", "n": 100, "dimension": 2, "eps": HALF, "delta": HALF},
        {"n": "count", "dimension": "count"},
        {"route": NAMES, "n": [2], "eps": RATIONAL, "delta": [*RATIONAL, ONE]},
    ),
    Case(
        "studies.bootstrap_rates.choose",
        lambda: {"series": "theorem", "n": 100, "dimension": 2, "eps": 0.5, "delta": 0.1},
        {"n": "count", "dimension": "count", "eps": "eps"},
        {"series": NAMES, "delta": UNIT},
    ),
    Case(
        "studies.bootstrap_rates.measured_error",
        lambda: {"series": "exact", "n": 100, "dimension": 2, "choice": CHOICE, "eps": 0.5},
        {"n": "count", "dimension": "count", "eps": "eps"},
        {"series": NAMES, "choice": [None, 3]},
    ),
    Case(
        "studies.bootstrap_rates.simulated_distance",
        lambda: {"n": 10, "dimension": 1, "choice": CHOICE, "repeats": 2, "rng": np.random.default_rng(1)},
        {"n": "count", "dimension": "count", "repeats": "count", "rng": "rng"},
        {"choice": [None, 3], "repeats": [1]},
    ),
    Case(
        "studies.bootstrap_rates.error_curves",
        lambda: {
            "dimensions": [1],
            "sizes": [1000],
            "eps": 0.5,
            "delta": 0.01,
            "simulated": [1000],
            "repeats": 2,
            "seed": 1,
        },
        {"eps": "eps", "repeats": "count"},
        {"dimensions": DIMENSIONS, "sizes": DIMENSIONS, "delta": UNIT, "simulated": DIMENSIONS, "seed": SEEDS},
    ),
    Case(
        "studies.bootstrap_rates.exponents",
        lambda: {"dimensions": [1], "measured": [1], "low": 10, "high": 12, "eps": 0.5, "delta": 0.01},
        {"low": "count", "high": "count", "eps": "eps"},
        {"dimensions": DIMENSIONS, "measured": DIMENSIONS, "high": [10], "delta": UNIT},
    ),
    Case(
        "studies.bootstrap_rates.falling_cdf",
        lambda: {"n": 20, "bins": 4, "k": 4, "eps": 1.0, "delta": 0.01, "seed": 1},
        {"n": "count", "bins": "count", "k": "count", "eps": "eps"},
        {"bins": [2], "delta": UNIT, "seed": SEEDS},
    ),
]

EXEMPT = {"histogram_rates.RateChoice": "a record of the numbers that the choices return"}
