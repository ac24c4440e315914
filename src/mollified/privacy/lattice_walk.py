r"""The tail of a lattice walk against a geometric weight, at any size.

The hockey sticks of binomials and trinomials. A walk W is the sum of m independent
steps, +1 with probability p, -1 with probability q, 0 with probability r. For a start
$v_0$, a ratio $\rho\in(0,1)$ and a log weight $\alpha$ with $e^\alpha\rho^{v_0}\le1$
this module evaluates
$$\sum_{v\ge v_0}P[W=v]\,(1-e^\alpha\rho^v).$$

All terms are >= 0, so nothing cancels. Tilt by $s>0$, with $M(s)=pe^s+r+qe^{-s}$, write
$P[W=v]$ as a mean over L equidistant angles of the tilted characteristic function, and
sum the geometric series in closed form. The integrand is a Gaussian of width 1/sd, so
about a hundred angles do at any m. What the L angles alias adds is >= 0 and bounded by
three tails; the angles left out are bounded one by one. Both bounds enter
`certified_tail`. Not in the papers; the saddle point is that of Lugannani and Rice
(1980).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from mollified.privacy.exact_level import ball
from mollified.privacy.tilted_walk import (
    EXTRA_BITS,
    TiltedStep,
    Walk,
    ball_moment,
    falls,
    tilt,
    tilted_exactly,
    turns,
)
from statements.precision import working_precision

__all__ = ["Walk", "certified_tail", "tail"]

Indices = NDArray[np.int64]

#: What is left out of a float result, as a power of e: below the rounding of a double
#: (e^-40 = 4e-18).
FLOAT_MARGIN = 40.0

#: What the bounds of a certified result may add, relative to it, as a power of e.
BALL_MARGIN = 60.0

#: Chernoff's exponent beyond which no sum is made: the number of angles grows like its
#: root.
DEEPEST = 1e6

#: Chernoff's exponent below which a float is 0.
LOG_LEAST = -750.0


def _saddle(walk: Walk, v: float) -> float:
    """Return s where the tilted walk has mean v, for bottom < v < top."""
    t = v / walk.m
    p = float(walk.up)
    q = float(walk.down)
    r = float(walk.stay)
    square = (t * r) ** 2
    root = math.sqrt(square + 4 * p * q * (1 - t) * (1 + t))
    if t < 0:  # the other root's form, without cancellation
        return math.log(2 * q * (1 + t)) - math.log(root - t * r)
    return math.log(t * r + root) - math.log(2 * p * (1 - t))


class _Plan(NamedTuple):
    """Hold the tilt s, the number L of angles, and which of them count, of 0..L/2."""

    tilt: float
    angles: int
    places: Indices


def _plan(walk: Walk, v0: int, margin: float) -> _Plan:
    r"""Return the tilt, and at which angles to sum; no angle far out.

    With $h=1-\cos\theta$, $1-|\varphi|^2=2(p+q)rh+4pqh(2-h)$: what counts lies near 0,
    and, where hardly any step is 0, near pi, as such a walk goes from even to odd.
    """
    one = tilt(walk, 0.0)
    spread = math.sqrt(walk.m * one.variance)
    short = max(walk.m * one.drift - v0, 0.0)
    s = 2.0 / (1.0 + spread + short)
    # the next value is as likely as v0 then, even where it is rare
    s = max(_saddle(walk, v0 + 0.5), s)
    one = tilt(walk, s)
    spread = math.sqrt(walk.m * one.variance)
    depth = max(s * v0 - walk.m * one.log_moment, 0.0)  # about log(1/result)
    if depth > DEEPEST:
        return _Plan(s, 0, np.arange(0))
    # Chernoff, with room for a Poisson's tail
    reach = math.sqrt(2 * margin + 20) * spread + margin + 20
    deep = (margin + depth + 20) / s
    angles = math.ceil(max(2 * reach, deep))
    need = 2 * (margin + 10 + math.log1p(1 / s) + math.log1p(spread))
    return _Plan(s, angles, _places(walk.m, one, angles, need))


def _places(m: int, one: TiltedStep, angles: int, need: float) -> Indices:
    """Return the angles at which m steps leave more than e^-need of |phi|^2."""
    # |phi|^(2m) <= exp(-decay h) for h <= 1
    decay = m * (2 * one.stay * one.moves + 4 * one.up * one.down)
    if decay <= need:
        return np.arange(angles // 2 + 1)
    widest = math.asin(math.sqrt(need / decay / 2))
    used = min(math.ceil(widest * angles / math.pi), angles // 2)
    near = np.arange(used + 1)
    if m * 4 * one.stay * one.moves > need:
        return near
    return np.union1d(near, angles // 2 - near)


def _low_tilt(walk: Walk, v0: int, lam: float) -> float:
    r"""Return s in $[-\lambda,0)$ for Chernoff bounds on the wrong side of v0.

    0 where the mean is not above it.
    """
    if not walk.bottom < v0 < walk.top or v0 >= walk.m * float(walk.up - walk.down):
        return 0.0
    return min(max(_saddle(walk, v0), -lam), 0.0)


def _log_small(lam: float) -> float:
    """Return by how many powers of e the second value may weigh less than 1.

    Errors have no such factor.
    """
    return max(-math.log(lam), 0.0)


def _log_edge(walk: Walk) -> float:
    """Return the log of the edge, to its last digits.

    1 - edge is no way to a small one.
    """
    if 2 * walk.edge < 1:
        return math.log(float(walk.edge))
    return math.log1p(-float(1 - walk.edge))


def tail(walk: Walk, v0: int, gap: float, lam: float) -> float:
    r"""Return $\sum_{v\ge v_0}P[W=v](1-e^{g-\lambda(v-v_0)})$ in floats, at any m.

    $\lambda=-\log\rho>0$. The gap $g=\alpha-\lambda v_0$ must lie in $(-\lambda,0]$,
    that is, v0 be the least v with $\alpha\le\lambda v$. It is an argument of its own
    because alpha and $\lambda v_0$ cancel: give it with its own digits. Relative error
    at most $10^{-12}$ on either side for m up to $2^{62}$ where the result is a normal
    float.
    """
    if v0 > walk.top:
        return 0.0
    below = -math.expm1(gap)
    above = math.expm1(max(gap + lam, 0.0))
    if v0 == walk.top:
        return math.exp(walk.m * _log_edge(walk)) * below
    low = _low_tilt(walk, v0, lam)
    if low < 0 and walk.m * tilt(walk, low).log_moment - low * v0 < -FLOAT_MARGIN:
        return 1.0  # P[W < v0] and the second law's P[W >= v0] are both below e^-40
    s, angles, places = _plan(walk, v0, FLOAT_MARGIN + _log_small(lam))
    if angles == 0:
        return 0.0
    one, log_scale, shift = tilted_exactly(walk, v0, s)
    if log_scale < LOG_LEAST:
        return 0.0
    theta = 2 * math.pi * places / angles
    fall = walk.m * falls(one, theta)
    turn = walk.m * turns(one, theta) - theta * shift
    x = math.exp(-s) * np.exp(-1j * theta)
    first_pole = np.expm1(-s - 1j * theta)
    second_pole = np.expm1(-s - lam - 1j * theta)
    series = (below + math.exp(-lam) * above * x) / (first_pole * second_pole)
    terms = np.exp(fall) * (np.exp(1j * turn) * series).real
    weights = np.where((places == 0) | (2 * places == angles), 1.0, 2.0)
    return max(float(weights @ terms) / angles, 0.0) * math.exp(log_scale)


def _chernoff_above(walk: Walk, s: arb, v: int) -> arb:
    """Return a bound on P_s[W >= v] of the walk tilted by s: zero beyond its range."""
    if v > walk.top:
        return arb(0)
    if v == walk.top:
        return _edge_chance(walk, s, v, walk.edge)
    bound, moved = _chernoff(walk, s, v)
    return bound if moved > s else arb(1)


def _chernoff_below(walk: Walk, s: arb, v: int) -> arb:
    """Return a bound on P_s[W <= v] of the walk tilted by s: zero beyond its range."""
    if v < walk.bottom:
        return arb(0)
    if v == walk.bottom:
        last = walk.down if walk.down > 0 else walk.stay
        return _edge_chance(walk, s, v, last)
    bound, moved = _chernoff(walk, s, v)
    return bound if moved < s else arb(1)


def _edge_chance(walk: Walk, s: arb, v: int, step: Fraction) -> arb:
    """Return the probability of m steps of one kind, which lead to v."""
    weight = (s * (v // walk.m)).exp()
    return (ball(step) * weight / ball_moment(walk, s)) ** walk.m


def _chernoff(walk: Walk, s: arb, v: int) -> tuple[arb, arb]:
    """Return Chernoff's bound on a tail of the walk tilted by s, and its tilt.

    The tail begins at v. One, at the tilt s, where the walk does not reach v.
    """
    if not walk.bottom < v < walk.top:
        return arb(1), s
    moved = arb(_saddle(walk, v))
    moments = ball_moment(walk, moved).log() - ball_moment(walk, s).log()
    return (walk.m * moments - (moved - s) * v).exp(), moved


def _least_decay(stay: arb, up: arb, down: arb, places: Indices, angles: int) -> arb:
    r"""Return a bound below $1-|\varphi|^2$ at the angles left out.

    It is concave in h, so that it is least at an end of them.
    """
    first = int(np.flatnonzero(np.append(np.diff(places) != 1, True))[0]) + 1
    last = angles // 2
    if places[-1] == last:
        last -= int(places.size - first)

    def decay(place: int) -> arb:
        half = 1 - (arb(2 * place) / angles).cos_pi()
        to_middle = 2 * stay * (up + down) * half
        return to_middle + 4 * up * down * half * (2 - half)

    return decay(first).min(decay(last))


def certified_tail(walk: Walk, v0: int, alpha: arb, lam: arb) -> arb:
    r"""Return a ball that contains $\sum_{v\ge v_0}P[W=v](1-e^{\alpha-\lambda v})$.

    At any m. Relative width at most $10^{-20}$, but from 0 to Chernoff's bound where
    that is below $e^{-10^6}$; what the angles alias, which can only add, and the angles
    left out are bounded and put into the radius.
    """
    if v0 > walk.top:
        return arb(0)
    with working_precision(EXTRA_BITS + 2 * walk.m.bit_length()):
        below = -((alpha - lam * v0).expm1())
        if v0 == walk.top:
            return ball(walk.edge) ** walk.m * below
        missing = _missing(walk, v0, lam)
        if missing < math.exp(-BALL_MARGIN):
            return 1 - missing.union(arb(0))
        plan = _plan(walk, v0, BALL_MARGIN + _log_small(float(lam.mid())))
        s = arb(plan.tilt)
        moment = ball_moment(walk, s)
        scale = (walk.m * moment.log() - s * v0).exp()
        if plan.angles == 0:
            return arb(0).union(scale)
        up = ball(walk.up) * s.exp() / moment
        down = ball(walk.down) * (-s).exp() / moment
        above = (alpha - lam * (v0 - 1)).expm1()
        sticks = _Sticks(below, above, (-lam).exp())
        middle = scale * _sum(walk.m, v0, plan, up, down, sticks) / plan.angles
        stay = ball(walk.stay) / moment
        error = scale * _left_out(walk.m, plan, stay, up, down)
        alias = _alias(walk, v0, plan, scale)
        return middle + arb(0, 1) * error - alias / 2 + arb(0, 1) * alias / 2


class _Sticks(NamedTuple):
    r"""Hold $1-e^\alpha\rho^v$ at v0, minus that at v0 - 1, and $\rho$."""

    below: arb
    above: arb
    rho: arb


def _missing(walk: Walk, v0: int, lam: arb) -> arb:
    """Return a bound on what the tail lacks of one; one where there is none.

    P[W < v0], and the second law's weight from v0 on, by Chernoff with the same tilt.
    """
    low = _low_tilt(walk, v0, float(lam.mid()) * (1 - 1e-9))
    if low == 0:
        return arb(1)
    log_moment = ball_moment(walk, arb(low)).log()
    return 2 * (walk.m * log_moment - arb(low) * v0).exp()


def _sum(m: int, v0: int, plan: _Plan, up: arb, down: arb, sticks: _Sticks) -> arb:
    """Return the sum over the angles that count."""
    angles = plan.angles
    fall = (-arb(plan.tilt)).exp()
    total = arb(0)
    for place in plan.places.tolist():
        angle = arb(2 * place) / angles
        turn = acb(angle.cos_pi(), angle.sin_pi())
        back = turn.conjugate()
        phi = 1 + up * (turn - 1) + down * (back - 1)
        x = fall * back
        start = arb(2 * ((place * v0) % angles)) / angles
        shift = acb(start.cos_pi(), -start.sin_pi())
        stick = sticks.below + sticks.rho * sticks.above * x
        poles = (1 - x) * (1 - sticks.rho * x)
        term = (phi**m) * shift * stick / poles
        weight = 2
        if place == 0 or 2 * place == angles:
            weight = 1
        total += weight * term.real
    return total


def _left_out(m: int, plan: _Plan, stay: arb, up: arb, down: arb) -> arb:
    """Return a bound on the angles that are left out of the sum."""
    if plan.places.size == plan.angles // 2 + 1:
        return arb(0)
    decay = _least_decay(stay, up, down, plan.places, plan.angles)
    if not decay < 1:
        return arb(0)
    return (1 - decay) ** (arb(m) / 2) / (1 - (-arb(plan.tilt)).exp())


def _alias(walk: Walk, v0: int, plan: _Plan, scale: arb) -> arb:
    """Return a bound on what the angles alias, which can only add."""
    s = arb(plan.tilt)
    fall = (-s * plan.angles).exp()
    wrap = 1 - fall
    after = _chernoff_above(walk, s, v0 + plan.angles) / (1 - (-s).exp())
    before = _chernoff_below(walk, s, v0 - plan.angles - 1) / wrap
    return scale * (after + before) + fall / wrap
