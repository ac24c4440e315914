r"""Numbers that decide, and the functions that statements may use: one text for floats, for numbers, and for SymPy.

A `Number` is a rational until a logarithm or its like makes a ball of it. A comparison
that the ball leaves open raises `Undecided`, and the whole instance is computed again
with more bits. At the most bits two balls that still overlap, and are narrow, count as
equal, which is noted. A float that takes part is noted, too: what is computed from it
decides nothing. Of many instances at once an array holds floats, its last axis the
instances, so that `sum(P)`, `P[0]` and `zip(P, Q)` mean the same for all.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpz
from scipy import special

from statements.precision import ONE_AT_A_TIME, working_precision

#: The precisions that are tried, one after the other.
BITS = (128, 2048)
#: The length in bits from which on rationals become balls.
LONGEST = 40_000
#: Where logarithms begin to exist, that end left out.
ENDS = {"log": 0, "log1p": -1}
#: What arithmetic goes through entry by entry, and what it takes as it is.
SEVERAL = (np.ndarray, list, tuple)
PLAIN = {int, float, np.float64}
#: Which arithmetic is at work (vector, scalar, exact or symbolic), what was noted,
#: "balls" and "equal" (balls were counted as equal), and the floats that took part.
MODE = SimpleNamespace(kind="vector", bits=BITS[-1], notes=set(), floats=[])


class Undecided(ArithmeticError):
    """Say that balls of this precision do not decide a comparison, and which one is to be tried next, at `least`."""

    least = 0


class Touching(Undecided):
    """Say that two sides agree to all bits, which decides no strict inequality."""


@contextmanager
def mode(kind: str, bits: int = BITS[-1]) -> Iterator[Any]:
    """Work in one arithmetic, in balls of so many bits; notes begin anew. Other threads wait until it ends."""
    with ONE_AT_A_TIME:
        saved = dict(vars(MODE))
        vars(MODE).update(kind=kind, bits=bits, notes=set(), floats=[])
        try:
            with np.errstate(all="ignore"), working_precision(bits):
                yield MODE
        finally:
            vars(MODE).update(saved)


def simplest(value: Any) -> Fraction:
    """Return the simplest rational that rounds to a float: 1/3 for 0.333..., 1/10 for 0.1; else the float itself."""
    if value == (whole := round(value)):
        return Fraction(whole)
    exact = Fraction(value)
    found = exact.limit_denominator(10**6)
    return found if float(found) == value else exact


def number(value: Any) -> Any:
    """Return a value as a Number, and note where it is a float; raise TypeError where it is none."""
    if type(value) is Number:
        return value
    if type(value) is int:
        return Number(fmpq(value))
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, float):
        MODE.floats.append(repr(plain))
        plain = Fraction(plain) if math.isfinite(plain) else arb(str(plain))
    if isinstance(plain, int | fmpz | Fraction):
        plain = (
            fmpq(*plain.as_integer_ratio())
            if isinstance(plain, Fraction)
            else fmpq(int(plain))
        )
    if not isinstance(plain, fmpq | arb):
        raise TypeError(f"value must be a number, got {value!r}")
    return Number(plain)


class Number:
    """Hold a rational (`fmpq`) or a ball (`arb`)."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value: Any = (
            arb(value)
            if type(value) is fmpq and value.height_bits() > LONGEST
            else value
        )

    @property
    def rational(self) -> bool:
        """Whether no ball is needed."""
        return type(self.value) is fmpq

    def __neg__(self) -> Number:
        return Number(-self.value)

    def __abs__(self) -> Number:
        return Number(abs(self.value))

    def sign_to(self, other: Any) -> int:
        """Return the sign of the difference, or raise Undecided."""
        to = number(other)
        if type(self.value) is fmpq and type(to.value) is fmpq:
            return (self.value > to.value) - (self.value < to.value)
        gap = self.value - to.value
        MODE.notes.add("balls")
        if gap > 0 or gap < 0 or gap == 0:
            return int(gap > 0) - int(gap < 0)
        size = arb(1) + abs(arb(self.value)) + abs(arb(to.value))
        if (
            MODE.bits >= BITS[-1]
            and gap.is_finite()
            and gap.rad() < size * arb(2) ** (-MODE.bits // 2)
        ):
            MODE.notes.add("equal")
            return 0
        raise Undecided(f"{self} and {other} are not told apart by {MODE.bits} bits")

    def __float__(self) -> float:
        return float(arb(self.value))

    def __floor__(self) -> int:
        found = (
            self.value.floor() if self.rational else self.value.floor().unique_fmpz()
        )
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
        raise ArithmeticError("division by zero")
    return a / b


def _root(a: Any) -> Any:
    """Return the square root, a rational one of a rational square."""
    if a < 0:
        raise ArithmeticError(f"sqrt({a})")
    exact = (
        fmpq(math.isqrt(int(a.p)), math.isqrt(int(a.q)))
        if isinstance(a, fmpq)
        else None
    )
    return exact if exact is not None and exact**2 == a else arb(a).sqrt()


def _power(a: Any, b: Any) -> Any:
    """Return a power, a rational one where that is so."""
    if isinstance(b, arb) or b.q > 1:
        if a < 0:
            raise ArithmeticError(f"a power of the negative number {a}")
        return _root(a) if b == fmpq(1, 2) else arb(a) ** arb(b)
    whole = int(b.p)
    if whole < 0 and a == 0:
        raise ArithmeticError("division by zero")
    return (
        a if isinstance(a, fmpq) and abs(whole) * a.height_bits() < LONGEST else arb(a)
    ) ** whole


def _method(
    operation: Callable[[Any, Any], Any], swapped: bool = False
) -> Callable[[Number, Any], Any]:
    """Return a method that takes any number on the other side, and leaves arrays to NumPy."""

    def method(self: Number, other: Any) -> Any:
        kind = type(other)
        if kind is not Number and kind is not int and isinstance(other, SEVERAL):
            return NotImplemented
        to = (
            other.value
            if kind is Number
            else fmpq(other)
            if kind is int
            else number(other).value
        )
        return Number(
            operation(to, self.value) if swapped else operation(self.value, to)
        )

    return method


METHODS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": _quotient,
    "pow": _power,
}
for _name, _operation in METHODS.items():
    setattr(Number, f"__{_name}__", _method(_operation))
    setattr(Number, f"__r{_name}__", _method(_operation, swapped=True))
