r"""Numbers that decide, and the functions that statements may use.

A `Number` is a rational until a logarithm or its like makes a ball of it. A comparison
that the ball leaves open raises `Undecided`, and the whole instance is computed again
with more bits. At the most bits two balls that still overlap, and are narrow, count as
equal, which is noted. A float that takes part is noted, too: what is computed from it
decides nothing. Of many instances at once an array holds floats, its last axis the
instances, so that `sum(P)`, `P[0]` and `zip(P, Q)` mean the same for all.

One text serves floats, numbers that decide, and SymPy. How many calls it makes of many
instances is counted, see `statements.cost`: a function more on that way is felt there.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from types import ModuleType
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz
from numpy.typing import NDArray
from scipy import special

from statements.precision import ONE_AT_A_TIME, working_precision

#: What a text computes with, and gives: a float or an integer, an array of floats, a
#: `Number` or an array of them, an expression of SymPy, an unknown of the solver. Texts
#: treat them alike, by Python's operators, and no type says that.
Value = Any
#: What a text is made into.
Function = Callable[..., Value]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
#: What a `Number` holds.
Exact = fmpq | arb

#: The precisions that are tried, one after the other.
BITS = (128, 2048)
#: The length in bits from which on rationals become balls.
LONGEST = 40_000
#: Digits of a ball that a message shows.
SHOWN = 15
#: The largest denominator of a rational that a float may stand for.
DENOMINATOR = 10**6
#: Where logarithms begin to exist, that end left out.
ENDS = {"log": 0, "log1p": -1}
#: What arithmetic goes through entry by entry, and what it takes as it is.
SEVERAL = (np.ndarray, list, tuple)
PLAIN = {int, float, np.float64}


@dataclass
class Mode:
    """Hold which arithmetic is at work: vector, scalar, exact or symbolic.

    The `notes` are "balls" and "equal" (balls were counted as equal), and `floats` are
    those that took part.
    """

    kind: str = "vector"
    bits: int = BITS[-1]
    notes: set[str] = field(default_factory=set)
    floats: list[str] = field(default_factory=list)


#: The arithmetic at work, that of the whole process.
MODE = Mode()


class Undecided(ArithmeticError):
    """Say that balls of this precision do not decide a comparison.

    `least` bits are to be tried next.
    """

    least = 0


class Touching(Undecided):
    """Say that two sides agree to all bits, which decides no strict inequality."""


@contextmanager
def mode(kind: str, bits: int = BITS[-1]) -> Iterator[Mode]:
    """Work in one arithmetic, in balls of so many bits; notes begin anew.

    Other threads wait until it ends.
    """
    with ONE_AT_A_TIME:
        saved = MODE.__dict__
        MODE.__dict__ = Mode(kind, bits).__dict__
        try:
            with np.errstate(all="ignore"), working_precision(bits):
                yield MODE
        finally:
            MODE.__dict__ = saved


def simplest(value: float | Fraction) -> Fraction:
    """Return the simplest rational that rounds to a float, 1/3 for 0.333...

    Where its denominator would be long, it is the float itself.
    """
    if value == (whole := round(value)):
        return Fraction(whole)
    exact = Fraction(value)
    simple = exact.limit_denominator(DENOMINATOR)
    if float(simple) == value:
        return simple
    return exact


def number(value: Value) -> Number:
    """Return a value as a Number, and note where it is a float.

    Raises TypeError where it is none.
    """
    if type(value) is Number:
        return value
    if type(value) is int:
        return Number(fmpq(value))
    plain = value
    if isinstance(value, np.generic):
        plain = value.item()
    if isinstance(plain, float):
        MODE.floats.append(repr(plain))
        if not math.isfinite(plain):
            return Number(arb(str(plain)))
        plain = Fraction(plain)
    if isinstance(plain, Fraction):
        return Number(fmpq(*plain.as_integer_ratio()))
    if isinstance(plain, int | fmpz):
        return Number(fmpq(int(plain)))
    if not isinstance(plain, fmpq | arb):
        raise TypeError(f"value must be a number, got {value!r}")
    return Number(plain)


def _quotient(a: Exact, b: Exact) -> Exact:
    if b == 0:
        raise ArithmeticError("division by zero")
    return a / b


def _root(a: Exact) -> Exact:
    """Return the square root, a rational one of a rational square."""
    if a < 0:
        raise ArithmeticError(f"sqrt({a})")
    if isinstance(a, fmpq):
        root = fmpq(math.isqrt(int(a.p)), math.isqrt(int(a.q)))
        if root**2 == a:
            return root
    return arb(a).sqrt()


def _power(a: Exact, b: Exact) -> Exact:
    """Return a power, a rational one where that is so."""
    if isinstance(b, arb) or b.q > 1:
        if a < 0:
            raise ArithmeticError(f"a power of the negative number {a}")
        if b == fmpq(1, 2):
            return _root(a)
        return arb(a) ** arb(b)
    whole = int(b.p)
    if whole < 0 and a == 0:
        raise ArithmeticError("division by zero")
    if isinstance(a, fmpq) and abs(whole) * a.height_bits() < LONGEST:
        return a**whole
    return arb(a) ** whole


def _method(
    operation: Callable[[Exact, Exact], Exact],
    swapped: bool = False,
) -> Callable[[Number, Value], Value]:
    """Return a method for any number on the other side; arrays are left to NumPy."""

    def method(self: Number, other: Value) -> Value:
        kind = type(other)
        if kind is Number:
            to = other.value
        elif kind is int:
            to = fmpq(other)
        elif isinstance(other, SEVERAL):
            return NotImplemented
        else:
            to = number(other).value
        if swapped:
            return Number(operation(to, self.value))
        return Number(operation(self.value, to))

    return method


def _relation(compare: Callable[[int, int], bool]) -> Callable[[Number, Value], Value]:
    """Return a method that compares, or raises Undecided."""

    def method(self: Number, other: Value) -> Value:
        return compare(self.sign_to(other), 0)

    return method


class Number:
    """Hold a rational (`fmpq`) or a ball (`arb`).

    Floats of the other side of an operation are noted.
    """

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Exact) -> None:
        self.value: Value = value  # of either type, which its methods ask for
        if type(value) is fmpq and value.height_bits() > LONGEST:
            self.value = arb(value)

    __add__ = _method(operator.add)
    __radd__ = _method(operator.add, swapped=True)
    __sub__ = _method(operator.sub)
    __rsub__ = _method(operator.sub, swapped=True)
    __mul__ = _method(operator.mul)
    __rmul__ = _method(operator.mul, swapped=True)
    __truediv__ = _method(_quotient)
    __rtruediv__ = _method(_quotient, swapped=True)
    __pow__ = _method(_power)
    __rpow__ = _method(_power, swapped=True)
    __eq__ = _relation(operator.eq)
    __ne__ = _relation(operator.ne)
    __lt__ = _relation(operator.lt)
    __le__ = _relation(operator.le)
    __gt__ = _relation(operator.gt)
    __ge__ = _relation(operator.ge)

    @property
    def rational(self) -> bool:
        """Whether no ball is needed."""
        return type(self.value) is fmpq

    def __neg__(self) -> Number:
        return Number(-self.value)

    def __abs__(self) -> Number:
        return Number(abs(self.value))

    def sign_to(self, other: Value) -> int:
        """Return the sign of the difference, or raise Undecided."""
        to = number(other)
        if type(self.value) is fmpq and type(to.value) is fmpq:
            return (self.value > to.value) - (self.value < to.value)
        gap = self.value - to.value
        MODE.notes.add("balls")
        if gap > 0 or gap < 0 or gap == 0:
            return int(gap > 0) - int(gap < 0)
        size = arb(1) + abs(arb(self.value)) + abs(arb(to.value))
        narrow = gap.is_finite() and gap.rad() < size * arb(2) ** (-MODE.bits // 2)
        if narrow and MODE.bits >= BITS[-1]:
            MODE.notes.add("equal")
            return 0
        raise Undecided(f"{self} and {other} are not told apart by {MODE.bits} bits")

    def __float__(self) -> float:
        return float(arb(self.value))

    def __floor__(self) -> int:
        part = self.value.floor()
        if not self.rational:
            part = part.unique_fmpz()
        if part is None:
            raise Undecided(f"the integer part of {self} is open at {MODE.bits} bits")
        return int(part)

    def __ceil__(self) -> int:
        return -math.floor(-self)

    def __index__(self) -> int:
        if not (self.rational and self.value.q == 1):
            raise TypeError(f"an integer is needed, got {self}")
        return int(self.value.p)

    def __repr__(self) -> str:
        if self.rational:
            return str(self.value)
        return str(self.value.str(SHOWN, radius=False))


def _exact(a: Value, b: Value = 0) -> bool:
    return MODE.kind == "exact" or type(a) is Number or type(b) is Number


class _Sympy(ModuleType):
    """Load SymPy where it is first used: proofs alone need it."""

    def __getattr__(self, name: str) -> Value:
        import sympy

        return getattr(sympy, name)


SYMPY = _Sympy("sympy")
#: The functions of one number, by their names.
FUNCTIONS: dict[str, Function] = {}


def _one(name: str) -> Callable[[Value], Value]:
    """Return the function of that name for all arithmetics.

    NumPy finds it among the methods of numbers.
    """
    floats: Function = getattr(np, name, None) or getattr(special, name)
    elsewhere = name.replace("arc", "a")

    def decided(x: Exact) -> Exact:
        if name in ENDS and x <= ENDS[name]:
            raise ArithmeticError(f"{name}({x})")
        if name == "sqrt":
            return _root(x)
        ball: arb = getattr(arb(x), elsewhere)()
        if isinstance(x, fmpq) and ball.is_exact():  # as the logarithm of 1
            return ball.fmpq()
        return ball

    def function(x: Value) -> Value:
        if isinstance(x, np.ndarray):
            if x.dtype == object:
                return np.frompyfunc(function, 1, 1)(x)
            return floats(x)
        if MODE.kind == "symbolic":
            return getattr(SYMPY, elsewhere)(x)
        if _exact(x):
            return Number(decided(number(x).value))
        return floats(x)

    function.__name__ = name
    function.__doc__ = f"Return {name} of a number, or of each entry of a vector."
    FUNCTIONS[name] = function
    setattr(Number, name, function)
    return function


log = _one("log")
log1p = _one("log1p")
exp = _one("exp")
expm1 = _one("expm1")
sqrt = _one("sqrt")
cosh = _one("cosh")
sinh = _one("sinh")
tanh = _one("tanh")
arctanh = _one("arctanh")
erfc = _one("erfc")
sin = _one("sin")
cos = _one("cos")


def divide(a: Value, b: Value) -> Value:
    """Return a/b; of two integers an exact one where numbers decide."""
    if type(a) is Number:
        return a / b
    if MODE.kind == "symbolic":
        return SYMPY.sympify(a) / b
    if _exact(a, b):
        if isinstance(a, int):
            return number(a) / b
        return number(1) * a / b
    if type(a) in PLAIN and type(b) in PLAIN and b:
        return a / b
    return np.true_divide(a, b)


def power(a: Value, b: Value) -> Value:
    """Return a to the power b; of two integers an exact one where numbers decide."""
    if MODE.kind == "symbolic" or type(a) is Number:
        return a**b
    if isinstance(a, int) and isinstance(b, int) and b >= 0:
        return a**b
    if _exact(a, b):
        return (number(1) * a) ** b
    return (np.float64(1) * a) ** b


def _pi() -> Value:
    r"""Return $\pi$."""
    if MODE.kind == "symbolic":
        return SYMPY.pi
    if MODE.kind == "exact":
        return Number(arb.pi())
    return math.pi


#: Statements write `pi` alone, and a check calls it.
pi: Value = _pi


def normal_tail(x: Value) -> Value:
    r"""Return the probability that a standard normal variable exceeds x.

    It is $\frac12\operatorname{erfc}(x/\sqrt2)$.
    """
    if _exact(x) or MODE.kind == "symbolic":
        return divide(erfc(divide(x, sqrt(2))), 2)
    return special.ndtr(-np.asarray(x))


def xlog(x: Value, y: Value) -> Value:
    r"""Return $x\log y$, and 0 where x is 0, entry by entry for vectors."""
    if isinstance(x, np.ndarray) and x.dtype == object:
        return np.frompyfunc(xlog, 2, 1)(x, y)
    if not _exact(x, y):
        return special.xlogy(x, y)
    if x == 0:
        return 0
    return x * log(y)


def E(law: Value, values: Value) -> Value:
    r"""Return the mean $\sum_xP(x)c(x)$ of a vector over a law."""
    return sum(law * values)


@dataclass(frozen=True)
class _Extreme:
    """Hold how the largest, or the smallest, of values is found.

    The sign is 1 or -1; the rest is for plain numbers, arrays, and balls.
    """

    sign: int
    plain: Function
    floats: Function
    balls: Function


LARGEST = _Extreme(1, max, np.maximum, arb.max)
SMALLEST = _Extreme(-1, min, np.minimum, arb.min)


def _further(way: _Extreme, one: Value, other: Value) -> Value:
    """Return the larger, or the smaller, of two values.

    Of balls that overlap it is what encloses it.
    """
    if not _exact(one, other):
        return way.floats(one, other)
    first = number(one)
    second = number(other)
    try:
        if way.sign * first.sign_to(second) >= 0:
            return one
        return other
    except Undecided:
        return Number(way.balls(arb(first.value), arb(second.value)))


def _extreme(way: _Extreme, values: tuple[Value, ...]) -> Value:
    """Return the largest, or the smallest, of values, or of the one that there is."""
    if len(values) == 1:
        values = values[0]
    items = [*values]
    kinds = {*map(type, items)}
    if kinds == {int}:  # of any size
        return way.plain(items)
    if MODE.kind == "scalar" and len(items) > 1 and kinds <= PLAIN:
        no_nan = all(item == item for item in items)
        if no_nan:
            return np.float64(way.plain(items))
    return reduce(partial(_further, way), items)


def largest(*values: Value) -> Value:
    """Return the largest of several values, or of an iterable; it is `max`.

    Of balls that overlap it is what encloses it.
    """
    return _extreme(LARGEST, values)


def smallest(*values: Value) -> Value:
    """Return the smallest of several values, or of an iterable; it is `min`."""
    return _extreme(SMALLEST, values)


def floor(x: Value) -> Value:
    """Return the integer part."""
    if _exact(x) or MODE.kind == "scalar":
        return math.floor(x)
    return np.floor(x)


def ceil(x: Value) -> Value:
    """Return the least integer that is not smaller."""
    return -floor(-x)
