r"""Numbers that decide: rationals, and balls that enclose what is not rational.

A `Number` stays a rational until a logarithm or its like makes a ball of it. A comparison that the ball leaves open
raises `Undecided`, and the whole instance is computed again with more bits. At the most bits two balls that still
overlap, and are narrow, count as equal, which is noted. What a float took part in is *tainted*: it decides nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

__all__ = ["BITS", "MODE", "SEVERAL", "Number", "Undecided", "Undefined", "mode", "number", "root", "simplest"]

#: The precisions that are tried, one after the other.
BITS = (128, 2048)
#: Rationals longer than this become balls.
LONGEST = 40_000
#: What arithmetic goes through entry by entry.
SEVERAL = (np.ndarray, list, tuple)
#: Which arithmetic is at work (vector, scalar, exact or symbolic), the hypotheses met, and what was noted: "tainted"
#: (a float took part), "balls", and "equal" (balls were counted as equal).
MODE = SimpleNamespace(kind="vector", bits=BITS[-1], assumed=[], notes=set())


class Undecided(ArithmeticError):
    """Say that balls of this precision do not decide a comparison, and which one is to be tried next, at `least`."""

    least = 0


class Undefined(ArithmeticError):
    """Say that a value does not exist, as the logarithm of zero."""


@contextmanager
def mode(kind: str, bits: int = BITS[-1]) -> Iterator[Any]:
    """Work in one arithmetic, in balls of so many bits; notes begin anew."""
    saved = dict(vars(MODE))
    vars(MODE).update(kind=kind, bits=bits, assumed=[], notes=set())
    try:
        with np.errstate(all="ignore"), ctx.workprec(bits):
            yield MODE
    finally:
        vars(MODE).update(saved)


def simplest(value: Any) -> Fraction:
    """Return the simplest rational that rounds to a float: 1/3 for 0.333..., 1/10 for 0.1; else the float itself."""
    exact = Fraction(value)
    found = exact.limit_denominator(10**6)
    return found if float(found) == value else exact


def number(value: Any) -> Any:
    """Return a value as a Number, tainted where it is a float; raise TypeError where it is none."""
    if type(value) is Number:
        return value
    if isinstance(value, int | fmpz):
        return Number(fmpq(int(value)))
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float) and not math.isfinite(plain):
        return Number(arb(str(plain)), True)
    if isinstance(plain, int | float | Fraction):
        return Number(fmpq(*plain.as_integer_ratio()), isinstance(plain, float))
    if isinstance(plain, fmpq | arb):
        return Number(plain)
    raise TypeError(f"value must be a number, got {value!r}")


class Number:
    """Hold a rational (`fmpq`) or a ball (`arb`), and whether a float took part in it."""

    __slots__ = ("tainted", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any, tainted: bool = False) -> None:
        if type(value) is fmpq and value.height_bits() > LONGEST:
            value = arb(value)
        self.value, self.tainted = value, tainted

    @property
    def rational(self) -> bool:
        """Whether no ball is needed."""
        return type(self.value) is fmpq

    def __neg__(self) -> Number:
        return Number(-self.value, self.tainted)

    def __abs__(self) -> Number:
        return Number(abs(self.value), self.tainted)

    def sign_to(self, other: Any) -> int:
        """Return the sign of the difference, or raise Undecided."""
        to = other if type(other) is Number else number(other)
        if self.tainted or to.tainted:
            MODE.notes.add("tainted")
        if type(self.value) is fmpq and type(to.value) is fmpq:
            return 0 if self.value == to.value else 1 if self.value > to.value else -1
        gap = self.value - to.value
        MODE.notes.add("balls")
        if gap > 0 or gap < 0 or gap == 0:
            return 1 if gap > 0 else -1 if gap < 0 else 0
        size = arb(1) + abs(arb(self.value)) + abs(arb(to.value))
        if MODE.bits >= BITS[-1] and gap.is_finite() and gap.rad() < size * arb(2) ** (-MODE.bits // 2):
            MODE.notes.add("equal")
            return 0
        raise Undecided(f"{self} and {other} are not told apart by {MODE.bits} bits")

    def __float__(self) -> float:
        return float(arb(self.value).mid())

    def __floor__(self) -> int:
        MODE.notes |= {"tainted"} if self.tainted else set()
        found = self.value.floor() if self.rational else self.value.floor().unique_fmpz()
        if found is None:
            raise Undecided(f"the integer part of {self} is open at {MODE.bits} bits")
        return int(found)

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __index__(self) -> int:
        if not (self.rational and self.value.q == 1):
            raise TypeError(f"an integer is needed, got {self}")
        return int(self.value.p)

    def __repr__(self) -> str:
        return str(self.value) if self.rational else self.value.str(15, radius=False)


def _quotient(a: Any, b: Any) -> Any:
    if b == 0:
        raise Undefined("division by zero")
    return a / b


def root(a: Any) -> Any:
    """Return the square root, a rational one of a rational square."""
    if a < 0:
        raise Undefined(f"sqrt({a})")
    exact = fmpq(math.isqrt(int(a.p)), math.isqrt(int(a.q))) if isinstance(a, fmpq) else None
    return exact if exact is not None and exact**2 == a else arb(a).sqrt()


def _power(a: Any, b: Any) -> Any:
    """Return a power, a rational one where that is so."""
    if isinstance(b, arb) or b.q > 1:
        if a < 0:
            raise Undefined(f"a power of the negative number {a}")
        return root(a) if b == fmpq(1, 2) else arb(a) ** arb(b)
    whole = int(b.p)
    if whole < 0 and a == 0:
        raise Undefined("division by zero")
    return (a if isinstance(a, fmpq) and abs(whole) * a.height_bits() < LONGEST else arb(a)) ** whole


def _method(operation: Callable[[Any, Any], Any], swapped: bool = False) -> Callable[[Number, Any], Any]:
    """Return a method that takes any number on the other side, and leaves arrays to NumPy."""

    def method(self: Number, other: Any) -> Any:
        if type(other) is not Number and isinstance(other, SEVERAL):
            return NotImplemented
        to = other if type(other) is Number else number(other)
        a, b = (to, self) if swapped else (self, to)
        return Number(operation(a.value, b.value), a.tainted or b.tainted)

    return method


def _comparison(operation: Callable[[int, int], bool]) -> Callable[[Number, Any], bool]:
    return lambda self, other: operation(self.sign_to(other), 0)


METHODS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": _quotient, "pow": _power}
for _name, _operation in METHODS.items():
    setattr(Number, f"__{_name}__", _method(_operation))
    setattr(Number, f"__r{_name}__", _method(_operation, swapped=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _comparison(getattr(operator, _name)))
