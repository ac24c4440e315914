r"""The Gaussian mechanism: its delta, the least noise, where the printed rule fails.

$\mathcal A(D)=f(D)+Y$ with $Y_k\sim\mathcal N(0,\sigma^2)$. With
$\mu=\Delta_2(f)/\sigma$ the least delta is
$\Phi(\frac\mu2-\frac\varepsilon\mu)-e^\varepsilon\Phi(-\frac\mu2-\frac\varepsilon\mu)$,
for every query with $0<\Delta_2(f)<\infty$ and values in any dimension (Balle and Wang,
2018). Real arithmetic is assumed; rounded noise can leak more. Source: lecture,
Algorithm and Theorem "Gaussian mechanism".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import overload

import numpy as np
from flint import arb
from scipy.special import erfcx, ndtr

from mollified._validate import Array, check_eps, check_fraction, check_interval, echo
from mollified.privacy.exact_level import ball, float_above
from mollified.privacy.smallest import close_in, smallest_between
from statements.precision import working_precision

__all__ = [
    "certified_sigma",
    "delta_ball",
    "failing_eps",
    "gaussian_delta",
    "gaussian_deltas",
    "gaussian_sigma",
    "printed_multiple",
]

BITS = 192
#: Relative width of the enclosures of sigma and of the smallest failing eps.
WIDTH = Fraction(1, 2**44)
#: Levels and deltas in floats lie between these: beyond, their powers leave the range
#: of floats.
LEAST = 1e-300
MOST = 1e300
#: Below this shift a difference of Mills' ratios is integrated; no density is left so
#: far out.
SMALL = 0.1
FARTHEST = 45.0
#: Gauss's nodes on [0, 1] and their weights.
NODES = [
    ((node + 1) / 2, weight / 2)
    for node, weight in zip(*np.polynomial.legendre.leggauss(8), strict=True)
]
#: Above this argument the density times a difference of ratios loses no digits.
LEFTMOST = -5.0
#: Bits of the rationals of a bisection, and the most of a ball.
SHORT_BITS = 56
MOST_BITS = 1 << 14
#: The rule takes the logarithm of 1.25/delta.
TOP = Fraction(5, 4)


def _upper_tail(x: arb) -> arb:
    return (x / arb(2).sqrt()).erfc() / 2


def _ball(name: str, value: object) -> arb:
    if isinstance(value, arb):
        if not value.is_finite() or value <= 0:
            raise ValueError(f"{name} must be > 0, got {echo(name, value)}")
        return value
    return ball(check_fraction(name, value, above=0))


def delta_ball(eps: Fraction | arb, mu: Fraction | arb) -> arb:
    r"""Return the least delta at $\varepsilon$ for a shift of $\mu$, as a ball.

    $\mu=\Delta_2/\sigma$ standard deviations. Certified: the ball of the working
    precision contains the value.
    """
    level = _ball("eps", eps)
    shift = _ball("mu", mu)
    x = level / shift - shift / 2
    y = level / shift + shift / 2
    if y > FARTHEST:
        # e^eps times the tail at y, by Tricomi's function: nothing of the size of e^eps
        tricomi = (y * y / 2).hypgeom_u(0.5, 0.5)
        density = (-x * x / 2).exp()
        return _upper_tail(x) - density * tricomi / (2 * arb.pi().sqrt())
    return _upper_tail(x) - level.exp() * _upper_tail(y)


def _mills(x: Array) -> Array:
    """Return Mills' ratio, the tail of the normal law over its density."""
    return np.asarray(math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2)))


def _mills_fall(x: Array, shift: Array) -> Array:
    """Return R(x) - R(x + shift) without cancellation.

    The integral of 1 - t R(t), by Gauss, where the difference would cancel.
    """
    small = np.minimum(shift, SMALL)
    integral = np.zeros_like(small)
    for node, weight in NODES:
        t = x + small * node
        integral = integral + small * weight * (1 - t * _mills(t))
    difference = _mills(x) - _mills(x + shift)
    return np.where(shift < SMALL, integral, difference)


