"""What the verifications share: laws of rationals, balls of them, logarithms with a certain sign."""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq


@contextmanager
def precision(bits=256):
    """Work with balls of that many bits."""
    saved, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = saved


def ball(value):
    """Return a ball around a rational."""
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def is_law(law):
    """Tell whether rationals are probabilities."""
    return min(law) >= 0 and sum(law) == 1


def sign(value):
    """Return the sign of a ball, which must not contain zero."""
    assert value > 0 or value < 0, value
    return 1 if value > 0 else -1


def divergence(p, q):
    """Return KL(P, Q) of two rational laws as a ball, in nats."""
    return sum((ball(a) * (ball(a) / ball(b)).log() for a, b in zip(p, q, strict=True) if a), arb(0))
