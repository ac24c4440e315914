r"""The arithmetic of unknown numbers: quotients are guarded, roots and maxima are new unknowns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from statements.arithmetic import SEVERAL
from statements.solver.questions import NotPolynomial
from statements.solver.runs import SMALL, Run
from statements.solver.terms import Term, rational, valued

#: The largest power that is written out.
DEGREE = 40


def _times(a: Any, b: Any) -> Any:
    """Return the product of two parts of terms, of which None is 1."""
    return b if a is None else a if b is None else a * b


def same(a: Any, b: Any) -> bool:
    """Tell whether two parts of terms are one."""
    return a is b or (a is not None and b is not None and bool(a.eq(b)))


def _sign(plain: Any) -> int | None:
    """Return what `least` says of a plain number."""
    return None if plain < 0 else int(plain > 0)


def product(signs: Sequence[int | None]) -> int | None:
    """Return what `least` says of a product, or of the smallest, of terms of which it says this."""
    return None if None in signs else min(sign or 0 for sign in signs)


def each(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool that goes through vectors entry by entry."""

    def method(self: Arithmetic, *values: Any) -> Any:
        if any(isinstance(value, SEVERAL) for value in values):
            return np.frompyfunc(partial(tool, self), len(values), 1)(*values)
        return tool(self, *values)

    return method


