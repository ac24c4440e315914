"""Cases for the page on the Gaussian mechanism: the mechanism itself."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import NAN, NOT_FRACTIONS, Case

ONE, HALF = Fraction(1), Fraction(1, 2)
POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
UNIT = [*POSITIVE, ONE]
NOT_UNITS = [0.0, 1.0, NAN, "d", None]
ARRAYS = [None, "a", [], [NAN]]


def single(name, good, **bad):
    return Case(f"privacy.gaussian_mechanism.{name}", lambda: good, {}, bad)


CASES = [
    single("delta_ball", {"eps": ONE, "mu": HALF}, eps=POSITIVE, mu=POSITIVE),
    single("gaussian_deltas", {"eps": [1.0, 2.0], "mu": [0.5, 1.0]}, eps=[*ARRAYS, [-1.0]], mu=[*ARRAYS, [0.0]]),
    Case(
        "privacy.gaussian_mechanism.gaussian_delta",
        lambda: {"eps": 1.0, "mu": 1.0},
        {"mu": "eps"},
        {"eps": [-1.0, NAN, "e"]},
    ),
    single("printed_multiple", {"delta": 0.1}, delta=[0.0, 1.25, 2.0, None, "d", Fraction(5, 4), Fraction(0)]),
    Case(
        "privacy.gaussian_mechanism.gaussian_sigma",
        lambda: {"eps": 1.0, "delta": 0.1, "sensitivity": 1.0},
        {"eps": "eps", "sensitivity": "eps"},
        {"delta": NOT_UNITS},
    ),
    single(
        "certified_sigma",
        {"eps": ONE, "delta": HALF, "sensitivity": ONE},
        eps=POSITIVE,
        delta=UNIT,
        sensitivity=POSITIVE,
    ),
    single("failing_eps", {"delta": HALF}, delta=UNIT),
]