def gaussian_deltas(eps: Array, mu: Array) -> Array:
    r"""Return the least delta for arrays of $\varepsilon\ge0$ and $\mu>0$.

    They broadcast. $\mu=\Delta_2/\sigma$. With $x=\frac\varepsilon\mu-\frac\mu2$ and
    Mills' ratio R: $\varphi(x)(R(x)-R(x+\mu))$, without the cancellation of the
    textbook form. Errs by rounding: relatively less than
    $10^{-12}+10^{-14}\varepsilon/\mu$, delta >= 1e-300.
    """
    level, shift = np.broadcast_arrays(eps, mu)
    with np.errstate(over="ignore", under="ignore"):
        x = level / shift - shift / 2
        x = np.clip(x, -FARTHEST, FARTHEST)
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        near = density * _mills_fall(np.maximum(x, LEFTMOST), shift)
        far = ndtr(-x) - density * _mills(x + shift)
        return np.asarray(np.where(x > LEFTMOST, near, far))


def gaussian_delta(eps: float, mu: float) -> float:
    r"""Return the least delta at $\varepsilon\ge0$ for $\mu=\Delta_2/\sigma>0$.

    See `gaussian_deltas`. Errs by rounding: relatively less than
    $10^{-12}+10^{-14}\varepsilon/\mu$, delta >= 1e-300. Raises ValueError or TypeError
    for eps < 0 or mu <= 0.
    """
    eps = check_interval("eps", eps, 0.0, math.inf)
    mu = check_eps("mu", mu)
    return float(gaussian_deltas(np.array([eps]), np.array([mu]))[0])


@overload
def printed_multiple(delta: float) -> float: ...


@overload
def printed_multiple(delta: Fraction | arb) -> arb: ...


def printed_multiple(delta: float | Fraction | arb) -> float | arb:
    r"""Return $c=\sqrt{2\ln(1.25/\delta)}$.

    The printed sigma is $c\Delta_2/\varepsilon$, so $\mu=\varepsilon/c$. A rational or
    a ball gives a ball that contains the value, a float a float.
    """
    if isinstance(delta, float | np.floating):
        return math.sqrt(2 * math.log(1.25 / delta))
    at = _ball("delta", delta)
    return (2 * (ball(TOP) / at).log()).sqrt()


def _unit(name: str, value: object) -> Fraction:
    number = check_fraction(name, value, above=0)
    if number >= 1:
        raise ValueError(f"{name} must lie in (0, 1), got {echo(name, value)}")
    return number


def _short_middle(low: Fraction, high: Fraction) -> Fraction:
    """Return the middle, rounded to 56 significant bits, which stays inside.

    So denominators stay short.
    """
    middle = (low + high) / 2
    scale = Fraction(2) ** (SHORT_BITS - math.frexp(float(middle))[1])
    return Fraction(round(middle * scale)) / scale


def _decide(difference: Callable[[], arb]) -> bool:
    """Tell whether a ball-valued function of the precision is positive.

    At growing precision.
    """
    bits = BITS
    while bits <= MOST_BITS:
        with working_precision(bits):
            value = difference()
            if value > 0:
                return True
            if value < 0:
                return False
        bits *= 2
    raise ArithmeticError(f"the sign of a ball is not decided at {MOST_BITS} bits")


def _near(eps: float) -> tuple[int, int]:
    r"""Return exponents of two around the smallest sigma for every delta in floats.

    With $x=\frac\varepsilon\mu-\frac\mu2$, $\mu=\sqrt{x^2+2\varepsilon}-x$; at x = 38
    delta is below 1e-300, at -9 one.
    """
    low = 1 / (9 + math.sqrt(81 + 2 * eps))
    high = (38 + math.sqrt(38**2 + 2 * eps)) / (2 * eps)
    return math.floor(math.log2(low)), math.ceil(math.log2(high))


