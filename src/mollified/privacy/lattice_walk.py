r"""The tail of a lattice walk against a geometric weight: hockey sticks of binomials and trinomials at any size.

A walk W is the sum of m independent steps, +1 with probability p, -1 with probability q, 0 with probability r. For a
start $v_0$, a ratio $\rho\in(0,1)$ and a log weight $\alpha$ with $e^\alpha\rho^{v_0}\le1$ this module evaluates
$$\sum_{v\ge v_0}P[W=v]\,(1-e^\alpha\rho^v).$$ All terms are >= 0, so nothing cancels. Tilt by $s>0$, with
$M(s)=pe^s+r+qe^{-s}$, write $P[W=v]$ as a mean over L equidistant angles of the tilted characteristic function, and sum
the geometric series in closed form. The integrand is a Gaussian of width 1/sd, so about a hundred angles do at any m.
What the L angles alias adds is >= 0 and bounded by three tails; the angles left out are bounded one by one. Both bounds
enter `certified_tail`. Not in the papers; the saddle point is that of Lugannani and Rice (1980).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import acb, arb, ctx

from mollified.privacy.exact_level import ball

__all__ = ["Walk", "certified_tail", "tail"]

#: What is left out of a float result, as a power of e: below the rounding of a double (e^-40 = 4e-18).
FLOAT_MARGIN = 40.0

#: What the bounds of a certified result may add, relative to it, as a power of e.
BALL_MARGIN = 60.0

#: Working precision of the certified sum beyond the bits of m, in bits.
EXTRA_BITS = 128


@dataclass(frozen=True)
class Walk:
    """Hold m >= 1 steps: up with probability `up`, down with probability `down`, both rational, not both 0 or one 1."""

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
        """The probability of the step that, taken m times, leads to the greatest value."""
        return self.up if self.up > 0 else self.stay


def _moment(walk: Walk, s: float) -> tuple[float, float, float]:
    """Return log M(s), and the tilted probability of a step and mean of one, from their exact values at s = 0."""
    up, down = float(walk.up) * math.exp(s), float(walk.down) * math.exp(-s)
    total, half, drift = up + float(walk.stay) + down, math.sinh(s / 2), float(walk.up - walk.down)
    if up == 0 or down == 0:  # one kind of step: cosh and sinh would cancel
        above = drift * math.expm1(s if up > 0 else -s) * (1 if up > 0 else -1)
    else:
        above = 2 * float(walk.up + walk.down) * half * half + drift * math.sinh(s)
    return math.log1p(above) if above > -0.5 else math.log(total), (up + down) / total, (up - down) / total


def _saddle(walk: Walk, v: float) -> float:
    """Return s where the tilted walk has mean v, for bottom < v < top."""
    t, p, q, r = v / walk.m, float(walk.up), float(walk.down), float(walk.stay)
    root = math.sqrt((t * r) ** 2 + 4 * p * q * (1 - t) * (1 + t))
    if t < 0:  # the other root's form, without cancellation
        return math.log(2 * q * (1 + t)) - math.log(root - t * r)
    return math.log(t * r + root) - math.log(2 * p * (1 - t))


def _plan(walk: Walk, v0: int, margin: float) -> tuple[float, float, int, int]:
    """Return the tilt s, its standard deviation, the number L of angles and how many of them (from 0 on) count."""
    _, moves, drift = _moment(walk, 0.0)
    spread = math.sqrt(max(walk.m * (moves - drift**2), 0.0))
    s = 2.0 / (1.0 + spread + max(walk.m * drift - v0, 0.0))
    s = max(_saddle(walk, v0 + 0.5), s)  # the next value is as likely as v0 then, even where it is rare
    log_moment, moves, drift = _moment(walk, s)
    spread = math.sqrt(max(walk.m * (moves - drift**2), 0.0))
    depth = max(s * v0 - walk.m * log_moment, 0.0)  # about log(1/result)
    reach = math.sqrt(2 * margin + 20) * spread + margin + 20  # Chernoff, with room for a Poisson's tail
    angles = math.ceil(max(2 * reach, (margin + depth + 20) / s))
    decay = walk.m * 2 * max(1.0 - moves, 0.0) * moves  # |phi|^(2m) <= exp(-decay (1 - cos theta))
    need = 2 * (margin + 10 + math.log1p(1 / s) + math.log1p(spread))
    used = angles // 2
    if decay > need / 1.9:
        used = min(used, math.ceil(math.acos(1 - need / decay) * angles / (2 * math.pi)))
    return s, log_moment, angles, used


def _low_tilt(walk: Walk, v0: int, lam: float) -> float:
    r"""Return s in $[-\lambda,0)$ for Chernoff bounds on the wrong side of v0; 0 where the mean is not above it."""
    if not walk.bottom < v0 < walk.top or v0 >= walk.m * float(walk.up - walk.down):
        return 0.0
    return min(max(_saddle(walk, v0), -lam), 0.0)


def _log_edge(walk: Walk) -> float:
    """Return the log of the edge, to its last digits: 1 - edge is no way to a small one."""
    return math.log(float(walk.edge)) if 2 * walk.edge < 1 else math.log1p(-float(1 - walk.edge))


def tail(walk: Walk, v0: int, gap: float, lam: float) -> float:
    r"""Return $\sum_{v\ge v_0}P[W=v](1-e^{g-\lambda(v-v_0)})$ in floats, $\lambda=-\log\rho>0$, at any m.

    The gap $g=\alpha-\lambda v_0$ must lie in $(-\lambda,0]$, that is, v0 be the least v with $\alpha\le\lambda v$.
    It is an argument of its own because alpha and $\lambda v_0$ cancel: give it with its own digits. Relative error
    about $10^{-12}$ on either side (measured against `certified_tail` in the tests) where the result is a normal float.
    """
    if v0 > walk.top:
        return 0.0
    below, above = -math.expm1(gap), math.expm1(max(gap + lam, 0.0))
    if v0 == walk.top:
        return math.exp(walk.m * _log_edge(walk)) * below
    low = _low_tilt(walk, v0, lam)
    if low < 0 and walk.m * _moment(walk, low)[0] - low * v0 < -FLOAT_MARGIN:
        return 1.0  # P[W < v0] and the second law's P[W >= v0] are both below e^-40
    s, log_moment, angles, used = _plan(walk, v0, FLOAT_MARGIN)
    _, moves, drift = _moment(walk, s)
    theta = 2 * math.pi * np.arange(used + 1) / angles
    half = 2 * np.sin(theta / 2) ** 2
    real, imaginary = -moves * half, drift * np.sin(theta)
    with np.errstate(divide="ignore"):  # the characteristic function may vanish
        fall = 0.5 * walk.m * np.log1p(np.maximum(2 * real + real**2 + imaginary**2, -1.0))
    turn = walk.m * np.arctan2(imaginary, 1 + real) - theta * v0
    x = math.exp(-s) * np.exp(-1j * theta)
    series = (below + math.exp(-lam) * above * x) / (np.expm1(-s - 1j * theta) * np.expm1(-s - lam - 1j * theta))
    terms = np.exp(fall) * (np.exp(1j * turn) * series).real
    weights = np.full(used + 1, 2.0)
    weights[0] = 1.0
    if 2 * used == angles:
        weights[-1] = 1.0
    return max(float(weights @ terms) / angles, 0.0) * math.exp(walk.m * log_moment - s * v0)


def _ball_moment(walk: Walk, s: arb) -> arb:
    return 1 + ball(walk.up) * s.expm1() + ball(walk.down) * (-s).expm1()


def _chernoff(walk: Walk, s: arb, v: int, *, upper: bool) -> arb:
    """Return a bound on P_s[W >= v] (upper) or P_s[W <= v] of the walk tilted by s: zero beyond its range."""
    if v > walk.top if upper else v < walk.bottom:
        return arb(0)
    end, step = (walk.top, walk.edge) if upper else (walk.bottom, walk.down if walk.down > 0 else walk.stay)
    if v == end:
        return (ball(step) * (s * (v // walk.m)).exp() / _ball_moment(walk, s)) ** walk.m
    if not walk.bottom < v < walk.top:
        return arb(1)
    moved = arb(_saddle(walk, v))
    bound = (walk.m * (_ball_moment(walk, moved).log() - _ball_moment(walk, s).log()) - (moved - s) * v).exp()
    fits = moved > s if upper else moved < s
    return bound if fits else arb(1)


def certified_tail(walk: Walk, v0: int, alpha: arb, lam: arb) -> arb:
    r"""Return a ball that contains $\sum_{v\ge v_0}P[W=v](1-e^{\alpha-\lambda v})$, at any m.

    Relative width about $10^{-20}$; what the angles alias, which can only add, and the angles left out are bounded and
    put into the radius.
    """
    if v0 > walk.top:
        return arb(0)
    with ctx.workprec(EXTRA_BITS + 2 * walk.m.bit_length()):
        below, above = -((alpha - lam * v0).expm1()), (alpha - lam * (v0 - 1)).expm1()
        if v0 == walk.top:
            return ball(walk.edge) ** walk.m * below
        low = _low_tilt(walk, v0, float(lam.mid()) * (1 - 1e-9))
        if low < 0:  # P[W < v0], and the second law's weight from v0 on, by Chernoff with the same tilt
            missing = 2 * (walk.m * _ball_moment(walk, arb(low)).log() - arb(low) * v0).exp()
            if missing < math.exp(-BALL_MARGIN):
                return 1 - missing.union(arb(0))
        tilt, _, angles, used = _plan(walk, v0, BALL_MARGIN)
        s, rho = arb(tilt), (-lam).exp()
        moment = _ball_moment(walk, s)
        up, down = ball(walk.up) * s.exp() / moment, ball(walk.down) * (-s).exp() / moment
        total = arb(0)
        for j in range(used + 1):
            angle = arb(2 * j) / angles
            turn = acb(angle.cos_pi(), angle.sin_pi())
            back = turn.conjugate()
            phi = 1 + up * (turn - 1) + down * (back - 1)
            x = (-s).exp() * back
            start = arb(2 * ((j * v0) % angles)) / angles
            term = (phi**walk.m) * acb(start.cos_pi(), -start.sin_pi()) * (below + rho * above * x)
            weight = 1 if j == 0 or 2 * j == angles else 2
            total += weight * (term / ((1 - x) * (1 - rho * x))).real
        scale = (walk.m * moment.log() - s * v0).exp()
        left = arb(0)
        if used < angles // 2:
            edge = (arb(2 * (used + 1)) / angles).cos_pi()
            decay = 2 * ball(walk.stay) / moment * (up + down) * (1 - edge)
            left = (1 - decay) ** (arb(walk.m) / 2) / (1 - (-s).exp()) if decay < 1 else arb(0)
        wrap = 1 - (-s * angles).exp()
        alias = (
            scale
            * (
                _chernoff(walk, s, v0 + angles, upper=True) / (1 - (-s).exp())
                + _chernoff(walk, s, v0 - angles - 1, upper=False) / wrap
            )
            + (-s * angles).exp() / wrap
        )
        middle, error = scale * total / angles, scale * left
        return middle + arb(0, 1) * error - alias / 2 + arb(0, 1) * alias / 2
