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
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpz

__all__ = ["BITS", "MODE", "Number", "Undecided", "Undefined", "mode", "number", "simplest", "symbolic"]

#: The precisions that are tried, one after the other.
BITS = (128, 512, 2048)
DECIDING, INTEGERS, PLAIN = (fmpq, arb), (int, np.integer, np.bool_, fmpz), (float, int)
#: Rationals longer than this become balls.
LONGEST = 40_000


class Undecided(ArithmeticError):
    """Say that balls of this precision do not decide a comparison, and which one is to be tried next, at `least`."""

    least = 0


class Undefined(ArithmeticError):
    """Say that a value does not exist, as the logarithm of zero."""


class _Mode:
    """Hold which arithmetic is at work, and what was noted: `kind` is vector, scalar, exact or symbolic."""

    kind, bits = "vector", BITS[-1]
    tainted = balls = equal = False
    assumed: list[Any]


MODE = _Mode()
MODE.assumed = []


@contextmanager
def mode(kind: str, bits: int = BITS[-1]) -> Iterator[_Mode]:
    """Work in one arithmetic, in balls of so many bits; notes begin anew."""
    saved = {name: getattr(MODE, name) for name in ("kind", "bits", "tainted", "balls", "equal", "assumed")}
    precision = ctx.prec
    MODE.kind, MODE.bits, MODE.assumed = kind, bits, []
    MODE.tainted = MODE.balls = MODE.equal = False
    ctx.prec = bits
    try:
        with np.errstate(all="ignore"):
            yield MODE
    finally:
        vars(MODE).update(saved)
        ctx.prec = precision


@contextmanager
def noted() -> Iterator[list[bool]]:
    """Give what is noted meanwhile, once it is over; it is added to what was noted before."""
    before, found = (MODE.tainted, MODE.balls, MODE.equal), list[bool]()
    MODE.tainted = MODE.balls = MODE.equal = False
    try:
        yield found
    finally:
        found += [MODE.tainted, MODE.balls, MODE.equal]
        MODE.tainted, MODE.balls, MODE.equal = map(operator.or_, before, found)


def _lift(value: Any) -> tuple[Any, bool] | None:
    """Return a value as rational or ball, and whether it is a float; None where it is no number."""
    if isinstance(value, Number):
        return value.value, value.tainted
    if isinstance(value, DECIDING):
        return value, False
    if isinstance(value, INTEGERS):
        return fmpq(int(value)), False
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator), False
    if isinstance(value, float | np.floating):
        finite = math.isfinite(value)
        return fmpq(*float(value).as_integer_ratio()) if finite else arb(str(float(value))), True
    return None


def symbolic(name: str, *values: Any) -> Any:
    """Return a function or constant of SymPy, which is loaded for proofs alone."""
    import sympy

    if name in ("expm1", "log1p"):
        return sympy.exp(values[0]) - 1 if name == "expm1" else sympy.log(1 + values[0])
    found = getattr(sympy, name.replace("arc", "a"))
    return found(*values) if values else found


def simplest(value: Any) -> Fraction:
    """Return the simplest rational that rounds to a float: 1/3 for 0.333..., 1/10 for 0.1; else the float itself."""
    x, p, q, before = float(value), 1, 0, (0, 1)
    while True:  # the fractions of its continued fraction, one after the other
        whole = math.floor(x)
        p, q, before = whole * p + before[0], whole * q + before[1], (p, q)
        if q > 10**6 or p / q == value or x == whole:
            return Fraction(p, q) if q <= 10**6 and p / q == value else Fraction(value)
        x = 1 / (x - whole)


def number(value: Any) -> Any:
    """Return a value as a Number; raise TypeError where it is none."""
    if isinstance(value, Number):
        return value
    if (lifted := _lift(value)) is None:
        raise TypeError(f"value must be a number, got {value!r}")
    return Number(*lifted)


