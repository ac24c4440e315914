"""Cases for what `mollified.privacy` exports."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.privacy.exact_level import ExactLevel
from mollified.privacy.floating_point import textbook_law
from tests.contract.kinds import HALF, INF, NAN, NOT_FRACTIONS, ONE, Case

DELTA = [0.0, 1.0, -0.1, NAN, "x", None]
BELOW_ONE = [1.0, -0.1, NAN, "x", None]
HITS = [-1, 1.5, "two", None, True, 11]


def rng():
    return np.random.default_rng(1)


def box(draws, source):
    """A sampler that tosses a coin."""
    return source.integers(0, 2, (draws, 1))


def heads(outputs):
    return outputs[:, 0] == 1


NOT_UNITS = [0.0, 1.0, NAN, "d", None]
POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
UNIT = [*POSITIVE, ONE]


def single(name, good, **bad):
    return Case(f"privacy.{name}", lambda: good, {}, bad)


FORMATS = [1, 19, 1.5, "two", None]
SPACINGS = [0.5, "s", Fraction(0), Fraction(1, 3), Fraction(2**11)]


def law():
    return textbook_law(0, 1, 4)


NOT_RATES = [None, 0.5, "r", True, Fraction(-1)]
TWO = Fraction(2)
FROM_ONE = [*NOT_FRACTIONS, HALF]
ABOVE_ONE = [*NOT_FRACTIONS, ONE, HALF]
LEVEL = ExactLevel(exp_eps=Fraction(4))
RATIONAL = [*NOT_FRACTIONS, Fraction(-1)]
ABOVE = [*NOT_FRACTIONS, Fraction(1), HALF]
STEP = [0.0, -1.0, NAN, INF, "one", None, 51.0]
NOT_LEVEL = [-1.0, NAN, INF, "one", None]
OPEN = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]

CASES = [
    Case(
        "privacy.audited_eps",
        lambda: {"hits": 8, "other_hits": 1, "draws": 10, "delta": 0.01, "confidence": 0.9},
        {"draws": "count"},
        {"hits": HITS, "other_hits": HITS, "delta": BELOW_ONE, "confidence": DELTA},
    ),
    Case(
        "privacy.audit",
        lambda: {
            "first": box,
            "second": box,
            "event": heads,
            "draws": 10,
            "delta": 0.01,
            "rng": rng(),
            "confidence": 0.9,
            "block": 4,
        },
        {
            "first": "callable",
            "second": "callable",
            "event": "callable",
            "draws": "count",
            "rng": "rng",
            "block": "count",
        },
        {"delta": BELOW_ONE, "confidence": DELTA},
    ),
    Case(
        "privacy.gaussian_delta",
        lambda: {"eps": 1.0, "mu": 1.0},
        {"mu": "eps"},
        {"eps": [-1.0, NAN, "e"]},
    ),
    Case(
        "privacy.gaussian_sigma",
        lambda: {"eps": 1.0, "delta": 0.1, "sensitivity": 1.0},
        {"eps": "eps", "sensitivity": "eps"},
        {"delta": NOT_UNITS},
    ),
    single("failing_eps", {"delta": HALF}, delta=UNIT),
    Case(
        "privacy.textbook_law",
        lambda: {"answer": 1, "scale": 1, "bits": 4, "spacing": HALF},
        {"scale": "count"},
        {"answer": [-5000, 17, 0.5, "f", None], "scale": [5000], "bits": FORMATS, "spacing": SPACINGS},
    ),
    Case(
        "privacy.impossible_share",
        lambda: {"one": law(), "two": law()},
        {},
        {"one": [None, 3, "law"], "two": [None, 3, "law"]},
    ),
    Case(
        "privacy.counts_delta",
        lambda: {"one": law(), "two": law(), "eps": ONE},
        {},
        {"one": [None, 3, "law"], "two": [None, 3, "law"], "eps": NOT_RATES},
    ),
    Case(
        "privacy.double_release",
        lambda: {"answer": 1.0, "index": 5},
        {"answer": "finite", "index": "count"},
        {"index": [1 << 53]},
    ),
    Case(
        "privacy.is_possible",
        lambda: {"value": 2.0**30 + 600, "answer": 2.0**30},
        {"value": "finite", "answer": "finite"},
        {"value": [2.0**30]},
    ),
    Case(
        "privacy.binomial_delta",
        lambda: {"trials": 4, "exp_eps": TWO},
        {"trials": "count"},
        {"exp_eps": FROM_ONE},
    ),
    Case(
        "privacy.binomial_trials",
        lambda: {"exp_eps": TWO, "delta": HALF},
        {},
        {"exp_eps": ABOVE_ONE, "delta": [*POSITIVE, ONE, TWO]},
    ),
    Case(
        "privacy.discrete_gaussian_delta",
        lambda: {"eps": HALF, "sigma_squared": TWO},
        {},
        {"eps": [*NOT_FRACTIONS, Fraction(-1)], "sigma_squared": POSITIVE},
    ),
    Case(
        "privacy.geometric_counts",
        lambda: {"count": 2, "eps": 0.5, "low": 0, "high": 4, "draws": 3},
        {"eps": "eps", "draws": "count"},
        {
            "count": [None, 0.5, "c", True, -1, 5],
            "low": [None, 0.5, True, 4, 9],
            "high": [None, 0.5, True, 0, -9],
        },
    ),
    Case(
        "privacy.discrete_gaussian_noise",
        lambda: {"sigma": 1.0, "draws": 3},
        {"sigma": "eps", "draws": "count"},
    ),
    Case(
        "privacy.opendp_gaussian_delta",
        lambda: {"sigma": 1.0, "eps": 0.5, "sensitivity": 1.0},
        {"sigma": "eps", "eps": "eps", "sensitivity": "eps"},
    ),
    Case(
        "privacy.binomial_noise",
        lambda: {"trials": 4, "rng": np.random.default_rng(1), "draws": 3},
        {"trials": "count", "rng": "rng", "draws": "count"},
        {"trials": [3, 1]},
    ),
    Case(
        "privacy.release",
        lambda: {"answer": np.zeros(3), "sensitivity": 1.0, "eps": 1.0, "rng": np.random.default_rng(1)},
        {"answer": "vector", "sensitivity": "eps", "eps": "eps", "rng": "rng"},
    ),
    Case(
        "privacy.top_probability",
        lambda: {"gap": Fraction(1), "others": 3},
        {"others": "count"},
        {"gap": [None, 0.5, "g", Fraction(-1)]},
    ),
    Case("privacy.ball", lambda: {"value": HALF}, {}, {"value": [None, 0.5, "1/2", True]}),
    Case(
        "privacy.ExactLevel",
        lambda: {"eps": Fraction(1), "exp_eps": None},
        {},
        {"eps": [0.5, "one", True, 0, Fraction(-1), None], "exp_eps": [Fraction(2)]},
    ),
    Case(
        "privacy.ExactLevel",
        lambda: {"eps": None, "exp_eps": Fraction(2)},
        {},
        {"eps": [Fraction(2)], "exp_eps": [1.5, "two", True, 1, HALF, None]},
    ),
    *[
        Case(
            f"privacy.ExactLevel.{method}",
            lambda: {"value": Fraction(3), "power": HALF},
            {},
            {"value": NOT_FRACTIONS, "power": NOT_FRACTIONS},
            make=lambda: LEVEL,
        )
        for method in ("compare", "at_most")
    ],
    Case(
        "privacy.certified_response_delta",
        lambda: {"eps": HALF, "exp_eps0": Fraction(2), "runs": 3},
        {"runs": "count"},
        {"eps": RATIONAL, "exp_eps0": ABOVE},
    ),
    Case(
        "privacy.response_delta",
        lambda: {"eps": 0.5, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"eps": NOT_LEVEL, "eps0": STEP},
    ),
    Case(
        "privacy.response_epsilon",
        lambda: {"delta": 0.1, "eps0": 1.0, "runs": 3},
        {"runs": "count"},
        {"delta": OPEN, "eps0": STEP},
    ),
    Case(
        "privacy.renyi_epsilon",
        lambda: {"eps0": 0.1, "runs": 3, "delta": 0.1},
        {"runs": "count"},
        {"eps0": STEP, "delta": OPEN},
    ),
    Case(
        "privacy.smallest_scale",
        lambda: {"fits": lambda scale: scale > 2, "rtol": 1e-3},
        {"fits": "callable", "rtol": "eps"},
    ),
]
EXEMPT = {
    "privacy.Audit": "made by audit, which checks its arguments",
}
