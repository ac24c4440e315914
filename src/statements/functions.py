r"""The functions that statements may use: one text for arrays of floats, for numbers that decide, and for SymPy.

An instance is the last axis of an array of floats, so that a vector looks like a list of its entries: `sum(P)`,
`P[0]`, `len(P)` and `zip(P, Q)` mean the same in all arithmetics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from scipy import special

from statements.arithmetic import MODE, PLAIN, Number, Undecided, number, symbolic

__all__ = [
    "E", "arctanh", "ceil", "cos", "cosh", "divide", "erf", "erfc", "exp", "expm1", "floor", "largest", "literal",
    "log", "log1p", "normal_tail", "pi", "power", "sin", "sinh", "smallest", "sqrt", "tanh", "xlog",
]  # fmt: skip


def _one(name: str) -> Callable[[Any], Any]:
    """Return the function of that name for all arithmetics."""
    floats: Any = getattr(np, name, None) or getattr(special, name)

    def function(x: Any) -> Any:
        if MODE.kind == "symbolic":
            return symbolic(name, x)
        if isinstance(x, np.ndarray):
            return np.frompyfunc(function, 1, 1)(x) if x.dtype == object else floats(x)
        return getattr(number(x), name)() if _exact(x) else floats(x)

    function.__name__, function.__doc__ = name, f"Return {name} of a number, or of each entry of a vector."
    return function


log, log1p, exp, expm1, sqrt, cosh, sinh = map(_one, ("log", "log1p", "exp", "expm1", "sqrt", "cosh", "sinh"))
tanh, arctanh, erf, erfc, sin, cos = map(_one, ("tanh", "arctanh", "erf", "erfc", "sin", "cos"))


def _exact(a: Any, b: Any = 0) -> bool:
    return MODE.kind == "exact" or isinstance(a, Number) or isinstance(b, Number)


def divide(a: Any, b: Any) -> Any:
    """Return a/b; of two integers an exact one where numbers decide."""
    if MODE.kind == "symbolic":
        return symbolic("Mul", a, symbolic("Pow", b, -1))
    if not _exact(a, b):
        return a / b if isinstance(a, PLAIN) and isinstance(b, PLAIN) and b else np.true_divide(a, b)
    return (np.multiply(a, number(1)) if isinstance(a, np.ndarray) else number(a)) / b


def power(a: Any, b: Any) -> Any:
    """Return a to the power b; of two integers an exact one where numbers decide."""
    if MODE.kind == "symbolic" or (isinstance(a, int) and isinstance(b, int) and b >= 0):
        return a**b
    if isinstance(a, np.ndarray):
        return np.multiply(a, number(1) if _exact(a, b) else 1.0) ** b
    return (number(a) if _exact(a, b) else np.float64(a)) ** b


def pi() -> Any:
    r"""Return $\pi$; statements write `pi` alone."""
    return symbolic("pi") if MODE.kind == "symbolic" else Number(arb.pi()) if MODE.kind == "exact" else math.pi


def literal(text: str) -> Any:
    """Return a decimal of a statement: exact where numbers decide."""
    exact = Fraction(text)
    if MODE.kind == "symbolic":
        return symbolic("Rational", exact.numerator, exact.denominator)
    return number(exact) if MODE.kind == "exact" else float(exact)


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


def _choose(values: tuple[Any, ...], floats: Any, balls: Any) -> Any:
    """Return the largest or the smallest; of balls that overlap what encloses it."""
    given: list[Any] = list(values[0]) if len(values) == 1 else list(values)
    if not given:
        raise ValueError("the largest or smallest of nothing was asked for")
    best = given[0]
    for value in given[1:]:
        if _exact(best, value):
            one, other = number(best), number(value)
            try:
                best = value if (other > one) == (balls is arb.max) else best
            except Undecided:
                best = Number(balls(arb(one.value), arb(other.value)), one.tainted or other.tainted)
        elif isinstance(best, PLAIN) and isinstance(value, PLAIN):
            better = value > best if floats is np.maximum else value < best
            best = value if better or value != value else best
        else:
            best = floats(best, value)
    return best


def largest(*values: Any) -> Any:
    """Return the largest of several values, or of an iterable; statements write `max`."""
    return _choose(values, np.maximum, arb.max)


def smallest(*values: Any) -> Any:
    """Return the smallest of several values, or of an iterable; statements write `min`."""
    return _choose(values, np.minimum, arb.min)


def floor(x: Any) -> Any:
    """Return the integer part."""
    return math.floor(x) if _exact(x) or MODE.kind == "scalar" else np.floor(x)


def ceil(x: Any) -> Any:
    """Return the least integer that is not smaller."""
    return -floor(-x)
