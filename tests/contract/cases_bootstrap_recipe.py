"""Cases for the page on the recipe: the recipe itself."""

from __future__ import annotations

from fractions import Fraction

from tests.contract.kinds import NOT_FRACTIONS, WORD, Case

HALF = Fraction(1, 2)
SIZE = [-2, 1.5, "two", None, True]
UNIT = [*NOT_FRACTIONS, Fraction(0), Fraction(1), Fraction(-1)]
EPS = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
TWO = [1, *SIZE]


def good(*names):
    values = {"gamma": HALF, "delta": HALF, "eps": Fraction(1), "n": 10, "size": 2, "k": 12}
    return {name: values[name] for name in names}


SETTING = ("gamma", "delta", "eps", "n", "size")

CASES = [
    Case("bootstrap.recipe.least_records", lambda: good("gamma", "delta"), {}, {"gamma": UNIT, "delta": UNIT}),
    Case(
        "bootstrap.recipe.most_records",
        lambda: good("gamma", "eps", "n", "size", "k"),
        {"n": "count", "k": "count"},
        {"gamma": UNIT, "eps": EPS, "size": TWO},
    ),
    *(
        Case(
            f"bootstrap.recipe.{name}",
            lambda: {**good(*SETTING), "form": "printed"},
            {"n": "count"},
            {"gamma": UNIT, "delta": UNIT, "eps": EPS, "size": TWO, "form": WORD},
        )
        for name in ("recipe", "root_rounded")
    ),
]