class Arithmetic(Run):
    """Give operations their meaning as terms, on the path of a run."""

    def term(self, value: Any) -> Term:
        """Return a number as a term."""
        if isinstance(value, Term):
            return value
        plain = rational(value)
        if plain is None:
            raise NotPolynomial(f"{value!r:.40} is no number")
        top = (self.z3.IntVal if isinstance(plain, int) else self.z3.RealVal)(
            str(plain), self.context
        )
        return Term(self, top, least=_sign(plain))

    def add(self, a: Any, b: Any) -> Any:
        """Return the sum."""
        for one, other in ((a, b), (b, a)):
            if rational(one) == 0:
                return other
        first = self.term(a)
        second = self.term(b)
        least = (
            None
            if None in (first.least, second.least)
            else max(first.least or 0, second.least or 0)
        )
        if same(first.bottom, second.bottom):
            return Term(self, first.top + second.top, first.bottom, least)
        top = _times(first.top, second.bottom) + _times(second.top, first.bottom)
        return Term(self, top, _times(first.bottom, second.bottom), least)

    def sub(self, a: Any, b: Any) -> Any:
        """Return the difference."""
        return self.add(a, -b)

    def mul(self, a: Any, b: Any) -> Any:
        """Return the product."""
        for one, other in ((a, b), (b, a)):
            plain = rational(one)
            if plain in (0, 1):
                return other if plain else 0
        first = self.term(a)
        second = self.term(b)
        least = product([first.least, second.least])
        return Term(
            self, first.top * second.top, _times(first.bottom, second.bottom), least
        )

    @each
    def truediv(self, a: Any, b: Any) -> Any:
        """Return the quotient; raise Undefined where the divisor may be 0."""
        plain = rational(b)
        whole = rational(a)
        if plain == 0:
            self.never("division by zero")
            return 0
        if plain is not None:
            share = Fraction(1) / plain
            return self.mul(a, share) if whole is None else rational(whole * share)
        first = self.term(a)
        second = self.term(b)
        top = second.bottom
        bottom = second.top
        least = first.least
        sign = self.sign(second)
        if sign < 0:
            top, bottom, least = (
                -first.top if top is None else -first.top * top,
                -bottom,
                None,
            )
        elif sign == 0:
            top, bottom, least = first.top * _times(top, bottom), bottom * bottom, None
        else:
            top = _times(first.top, top)
        return Term(self, top, _times(first.bottom, bottom), least)

    def sign(self, term: Term) -> int:
        """Return the sign of a divisor on this path, 0 where it may be either; raise Undefined where it may be 0."""
        if term.least is None:
            for sign, how in ((1, "<="), (-1, ">=")):
                if not self.possible(term.against(how, 0)):
                    return sign
        if term.least != 1:
            self.never("division by zero", term.against("==", 0))
        return 0 if term.least is None else 1

    @each
    def pow(self, a: Any, b: Any) -> Any:
        """Return a power with a rational exponent; raise Undefined where it is none."""
        exponent = rational(b)
        plain = rational(a)
        if exponent is None:
            exponent = self.integer(self.term(b))
        if isinstance(exponent, Fraction):
            return self.pow(self.root(a, exponent.denominator), exponent.numerator)
        if exponent < 0:
            return self.pow(self.truediv(1, a), -exponent)
        if plain is not None or exponent == 0:
            return 1 if exponent == 0 else rational(plain**exponent)
        if exponent > DEGREE:
            raise NotPolynomial(f"a power of degree {exponent}")
        least = 1 if a.least == 1 else 0 if exponent % 2 == 0 else a.least
        top, bottom = (
            None if part is None else math.prod([part] * exponent)
            for part in (a.top, a.bottom)
        )
        return Term(self, top, bottom, least)

    @each
    def root(self, a: Any, degree: int = 2) -> Any:
        """Return a root; raise Undefined where the radicand may be negative."""
        term = self.term(a)
        plain = rational(a)
        if term.least is None:
            self.never("root of a negative number", term.against("<", 0))
        if degree == 2 and plain is not None and plain >= 0:
            found = Fraction(*map(math.isqrt, Fraction(plain).as_integer_ratio()))
            if found**2 == plain:
                return rational(found)

        def facts(new: Any) -> Any:
            return new >= 0, term.against("==", math.prod([new] * degree))

        return self.unknown(f"root {degree}", [term], facts, term.least or 0)

    @each
    def floor(self, a: Any) -> Any:
        """Return the integer part."""
        if not isinstance(a, Term):
            return math.floor(rational(a))
        if a.bottom is None and a.top.is_int():
            return a

        def facts(new: Any) -> Any:
            return a.against(">=", new), a.against("<", new + 1)

        return self.unknown("floor", [a], facts, None if a.least is None else 0)

    def ceil(self, a: Any) -> Any:
        """Return the least integer that is not smaller."""
        return -self.floor(-a)

    def _extreme(self, kind: str, values: Sequence[Any]) -> Any:
        items = list(values[0] if len(values) == 1 else values)
        further, how = (max, "<=") if kind == "max" else (min, ">=")
        terms = [item for item in items if isinstance(item, Term)]
        plain = [rational(item) for item in items if not isinstance(item, Term)]
        terms += [further(plain)] if plain else []
        if len(terms) == 1:
            return terms[0]
        terms = [self.term(item) for item in terms]
        signs = [term.least for term in terms]
        least = (
            product(signs)
            if kind == "min"
            else max((s for s in signs if s is not None), default=None)
        )

        def facts(new: Any) -> Any:
            return *(t.against(how, new) for t in terms), self.z3.Or(
                *(t.against("==", new) for t in terms)
            )

        return self.unknown(kind, terms, facts, least)

    def largest(self, *values: Any) -> Any:
        """Return the largest of several values, or of an iterable."""
        return self._extreme("max", values)

    def smallest(self, *values: Any) -> Any:
        """Return the smallest of several values, or of an iterable."""
        return self._extreme("min", values)

    def integer(self, term: Term) -> int:
        """Return the integer that a term is: each that it can be, in a run of its own."""
        while True:
            found, model = self.solver.ask([*self.facts, *self.path], SMALL)
            if found == "unsat":
                return 0
            parts = [term.top] if term.bottom is None else [term.top, term.bottom]
            sides = (
                [valued(model, part) for part in parts] if found == "sat" else [None]
            )
            if None in sides or (value := Fraction(*sides)).denominator > 1:
                raise NotPolynomial(
                    "an integer is needed, and a real number is there, or which integer is open"
                )
            if self.answer(term.against("==", int(value))):
                return int(value)
