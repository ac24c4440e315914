"""Cases for what `mollified.bootstrap` exports."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import HALF, INF, NAN, NOT_FRACTIONS, WORD, Case

DELTA = [0.0, 1.0, -0.1, NAN, "x", None]
TWO_UP = [0, 1, 1.5, "two", None]
RECORDS = [-2, 1.5, "two", None, True]
RATIONAL_UNIT = [*NOT_FRACTIONS, Fraction(0), Fraction(1), Fraction(-1)]
EPS = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
TWO = [1, *RECORDS]


def good(*names):
    values = {"gamma": HALF, "delta": HALF, "eps": Fraction(1), "n": 10, "size": 2, "k": 12}
    return {name: values[name] for name in names}


SETTING = ("gamma", "delta", "eps", "n", "size")
BELOW_ONE = [1.0, -0.1, NAN, "x", None]
THREE_UP = [0, 2, 1.5, "two", None]


def rng():
    return np.random.default_rng(1)


RUN = {"n": 20, "size": 4, "k": 5, "m": 16, "eps": 1.0, "delta": 0.001}
RUN_BAD = {"n": "count", "k": "count", "m": "count", "eps": "eps"}
RUN_EXTRA = {"size": THREE_UP, "delta": BELOW_ONE}
COUNTS = [None, "abc", [1], [0, 0], [-1, 2], [1.0, 2.0], [[1, 2]]]
BYTES = [None, 3, "bytes"]
LEVEL = [-1.0, NAN, INF, "one", None, 701.0]
DATA_BAD = {"n": "count", "k": "count", "m": "count"}
NEIGHBOURS = ["no-such-choice", None, 3]
SYMBOLS = [1, 0, -3, 2.5, "two", None, True]
DATA = {"n": 5, "size": 3, "k": 2, "m": 4}


def accountant(name, *, eps=None, data=None):
    """A function of a level, the data's sizes and the relation of neighbours."""
    good = DATA if data is None else data
    key, value, bad = eps or ("eps", 0.5, LEVEL)
    return Case(
        f"bootstrap.{name}",
        lambda: {key: value, **good, "neighbours": "replace"},
        {argument: kind for argument, kind in DATA_BAD.items() if argument in good},
        {key: bad, "size": SYMBOLS, "neighbours": NEIGHBOURS},
    )


UNIT = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]
GAMMA = [0.0, 1.0, -0.5, 1.5, NAN, "one", None]


def bound(name, *, good=None, kinds=None, extra=None):
    """A closed form: n, size and k, with others."""
    return Case(
        f"bootstrap.{name}",
        lambda: {"n": 5, "size": 3, "k": 2, **(good or {})},
        {"n": "count", "k": "count", **(kinds or {})},
        {"size": SYMBOLS, **(extra or {})},
    )


def parameters(name, **others):
    good = {key: value for key, (value, _) in others.items()}
    return Case(
        f"bootstrap.{name}",
        lambda: {"eps": 0.5, "delta": 0.01, "n": 20, "size": 4, **good},
        {"eps": "eps", "n": "count"},
        {"delta": UNIT, "size": SYMBOLS, **{key: bad for key, (_, bad) in others.items()}},
    )


COUNT = [0, -3, 1.5, "two", None, True]
BAD_COUNTS = [None, 3, "n", [], [0, 0], [3], [[1, 2]], [1, -1], [1.0, 2.0], [True, False]]
BAD_DELTAS = [0.0, 1.0, -0.1, 1.5, NAN, "one", None]
ALPHABET = [0, 1, 1.5, "two", None, True]
CHOICE = {"eps": 1.0, "delta": 0.01, "n": 100, "size": 3}

