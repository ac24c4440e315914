r"""Decide exactly whether a rational number is below $e^{p\varepsilon}$, and put rationals into balls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from mollified._validate import check_fraction

__all__ = ["ExactLevel", "Law", "ball"]

#: A probability vector of rationals.
Law = tuple[Fraction, ...]

_START_BITS = 128
_STOP_BITS = 1 << 20


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def ball(value: Fraction) -> arb:
    """Return a ball of the working precision that contains a rational; TypeError for anything else.

    >>> bool(ball(Fraction(1, 4)) == arb("0.25"))
    True
    """
    return arb(_fmpq(check_fraction("value", value)))


@dataclass(frozen=True)
class ExactLevel:
    r"""Hold a privacy level $\varepsilon>0$ that is known exactly: rational, or the log of a rational.

    Exactly one of `eps` (a rational $\varepsilon$) and `exp_eps` (a rational $e^\varepsilon$) is given.
    `compare(value, power)` returns the sign of $\text{value}-e^{p\varepsilon}$ for a rational power $p$,
    and it is always decided: with a rational $\varepsilon\neq0$ the number $e^{p\varepsilon}$ is
    transcendental (Lindemann), so ball arithmetic of growing precision must separate the two; with a
    rational $e^\varepsilon$ and $p=m/n$ the comparison is $\text{value}^n$ against $(e^\varepsilon)^m$.

    Raises TypeError or ValueError where not exactly one of the two is given as a rational that fits.

    >>> ExactLevel(exp_eps=Fraction(4)).compare(Fraction(2), Fraction(1, 2))
    0
    >>> ExactLevel(eps=Fraction(1)).compare(Fraction(2718281828, 10**9), Fraction(1))
    -1
    """

    eps: Fraction | None = None
    exp_eps: Fraction | None = None

    def __post_init__(self) -> None:
        if (self.eps is None) == (self.exp_eps is None):
            raise ValueError(f"eps or exp_eps must be given, not both, got {self.eps!r} and {self.exp_eps!r}")
        if self.eps is not None:
            object.__setattr__(self, "eps", check_fraction("eps", self.eps))
            if self.eps <= 0:
                raise ValueError(f"eps must be > 0, got {self.eps!r}")
        if self.exp_eps is not None:
            object.__setattr__(self, "exp_eps", check_fraction("exp_eps", self.exp_eps))
            if self.exp_eps <= 1:
                raise ValueError(f"exp_eps must be > 1, got {self.exp_eps!r}")

    def compare(self, value: Fraction, power: Fraction = Fraction(1)) -> int:
        r"""Return -1, 0 or 1: the sign of $\text{value}-e^{p\varepsilon}$, decided exactly."""
        value, power = check_fraction("value", value), check_fraction("power", power)
        if value <= 0 or power == 0:
            threshold = Fraction(1 if power == 0 else 0)
            return -1 if value <= 0 else (value > threshold) - (value < threshold)
        if self.exp_eps is not None:
            left = value**power.denominator
            right = self.exp_eps**power.numerator
            return (left > right) - (left < right)
        assert self.eps is not None
        exponent = _fmpq(self.eps * power)
        bits, saved = _START_BITS, ctx.prec
        try:
            while bits <= _STOP_BITS:
                ctx.prec = bits
                difference = arb(_fmpq(value)) - arb(exponent).exp()
                if difference > 0:
                    return 1
                if difference < 0:
                    return -1
                bits *= 2
        finally:
            ctx.prec = saved
        raise ArithmeticError(f"value {value!r} not separated from exp({self.eps} * {power}) at {_STOP_BITS} bits")

    def at_most(self, value: Fraction, power: Fraction = Fraction(1)) -> bool:
        r"""Tell exactly whether $\text{value}\le e^{p\varepsilon}$."""
        return self.compare(value, power) <= 0

    def __float__(self) -> float:
        """Return the level as a float, in nats, rounded to nearest within two ulps."""
        if self.eps is not None:
            return float(self.eps)
        assert self.exp_eps is not None
        return math.log(self.exp_eps.numerator) - math.log(self.exp_eps.denominator)
