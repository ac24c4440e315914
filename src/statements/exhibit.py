r"""Show an instance in the letters of the papers, and exactly.

Coordinates whose name is a word, `share_P`, are parameters of the search. In their
place stand the quantities that they make, if these have letters, γ_P. Logarithms and
roots are written out by SymPy.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from statements.arithmetic import SYMPY as sp
from statements.arithmetic import Number, mode
from statements.search import OPEN, Problem

#: Longer texts of one value are not exact numbers that a reader takes in.
LONGEST = 60


def is_letter(name: str) -> bool:
    """Tell whether a name is one of the papers: one letter, perhaps with an index."""
    return re.fullmatch(r"[^\W\d_]\d*(_\w+)?", name) is not None


def _symbolic(value: Any) -> Any:
    """Return a value as SymPy writes it."""
    if isinstance(value, np.ndarray | list | tuple):
        return np.array([_symbolic(item) for item in value], dtype=object)
    if isinstance(value, Number):
        return sp.Rational(int(value.value.p), int(value.value.q))
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.sympify(value)


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray | list | tuple):
        return f"({', '.join(_text(item) for item in value)})"
    return str(sp.nsimplify(value) if not isinstance(value, sp.Basic) else value)


def _given(problem: Problem, given: Mapping[str, Any], by_hand: bool) -> dict[str, Any]:
    """Return the coordinates of an instance as SymPy writes them."""
    if by_hand:
        given = problem.made[problem.example]()
    return {name: _symbolic(value) for name, value in given.items()}


def _made_by(problem: Problem, coordinate: str) -> list[str]:
    """Return the nearest quantities with letters that a coordinate makes."""
    parameters = {
        name: unit.parameters for name, unit, helper in problem.used() if not helper
    }
    found: list[str] = []
    todo = [coordinate]
    for name in todo:
        for made in (key for key, needed in parameters.items() if name in needed):
            if is_letter(made):
                found.append(made)
            elif made not in todo:
                todo.append(made)
    return found


def exhibit(
    problem: Problem, given: Mapping[str, Any], *, by_hand: bool
) -> dict[str, str]:
    """Return an instance as text: coordinates with letters, and the quantities that the others make."""
    plain = {name: _plain(value) for name, value in given.items()}
    words = [name for name in given if not is_letter(name)]
    with mode("symbolic"), suppress(*OPEN):
        known = _given(problem, given, by_hand)
        found = {name: _text(value) for name, value in known.items() if is_letter(name)}
        for word in words:
            shown = {
                name: _text(problem.value(name, known))
                for name in _made_by(problem, word)
            }
            short = {name: text for name, text in shown.items() if len(text) <= LONGEST}
            found.update(short or {word: _text(known[word])})
        return found
    return plain


def _plain(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"({', '.join(map(str, value))})"
    return str(value)