CASES = [
    Case(
        "bootstrap.recipe_parameters",
        lambda: {"gamma": 0.1, "eps": 1.0, "delta": 0.01, "n": 1000, "size": 5},
        {"eps": "eps", "n": "count"},
        {"gamma": DELTA, "delta": DELTA, "size": TWO_UP},
    ),
    Case(
        "bootstrap.theorem_parameters",
        lambda: {"eps": 1.0, "delta": 0.01, "n": 1000, "size": 5, "within": 0.1, "most_records": 10**7},
        {"eps": "eps", "n": "count", "most_records": "count"},
        {"delta": DELTA, "size": TWO_UP, "within": DELTA},
    ),
    Case(
        "bootstrap.smoothed_parameters",
        lambda: {"eps": 1.0, "n": 1000, "size": 5},
        {"eps": "eps", "n": "count"},
        {"size": TWO_UP},
    ),
    *(
        Case(
            f"bootstrap.{name}",
            lambda: {**good(*SETTING), "form": "printed"},
            {"n": "count"},
            {"gamma": RATIONAL_UNIT, "delta": RATIONAL_UNIT, "eps": EPS, "size": TWO, "form": WORD},
        )
        for name in ("recipe",)
    ),
    Case("bootstrap.event_threshold", lambda: {"eps": 1.0, "k": 5}, {"eps": "eps", "k": "count"}),
    Case(
        "bootstrap.audit_bootstrap",
        lambda: {**RUN, "draws": 10, "rng": rng(), "used": 4, "sampler": "exact", "confidence": 0.9},
        {**RUN_BAD, "draws": "count", "rng": "rng"},
        {
            **RUN_EXTRA,
            "used": [0, 1.5, "two", True],
            "sampler": ["no-such-choice", None, 3],
            "confidence": DELTA,
        },
    ),
    Case(
        "bootstrap.largest_bound",
        lambda: {**RUN, "used": 4},
        RUN_BAD,
        {**RUN_EXTRA, "used": [0, 1.5, "two", True]},
    ),
    Case(
        "bootstrap.release_exact",
        lambda: {"counts": [3, 0, 1], "k": 2, "m": 5, "random_bytes": rng().bytes},
        {"k": "count", "m": "count"},
        {"counts": COUNTS, "k": [1 << 61], "random_bytes": BYTES},
    ),
    Case(
        "bootstrap.paper_k",
        lambda: {"eps": 1.0, "delta": 0.01, "n": 50, "size": 3, "m": 10},
        {"eps": "eps", "n": "count", "m": "count"},
        {"delta": DELTA, "size": TWO_UP},
    ),
    Case(
        "bootstrap.two_symbol_deltas",
        lambda: {"eps": 0.5, "n": 5, "k": 2, "m": 4},
        DATA_BAD,
        {"eps": LEVEL},
    ),
    *(accountant(name) for name in ("bootstrap_delta", "certified_delta")),
    accountant("epsilon_at", eps=("delta", 0.01, UNIT)),
    Case(
        "bootstrap.compositions",
        lambda: {"total": 3, "parts": 2},
        {"parts": "count"},
        {"total": [-1, 1.5, "two", None, True]},
    ),
    Case("bootstrap.step_loss", lambda: {"k": 2}, {"k": "count"}),
    Case("bootstrap.pure_records", lambda: {"eps": 1.0, "k": 2}, {"eps": "eps", "k": "count"}),
    Case(
        "bootstrap.typical_lower",
        lambda: {"gamma": 0.5, "delta": 0.1, "form": "printed"},
        {"form": "choice"},
        {"gamma": GAMMA, "delta": UNIT},
    ),
    bound("typical_upper", good={"gamma": 0.5, "eps": 1.0}, kinds={"eps": "eps"}, extra={"gamma": GAMMA}),
    bound(
        "theorem_records",
        good={"eps": 1.0, "delta": 0.1, "form": "printed"},
        kinds={"eps": "eps", "form": "choice"},
        extra={"delta": UNIT},
    ),
    bound(
        "theorem_delta",
        good={"eps": 1.0, "m": 4, "form": "printed"},
        kinds={"eps": "eps", "m": "count", "form": "choice"},
    ),
    *(
        bound(name, good={"eps": 1.0, "delta": 0.1}, kinds={"eps": "eps"}, extra={"delta": UNIT})
        for name in ("renyi_records", "order_records", "hoeffding_records")
    ),
    *(
        bound(name, good={"eps": 1.0, "m": 4}, kinds={"eps": "eps", "m": "count"})
        for name in ("renyi_delta", "hoeffding_delta")
    ),
    parameters("largest_m", k=(3, COUNT), neighbours=("replace", [*NEIGHBOURS, "add", "remove"])),
    parameters("smallest_k", m=(3, COUNT), neighbours=("replace", [*NEIGHBOURS, "add", "remove"])),
    Case(
        "bootstrap.expected_error",
        lambda: {"n": 5, "size": 3, "k": 2, "m": 4},
        DATA_BAD,
        {"size": SYMBOLS},
    ),
    parameters("gaussian_error"),
    parameters(
        "choose_parameters",
        most_records=(1000, COUNT),
        within=(0.5, UNIT),
        neighbours=("replace", [*NEIGHBOURS, "add", "add-remove"]),
    ),
    Case("bootstrap.smoothed_law", lambda: {"counts": [1, 2], "k": 1}, {"k": "count"}, {"counts": BAD_COUNTS}),
    Case(
        "bootstrap.release",
        lambda: {"counts": [1, 2], "k": 1, "m": 3, "rng": rng()},
        {"k": "count", "m": "count", "rng": "rng"},
        {"counts": BAD_COUNTS},
    ),
    Case(
        "bootstrap.corrected_histogram",
        lambda: {"released": [1, 2], "n": 2, "k": 1},
        {"n": "count", "k": "count"},
        {"released": BAD_COUNTS},
    ),
    Case(
        "bootstrap.hoeffding_records",
        lambda: {**CHOICE, "k": 20},
        {"eps": "eps", "n": "count", "k": "count"},
        {"delta": BAD_DELTAS, "size": ALPHABET},
    ),
]
EXEMPT = {
    "bootstrap.Parameters": "a record of the numbers that choose_parameters returns",
}
