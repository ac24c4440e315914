r"""A lattice walk, and what tilting by s makes of one of its steps.

In floats to their last digits, and in balls. A tilt gives the value v of a walk the
weight $e^{sv}$ times its probability, over $M(s)^m$, $M(s)=pe^s+r+qe^{-s}$. The sums of
`lattice_walk` need differences of numbers as large as m times the drift, which are of
the size of a standard deviation: here they are rounded once, or written so that first
orders do not cancel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb

from mollified._validate import Array
from mollified.privacy.exact_level import ball
from statements.precision import working_precision

__all__ = [
    "EXTRA_BITS",
    "TiltedStep",
    "Walk",
    "ball_moment",
    "falls",
    "tilt",
    "tilted_exactly",
    "turns",
]

#: Working precision of the certified sum beyond the bits of m, in bits.
EXTRA_BITS = 128

#: |phi|^2 - 1 above which the log of |phi| is taken from its parts.
SMALL_LESS = -0.75


@dataclass(frozen=True)
class Walk:
    """Hold m >= 1 steps, up and down with these rational probabilities.

    Not both are 0, and none is 1.
    """

    up: Fraction
    down: Fraction
    m: int

    @property
    def stay(self) -> Fraction:
        """The probability of a step of 0."""
        return 1 - self.up - self.down

    @property
    def bottom(self) -> int:
        """The least value."""
        return -self.m if self.down > 0 else 0

    @property
    def top(self) -> int:
        """The greatest value."""
        return self.m if self.up > 0 else 0

    @property
    def edge(self) -> Fraction:
        """The probability of the step that leads to the greatest value.

        Taken m times.
        """
        return self.up if self.up > 0 else self.stay


@dataclass(frozen=True)
class TiltedStep:
    """Hold what tilting by s makes of one step.

    log M(s), and the probabilities of +1, -1 and 0.
    """

    log_moment: float
    up: float
    down: float
    stay: float

    @property
    def moves(self) -> float:
        """The probability of a step that is not 0."""
        return self.up + self.down

    @property
    def drift(self) -> float:
        """The mean of a step."""
        return self.up - self.down

    @property
    def variance(self) -> float:
        """The variance of a step.

        A sum of products, so that nothing cancels where one step is nearly sure.
        """
        return self.moves * self.stay + 4 * self.up * self.down


def tilt(walk: Walk, s: float) -> TiltedStep:
    """Return the tilted step in floats; log M(s) from the exact values at s = 0."""
    up = float(walk.up) * math.exp(s)
    down = float(walk.down) * math.exp(-s)
    stay = float(walk.stay)
    total = up + stay + down
    half = math.sinh(s / 2)
    drift = float(walk.up - walk.down)
    if up == 0:  # one kind of step: cosh and sinh would cancel
        above = -drift * math.expm1(-s)
    elif down == 0:
        above = drift * math.expm1(s)
    else:
        above = 2 * float(walk.up + walk.down) * half * half + drift * math.sinh(s)
    log_moment = math.log1p(above) if above > -0.5 else math.log(total)
    return TiltedStep(log_moment, up / total, down / total, stay / total)


def ball_moment(walk: Walk, s: arb) -> arb:
    """Return a ball that contains M(s)."""
    return 1 + ball(walk.up) * s.expm1() + ball(walk.down) * (-s).expm1()


def tilted_exactly(walk: Walk, v0: int, s: float) -> tuple[TiltedStep, float, float]:
    r"""Return the tilted step, $m\log M(s)-sv_0$ and $v_0-m\mu_s$, rounded once.

    From balls; $\mu_s$ is the step's mean. Both differences are of numbers as large as
    m drift, and of the size of a standard deviation.
    """
    with working_precision(EXTRA_BITS + 2 * walk.m.bit_length()):
        moment = ball_moment(walk, arb(s))
        log_moment = moment.log()
        up = ball(walk.up) * arb(s).exp() / moment
        down = ball(walk.down) * (-arb(s)).exp() / moment
        scale = walk.m * log_moment - arb(s) * v0
        shift = v0 - walk.m * (up - down)
        stay = ball(walk.stay) / moment
        step = [float(part.mid()) for part in (log_moment, up, down, stay)]
    return TiltedStep(*step), float(scale.mid()), float(shift.mid())


def falls(one: TiltedStep, theta: Array) -> Array:
    r"""Return $\log|\varphi(\theta)|$ of one step, minus infinity where it vanishes.

    From $|\varphi|^2-1=-2hV+4pqh^2$, $h=1-\cos\theta$, V the variance; near 0 from its
    parts.
    """
    half = 2 * np.sin(theta / 2) ** 2
    bend = 4 * one.up * one.down * half
    less = half * (bend - 2 * one.variance)
    size = np.hypot(one.stay + one.moves * np.cos(theta), one.drift * np.sin(theta))
    near = 0.5 * np.log1p(np.maximum(less, SMALL_LESS))
    with np.errstate(divide="ignore"):
        return np.where(less > SMALL_LESS, near, np.log(size))


def _sine_bend(y: Array) -> Array:
    r"""Return $\sin y-y$ to its last digits."""
    square = np.minimum(y * y, 1.0)
    series = np.ones_like(y)
    for j in range(15, 3, -2):
        factor = square / (j * (j - 1))
        series = 1 - factor * series
    near = -(y**3) / 6 * series
    return np.where(np.abs(y) < 1, near, np.sin(y) - y)


def _arctan_bend(x: Array) -> Array:
    r"""Return $\arctan x-x$ to its last digits."""
    square = np.minimum(x * x, 0.09)
    series = np.zeros_like(x)
    for j in range(33, 1, -2):
        series = 1 / j - square * series
    near = -(x**3) * series
    return np.where(np.abs(x) < 0.3, near, np.arctan(x) - x)


def turns(one: TiltedStep, theta: Array) -> Array:
    r"""Return $\arg\varphi(\theta)-\mu\theta$ of one step of mean $\mu$.

    To its last digits. Of order $\theta^3$. With the most likely step taken out,
    $\varphi=e^{ic\theta}(1+R+iI)$, and with $x=I/(1+R)$ it is
    $(\arctan x-x)+(x-\mu'\theta)$, whose parts are written without the cancellation of
    first orders.
    """
    chances = {1: one.up, 0: one.stay, -1: one.down}
    usual = max(chances, key=lambda step: chances[step])
    jumps = [
        (step - usual, chance) for step, chance in chances.items() if step != usual
    ]
    mean = sum(jump * chance for jump, chance in jumps)
    real = -sum(
        (2 * chance * np.sin(jump * theta / 2) ** 2 for jump, chance in jumps),
        np.zeros_like(theta),
    )
    bend = sum(
        (chance * _sine_bend(jump * theta) for jump, chance in jumps),
        np.zeros_like(theta),
    )
    imaginary = bend + mean * theta
    near = real > -0.5
    rest = np.where(near, 1 + real, 1.0)
    quotient = np.where(near, imaginary / rest, 0.0)
    close = _arctan_bend(quotient) + (bend - mean * theta * real) / rest
    far = np.arctan2(imaginary, 1 + real) - mean * theta
    return np.where(near, close, far)
