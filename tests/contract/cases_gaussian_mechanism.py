"""Cases for the page on the Gaussian mechanism: the mechanism itself, its checks and studies."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from tests.contract.cases_bootstrap_privacy import NOT_FRACTIONS, SHARE, SIZE, WORD, random
from tests.contract.kinds import INF, NAN, Case

ONE, HALF = Fraction(1), Fraction(1, 2)
POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
UNIT = [*POSITIVE, ONE]
NOT_UNITS = [0.0, 1.0, NAN, "d", None]
ARRAYS = [None, "a", [], [NAN]]
TOP = [*POSITIVE, Fraction(3, 2)]
FLOATS = [0.0, -1.0, NAN, INF, "one", None]
SIDES = [None, 1.5, "two", 3, True]


def single(name, good, **bad):
    return Case(f"gaussian_mechanism.{name}", lambda: good, {}, bad)


def proved(name, **others):
    good = {key: value for key, (value, _) in others.items()}
    return Case(f"verify.{name}", lambda: good, {}, {key: bad for key, (_, bad) in others.items()})


CASES = [
    single("upper_tail", {"x": arb(1)}, x=[None, 1.0, "x", ONE]),
    single("delta_ball", {"eps": ONE, "mu": HALF}, eps=POSITIVE, mu=POSITIVE),
    single("gaussian_deltas", {"eps": [1.0, 2.0], "mu": [0.5, 1.0]}, eps=[*ARRAYS, [-1.0]], mu=[*ARRAYS, [0.0]]),
    Case(
        "gaussian_mechanism.gaussian_delta", lambda: {"eps": 1.0, "mu": 1.0}, {"mu": "eps"}, {"eps": [-1.0, NAN, "e"]}
    ),
    single("printed_multiple", {"delta": 0.1}, delta=[0.0, 1.25, 2.0, None, "d", Fraction(5, 4), Fraction(0)]),
    Case(
        "gaussian_mechanism.printed_sigma",
        lambda: {"eps": 1.0, "delta": 0.1, "sensitivity": 1.0},
        {"eps": "eps", "sensitivity": "eps"},
        {"delta": [0.0, 1.25, NAN, "d", None]},
    ),
    Case(
        "gaussian_mechanism.gaussian_sigma",
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
    Case(
        "gaussian_mechanism.error_multiple",
        lambda: {"beta": 0.1, "size": 3, "form": "printed"},
        {"size": "count"},
        {"beta": [0.0, 1.5, NAN, "b", None, Fraction(0), Fraction(2)], "form": WORD},
    ),
    Case(
        "gaussian_mechanism.coverage",
        lambda: {"multiple": 2.0, "size": 3},
        {"size": "count"},
        {"multiple": [-1.0, NAN, "m", None, arb(-1)]},
    ),
    # checks
    random("gaussian_noise.total_mass"),
    random("gaussian_noise.moments"),
    proved("gaussian_noise.tail", factor=(Fraction(2), POSITIVE)),
    random("gaussian_noise.sums"),
    random("gaussian_noise.sensitivity_exists"),
    random("gaussian_noise.rule_defined", top=(ONE, POSITIVE)),
    random("gaussian_noise.logarithmic"),
    random("gaussian_noise.never_pure"),
    random("gaussian_privacy.printed_rule", most=(ONE, POSITIVE)),
    proved("gaussian_privacy.proved_below", most=(ONE, POSITIVE), sides=(0, [-1, 3, 1.5, None, True]), top=(ONE, TOP)),
    random("gaussian_privacy.grows_with_eps"),
    random("gaussian_privacy.hockey_stick", claimed=SHARE),
    random("gaussian_privacy.calibrated", claimed=SHARE),
    random("gaussian_privacy.one_dimension"),
    random("gaussian_privacy.libraries_agree", claimed=(1.0, FLOATS)),
    random("gaussian_privacy.opendp_above", times=(1.0, FLOATS)),
    random("gaussian_proof.loss_bound", form=("printed", WORD), claimed=SHARE),
    random("gaussian_proof.displayed_loss"),
    random("gaussian_proof.threshold", form=("printed", WORD), claimed=SHARE),
    random("gaussian_proof.tail_suffices", sides=(2, [0, *SIDES])),
    random("gaussian_proof.slide_tail", factor=(ONE, POSITIVE), most=(ONE, POSITIVE), claimed=SHARE),
    random("gaussian_proof.slide_bound", claimed=SHARE),
    random("gaussian_proof.printed_condition", most=(ONE, POSITIVE), top=(ONE, TOP)),
    random("gaussian_error.error_bound", form=("printed", WORD), claimed=SHARE),
    random("gaussian_error.union_bound", form=("printed", WORD), claimed=SHARE),
    random("gaussian_search.sweep", kind=("tail", WORD), claimed=(1.0, FLOATS)),
    random("gaussian_search.climb", kind=("tail", WORD), claimed=(1.0, FLOATS), starts=(50, [0, *SIZE])),
    random("gaussian_exercises.rule_fails"),
    random("gaussian_exercises.releases"),
    # studies
    Case(
        "studies.gaussian_mechanism.noise_ratio",
        lambda: {"deltas": [0.1], "low": 0.5, "high": 2.0, "points": 3},
        {"low": "eps", "points": "count"},
        {"deltas": [None, 0.1, "d", [], [0.0], [1.0]], "high": [0.25, NAN, "h", None]},
    ),
    Case(
        "studies.gaussian_mechanism.first_failures",
        lambda: {"exponents": [1.0, 5.0], "middle": [0.5]},
        {},
        {"exponents": [None, 1.0, "e", [], [0.0], [-1.0]], "middle": [None, 0.5, "m", [], [0.0], [1.0]]},
    ),
    Case(
        "studies.gaussian_mechanism.missed_errors",
        lambda: {"beta": 0.05, "sizes": [1, 10]},
        {},
        {"beta": NOT_UNITS, "sizes": [None, 1, "s", [], [0], [1.5]]},
    ),
    Case(
        "studies.gaussian_mechanism.opendp_sigma",
        lambda: {"eps": 1.0, "delta": 0.1},
        {"eps": "eps"},
        {"delta": NOT_UNITS},
    ),
    Case(
        "studies.gaussian_mechanism.sigmas",
        lambda: {"settings": [[1.0, 0.1]]},
        {},
        {"settings": [None, 1.0, "s", [], [1.0], [[1.0]], [[0.0, 0.1]], [[1.0, 1.0]]]},
    ),
    Case(
        "studies.gaussian_mechanism.tails_compared",
        lambda: {"deltas": [0.1, 0.01]},
        {},
        {"deltas": [None, 0.1, "d", [], [0.0], [0.5]]},
    ),
]
