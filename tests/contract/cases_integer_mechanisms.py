"""Cases for the integer mechanisms: laws, exact deltas, draws, the checks and the studies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import NAN, Case

HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
NOT_FRACTIONS = [None, 0.5, "r", True]
POSITIVE = [*NOT_FRACTIONS, Fraction(0), -ONE]
ABOVE_ONE = [*NOT_FRACTIONS, ONE, HALF]
FROM_ONE = [*NOT_FRACTIONS, HALF]
ENDS = {"low": [None, 0.5, "l", True, 9], "high": [None, 0.5, "h", True, -9]}
FACTOR = [0.0, -1.0, NAN, "one", None]


def random(name, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"verify.integer_{name}",
        lambda: {"rng": np.random.default_rng(1), "instances": 4, **{key: good for key, (good, _) in others.items()}},
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


def single(name, **others):
    return Case(
        f"verify.integer_{name}",
        lambda: {key: good for key, (good, _) in others.items()},
        {},
        {key: bad for key, (_, bad) in others.items()},
    )


CLAIMED = (ONE, POSITIVE)

CASES = [
    Case(
        "integer_mechanisms.geometric_masses",
        lambda: {"exp_eps": TWO, "low": -2, "high": 3},
        {},
        {"exp_eps": ABOVE_ONE, **ENDS},
    ),
    Case(
        "integer_mechanisms.geometric_delta",
        lambda: {"exp_eps": TWO, "level": Fraction(3, 2)},
        {},
        {"exp_eps": ABOVE_ONE, "level": FROM_ONE},
    ),
    Case(
        "integer_mechanisms.rounded_laplace_masses",
        lambda: {"eps": HALF, "low": -2, "high": 3},
        {},
        {"eps": POSITIVE, **ENDS},
    ),
    Case("integer_mechanisms.binomial_law", lambda: {"trials": 4}, {"trials": "count"}),
    Case(
        "integer_mechanisms.binomial_delta",
        lambda: {"trials": 4, "exp_eps": TWO},
        {"trials": "count"},
        {"exp_eps": FROM_ONE},
    ),
    Case(
        "integer_mechanisms.binomial_trials",
        lambda: {"exp_eps": TWO, "delta": HALF},
        {},
        {"exp_eps": ABOVE_ONE, "delta": [*POSITIVE, ONE, TWO]},
    ),
    Case(
        "integer_mechanisms.discrete_gaussian_masses",
        lambda: {"sigma_squared": TWO, "low": -2, "high": 3},
        {},
        {"sigma_squared": POSITIVE, **ENDS},
    ),
    Case(
        "integer_mechanisms.discrete_gaussian_delta",
        lambda: {"eps": HALF, "sigma_squared": TWO},
        {},
        {"eps": [*NOT_FRACTIONS, -ONE], "sigma_squared": POSITIVE},
    ),
    Case(
        "integer_mechanisms.weight_beyond",
        lambda: {"sigma_squared": TWO, "reach": 5},
        {"reach": "size"},
        {"sigma_squared": POSITIVE},
    ),
    Case(
        "integer_mechanisms.geometric_counts",
        lambda: {"count": 2, "eps": 0.5, "low": 0, "high": 4, "draws": 3},
        {"eps": "eps", "draws": "count"},
        {
            "count": [None, 0.5, "c", True, -1, 5],
            "low": [None, 0.5, True, 4, 9],
            "high": [None, 0.5, True, 0, -9],
        },
    ),
    Case(
        "integer_mechanisms.discrete_gaussian_noise",
        lambda: {"sigma": 1.0, "draws": 3},
        {"sigma": "eps", "draws": "count"},
    ),
    Case(
        "integer_mechanisms.opendp_gaussian_delta",
        lambda: {"sigma": 1.0, "eps": 0.5, "sensitivity": 1.0},
        {"sigma": "eps", "eps": "eps", "sensitivity": "eps"},
    ),
    Case(
        "integer_mechanisms.binomial_noise",
        lambda: {"trials": 4, "rng": np.random.default_rng(1), "draws": 3},
        {"trials": "count", "rng": "rng", "draws": "count"},
        {"trials": [3, 1]},
    ),
    random("privacy.geometric_private", claimed=CLAIMED),
    random("privacy.geometric_level", claimed=CLAIMED),
    random("privacy.binomial_level", claimed=CLAIMED),
    random("privacy.binomial_floor", factor=(1, [0, 1.5, None])),
    single(
        "privacy.smallest_trials",
        exp_eps=(TWO, ABOVE_ONE),
        delta=(Fraction(1, 10), [*POSITIVE, ONE]),
        claimed=(5, [0, 1, 1.5, None]),
    ),
    random("privacy.gaussian_level", claimed=CLAIMED),
    random("privacy.gaussian_moment", claimed=CLAIMED),
    random("privacy.gaussian_support"),
    single("truncation.count_range", records=(2, [0, 1.5, None]), missing=(0, [-1, 1.5, None])),
    Case(
        "verify.integer_truncation.natural_outputs",
        lambda: {"rng": np.random.default_rng(1), "instances": 4, "truncate": True},
        {"rng": "rng", "instances": "count"},
    ),
    random("truncation.rounding_preserves"),
    random("truncation.rounded_laplace", claimed=CLAIMED),
    random("truncation.truncated_to_size", relation=("replace", ["swap", None, 3]), cap=("size", ["own", None, 3])),
    random("truncation.truncated_bias", factor=(ONE, [*NOT_FRACTIONS, -ONE])),
    Case(
        "verify.integer_libraries.output_fit",
        lambda: {"draws": np.zeros(60, dtype=int), "low": 0, "masses": [0.5, 0.5]},
        {"draws": "vector", "masses": "probabilities"},
        {"low": [None, 0.5, "l"], "draws": [np.zeros(3, dtype=int)]},
    ),
    single("libraries.opendp_geometric", draws=(1000, [10, 1.5, None]), claimed=(TWO, ABOVE_ONE)),
    single("libraries.opendp_gaussian", draws=(1000, [10, 1.5, None]), claimed=(TWO, POSITIVE)),
    random("libraries.numpy_binomial", claimed=(16, [0, 3, 1.5, None])),
    random("libraries.opendp_map", shrink=(1.0, FACTOR)),
    random("libraries.opendp_delta", sensitivity=(1.0, FACTOR)),
    random("libraries.accountant_delta", mechanism=("geometric", ["laplace", None]), factor=(1.0, FACTOR)),
    Case(
        "studies.integer_mechanisms.output_laws",
        lambda: {"exp_eps": 2, "count": 1, "high": 3, "trials": 4, "variance": 1},
        {"count": "size", "high": "count", "trials": "count"},
        {"exp_eps": ABOVE_ONE, "high": [1], "trials": [5], "variance": POSITIVE},
    ),
    Case(
        "studies.integer_mechanisms.exact_deltas",
        lambda: {"exp_eps": 2, "trials": 4, "variance": 1, "largest": 1.0, "points": 3},
        {"trials": "count", "largest": "eps", "points": "count"},
        {"exp_eps": ABOVE_ONE, "variance": POSITIVE, "largest": [21.0], "points": [1]},
    ),
    Case(
        "studies.integer_mechanisms.capped_counts",
        lambda: {"exp_eps": 2, "records": 2, "caps": [3]},
        {"records": "count"},
        {"exp_eps": ABOVE_ONE, "records": [1], "caps": [None, [], [1], [0.5]]},
    ),
]

EXEMPT: dict[str, str] = {}
