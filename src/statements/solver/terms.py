r"""Numbers that are unknown, and formulas about them, for a solver of polynomials.

The quotients of the solver are total: $x/0$ is anything. So nothing is divided here. A
number is a numerator over a denominator that was shown to be positive where the number
is used.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from statements.arithmetic import Number
from statements.comparison import HOW
from statements.solver.questions import NotPolynomial

#: Steps that the making of a term costs.
MADE = 50
#: What a text may ask of arithmetic that is no polynomial.
ELSEWHERE = (
    "log",
    "log1p",
    "exp",
    "expm1",
    "cosh",
    "sinh",
    "tanh",
    "arctanh",
    "erfc",
    "sin",
    "cos",
    "normal_tail",
)


def rational(value: Any) -> Any:
    """Return a plain number as an integer or a Fraction, and None for anything else; a float is NotPolynomial."""
    plain = (
        value.item()
        if isinstance(value, np.generic)
        else value.value
        if type(value) is Number
        else value
    )
    if isinstance(plain, fmpq):
        plain = Fraction(int(plain.p), int(plain.q))
    if isinstance(plain, float):
        raise NotPolynomial(f"the float {plain!r} takes part")
    if isinstance(plain, int | Fraction):
        return int(plain) if plain.denominator == 1 else plain
    return None


def valued(model: Any, unknown: Any, digits: int = 0) -> Fraction | None:
    """Return the value in a model; of an irrational one None, or a rational number that agrees to so many digits."""
    value = model.eval(unknown, model_completion=True)
    if hasattr(value, "approx"):
        value = value.approx(digits) if digits else None
    return (
        None
        if value is None
        else Fraction(
            str(value.as_fraction() if hasattr(value, "as_fraction") else value)
        )
    )


class Formula:
    """Hold what a comparison of unknown numbers gives: a formula."""

    __slots__ = ("at", "holds")

    def __init__(self, at: Any, holds: Any) -> None:
        self.at = at
        self.holds = holds

    def __bool__(self) -> bool:
        return bool(self.at.answer(self.holds))


class Term:
    """Hold an unknown number, `top` over `bottom` (None is 1), which is positive wherever the number is used.

    `least` is 1 where the number is known to be positive, 0 where it is known not to be
    negative, else None.
    """

    __slots__ = ("at", "bottom", "least", "top")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, at: Any, top: Any, bottom: Any = None, least: int | None = None
    ) -> None:
        at.solver.budget.spend(MADE)
        self.at = at
        self.top = top
        self.bottom = bottom
        self.least = least

    def against(self, how: str, value: Any) -> Any:
        """Return the formula that compares this number with 0, or with an unknown of the solver."""
        zero = isinstance(value, int) and value == 0
        return HOW[how](
            self.top, value if self.bottom is None or zero else value * self.bottom
        )

    def __neg__(self) -> Term:
        return Term(self.at, -self.top, self.bottom)

    def __abs__(self) -> Any:
        return self if self.least is not None else self.at.largest(self, -self)

    def __index__(self) -> int:
        return int(self.at.integer(self))

    def __floor__(self) -> Any:
        return self.at.floor(self)

    def __ceil__(self) -> Any:
        return -self.at.floor(-self)

    def sqrt(self) -> Any:
        """Return the square root; NumPy looks for it here."""
        return self.at.root(self)


def _method(name: str, swapped: bool = False) -> Callable[[Term, Any], Any]:
    """Return a method that takes any number on the other side, and leaves vectors to NumPy."""

    def method(self: Term, other: Any) -> Any:
        if not isinstance(other, Term) and rational(other) is None:
            return NotImplemented
        return getattr(self.at, name)(*((other, self) if swapped else (self, other)))

    return method


def _comparison(how: str) -> Callable[[Term, Any], Any]:
    return lambda a, b: a.at.relate(how, a, b)


def _elsewhere(name: str) -> Callable[[Term], Any]:
    return lambda a: a.at.elsewhere(name, a)


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Term, f"__{_name}__", _method(_name))
    setattr(Term, f"__r{_name}__", _method(_name, swapped=True))
for _how, _operation in HOW.items():
    setattr(Term, f"__{_operation.__name__}__", _comparison(_how))
for _name in ELSEWHERE:
    setattr(Term, _name, _elsewhere(_name))
