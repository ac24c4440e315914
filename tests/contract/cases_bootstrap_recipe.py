"""Cases for the page on the recipe: the recipe itself and its studies."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import NAN, NOT_FRACTIONS, WORD, Case

HALF = Fraction(1, 2)
SIZE = [-2, 1.5, "two", None, True]
UNIT = [*NOT_FRACTIONS, Fraction(0), Fraction(1), Fraction(-1)]
EPS = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
TWO = [1, *SIZE]
NOT_UNITS = [0.0, 1.0, NAN, "d", None]


def good(*names):
    values = {"gamma": HALF, "delta": HALF, "eps": Fraction(1), "n": 10, "size": 2, "k": 12}
    return {name: values[name] for name in names}


SETTING = ("gamma", "delta", "eps", "n", "size")

CASES = [
    Case("bootstrap_recipe.least_records", lambda: good("gamma", "delta"), {}, {"gamma": UNIT, "delta": UNIT}),
    Case(
        "bootstrap_recipe.most_records",
        lambda: good("gamma", "eps", "n", "size", "k"),
        {"n": "count", "k": "count"},
        {"gamma": UNIT, "eps": EPS, "size": TWO},
    ),
    *(
        Case(
            f"bootstrap_recipe.{name}",
            lambda: {**good(*SETTING), "form": "printed"},
            {"n": "count"},
            {"gamma": UNIT, "delta": UNIT, "eps": EPS, "size": TWO, "form": WORD},
        )
        for name in ("recipe", "root_rounded")
    ),
    # studies
    Case(
        "studies.bootstrap_recipe.interval",
        lambda: {"gamma": 0.5, "delta": 0.5, "eps": 0.1, "n": 10, "size": 2, "last": 130},
        {"eps": "eps", "n": "count", "last": "count"},
        {"gamma": NOT_UNITS, "delta": NOT_UNITS, "size": TWO, "last": [50]},
    ),
    Case("studies.bootstrap_recipe.expected_share", lambda: {"ratio": 0.5}, {"ratio": "eps"}),
    Case(
        "studies.bootstrap_recipe.share_without",
        lambda: {"draws": 5, "edges": [0.1, 0.5, 1.0], "seed": 1},
        {"draws": "count"},
        {"edges": [None, 0.1, "e", [], [0.5], [0.5, 0.1], [0.0, 0.1]], "seed": [-1, 1.5, "seed", None]},
    ),
    Case(
        "studies.bootstrap_recipe.cost",
        lambda: {"n": 1000, "size": 3, "eps": 0.5, "delta": 0.01, "gammas": [0.1, 0.5]},
        {"n": "count", "eps": "eps"},
        {"size": TWO, "delta": NOT_UNITS, "gammas": [None, 0.1, "g", [], [0.0], [1.0], [NAN]]},
    ),
]
