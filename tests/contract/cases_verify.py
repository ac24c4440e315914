"""Cases for the checks of the papers' statements: each refuses a bad rng, count, share or level."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.contract.kinds import Case

HALF, ONE = Fraction(1, 2), Fraction(1)
PAIR = (HALF, HALF)
NOT_FRACTIONS = [None, 0.5, "r", True]
POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
ROOT = [*NOT_FRACTIONS, ONE, HALF]
SHARE = [*NOT_FRACTIONS, Fraction(-1), Fraction(2)]
AT_LEAST_ZERO = [*NOT_FRACTIONS, Fraction(-1)]
SIZE = [-2, 1.5, "two", None, True]
NOT_LAWS = [None, 3, "p", (), (0.5, 0.5), (HALF, Fraction(1, 3)), (Fraction(3, 2), -HALF)]


def rng():
    return np.random.default_rng(1)


def random(name, *, instances=4, flags=None, **others):
    """A case for a check on random instances; `others` are further arguments as (good value, bad values)."""
    return Case(
        f"verify.{name}",
        lambda: {
            "rng": rng(),
            "instances": instances,
            **(flags or {}),
            **{key: good for key, (good, _) in others.items()},
        },
        {"rng": "rng", "instances": "count"},
        {key: bad for key, (_, bad) in others.items()},
    )


CLAIMED = (ONE, POSITIVE)
CASES: list[Case] = []
