r"""Show an instance in the letters of the papers, and exactly.

Coordinates whose name is a word, `share_P`, are parameters of the search. In their
place stand the quantities that they make, if these have letters, γ_P. Logarithms and
roots are written out by SymPy.
"""

import re
from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from statements.arithmetic import SEVERAL, Number, Value, mode
from statements.arithmetic import SYMPY as sp
from statements.problem import OPEN, Problem, Values

#: Longer texts of one value are not exact numbers that a reader takes in.
LONGEST = 60


def is_letter(name: str) -> bool:
    """Tell whether a name is one of the papers: one letter, perhaps with an index."""
    return re.fullmatch(r"[^\W\d_]\d*(_\w+)?", name) is not None


def _symbolic(value: Value) -> Value:
    """Return a value as SymPy writes it."""
    if isinstance(value, SEVERAL):
        return np.array([_symbolic(item) for item in value], dtype=object)
    if isinstance(value, Number):
        exact = value.value
        return sp.Rational(int(exact.p), int(exact.q))
    return sp.sympify(value)


def _text(value: Value) -> str:
    if isinstance(value, SEVERAL):
        return f"({', '.join(_text(item) for item in value)})"
    if not isinstance(value, sp.Basic):
        value = sp.nsimplify(value)
    return str(value)


def _plain(value: Value) -> str:
    if isinstance(value, np.ndarray):
        return f"({', '.join(map(str, value))})"
    return str(value)


def _made_by(problem: Problem, coordinate: str) -> list[str]:
    """Return the nearest quantities with letters that a coordinate makes."""
    quantities = {use.name: use.unit for use in problem.used() if not use.helper}
    letters: list[str] = []
    todo = [coordinate]
    for name in todo:
        for quantity, unit in quantities.items():
            if name not in unit.parameters:
                continue
            if is_letter(quantity):
                letters.append(quantity)
            elif quantity not in todo:
                todo.append(quantity)
    return letters


def exhibit(
    problem: Problem,
    instance: Mapping[str, Value],
    *,
    by_hand: bool,
) -> dict[str, str]:
    """Return an instance as text: coordinates with letters, and what the others make.

    Where SymPy does not take its texts, it is all coordinates as they are.
    """
    with mode("symbolic"), suppress(*OPEN):
        source = problem.by_hand() if by_hand else instance
        known: Values = {name: _symbolic(value) for name, value in source.items()}
        shown = {name: _text(known[name]) for name in source if is_letter(name)}
        for name in instance:
            if not is_letter(name):
                shown |= _shown_for(problem, name, known)
        return shown
    return {name: _plain(value) for name, value in instance.items()}


def _shown_for(problem: Problem, word: str, known: Values) -> dict[str, str]:
    """Return the quantities that stand in the place of a word, else its own value."""
    shown = {}
    for name in _made_by(problem, word):
        text = _text(problem.value(name, known))
        if len(text) <= LONGEST:
            shown[name] = text
    return shown or {word: _text(known[word])}
