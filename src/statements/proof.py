r"""Facts that prove a scalar inequality for all arguments: identities by SymPy, signs by a certificate, or boxes.

A proof is a lambda of real numbers; a default (low, high) is a range, None for no end.
A fact raises `Unproved` where it does not find that a function is defined, an identity,
or a sign; none of them is taken from floats.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from statements.arithmetic import SYMPY as sp
from statements.arithmetic import simplest
from statements.precision import working_precision

#: Boxes that a subdivision may take.
MOST_BOXES = 3_000
#: The range of each symbol of the proof at work, and what its facts say is nonnegative.
RANGES: dict[Any, tuple[Any, Any]] = {}
STATED: list[tuple[Any, dict[Any, tuple[Any, Any]]]] = []


class Fact(NamedTuple):
    """Hold what one fact of a proof calls nonnegative, or zero, and for which arguments."""

    name: str
    quantity: Any
    ranges: Mapping[Any, tuple[Any, Any]]


#: The facts of the proof at work, in order; and while one listens, what they are given.
RECORDED: list[Fact] = []
HEARD: list[Any] = []
LISTENING = [False]


class Unproved(ValueError):
    """Say which part of a proof was not found."""


def symbols(parameters: Mapping[str, Any]) -> list[Any]:
    """Return a real symbol for each argument of a proof, and keep its range."""
    RANGES.clear()
    STATED.clear()
    RECORDED.clear()
    for name, span in parameters.items():
        low, high = (
            None if end is None else sp.sympify(simplest(end))
            for end in span or (None, None)
        )
        RANGES[
            sp.Symbol(
                name,
                real=True,
                nonnegative=(low is not None and bool(low >= 0)) or None,
            )
        ] = low, high
    return list(RANGES)


def fact(function: Callable[..., None]) -> Callable[..., None]:
    """Keep what a fact says once it is found; while one listens, only what it is given."""

    @wraps(function)
    def noted(f: Any, *about: Any, **given: Any) -> None:
        if LISTENING[0]:
            HEARD.append(f)
            return
        function(f, *about, **given)
        RECORDED.append(Fact(function.__name__, sp.sympify(f), dict(RANGES)))

    return noted


def listen(proof: Callable[..., Any], arguments: Sequence[Any]) -> list[Any]:
    """Return what the facts of a proof are given at arguments that are numbers, in order."""
    HEARD.clear()
    LISTENING[0] = True
    try:
        proof(*arguments)
        return list(HEARD)
    finally:
        LISTENING[0] = False


def fraction(value: Any) -> Fraction:
    """Return an end of a range as a rational number."""
    return Fraction(int(value.p), int(value.q))


def _points(
    names: Sequence[Any], count: int, ranges: Mapping[Any, tuple[Any, Any]]
) -> Any:
    """Return random points within ranges, a row each, which floats hold exactly; where an end is missing, near 0."""
    spans = [ranges.get(name, (None, None)) for name in names]
    lows = [
        float(-4 if high is None else high - 4) if low is None else float(low)
        for low, high in spans
    ]
    highs = [
        float(4 if low is None else low + 4) if high is None else float(high)
        for low, high in spans
    ]
    return (
        np.round(
            4096 * np.random.default_rng(1).uniform(lows, highs, (count, len(spans)))
        )
        / 4096
    )


def vanishes(expression: Any) -> bool:
    """Tell whether SymPy finds that an expression is zero; a look at three points saves a long search for nothing."""
    names = sorted(expression.free_symbols, key=str)
    points = [
        dict(zip(names, map(sp.Rational, row), strict=True))
        for row in _points(names, 3, RANGES)
    ]
    if any(
        not abs(complex(expression.subs(point).evalf(30))) <= 1e-15 for point in points
    ):
        return False
    attempts = (
        sp.expand,
        lambda e: sp.simplify(sp.expand(e.rewrite(sp.exp))),
        sp.simplify,
    )
    return any(attempt(expression) == 0 for attempt in attempts)


def _certain(expression: Any, strict: bool = False) -> bool:
    """Tell whether an expression is certainly nonnegative (`strict`: positive) over the ranges, factor by factor."""
    sign, expression = 1, sp.sympify(expression)
    if expression.is_positive or (expression.is_nonnegative and not strict):
        return True
    for factor in sp.Mul.make_args(sp.factor(sp.together(expression))):
        base, exponent = factor.as_base_exp()
        if exponent.is_even and exponent.is_positive and not strict:
            continue
        if base.is_positive or _coefficients(
            base, strict or bool(exponent.is_negative)
        ):
            continue
        below = base.is_negative or _coefficients(
            -base, strict or bool(exponent.is_negative)
        )
        if not exponent.is_integer or not below:
            return False
        sign *= -1 if exponent.is_odd else 1
    return sign > 0


def _coefficients(expression: Any, strict: bool) -> bool:
    """Make all variables nonnegative, and exponentials variables; then no term may be negative.

    x = low + t, or (low + high t)/(1 + t); e^x = t, or 1 + t where x >= 0, as if it had
    nothing to do with x. For `strict` a term is needed that cannot vanish, at the upper
    end of a range as well.
    """
    ends = [
        (x, RANGES.get(x, (None, None))[1]) for x in expression.free_symbols if strict
    ]
    if not all(
        high is None or _certain(expression.subs(x, high), True) for x, high in ends
    ):
        return False
    made = sp.powsimp(sp.expand(expression.rewrite(sp.exp)))
    for power in sorted(made.atoms(sp.exp), key=str):
        factor, unit = power.args[0].as_coeff_Mul()
        if not factor.is_integer:
            return False
        name = f"e_{unit}"
        grown = (
            1 + sp.Symbol(name, nonnegative=True)
            if unit.is_nonnegative
            else sp.Symbol(name, positive=True)
        )
        made = made.xreplace({power: grown**factor})
    for x in sorted(made.free_symbols & set(RANGES), key=str):
        low, high = RANGES[x]
        if low is None:
            return False
        t = sp.Dummy(nonnegative=True)
        made = made.subs(x, low + t if high is None else (low + high * t) / (1 + t))
    above, below = map(sp.expand, sp.fraction(sp.together(made)))
    return bool(
        below.is_positive and (above.is_positive if strict else above.is_nonnegative)
    )


def _need(holds: bool, words: str) -> None:
    if not holds:
        raise Unproved(f"not proved: {words}")


def _state(f: Any) -> None:
    """Keep what a fact says is nonnegative, and ask that its logarithms, roots and quotients exist over the ranges."""
    STATED.append((f := sp.sympify(f), dict(RANGES)))
    for part in f.atoms(sp.log):
        _need(_certain(part.args[0], True), f"{part.args[0]} > 0")
    for part in f.atoms(sp.Pow):
        if part.exp.is_negative or not part.exp.is_integer:
            away = (
                part.base.is_positive
                or _certain(part.base, True)
                or _certain(-part.base, True)
            )
            _need(away, f"{part.base} does not vanish")


def _bend(
    f: Any,
    x: Any,
    order: int,
    given: Any,
    zeros: Iterable[tuple[int, Any]] = (),
    sign: int = 1,
) -> None:
    """Ask derivatives to vanish, each at its place, and the one of that order to be what is given, with its sign."""
    _state(f)
    for k, at in zeros:
        found = at is not None and vanishes(sp.diff(f, x, k).subs(x, at))
        _need(found, f"derivative {k} of {f} vanishes at {x} = {at}")
    _need(
        vanishes(sp.diff(f, x, order) - given),
        f"derivative {order} of {f} in {x} is {given}",
    )
    _need(_certain(sign * given), f"{sign * given} >= 0")


@fact
def zero(f: Any) -> None:
    """Prove f = 0: SymPy finds the identity."""
    _state(-(f**2))
    _need(vanishes(f), f"{f} = 0")


@fact
def nonnegative(f: Any) -> None:
    """Prove f >= 0 by squares, exponentials, or coefficients that are not negative."""
    _state(f)
    _need(_certain(f), f"{f} >= 0")


@fact
def single_zero(f: Any, x: Any, *, first: Any) -> None:
    """Prove f >= 0 from the low end of x on: f vanishes there and its derivative, `first`, is not negative."""
    _bend(f, x, 1, first, [(0, RANGES[x][0])])


@fact
def double_zero(f: Any, x: Any, *, second: Any, at: Any = 0) -> None:
    """Prove f >= 0: f and its slope vanish at `at`, and the second derivative, `second`, is not negative."""
    _bend(f, x, 2, second, [(0, at), (1, at)])


@fact
def convex(f: Any, x: Any, *, second: Any) -> None:
    """Prove that f is convex in x: the second derivative, `second`, is not negative."""
    _bend(sp.diff(f, x, 2), x, 0, second)


@fact
def concave_between(f: Any, x: Any, low: Any, high: Any, *, second: Any) -> None:
    """Prove f >= 0 for low <= x <= high: f vanishes at both ends and `second`, the second derivative, is <= 0."""
    RANGES[x] = sp.sympify(low), sp.sympify(high)
    _bend(f, x, 2, second, [(0, low), (0, high)], -1)


@fact
def boxes(f: Any) -> None:
    """Prove f > 0 over the ranges of its symbols, which must be bounded, by subdivision in balls."""
    names = sorted(f.free_symbols, key=str)
    told = f"{f} > 0"
    STATED.append((f, dict(RANGES)))
    spans = [RANGES[name] for name in names]
    _need(
        all(end is not None for span in spans for end in span),
        f"{told}, as a range has no end",
    )
    with working_precision(64):
        functions = ("log", "exp", "cosh", "sinh", "tanh", "sqrt", "erfc")
        tools: dict[str, Any] = {
            name: lambda x, name=name: getattr(arb(x), name)() for name in functions
        }
        tools |= {
            "mpf": arb,
            "pi": arb.pi(),
        }  # SymPy writes a quotient of integers as mpf(1)/mpf(3)
        value, *slopes = (
            sp.lambdify(names, g, [tools, "mpmath"])
            for g in (f, *(sp.diff(f, x) for x in names))
        )
        todo = [
            tuple(
                (fmpq(int(a.p), int(a.q)), fmpq(int(b.p), int(b.q))) for a, b in spans
            )
        ]
        for _ in range(MOST_BOXES):
            if not todo:
                return
            box = todo.pop()
            wide = [arb(a).union(arb(b)) for a, b in box]
            middle = [arb((a + b) / 2) for a, b in box]
            centre = arb(value(*middle))
            _need(not centre <= 0, f"{told} at {middle}")
            moved = sum(
                (
                    slope(*wide) * (w - m)
                    for slope, w, m in zip(slopes, wide, middle, strict=True)
                ),
                centre,
            )
            if arb(value(*wide)) > 0 or moved > 0:
                continue
            at = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
            low, high = box[at]
            todo += [
                (*box[:at], part, *box[at + 1 :])
                for part in ((low, (low + high) / 2), ((low + high) / 2, high))
            ]
    _need(False, f"{told} within {MOST_BOXES} boxes")


def still_true() -> bool:
    """Look at many points whether all that the facts said is nonnegative: then a changed proof may be a true one."""
    for f, ranges in STATED:
        names = sorted(f.free_symbols, key=str)
        rough = sp.lambdify(names, f, "scipy")
        with np.errstate(all="ignore"):
            values = np.real(
                rough(*_points(names, 400, ranges).T.astype(complex))
                + np.zeros(400, complex)
            )
        if (~(values >= -1e-9)).any():
            return False
    return bool(STATED)
