r"""Numbers that are unknown, and formulas about them, for a solver of polynomials.

The quotients of the solver are total: $x/0$ is anything. So nothing is divided here. A
number is a numerator over a denominator that was shown to be positive where the number
is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq
from z3 import ArithRef, BoolRef, ExprRef, ModelRef

from statements.arithmetic import FUNCTIONS, Number, Value
from statements.comparison import HOW
from statements.solver.questions import NotPolynomial

#: What gives operations their meaning, a `Translator`; it is made by means of terms.
Meaning = Any
#: A number that is known, exactly.
Rational = int | Fraction
#: Steps that the making of a term costs.
MADE = 50
#: What a text may ask of arithmetic that is no polynomial.
ELSEWHERE = {"normal_tail", *FUNCTIONS} - {"sqrt"}


def rational(value: Value) -> Rational | None:
    """Return a plain number as an integer or a Fraction, and None for anything else.

    A float is NotPolynomial.
    """
    plain = value
    if isinstance(value, np.generic):
        plain = value.item()
    elif type(value) is Number:
        plain = value.value
    if isinstance(plain, fmpq):
        plain = Fraction(int(plain.p), int(plain.q))
    if isinstance(plain, float):
        raise NotPolynomial(f"the float {plain!r} takes part")
    if not isinstance(plain, int | Fraction):
        return None
    if plain.denominator == 1:
        return int(plain)
    return plain


def valued(
    model: ModelRef,
    unknown: ExprRef,
    digits: int = 0,
) -> Fraction | None:
    """Return the value in a model.

    Of an irrational one it is None, or a rational number that agrees to so many digits.
    """
    value = model.eval(unknown, model_completion=True)
    if hasattr(value, "approx"):
        if not digits:
            return None
        value = value.approx(digits)
    if hasattr(value, "as_fraction"):
        value = value.as_fraction()
    return Fraction(str(value))


@dataclass(eq=False, slots=True)
class Formula:
    """Hold what a comparison of unknown numbers gives: a formula."""

    meaning: Meaning
    holds: BoolRef

    def __bool__(self) -> bool:
        return bool(self.meaning.answer(self.holds))


class Term:
    """Hold an unknown number, `top` over `bottom`, of which None is 1.

    The denominator is positive wherever the number is used. `least` is 1 where the
    number is known to be positive, 0 where it is known not to be negative, else None.
    """

    __slots__ = ("bottom", "least", "meaning", "top")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        meaning: Meaning,
        top: ArithRef,
        bottom: ArithRef | None = None,
        least: int | None = None,
    ) -> None:
        meaning.solver.budget.spend(MADE)
        self.meaning = meaning
        self.top = top
        self.bottom = bottom
        self.least = least

    def against(self, how: str, value: int | ArithRef) -> BoolRef:
        """Return the formula that compares this number with another one.

        That is 0, or another integer or an unknown of the solver.
        """
        is_zero = isinstance(value, int) and value == 0
        if self.bottom is not None and not is_zero:
            value = value * self.bottom
        return HOW[how](self.top, value)

    def __neg__(self) -> Term:
        return Term(self.meaning, -self.top, self.bottom)

    def __abs__(self) -> Value:
        if self.least is not None:
            return self
        return self.meaning.largest(self, -self)

    def __index__(self) -> int:
        return int(self.meaning.integer(self))

    def __floor__(self) -> Value:
        return self.meaning.floor(self)

    def __ceil__(self) -> Value:
        return -self.meaning.floor(-self)

    def sqrt(self) -> Value:
        """Return the square root; NumPy looks for it here."""
        return self.meaning.root(self)


def _method(name: str, swapped: bool = False) -> Callable[[Term, Value], Value]:
    """Return a method that takes any number on the other side.

    It leaves vectors to NumPy.
    """

    def method(self: Term, other: Value) -> Value:
        if not isinstance(other, Term) and rational(other) is None:
            return NotImplemented
        operation = getattr(self.meaning, name)
        if swapped:
            return operation(other, self)
        return operation(self, other)

    return method


def _comparison(how: str) -> Callable[[Term, Value], Value]:
    return lambda a, b: a.meaning.relate(how, a, b)


def _elsewhere(name: str) -> Callable[[Term], Value]:
    return lambda a: a.meaning.elsewhere(name, a)


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Term, f"__{_name}__", _method(_name))
    setattr(Term, f"__r{_name}__", _method(_name, swapped=True))
for _how, _operation in HOW.items():
    setattr(Term, f"__{_operation.__name__}__", _comparison(_how))
for _name in ELSEWHERE:
    setattr(Term, _name, _elsewhere(_name))
