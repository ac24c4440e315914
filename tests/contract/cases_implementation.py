"""Cases for the page on hazards: floats, seeds, time, the finite sampler and the checks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified.mollifiers.exact_level import ExactLevel
from mollified.privacy.floating_point import textbook_law
from mollified.sampling.finite_sampler import FiniteSampler
from tests.contract.kinds import NAN, Case

HALF, ONE = Fraction(1, 2), Fraction(1)
LAW = (HALF, HALF)
LEVEL = ExactLevel(exp_eps=Fraction(2))
NOT_FRACTIONS = [None, 0.5, "r", True, Fraction(-1)]
POSITIVE_ONLY = [*NOT_FRACTIONS, Fraction(0)]
RATES = [None, 0.5, "r", Fraction(0), Fraction(3, 2)]
LAWS = [None, 3, "law", (), (0.5, 0.5), (HALF, ONE)]
NUMBERS = [None, 3, "law", [], [0.5], [0.5, NAN], [-0.5, 1.5], [0, 0], ["a", "b"], [True, 1]]
LEVELS = [None, 1.0, "level"]
WIDTHS = [0, 63, 1.5, "two", None]
FORMATS = [1, 19, 1.5, "two", None]
SPACINGS = [0.5, "s", Fraction(0), Fraction(1, 3), Fraction(2**11)]
ROWS = [None, 3, "row", (), (1, -1), (0.5, 0.5), (1, 1, 1), (3, 1)]


def rng():
    return np.random.default_rng(1)


def sampler():
    return FiniteSampler(LAW, LEVEL, 5)


def law():
    return textbook_law(0, 1, 4)


CASES = [
    Case(
        "privacy.floating_point.rounded_log",
        lambda: {"value": HALF, "bits": 10},
        {"bits": "count"},
        {"value": POSITIVE_ONLY},
    ),
    Case(
        "privacy.floating_point.textbook_law",
        lambda: {"answer": 1, "scale": 1, "bits": 4, "spacing": HALF},
        {"scale": "count"},
        {"answer": [-5000, 17, 0.5, "f", None], "scale": [5000], "bits": FORMATS, "spacing": SPACINGS},
    ),
    Case(
        "privacy.floating_point.impossible_share",
        lambda: {"one": law(), "two": law()},
        {},
        {"one": [None, 3, "law"], "two": [None, 3, "law"]},
    ),
    Case(
        "privacy.floating_point.counts_delta",
        lambda: {"one": law(), "two": law(), "eps": ONE},
        {},
        {"one": [None, 3, "law"], "two": [None, 3, "law"], "eps": NOT_FRACTIONS},
    ),
    Case(
        "privacy.floating_point.double_release",
        lambda: {"answer": 1.0, "index": 5},
        {"answer": "finite", "index": "count"},
        {"index": [1 << 53]},
    ),
    Case(
        "privacy.floating_point.is_possible",
        lambda: {"value": 2.0**30 + 600, "answer": 2.0**30},
        {"value": "finite", "answer": "finite"},
        {"value": [2.0**30]},
    ),
    Case(
        "sampling.proposal_time.time_delta",
        lambda: {"rate": HALF, "other": ONE, "exp_eps": Fraction(2)},
        {},
        {"rate": RATES, "other": RATES, "exp_eps": [None, 2.0, "e", HALF]},
    ),
    Case(
        "sampling.proposal_time.acceptance_rates",
        lambda: {"mass": ONE, "quarter": Fraction(5, 4)},
        {},
        {"mass": [*POSITIVE_ONLY, Fraction(2)], "quarter": [None, 1.5, "r", HALF]},
    ),
    Case(
        "training.seed_replay.seed_noise",
        lambda: {"seeds": 3, "eps": 1.0},
        {"seeds": "count", "eps": "eps"},
        {"seeds": [1 << 21]},
    ),
    Case(
        "training.seed_replay.explained_by",
        lambda: {"value": 3.5, "noise": np.array([0.5, 0.25])},
        {"value": "finite", "noise": "vector"},
    ),
    Case(
        "sampling.finite_sampler.nearest_weights",
        lambda: {"law": LAW, "bits": 3},
        {},
        {"law": LAWS, "bits": WIDTHS},
    ),
    Case(
        "sampling.finite_sampler.smallest_bits",
        lambda: {"reference": LAW, "level": LEVEL},
        {},
        {"reference": [*LAWS, (1 - Fraction(1, 2**70), Fraction(1, 2**70))], "level": LEVELS},
    ),
    Case(
        "sampling.finite_sampler.weight_ratio",
        lambda: {"one": (1, 1), "two": (2, 0)},
        {},
        {"one": ROWS[:6], "two": ROWS},
    ),
    Case(
        "sampling.finite_sampler.FiniteSampler",
        lambda: {"reference": LAW, "level": LEVEL, "bits": 5},
        {},
        {"reference": LAWS, "level": LEVELS, "bits": WIDTHS},
    ),
    Case(
        "sampling.finite_sampler.FiniteSampler.weights", lambda: {"law": [0.4, 0.6]}, {}, {"law": NUMBERS}, make=sampler
    ),
    Case(
        "sampling.finite_sampler.FiniteSampler.sample",
        lambda: {"law": [0.4, 0.6], "n": 3, "random_bytes": rng().bytes},
        {"n": "count", "random_bytes": "callable"},
        {"law": NUMBERS},
        make=sampler,
    ),
]

EXEMPT = {
    "privacy.floating_point.OutputLaw": "a plain record of two arrays, made by textbook_law",
}