for _compare in (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
):
    setattr(
        Number,
        f"__{_compare.__name__}__",
        lambda a, b, compare=_compare: compare(a.sign_to(b), 0),
    )


def _exact(a: Any, b: Any = 0) -> bool:
    return MODE.kind == "exact" or type(a) is Number or type(b) is Number


class _Sympy:
    """Load SymPy where it is first used: proofs alone need it."""

    def __getattr__(self, name: str) -> Any:
        import sympy

        return getattr(sympy, name)


SYMPY: Any = _Sympy()


def _one(name: str) -> Callable[[Any], Any]:
    """Return the function of that name for all arithmetics; NumPy finds it among the methods of numbers."""
    floats: Any = getattr(np, name, None) or getattr(special, name)
    elsewhere = name.replace("arc", "a")

    def decided(x: Any) -> Any:
        if name in ENDS and x <= ENDS[name]:
            raise ArithmeticError(f"{name}({x})")
        if name == "sqrt":
            return _root(x)
        found = getattr(arb(x), elsewhere)()
        return (
            found.fmpq() if isinstance(x, fmpq) and found.is_exact() else found
        )  # as the logarithm of 1

    def function(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return np.frompyfunc(function, 1, 1)(x) if x.dtype == object else floats(x)
        if MODE.kind == "symbolic":
            return getattr(SYMPY, elsewhere)(x)
        return Number(decided(number(x).value)) if _exact(x) else floats(x)

    function.__name__ = name
    function.__doc__ = f"Return {name} of a number, or of each entry of a vector."
    setattr(Number, name, function)
    return function


log, log1p, exp, expm1, sqrt, cosh, sinh = map(
    _one, ("log", "log1p", "exp", "expm1", "sqrt", "cosh", "sinh")
)
tanh, arctanh, erfc, sin, cos = map(_one, ("tanh", "arctanh", "erfc", "sin", "cos"))


def divide(a: Any, b: Any) -> Any:
    """Return a/b; of two integers an exact one where numbers decide."""
    if type(a) is Number:
        return a / b
    if MODE.kind == "symbolic":
        return SYMPY.sympify(a) / b
    if _exact(a, b):
        return (number(a) if isinstance(a, int) else number(1) * a) / b
    return (
        a / b if type(a) in PLAIN and type(b) in PLAIN and b else np.true_divide(a, b)
    )


def power(a: Any, b: Any) -> Any:
    """Return a to the power b; of two integers an exact one where numbers decide."""
    if (
        MODE.kind == "symbolic"
        or type(a) is Number
        or (isinstance(a, int) and isinstance(b, int) and b >= 0)
    ):
        return a**b
    return ((number(1) if _exact(a, b) else np.float64(1)) * a) ** b


def pi() -> Any:
    r"""Return $\pi$; statements write `pi` alone."""
    return (
        SYMPY.pi
        if MODE.kind == "symbolic"
        else Number(arb.pi())
        if MODE.kind == "exact"
        else math.pi
    )


def normal_tail(x: Any) -> Any:
    r"""Return the probability that a standard normal variable exceeds x, $\frac12\operatorname{erfc}(x/\sqrt2)$."""
    return (
        divide(erfc(divide(x, sqrt(2))), 2)
        if _exact(x) or MODE.kind == "symbolic"
        else special.ndtr(-np.asarray(x))
    )


def xlog(x: Any, y: Any) -> Any:
    r"""Return $x\log y$, and 0 where x is 0, entry by entry for vectors."""
    if isinstance(x, np.ndarray) and x.dtype == object:
        return np.frompyfunc(xlog, 2, 1)(x, y)
    return special.xlogy(x, y) if not _exact(x, y) else 0 if x == 0 else x * log(y)


def E(law: Any, values: Any) -> Any:
    r"""Return the mean $\sum_xP(x)c(x)$ of a vector over a law."""
    return sum(law * values)


def _extreme(sign: int, values: Any) -> Any:
    """Return the largest of values where the sign is 1, the smallest where it is -1."""

    def further(one: Any, other: Any) -> Any:
        if not _exact(one, other):
            return np.maximum(one, other) if sign > 0 else np.minimum(one, other)
        first = number(one)
        second = number(other)
        try:
            return one if sign * first.sign_to(second) >= 0 else other
        except Undecided:
            ends = arb(first.value), arb(second.value)
            return Number(ends[0].max(ends[1]) if sign > 0 else ends[0].min(ends[1]))

    items = [*(values[0] if len(values) == 1 else values)]
    plain = max if sign > 0 else min
    if (kinds := {*map(type, items)}) == {int}:  # of any size
        return plain(items)
    floats = (
        MODE.kind == "scalar"
        and len(items) > 1
        and kinds <= PLAIN
        and all(item == item for item in items)
    )
    return np.float64(plain(items)) if floats else reduce(further, items)


def largest(*values: Any) -> Any:
    """Return the largest of several values, or of an iterable; of balls that overlap what encloses it. It is `max`."""
    return _extreme(1, values)


def smallest(*values: Any) -> Any:
    """Return the smallest of several values, or of an iterable; statements write `min`."""
    return _extreme(-1, values)


def floor(x: Any) -> Any:
    """Return the integer part."""
    return math.floor(x) if _exact(x) or MODE.kind == "scalar" else np.floor(x)


def ceil(x: Any) -> Any:
    """Return the least integer that is not smaller."""
    return -floor(-x)
