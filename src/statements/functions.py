r"""The functions that statements may use: one text for arrays of floats, for numbers that decide, and for SymPy.

An instance is the last axis of an array of floats, so that a vector looks like a list of its entries: `sum(P)`,
`P[0]`, `len(P)` and `zip(P, Q)` mean the same in all arithmetics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, fmpq
from scipy import special

from statements.arithmetic import MODE, Number, Undecided, Undefined, number, root

__all__ = [
    "SYMPY", "E", "arctanh", "ceil", "cos", "cosh", "divide", "erfc", "exp", "expm1", "floor", "largest", "literal",
    "log", "log1p", "normal_tail", "pi", "power", "sin", "sinh", "smallest", "sqrt", "tanh", "xlog",
]  # fmt: skip


#: Where logarithms begin to exist; that end is left out.
ENDS = {"log": 0, "log1p": -1}


def _exact(a: Any, b: Any = 0) -> bool:
    return MODE.kind == "exact" or isinstance(a, Number) or isinstance(b, Number)


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
            raise Undefined(f"{name}({x})")
        if name == "sqrt":
            return root(x)
        found = getattr(arb(x), elsewhere)()
        return found.fmpq() if isinstance(x, fmpq) and found.is_exact() else found  # as the logarithm of 1

    def function(x: Any) -> Any:
        if MODE.kind == "symbolic":
            return getattr(SYMPY, elsewhere)(x)
        if isinstance(x, np.ndarray):
            return np.frompyfunc(function, 1, 1)(x) if x.dtype == object else floats(x)
        if not _exact(x):
            return floats(x)
        given = number(x)
        return Number(decided(given.value), given.tainted)

    function.__name__, function.__doc__ = name, f"Return {name} of a number, or of each entry of a vector."
    setattr(Number, name, function)
    return function


log, log1p, exp, expm1, sqrt, cosh, sinh = map(_one, ("log", "log1p", "exp", "expm1", "sqrt", "cosh", "sinh"))
tanh, arctanh, erfc, sin, cos = map(_one, ("tanh", "arctanh", "erfc", "sin", "cos"))


def divide(a: Any, b: Any) -> Any:
    """Return a/b; of two integers an exact one where numbers decide."""
    if MODE.kind == "symbolic":
        return SYMPY.sympify(a) / b
    if _exact(a, b):
        return (np.multiply(a, number(1)) if isinstance(a, np.ndarray) else number(a)) / b
    return a / b if isinstance(a, float | int) and isinstance(b, float | int) and b else np.true_divide(a, b)


def power(a: Any, b: Any) -> Any:
    """Return a to the power b; of two integers an exact one where numbers decide."""
    if MODE.kind == "symbolic" or (isinstance(a, int) and isinstance(b, int) and b >= 0):
        return a**b
    if isinstance(a, np.ndarray):
        return np.multiply(a, number(1) if _exact(a, b) else 1.0) ** b
    return (number(a) if _exact(a, b) else np.float64(a)) ** b


def pi() -> Any:
    r"""Return $\pi$; statements write `pi` alone."""
    return SYMPY.pi if MODE.kind == "symbolic" else Number(arb.pi()) if MODE.kind == "exact" else math.pi


def literal(text: str) -> Any:
    """Return a decimal of a statement: exact where numbers decide."""
    return SYMPY.Rational(text) if MODE.kind == "symbolic" else number(Fraction(text)) if _exact(0) else float(text)


def normal_tail(x: Any) -> Any:
    r"""Return the probability that a standard normal variable exceeds x, $\frac12\operatorname{erfc}(x/\sqrt2)$."""
    return divide(erfc(divide(x, sqrt(2))), 2) if _exact(x) or MODE.kind == "symbolic" else special.ndtr(-np.asarray(x))


def xlog(x: Any, y: Any) -> Any:
    r"""Return $x\log y$, and 0 where x is 0, entry by entry for vectors."""
    if isinstance(x, np.ndarray) and x.dtype == object:
        return np.frompyfunc(xlog, 2, 1)(x, y)
    return special.xlogy(x, y) if not _exact(x, y) else 0 if x == 0 else x * log(y)


def E(law: Any, values: Any) -> Any:
    r"""Return the mean $\sum_xP(x)c(x)$ of a vector over a law."""
    return sum(law * values)


def largest(*values: Any) -> Any:
    """Return the largest of several values, or of an iterable; of balls that overlap what encloses it. It is `max`."""

    def larger(one: Any, other: Any) -> Any:
        if isinstance(one, int) and isinstance(other, int):  # they stay integers, of any size
            return max(one, other)
        if not _exact(one, other):
            return np.maximum(one, other)
        try:
            return max(one, other, key=number)
        except Undecided:
            a, b = number(one), number(other)
            return Number(arb(a.value).max(arb(b.value)), a.tainted or b.tainted)

    given = values[0] if len(values) == 1 else values
    given = given if isinstance(given, np.ndarray) and given.dtype != object else list(given)
    if MODE.kind != "exact" and (isinstance(given, np.ndarray) or all(isinstance(x, float) for x in given)):
        return np.maximum.reduce(given)
    return reduce(larger, given)


def smallest(*values: Any) -> Any:
    """Return the smallest of several values, or of an iterable; statements write `min`."""
    return -largest([-value for value in (values[0] if len(values) == 1 else values)])


def floor(x: Any) -> Any:
    """Return the integer part."""
    return math.floor(x) if _exact(x) or MODE.kind == "scalar" else np.floor(x)


def ceil(x: Any) -> Any:
    """Return the least integer that is not smaller."""
    return -floor(-x)
