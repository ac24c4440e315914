r"""Decide exactly whether a rational number is below $e^{p\varepsilon}$.

Rationals to balls, and both to floats.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from mollified._validate import check_fraction, echo
from statements.precision import working_precision

__all__ = ["ExactLevel", "Law", "ball", "float_above", "float_below"]

#: A probability vector of rationals.
Law = tuple[Fraction, ...]

_START_BITS = 128
_STOP_BITS = 1 << 20
#: Powers of two beyond all floats, on either side.
_BEYOND_EXPONENT = 1100
_BEYOND = Fraction(2) ** _BEYOND_EXPONENT


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def ball(value: Fraction) -> arb:
    """Return a ball of the working precision that contains a rational.

    Raises TypeError for anything else.
    >>> bool(ball(Fraction(1, 4)) == arb("0.25"))
    True
    """
    return arb(_fmpq(check_fraction("value", value)))


def _end(value: Fraction | arb, *, upper: bool) -> Fraction | float:
    """Return a rational end of a ball, rounded outwards, or an infinity.

    What is beyond all floats is cut.
    """
    if not isinstance(value, arb):
        return check_fraction("value", value)
    if value.is_nan():
        raise ValueError(f"value must be a number, got {echo('value', value)}")
    with working_precision(_START_BITS, or_more=True):
        end = value.upper() if upper else value.lower()
    if end.is_finite():
        digits, exponent = end.man_exp()
        return _dyadic(int(digits), int(exponent))
    return math.inf if end > 0 else -math.inf


def _dyadic(digits: int, exponent: int) -> Fraction:
    """Return digits times a power of two, cut to what lies beyond all floats."""
    size = digits.bit_length() + exponent
    if digits == 0 or abs(size) <= _BEYOND_EXPONENT:
        return digits * Fraction(2) ** exponent
    beyond = _BEYOND if size > 0 else 1 / _BEYOND
    return beyond if digits > 0 else -beyond


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def nearest_float(value: Fraction | float) -> float:
    """Return the float that is nearest to a number; an infinity beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _not_below(end: Fraction | float) -> float:
    """Return the least float that is not below a rational or an infinity."""
    nearest = nearest_float(end)
    if nearest == -math.inf and isinstance(end, Fraction):
        return -sys.float_info.max
    if nearest >= end:
        return nearest
    return math.nextafter(nearest, math.inf)


def float_above(value: Fraction | arb) -> float:
    """Return the least float that is not below a rational.

    For a ball, a float not below any number in it and near that. Inf above the largest
    float. Raises TypeError for anything else, ValueError for a ball that is no number.
    """
    return _not_below(_end(value, upper=True))


def float_below(value: Fraction | arb) -> float:
    """Return the greatest float that is not above a rational.

    For a ball, a float not above any number in it and near that. Minus inf below the
    least float. Raises TypeError for anything else, ValueError for a ball that is no
    number.
    """
    return 0.0 - _not_below(-_end(value, upper=False))


@dataclass(frozen=True)
class ExactLevel:
    r"""Hold a privacy level $\varepsilon>0$ that is known exactly.

    It is rational, or the log of a rational. Exactly one of `eps` (a rational
    $\varepsilon$) and `exp_eps` (a rational $e^\varepsilon$) is given.
    `compare(value, power)` returns the sign of $\text{value}-e^{p\varepsilon}$ for a
    rational power $p$, and it is always decided: with a rational $\varepsilon\neq0$ the
    number $e^{p\varepsilon}$ is transcendental (Lindemann), so ball arithmetic of
    growing precision must separate the two; with a rational $e^\varepsilon$ and $p=m/n$
    the comparison is $\text{value}^n$ against $(e^\varepsilon)^m$.

    Raises TypeError or ValueError where not exactly one of the two is given as a
    rational that fits.

    >>> ExactLevel(exp_eps=Fraction(4)).compare(Fraction(2), Fraction(1, 2))
    0
    >>> ExactLevel(eps=Fraction(1)).compare(Fraction(2718281828, 10**9), Fraction(1))
    -1
    """

    eps: Fraction | None = None
    exp_eps: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.eps is None) == (self.exp_eps is None):
            raise ValueError(
                "eps or exp_eps must be given, not both,"
                f" got {self.eps!r} and {self.exp_eps!r}"
            )
        if self.eps is not None:
            object.__setattr__(self, "eps", check_fraction("eps", self.eps))
            if self.eps <= 0:
                raise ValueError(f"eps must be > 0, got {self.eps!r}")
        if self.exp_eps is not None:
            object.__setattr__(self, "exp_eps", check_fraction("exp_eps", self.exp_eps))
            if self.exp_eps <= 1:
                raise ValueError(f"exp_eps must be > 1, got {self.exp_eps!r}")

    def compare(self, value: Fraction, power: Fraction = Fraction(1)) -> int:
        r"""Return -1, 0 or 1: the sign of $\text{value}-e^{p\varepsilon}$, exactly."""
        value = check_fraction("value", value)
        power = check_fraction("power", power)
        if value <= 0:
            return -1
        if power == 0:
            return _sign(value - 1)
        if self.exp_eps is not None:
            left = value**power.denominator
            return _sign(left - self.exp_eps**power.numerator)
        assert self.eps is not None
        exponent = _fmpq(self.eps * power)
        bits = _START_BITS
        while bits <= _STOP_BITS:
            with working_precision(bits):
                difference = arb(_fmpq(value)) - arb(exponent).exp()
            if difference > 0:
                return 1
            if difference < 0:
                return -1
            bits *= 2
        raise ArithmeticError(
            f"value {value!r} not separated from exp({self.eps} * {power})"
            f" at {_STOP_BITS} bits"
        )

    def at_most(self, value: Fraction, power: Fraction = Fraction(1)) -> bool:
        r"""Tell exactly whether $\text{value}\le e^{p\varepsilon}$."""
        return self.compare(value, power) <= 0

    def __float__(self) -> float:
        """Return the level as a float, in nats, rounded to nearest.

        Inf above the largest float.
        """
        if self.eps is not None:
            return nearest_float(self.eps)
        assert self.exp_eps is not None
        bits = _START_BITS
        while True:
            with working_precision(bits):
                log = ball(self.exp_eps - 1).log1p()
                low = nearest_float(_end(log, upper=False))
                high = nearest_float(_end(log, upper=True))
            if low == high:
                return low
            bits *= 2