def certified_sigma(
    eps: Fraction,
    delta: Fraction,
    sensitivity: Fraction = Fraction(1),
) -> tuple[Fraction, Fraction]:
    r"""Return rationals that enclose the smallest sigma for $(\varepsilon,\delta)$-DP.

    They are 6e-14 apart relatively. The upper one certainly is enough, the lower one
    certainly not: bisection with the exact delta in balls, which falls as sigma grows.
    """
    delta = _unit("delta", delta)

    def enough(sigma: Fraction) -> bool:
        return _decide(lambda: ball(delta) - delta_ball(eps, 1 / sigma))

    def power_enough(exponent: int) -> bool:
        return enough(Fraction(2) ** exponent)

    least, most = _near(float(eps))
    while not power_enough(most):
        most += 1
    while power_enough(least):
        least -= 1
    high = Fraction(2) ** smallest_between(power_enough, least, most)
    low, high = close_in(enough, high / 2, high, WIDTH, _short_middle)
    return low * sensitivity, high * sensitivity


@lru_cache(maxsize=256)
def _sigma(eps: float, delta: float) -> Fraction:
    """Return a rational sigma that is certainly enough at sensitivity one.

    For levels in the range of floats.
    """
    level = check_interval("eps", eps, LEAST, MOST)
    miss = check_interval("delta", delta, LEAST, 1, open_high=True)
    return certified_sigma(Fraction(level), Fraction(miss))[1]


def gaussian_sigma(eps: float, delta: float, sensitivity: float = 1.0) -> float:
    r"""Return the smallest sigma for $(\varepsilon,\delta)$-DP: certainly enough.

    Too large by at most 1e-13 of itself. The floats are taken at their exact values.
    Raises ValueError or TypeError unless eps lies in [1e-300, 1e300], delta in [1e-300,
    1), sensitivity is > 0 and sigma within 1e-300 and 1e300. Source: Balle and Wang
    (2018), the analytic Gaussian mechanism.
    """
    size = check_eps("sensitivity", sensitivity)
    level = check_eps("eps", eps)
    miss = check_interval("delta", delta, 0, 1, open_low=True, open_high=True)
    scaled = _sigma(level, miss) * Fraction(size)
    if not LEAST <= scaled <= MOST:
        raise ValueError(
            f"sensitivity must give a sigma within [{LEAST}, {MOST}],"
            f" got {echo('sensitivity', size)}"
        )
    return float_above(scaled)


def failing_eps(delta: Fraction) -> tuple[Fraction, Fraction]:
    r"""Return rationals around $\varepsilon^*(\delta)$, up to which the rule holds.

    The rule keeps its promise exactly up to there. For $\varepsilon$ up to the lower
    one the printed sigma is certainly enough, from the upper one on it certainly is
    not: the exact delta at the printed sigma grows with $\varepsilon$ (shown on the
    page). Relative width 6e-14. Raises TypeError or ValueError unless delta is a
    rational in (0, 1).
    """
    delta = _unit("delta", delta)

    def excess(eps: Fraction) -> arb:
        mu = ball(eps) / printed_multiple(delta)
        return delta_ball(eps, mu) - ball(delta)

    def fails(eps: Fraction) -> bool:
        return _decide(lambda: excess(eps))

    high = Fraction(4)
    while not fails(high):
        high *= 2
    return close_in(fails, Fraction(1), high, WIDTH, _short_middle)


def gaussian_noise(eps: float, delta: float) -> float:
    r"""Return the standard deviation of Gaussian noise at l2 sensitivity $\sqrt2$.

    Certainly enough. Too large by at most 1e-13 of itself. Raises as `gaussian_sigma`.
    """
    with working_precision(BITS):
        return float_above(ball(_sigma(eps, delta)) * arb(2).sqrt())
