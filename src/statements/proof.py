r"""Facts that prove a scalar inequality for all arguments.

They are identities, found by SymPy, and signs, by a certificate or by boxes. A proof is
a lambda of real numbers; a default (low, high) is a range, None for no end. A fact
raises `Unproved` where it does not find that a function is defined, an identity, or a
sign; none of them is taken from floats.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from typing import NamedTuple

import numpy as np
from flint import arb, fmpq

from statements.arithmetic import SYMPY as sp
from statements.arithmetic import Floats, Function, Value, simplest
from statements.precision import working_precision
from statements.rewrite import Ends

#: An expression of SymPy, or a symbol.
Expression = Value
#: The ends of the range of a symbol, None for one that is missing.
Range = tuple[Expression, Expression]
Ranges = dict[Expression, Range]
#: One side of a box, from a rational to another one.
Side = tuple[fmpq, fmpq]
Box = tuple[Side, ...]

EVERYWHERE: Range = (None, None)
#: Boxes that a subdivision may take, and the bits of its balls.
MOST_BOXES = 3_000
BOX_BITS = 64
#: How far random points go where a range has no end, and the parts of one between them.
REACH = 4
GRID = 4096
#: Points at which an expression is looked at before a search, how many digits are
#: computed there, and what counts as zero.
PROBES = 3
PROBE_DIGITS = 30
ZERO = 1e-15
#: Points at which a changed proof is looked at, and below which value it is false.
LOOKED_AT = 400
BELOW_ZERO = -1e-9
#: Functions that balls know as methods.
BALL_FUNCTIONS = ("log", "exp", "cosh", "sinh", "tanh", "sqrt", "erfc")


class Fact(NamedTuple):
    """Hold what one fact of a proof calls nonnegative, or zero, and where."""

    name: str
    quantity: Expression
    ranges: Ranges


@dataclass
class AtWork:
    """Hold the proof at work.

    It has the `ranges` of its symbols, and its `facts` in order; with what they say is
    nonnegative, `stated`, and over which ranges. While one listens facts prove nothing,
    and what they are given is `heard`.
    """

    ranges: Ranges = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    stated: list[tuple[Expression, Ranges]] = field(default_factory=list)
    heard: list[Value] | None = None


#: There is one for the whole process: see `statements.precision.ONE_AT_A_TIME`.
WORK = AtWork()


class Unproved(ValueError):
    """Say which part of a proof was not found."""


# The proof at work


def _end(value: Value) -> Expression:
    if value is None:
        return None
    return sp.sympify(simplest(value))


def symbols(parameters: Mapping[str, Ends]) -> list[Expression]:
    """Begin a proof: return a real symbol for each argument, and keep its range."""
    WORK.ranges.clear()
    WORK.facts.clear()
    WORK.stated.clear()
    for name, span in parameters.items():
        low, high = map(_end, span or EVERYWHERE)
        if low is not None and low >= 0:
            symbol = sp.Symbol(name, real=True, nonnegative=True)
        else:
            symbol = sp.Symbol(name, real=True)
        WORK.ranges[symbol] = (low, high)
    return list(WORK.ranges)


def fact(function: Callable[..., None]) -> Callable[..., None]:
    """Keep what a fact says once it is found; while one listens, what it is given."""

    @wraps(function)
    def noted(f: Value, *about: Value, **certificate: Value) -> None:
        if WORK.heard is not None:
            WORK.heard.append(f)
            return
        function(f, *about, **certificate)
        quantity = sp.sympify(f)
        WORK.facts.append(Fact(function.__name__, quantity, dict(WORK.ranges)))

    return noted


def listen(proof: Function, arguments: Sequence[Value]) -> list[Value]:
    """Return what the facts of a proof are given at numbers, in order."""
    heard: list[Value] = []
    WORK.heard = heard
    try:
        proof(*arguments)
    finally:
        WORK.heard = None
    return heard


def fraction(value: Expression) -> Fraction:
    """Return an end of a range as a rational number."""
    return Fraction(int(value.p), int(value.q))


def _bounded(span: Range) -> tuple[float, float]:
    """Return a range with both ends."""
    low, high = span
    if low is None and high is None:
        return -REACH, REACH
    if low is None:
        return float(high - REACH), float(high)
    if high is None:
        return float(low), float(low + REACH)
    return float(low), float(high)


def _points(
    names: Sequence[Expression],
    count: int,
    ranges: Ranges,
) -> Floats:
    """Return random points within ranges, a row each, which floats hold exactly.

    Where an end is missing, they are near the other one, or near 0.
    """
    spans = [_bounded(ranges.get(name, EVERYWHERE)) for name in names]
    lows = [low for low, _ in spans]
    highs = [high for _, high in spans]
    rng = np.random.default_rng(1)
    points: Floats = GRID * rng.uniform(lows, highs, (count, len(spans)))
    return np.round(points) / GRID


# Identities and signs


def vanishes(expression: Expression) -> bool:
    """Tell whether SymPy finds that an expression is zero.

    A look at three points saves a long search for nothing.
    """
    names = sorted(expression.free_symbols, key=str)
    for row in _points(names, PROBES, WORK.ranges):
        point = dict(zip(names, map(sp.Rational, row), strict=True))
        value = complex(expression.subs(point).evalf(PROBE_DIGITS))
        if not abs(value) <= ZERO:
            return False
    attempts = (
        sp.expand,
        lambda e: sp.simplify(sp.expand(e.rewrite(sp.exp))),
        sp.simplify,
    )
    return any(attempt(expression) == 0 for attempt in attempts)


def _certain(expression: Expression, strict: bool = False) -> bool:
    """Tell whether an expression is certainly nonnegative over the ranges.

    For `strict` it is positive. Its factors are looked at one by one.
    """
    expression = sp.sympify(expression)
    if expression.is_positive or (expression.is_nonnegative and not strict):
        return True
    negative = False
    for factor in sp.Mul.make_args(sp.factor(sp.together(expression))):
        sign = _sign(factor, strict)
        if not sign:
            return False
        negative ^= sign < 0
    return not negative


def _sign(factor: Expression, strict: bool) -> int:
    """Return the certain sign of a factor, 1 where it may vanish as well, or else 0."""
    base, exponent = factor.as_base_exp()
    if exponent.is_even and exponent.is_positive and not strict:
        return 1
    strict = strict or bool(exponent.is_negative)
    if base.is_positive or _coefficients(base, strict):
        return 1
    if not (base.is_negative or _coefficients(-base, strict)):
        return 0
    return _parity(exponent)


def _parity(exponent: Expression) -> int:
    """Return a power of -1, 0 where it is not known."""
    if exponent.is_odd:
        return -1
    return 1 if exponent.is_even else 0


def _coefficients(expression: Expression, strict: bool) -> bool:
    """Make all variables nonnegative; then no term may be negative.

    x = low + t, or (low + high t)/(1 + t); e^x = t, or 1 + t where x >= 0, as if it had
    nothing to do with x. For `strict` a term is needed that cannot vanish, at the upper
    end of a range as well.
    """
    if strict and not _positive_at_ends(expression):
        return False
    expression = _without_exponentials(expression)
    if expression is None:
        return False
    for x in sorted(expression.free_symbols & set(WORK.ranges), key=str):
        low, high = WORK.ranges[x]
        if low is None:
            return False
        t = sp.Dummy(nonnegative=True)
        inside = low + t
        if high is not None:
            inside = (low + high * t) / (1 + t)
        expression = expression.subs(x, inside)
    above, below = map(sp.expand, sp.fraction(sp.together(expression)))
    if strict:
        return bool(below.is_positive and above.is_positive)
    return bool(below.is_positive and above.is_nonnegative)


def _positive_at_ends(expression: Expression) -> bool:
    """Tell whether it is certainly positive at the upper end of each range."""
    for x in expression.free_symbols:
        _, high = WORK.ranges.get(x, EVERYWHERE)
        if high is not None and not _certain(expression.subs(x, high), True):
            return False
    return True


def _without_exponentials(expression: Expression) -> Expression:
    """Put variables for exponentials, None where one is no power of a common one."""
    expression = sp.powsimp(sp.expand(expression.rewrite(sp.exp)))
    for power in sorted(expression.atoms(sp.exp), key=str):
        factor, unit = power.args[0].as_coeff_Mul()
        if not factor.is_integer:
            return None
        name = f"e_{unit}"
        if unit.is_nonnegative:
            base = 1 + sp.Symbol(name, nonnegative=True)
        else:
            base = sp.Symbol(name, positive=True)
        expression = expression.xreplace({power: base**factor})
    return expression


def _need(holds: bool, words: str) -> None:
    if not holds:
        raise Unproved(f"not proved: {words}")


def _state(f: Expression) -> None:
    """Keep what a fact says is nonnegative.

    Its logarithms, roots and quotients have to exist over the ranges.
    """
    f = sp.sympify(f)
    WORK.stated.append((f, dict(WORK.ranges)))
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
    f: Expression,
    x: Expression,
    order: int,
    certificate: Expression,
    zeros: Iterable[tuple[int, Expression]] = (),
    sign: int = 1,
) -> None:
    """Ask derivatives to vanish, each at its place, and one to be the certificate.

    That is the one of the order, and its sign is asked for as well.
    """
    _state(f)
    for k, at in zeros:
        holds = at is not None and vanishes(sp.diff(f, x, k).subs(x, at))
        _need(holds, f"derivative {k} of {f} vanishes at {x} = {at}")
    holds = vanishes(sp.diff(f, x, order) - certificate)
    _need(holds, f"derivative {order} of {f} in {x} is {certificate}")
    _need(_certain(sign * certificate), f"{sign * certificate} >= 0")


# The facts


@fact
def zero(f: Expression) -> None:
    """Prove f = 0: SymPy finds the identity."""
    _state(-(f**2))
    _need(vanishes(f), f"{f} = 0")


@fact
def nonnegative(f: Expression) -> None:
    """Prove f >= 0 by squares, exponentials, or coefficients that are not negative."""
    _state(f)
    _need(_certain(f), f"{f} >= 0")


@fact
def single_zero(f: Expression, x: Expression, *, first: Expression) -> None:
    """Prove f >= 0 from the low end of x on.

    f vanishes there and its derivative, `first`, is not negative.
    """
    _bend(f, x, 1, first, [(0, WORK.ranges[x][0])])


@fact
def double_zero(
    f: Expression,
    x: Expression,
    *,
    second: Expression,
    at: Expression = 0,
) -> None:
    """Prove f >= 0.

    f and its slope vanish at `at`, and `second`, the second derivative, is not
    negative.
    """
    _bend(f, x, 2, second, [(0, at), (1, at)])


@fact
def convex(f: Expression, x: Expression, *, second: Expression) -> None:
    """Prove that f is convex in x: the second derivative, `second`, is not negative."""
    _bend(sp.diff(f, x, 2), x, 0, second)


@fact
def concave_between(
    f: Expression,
    x: Expression,
    low: Expression,
    high: Expression,
    *,
    second: Expression,
) -> None:
    """Prove f >= 0 for low <= x <= high.

    f vanishes at both ends and `second`, the second derivative, is <= 0.
    """
    WORK.ranges[x] = sp.sympify(low), sp.sympify(high)
    _bend(f, x, 2, second, [(0, low), (0, high)], -1)


@fact
def boxes(f: Expression) -> None:
    """Prove f > 0 over the ranges of its symbols, by subdivision in balls.

    The ranges must be bounded.
    """
    names = sorted(f.free_symbols, key=str)
    goal = f"{f} > 0"
    WORK.stated.append((f, dict(WORK.ranges)))
    spans = [WORK.ranges[name] for name in names]
    bounded = all(None not in span for span in spans)
    _need(bounded, f"{goal}, as a range has no end")
    with working_precision(BOX_BITS):
        derivatives = [sp.diff(f, x) for x in names]
        value, *slopes = _in_balls(names, [f, *derivatives])
        todo = [tuple((_rational(low), _rational(high)) for low, high in spans)]
        for _ in range(MOST_BOXES):
            if not todo:
                return
            box = todo.pop()
            if not _is_positive(box, value, slopes, goal):
                todo += _halves(box)
    _need(False, f"{goal} within {MOST_BOXES} boxes")


def _rational(end: Expression) -> fmpq:
    return fmpq(int(end.p), int(end.q))


def _in_balls(
    names: Sequence[Expression],
    expressions: Iterable[Expression],
) -> list[Function]:
    """Return expressions as functions of balls."""

    def method(name: str) -> Function:
        return lambda x: getattr(arb(x), name)()

    tools: dict[str, Value] = {name: method(name) for name in BALL_FUNCTIONS}
    # SymPy writes a quotient of integers as mpf(1)/mpf(3)
    tools |= {"mpf": arb, "pi": arb.pi()}
    return [sp.lambdify(names, g, [tools, "mpmath"]) for g in expressions]


def _is_positive(
    box: Box,
    value: Function,
    slopes: Sequence[Function],
    goal: str,
) -> bool:
    """Tell whether a function is certainly positive on a box.

    The enclosure on the box tells, or that by the slopes from its centre. Raises
    Unproved where it is not positive at the centre.
    """
    wide = [arb(low).union(arb(high)) for low, high in box]
    middle = [arb((low + high) / 2) for low, high in box]
    centre = arb(value(*middle))
    _need(not centre <= 0, f"{goal} at {middle}")
    moved = centre
    for slope, w, m in zip(slopes, wide, middle, strict=True):
        moved = moved + slope(*wide) * (w - m)
    return bool(arb(value(*wide)) > 0 or moved > 0)


def _halves(box: Box) -> list[Box]:
    """Return the halves of a box, cut across its longest side."""
    widths = [high - low for low, high in box]
    at = widths.index(max(widths))
    low, high = box[at]
    middle = (low + high) / 2
    sides = ((low, middle), (middle, high))
    return [(*box[:at], side, *box[at + 1 :]) for side in sides]


def still_true() -> bool:
    """Look at many points whether all that the facts said is nonnegative.

    Then a changed proof may be a true one.
    """
    for f, ranges in WORK.stated:
        names = sorted(f.free_symbols, key=str)
        rough = sp.lambdify(names, f, "scipy")
        points = _points(names, LOOKED_AT, ranges)
        with np.errstate(all="ignore"):
            # also a constant becomes a value at each point
            values = np.real(
                rough(*points.T.astype(complex)) + np.zeros(LOOKED_AT, complex)
            )
        if not (values >= BELOW_ZERO).all():
            return False
    return bool(WORK.stated)
