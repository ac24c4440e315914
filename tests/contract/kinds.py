"""Bad values by kind of argument, for the one test that every public function refuses bad input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

NAN, INF = float("nan"), float("inf")
HALF, THIRD, ONE = Fraction(1, 2), Fraction(1, 3), Fraction(1)
#: What is no rational, and what is none above zero; a word that no option has.
NOT_FRACTIONS = [None, 0.5, "r", True]
NOT_POSITIVE = [*NOT_FRACTIONS, Fraction(0), Fraction(-1)]
WORD = ["no-such-form", None, 3]


def _ragged_shapes():
    return [np.ones((2, 2, 2)), np.array(0.5)]


#: kind of argument -> values that must be refused with a ValueError or TypeError that names the argument
BAD: dict[str, list[Any]] = {
    "eps": [0.0, -1.0, NAN, INF, "one", None, True],
    "finite": [NAN, INF, "one", None],
    "unit": [-0.1, 1.1, NAN, "one", None],  # a number in [0, 1]
    "count": [0, -3, 1.5, "two", None, True],
    "size": [-1, 1.5, "two", None],  # an integer >= 0
    "probabilities": [[], [[0.5, 0.5]], [0.5, NAN], [0.5, 0.6], [1.5, -0.5], "p", None],
    "matrix": [[], [0.5], [[0.5, NAN]], "m", None],
    "vector": [[], [[0.5]], [NAN], "v", None],
    "points": [np.zeros((0, 1)), np.zeros(3), np.array([[NAN]]), np.zeros((2, 7)), "x", None],
    "array": [[], [NAN], "a", None],
    "rng": [None, 0, np.random],
    "callable": [None, 3, "f"],
    "distribution": [None, 3, "Q", [0.5, 0.5]],
    "space": [None, 3, "X"],
    "choice": ["no-such-choice", None, 3],
}


@dataclass(frozen=True)
class Case:
    """One public callable, a valid call of it, and the kind of each argument that can be bad.

    `target` is the dotted name; `good` makes fresh valid keyword arguments; `bad` maps an argument to a
    kind in BAD; `extra` maps an argument to further bad values. `make` builds the object whose method
    `target` names (then `target` is "module.Class.method"). What is `private` must not be echoed.
    """

    target: str
    good: Callable[[], Mapping[str, Any]]
    bad: Mapping[str, str]
    extra: Mapping[str, list[Any]] = field(default_factory=dict)
    make: Callable[[], Any] | None = None
    private: tuple[str, ...] = ()