class Number:
    """Hold a rational (`fmpq`) or a ball (`arb`), and whether a float took part in it."""

    __slots__ = ("tainted", "value")

    def __init__(self, value: Any, tainted: bool = False) -> None:
        if type(value) is fmpq and value.height_bits() > LONGEST:
            value = arb(value)
        self.value, self.tainted = value, tainted

    @property
    def rational(self) -> bool:
        """Whether no ball is needed."""
        return isinstance(self.value, fmpq)

    def __neg__(self) -> Number:
        return Number(-self.value, self.tainted)

    def __abs__(self) -> Number:
        return Number(abs(self.value), self.tainted)

    def __pow__(self, other: Any) -> Any:
        return NotImplemented if _lift(other) is None else self.power(other)

    def __rpow__(self, other: Any) -> Any:
        return NotImplemented if _lift(other) is None else number(other).power(self)

    def power(self, other: Any) -> Number:
        """Return a power, a rational one where that is so."""
        given = number(other)
        tainted = self.tainted or given.tainted
        exponent = other if type(other) is int else None
        if exponent is None and given.rational and given.value.q == 1:
            exponent = int(given.value.p)
        if exponent is not None and exponent < 0 and self.value == 0:
            raise Undefined("division by zero")
        if exponent is not None and self.rational and abs(exponent) * self.value.height_bits() < LONGEST:
            return Number(self.value**exponent, tainted)
        if self.rational and given.value == fmpq(1, 2):
            return Number(self.sqrt().value, tainted)
        if exponent is None and self.value < 0:
            raise Undefined(f"a power of the negative number {self}")
        return Number(arb(self.value) ** (arb(given.value) if exponent is None else exponent), tainted)

    def sign_to(self, other: Any) -> int:
        """Return the sign of the difference, or raise Undecided."""
        lifted = _lift(other)
        if lifted is None:
            raise TypeError(f"a number cannot be compared with {other!r}")
        MODE.tainted |= self.tainted or lifted[1]
        gap = self.value - lifted[0]
        if isinstance(gap, fmpq):
            return (gap > 0) - (gap < 0)
        MODE.balls = True
        if gap > 0 or gap < 0:
            return 1 if gap > 0 else -1
        if gap == 0:
            return 0
        size = arb(1) + abs(arb(self.value)) + abs(arb(lifted[0]))
        if MODE.bits >= BITS[-1] and gap.is_finite() and gap.rad() < size * arb(2) ** (-MODE.bits // 2):
            MODE.equal = True
            return 0
        raise Undecided(f"{self} and {other} are not told apart by {MODE.bits} bits")

    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        return float(arb(self.value).mid())

    def __floor__(self) -> int:
        MODE.tainted |= self.tainted
        if self.rational:
            return int(self.value.floor())
        found = self.value.floor().unique_fmpz()
        if found is None:
            raise Undecided(f"the integer part of {self} is open at {MODE.bits} bits")
        return int(found)

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __index__(self) -> int:
        if not (self.rational and self.value.denom() == 1):
            raise TypeError(f"an integer is needed, got {self}")
        return int(self.value.numer())

    def __repr__(self) -> str:
        return str(self.value) if self.rational else self.value.str(15, radius=False)

    def apply(self, name: str, at: tuple[int, int] | None, low: int | None) -> Number:
        """Return a function of flint; `at` is an exact value of it, `low` the end of where it is defined."""
        if self.rational and at is not None and self.value == at[0]:
            return Number(fmpq(at[1]), self.tainted)
        if low is not None and self.value <= low:
            raise Undefined(f"{name}({self})")
        return Number(getattr(arb(self.value), name)(), self.tainted)

    def sqrt(self) -> Number:
        """Return the square root, a rational one of a rational square."""
        if self.value < 0:
            raise Undefined(f"sqrt({self})")
        if self.rational:
            roots = [math.isqrt(int(part)) for part in (self.value.numer(), self.value.denom())]
            if fmpq(*roots) ** 2 == self.value:
                return Number(fmpq(*roots), self.tainted)
        return Number(arb(self.value).sqrt(), self.tainted)


def _arithmetic(operation: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Number, Any], Any]:
    def method(self: Number, other: Any) -> Any:
        kind = type(other)
        if kind is Number:
            value, tainted = other.value, self.tainted or other.tainted
        elif kind is int:  # flint takes it as it is
            value, tainted = other, self.tainted
        elif (lifted := _lift(other)) is None:
            return NotImplemented
        else:
            value, tainted = lifted[0], self.tainted or lifted[1]
        a, b = (value, self.value) if swapped else (self.value, value)
        if operation is operator.truediv and b == 0:
            raise Undefined("division by zero")
        return Number(operation(a, b), tainted)

    return method


def _comparison(operation: Callable[[int, int], bool]) -> Callable[[Number, Any], bool]:
    return lambda self, other: operation(self.sign_to(other), 0)


def _function(name: str, at: tuple[int, int] | None, low: int | None) -> Callable[[Number], Number]:
    return lambda self: self.apply(name, at, low)


#: Name here and in NumPy: name in flint, an exact value, the end of where it is defined, which is left out.
FUNCTIONS: dict[str, tuple[str, tuple[int, int] | None, int | None]] = {
    "log": ("log", (1, 0), 0),
    "log1p": ("log1p", (0, 0), -1),
    **{name: (name, (0, 1), None) for name in ("exp", "erfc", "cosh", "cos")},
    **{name: (name, (0, 0), None) for name in ("expm1", "sinh", "tanh", "erf", "sin")},
    "arctanh": ("atanh", (0, 0), None),
}
for _name in ("add", "sub", "mul", "truediv"):
    setattr(Number, f"__{_name}__", _arithmetic(getattr(operator, _name), False))
    setattr(Number, f"__r{_name}__", _arithmetic(getattr(operator, _name), True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _comparison(getattr(operator, _name)))
for _name, _row in FUNCTIONS.items():
    setattr(Number, _name, _function(*_row))
