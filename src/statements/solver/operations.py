r"""The arithmetic of unknown numbers.

Quotients are guarded, roots and maxima are new unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np
import z3
from z3 import ArithRef, BoolRef, ModelRef

from statements.arithmetic import SEVERAL, Function, Value
from statements.solver.questions import NotPolynomial
from statements.solver.runs import SMALL, Run
from statements.solver.terms import Rational, Term, rational, valued

#: A part of a term, of which None is 1.
Part: TypeAlias = ArithRef | None

#: The largest power that is written out.
DEGREE = 40


def _scaled(top: ArithRef, bottom: Part) -> ArithRef:
    """Return the product of a numerator with another denominator."""
    if bottom is None:
        return top
    return top * bottom


def _times(a: Part, b: Part) -> Part:
    """Return the product of two denominators."""
    if a is None:
        return b
    return _scaled(a, b)


def same(a: Part, b: Part) -> bool:
    """Tell whether two parts of terms are one."""
    return a is b or (a is not None and b is not None and bool(a.eq(b)))


def least_of(plain: Rational) -> int | None:
    """Return what `least` says of a plain number."""
    if plain < 0:
        return None
    return int(plain > 0)


def product(signs: Sequence[int | None]) -> int | None:
    """Return what `least` says of a product, or of the smallest, of several terms."""
    if None in signs:
        return None
    return min(sign or 0 for sign in signs)


def total(signs: Sequence[int | None]) -> int | None:
    """Return what `least` says of a sum of several terms."""
    if None in signs:
        return None
    return largest(signs)


def largest(signs: Iterable[int | None]) -> int | None:
    """Return what `least` says of the largest of several terms."""
    return max((sign for sign in signs if sign is not None), default=None)


def each(tool: Function) -> Function:
    """Return a tool that goes through vectors entry by entry."""

    def method(self: Arithmetic, *values: Value) -> Value:
        if any(isinstance(value, SEVERAL) for value in values):
            return np.frompyfunc(partial(tool, self), len(values), 1)(*values)
        return tool(self, *values)

    return method


class Arithmetic(Run):
    """Give operations their meaning as terms, on the path of a run."""

    def term(self, value: Value) -> Term:
        """Return a number as a term."""
        if isinstance(value, Term):
            return value
        plain = rational(value)
        if plain is None:
            raise NotPolynomial(f"{value!r:.40} is no number")
        sort = z3.IntVal if isinstance(plain, int) else z3.RealVal
        return Term(self, sort(str(plain), self.context), least=least_of(plain))

    def add(self, a: Value, b: Value) -> Value:
        """Return the sum."""
        for one, other in ((a, b), (b, a)):
            if rational(one) == 0:
                return other
        first = self.term(a)
        second = self.term(b)
        least = total([first.least, second.least])
        if same(first.bottom, second.bottom):
            return Term(self, first.top + second.top, first.bottom, least)
        top = _scaled(first.top, second.bottom) + _scaled(second.top, first.bottom)
        return Term(self, top, _times(first.bottom, second.bottom), least)

    def sub(self, a: Value, b: Value) -> Value:
        """Return the difference."""
        return self.add(a, -b)

    def mul(self, a: Value, b: Value) -> Value:
        """Return the product."""
        for one, other in ((a, b), (b, a)):
            plain = rational(one)
            if plain == 0:
                return 0
            if plain == 1:
                return other
        first = self.term(a)
        second = self.term(b)
        least = product([first.least, second.least])
        top = first.top * second.top
        return Term(self, top, _times(first.bottom, second.bottom), least)

    @each
    def truediv(self, a: Value, b: Value) -> Value:
        """Return the quotient; raise Undefined where the divisor may be 0."""
        divisor = rational(b)
        if divisor is None:
            return self._quotient(self.term(a), self.term(b))
        dividend = rational(a)
        if divisor == 0:
            self.never("division by zero")
            return 0
        share = Fraction(1) / divisor
        if dividend is None:
            return self.mul(a, share)
        return rational(dividend * share)

    def _quotient(self, first: Term, second: Term) -> Term:
        """Return a quotient over a denominator that is positive."""
        sign = self.sign(second)
        least = None
        if sign > 0:
            least = first.least
            top = _scaled(first.top, second.bottom)
            bottom = second.top
        elif sign < 0:
            top = _scaled(-first.top, second.bottom)
            bottom = -second.top
        else:
            top = first.top * _times(second.bottom, second.top)
            bottom = second.top * second.top
        return Term(self, top, _times(first.bottom, bottom), least)

    def sign(self, term: Term) -> int:
        """Return the sign of a divisor on this path, 0 where it may be either.

        Raises Undefined where it may be 0.
        """
        if term.least is None:
            for sign, how in ((1, "<="), (-1, ">=")):
                if not self.possible(term.against(how, 0)):
                    return sign
        if term.least != 1:
            self.never("division by zero", term.against("==", 0))
        if term.least is None:
            return 0
        return 1

    @each
    def pow(self, a: Value, b: Value) -> Value:
        """Return a power with a rational exponent; raise Undefined where it is none."""
        exponent = rational(b)
        plain = rational(a)
        if exponent is None:
            exponent = self.integer(self.term(b))
        if isinstance(exponent, Fraction):
            return self.pow(self.root(a, exponent.denominator), exponent.numerator)
        if exponent < 0:
            return self.pow(self.truediv(1, a), -exponent)
        if exponent == 0:
            return 1
        if plain is not None:
            return rational(plain**exponent)
        return self._power(a, exponent)

    def _power(self, base: Term, exponent: int) -> Term:
        """Return a power that is written out."""
        if exponent > DEGREE:
            raise NotPolynomial(f"a power of degree {exponent}")
        least = base.least
        if exponent % 2 == 0:
            least = least or 0
        top = math.prod([base.top] * exponent)
        bottom = None
        if base.bottom is not None:
            bottom = math.prod([base.bottom] * exponent)
        return Term(self, top, bottom, least)

    @each
    def root(self, a: Value, degree: int = 2) -> Value:
        """Return a root; raise Undefined where the radicand may be negative."""
        term = self.term(a)
        plain = rational(a)
        if term.least is None:
            self.never("root of a negative number", term.against("<", 0))
        if degree == 2 and plain is not None and plain >= 0:
            exact = Fraction(*map(math.isqrt, Fraction(plain).as_integer_ratio()))
            if exact**2 == plain:
                return rational(exact)
        return self.unknown(
            f"root {degree}",
            [term],
            lambda new: (new >= 0, term.against("==", math.prod([new] * degree))),
            term.least or 0,
        )

    @each
    def floor(self, a: Value) -> Value:
        """Return the integer part."""
        plain = rational(a)
        if plain is not None:
            return math.floor(plain)
        term = self.term(a)
        if term.bottom is None and term.top.is_int():
            return a
        return self.unknown(
            "floor",
            [term],
            lambda new: (term.against(">=", new), term.against("<", new + 1)),
            # of a number between 0 and 1 the integer part is 0
            None if term.least is None else 0,
        )

    def ceil(self, a: Value) -> Value:
        """Return the least integer that is not smaller."""
        return -self.floor(-a)

    def largest(self, *values: Value) -> Value:
        """Return the largest of several values, or of an iterable."""
        return self._extreme("<=", max, largest, values)

    def smallest(self, *values: Value) -> Value:
        """Return the smallest of several values, or of an iterable."""
        return self._extreme(">=", min, product, values)

    def _extreme(
        self,
        how: str,
        further: Function,
        sign: Function,
        values: Sequence[Value],
    ) -> Value:
        """Return an unknown that is one of several values, and beyond none of them.

        Of plain numbers among them one may count. `sign` says what `least` is.
        """
        if len(values) == 1:
            (values,) = values
        items = list(values)
        candidates = [item for item in items if isinstance(item, Term)]
        plain = [rational(item) for item in items if not isinstance(item, Term)]
        if plain:
            candidates.append(further(plain))
        if len(candidates) == 1:
            return candidates[0]
        terms = [self.term(item) for item in candidates]

        def facts(new: ArithRef) -> Sequence[BoolRef]:
            bounds = [term.against(how, new) for term in terms]
            equations = [term.against("==", new) for term in terms]
            return [*bounds, z3.Or(*equations)]

        least = sign([term.least for term in terms])
        return self.unknown(further.__name__, terms, facts, least)

    def integer(self, term: Term) -> int:
        """Return the integer that a term is.

        Each that it can be is followed in a run of its own.
        """
        while True:
            can_be, model = self.solver.ask([*self.facts, *self.path], SMALL)
            if can_be == "unsat":
                return 0
            value = self._value(model, term)
            if value is None or value.denominator > 1:
                raise NotPolynomial(
                    "an integer is needed, and a real number is there, or which"
                    " integer is open"
                )
            if self.answer(term.against("==", int(value))):
                return int(value)

    @staticmethod
    def _value(model: ModelRef | None, term: Term) -> Fraction | None:
        """Return the value of a term in a model, None where it is irrational."""
        if model is None:
            return None
        top = valued(model, term.top)
        if term.bottom is None or top is None:
            return top
        bottom = valued(model, term.bottom)
        if bottom is None:
            return None
        return top / bottom
