r"""The functions that statements may use: one text for arrays of floats, for numbers that decide, and for SymPy.

An instance is the last axis of an array of floats, so that a vector looks like a list of its entries: `sum(P)`,
`P[0]`, `len(P)` and `zip(P, Q)` mean the same in all arithmetics.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from scipy import special

from statements.arithmetic import MODE, Number, Undecided, Undefined, number

__all__ = [
    "KNOWN", "SYMPY", "E", "arctanh", "ceil", "cos", "cosh", "divide", "erf", "erfc", "exp", "expm1", "floor",
    "largest", "literal", "log", "log1p", "normal_tail", "pi", "power", "sin", "sinh", "smallest", "sqrt", "tanh",
    "xlog",
]  # fmt: skip


@dataclass(frozen=True)
class Known:
    """Hold what is known of a function: how it is decided, how it is written, and what a near miss puts in its place.

    `ball` is its name in flint, `at` a point and the exact value there, `above` the end of where it is defined, which
    is left out; `latex` a name, or what stands on the left and on the right of the argument.
    """

    ball: str = ""
    at: tuple[int, int] | None = None
    above: int | None = None
    latex: str | tuple[str, str] = ""
    swap: str = ""


KNOWN = {
    "log": Known("log", (1, 0), 0, r"\log"),
    "log1p": Known("log1p", (0, 0), -1),
    "exp": Known("exp", (0, 1), None, ("e^{", "}")),
    "expm1": Known("expm1", (0, 0)),
    "sqrt": Known("sqrt", None, None, (r"\sqrt{", "}")),
    "cosh": Known("cosh", (0, 1), None, r"\cosh", "sinh"),
    "sinh": Known("sinh", (0, 0), None, r"\sinh", "cosh"),
    "tanh": Known("tanh", (0, 0), None, r"\tanh", "sinh"),
    "arctanh": Known("atanh", (0, 0)),
    "cos": Known("cos", (0, 1), None, r"\cos"),
    "sin": Known("sin", (0, 0), None, r"\sin"),
    "erf": Known("erf", (0, 0)),
    "erfc": Known("erfc", (0, 1)),
    "floor": Known(latex=(r"\left\lfloor ", r" \right\rfloor"), swap="ceil"),
    "ceil": Known(latex=(r"\left\lceil ", r" \right\rceil"), swap="floor"),
    "abs": Known(latex=(r"\left| ", r" \right|")),
    "len": Known(latex=(r"\left| ", r" \right|")),
    "max": Known(latex=r"\max", swap="min"),
    "min": Known(latex=r"\min", swap="max"),
    "all": Known(swap="any"),
    "any": Known(swap="all"),
}


def _exact(a: Any, b: Any = 0) -> bool:
    return MODE.kind == "exact" or isinstance(a, Number) or isinstance(b, Number)


class _Sympy:
    """Load SymPy where it is first used: proofs alone need it."""

    def __getattr__(self, name: str) -> Any:
        import sympy

        return getattr(sympy, name)


SYMPY: Any = _Sympy()


def _decided(x: Number, name: str) -> Number:
    """Return a function of a number, an exact value where it is known."""
    known = KNOWN[name]
    if x.rational and known.at is not None and x.value == known.at[0]:
        return Number(number(known.at[1]).value, x.tainted)
    if known.above is not None and x.value <= known.above:
        raise Undefined(f"{name}({x})")
    return Number(getattr(arb(x.value), known.ball)(), x.tainted)


def _one(name: str) -> Callable[[Any], Any]:
    """Return the function of that name for all arithmetics; NumPy finds it among the methods of numbers."""
    floats: Any = getattr(np, name, None) or getattr(special, name)
    if name != "sqrt":
        setattr(Number, name, lambda x: _decided(x, name))

    def function(x: Any) -> Any:
        if MODE.kind == "symbolic":
            if name in ("expm1", "log1p"):
                return exp(x) - 1 if name == "expm1" else log(1 + x)
            return getattr(SYMPY, name.replace("arc", "a"))(x)
        if isinstance(x, np.ndarray):
            return np.frompyfunc(function, 1, 1)(x) if x.dtype == object else floats(x)
        return getattr(number(x), name)() if _exact(x) else floats(x)

    function.__name__, function.__doc__ = name, f"Return {name} of a number, or of each entry of a vector."
    return function


log, log1p, exp, expm1, sqrt, cosh, sinh = map(_one, ("log", "log1p", "exp", "expm1", "sqrt", "cosh", "sinh"))
tanh, arctanh, erf, erfc, sin, cos = map(_one, ("tanh", "arctanh", "erf", "erfc", "sin", "cos"))


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
    kinds = {"symbolic": lambda x: SYMPY.Rational(x.numerator, x.denominator), "exact": number}
    return kinds.get(MODE.kind, float)(Fraction(text))


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


def _extreme(values: tuple[Any, ...], floats: Any, balls: Any) -> Any:
    """Return the largest or the smallest; of balls that overlap what encloses it."""
    exact, given = MODE.kind == "exact", values[0] if len(values) == 1 else values
    given = given if isinstance(given, np.ndarray) and given.dtype != object else list(given)
    if not exact and len(given) and (isinstance(given, np.ndarray) or all(isinstance(x, float) for x in given)):
        return floats.reduce(given)
    if not len(given):
        raise ValueError("the largest or smallest of nothing was asked for")
    best = given[0]
    for value in given[1:]:
        if isinstance(best, int) and isinstance(value, int):  # they stay integers, of any size
            best = (max if floats is np.maximum else min)(best, value)
        elif not (exact or type(best) is Number or type(value) is Number):
            best = floats(best, value)
        else:
            one, other = number(best), number(value)
            try:
                best = value if (other.sign_to(one) > 0) == (balls is arb.max) else best
            except Undecided:
                best = Number(balls(arb(one.value), arb(other.value)), one.tainted or other.tainted)
    return best


def largest(*values: Any) -> Any:
    """Return the largest of several values, or of an iterable; statements write `max`."""
    return _extreme(values, np.maximum, arb.max)


def smallest(*values: Any) -> Any:
    """Return the smallest of several values, or of an iterable; statements write `min`."""
    return _extreme(values, np.minimum, arb.min)


def floor(x: Any) -> Any:
    """Return the integer part."""
    return math.floor(x) if _exact(x) or MODE.kind == "scalar" else np.floor(x)


def ceil(x: Any) -> Any:
    """Return the least integer that is not smaller."""
    return -floor(-x)
