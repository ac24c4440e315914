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

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

from mollified.privacy.exact_level import ball
from mollified.privacy.tilted_walk import (
    EXTRA_BITS,
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
    root = math.sqrt((t * r) ** 2 + 4 * p * q * (1 - t) * (1 + t))
    if t < 0:  # the other root's form, without cancellation
        return math.log(2 * q * (1 + t)) - math.log(root - t * r)
    return math.log(t * r + root) - math.log(2 * p * (1 - t))


def _plan(walk: Walk, v0: int, margin: float) -> tuple[float, int, Indices]:
    r"""Return the tilt s, the number L of angles, and which of them, 0..L/2, count; none of 0 far out.

    With $h=1-\cos\theta$, $1-|\varphi|^2=2(p+q)rh+4pqh(2-h)$: what counts lies near 0,
    and, where hardly any step is 0, near pi, as such a walk goes from even to odd.
    """
    one = tilt(walk, 0.0)
    spread = math.sqrt(walk.m * one.variance)
    s = 2.0 / (1.0 + spread + max(walk.m * one.drift - v0, 0.0))
    s = max(
        _saddle(walk, v0 + 0.5), s
    )  # the next value is as likely as v0 then, even where it is rare
    one = tilt(walk, s)
    spread = math.sqrt(walk.m * one.variance)
    depth = max(s * v0 - walk.m * one.log_moment, 0.0)  # about log(1/result)
    if depth > DEEPEST:
        return s, 0, np.arange(0)
    reach = (
        math.sqrt(2 * margin + 20) * spread + margin + 20
    )  # Chernoff, with room for a Poisson's tail
    angles = math.ceil(max(2 * reach, (margin + depth + 20) / s))
    need = 2 * (margin + 10 + math.log1p(1 / s) + math.log1p(spread))
    decay = walk.m * (
        2 * one.stay * one.moves + 4 * one.up * one.down
    )  # |phi|^(2m) <= exp(-decay h) for h <= 1
    if decay <= need:
        return s, angles, np.arange(angles // 2 + 1)
    used = min(
        math.ceil(math.asin(math.sqrt(need / decay / 2)) * angles / math.pi),
        angles // 2,
    )
    near = np.arange(used + 1)
    if walk.m * 4 * one.stay * one.moves > need:
        return s, angles, near
    return s, angles, np.union1d(near, angles // 2 - near)


def _low_tilt(walk: Walk, v0: int, lam: float) -> float:
    r"""Return s in $[-\lambda,0)$ for Chernoff bounds on the wrong side of v0; 0 where the mean is not above it."""
    if not walk.bottom < v0 < walk.top or v0 >= walk.m * float(walk.up - walk.down):
        return 0.0
    return min(max(_saddle(walk, v0), -lam), 0.0)


def _log_small(lam: float) -> float:
    """Return by how many powers of e the weight of the second value may be below 1: errors have no such factor."""
    return max(-math.log(lam), 0.0)


def _log_edge(walk: Walk) -> float:
    """Return the log of the edge, to its last digits: 1 - edge is no way to a small one."""
    return (
        math.log(float(walk.edge))
        if 2 * walk.edge < 1
        else math.log1p(-float(1 - walk.edge))
    )


def tail(walk: Walk, v0: int, gap: float, lam: float) -> float:
    r"""Return $\sum_{v\ge v_0}P[W=v](1-e^{g-\lambda(v-v_0)})$ in floats, $\lambda=-\log\rho>0$, at any m.

    The gap $g=\alpha-\lambda v_0$ must lie in $(-\lambda,0]$, that is, v0 be the least
    v with $\alpha\le\lambda v$. It is an argument of its own because alpha and
    $\lambda v_0$ cancel: give it with its own digits. Relative error at most $10^{-12}$
    on either side for m up to $2^{62}$ where the result is a normal float.
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
    series = (below + math.exp(-lam) * above * x) / (
        np.expm1(-s - 1j * theta) * np.expm1(-s - lam - 1j * theta)
    )
    terms = np.exp(fall) * (np.exp(1j * turn) * series).real
    weights = np.where((places == 0) | (2 * places == angles), 1.0, 2.0)
    return max(float(weights @ terms) / angles, 0.0) * math.exp(log_scale)


def _chernoff(walk: Walk, s: arb, v: int, *, upper: bool) -> arb:
    """Return a bound on P_s[W >= v] (upper) or P_s[W <= v] of the walk tilted by s: zero beyond its range."""
    if v > walk.top if upper else v < walk.bottom:
        return arb(0)
    end, step = (
        (walk.top, walk.edge)
        if upper
        else (walk.bottom, walk.down if walk.down > 0 else walk.stay)
    )
    if v == end:
        return (ball(step) * (s * (v // walk.m)).exp() / ball_moment(walk, s)) ** walk.m
    if not walk.bottom < v < walk.top:
        return arb(1)
    moved = arb(_saddle(walk, v))
    bound = (
        walk.m * (ball_moment(walk, moved).log() - ball_moment(walk, s).log())
        - (moved - s) * v
    ).exp()
    fits = moved > s if upper else moved < s
    return bound if fits else arb(1)


def _least_decay(stay: arb, up: arb, down: arb, places: Indices, angles: int) -> arb:
    r"""Return a bound below $1-|\varphi|^2$ at the angles left out: concave in h, it is least at an end of them."""
    first = int(np.flatnonzero(np.append(np.diff(places) != 1, True))[0]) + 1
    last = (
        angles // 2
        if places[-1] < angles // 2
        else angles // 2 - int(places.size - first)
    )
    ends = []
    for place in (first, last):
        half = 1 - (arb(2 * place) / angles).cos_pi()
        ends.append(2 * stay * (up + down) * half + 4 * up * down * half * (2 - half))
    return ends[0].min(ends[1])


def certified_tail(walk: Walk, v0: int, alpha: arb, lam: arb) -> arb:
    r"""Return a ball that contains $\sum_{v\ge v_0}P[W=v](1-e^{\alpha-\lambda v})$, at any m.

    Relative width at most $10^{-20}$, but from 0 to Chernoff's bound where that is
    below $e^{-10^6}$; what the angles alias, which can only add, and the angles left
    out are bounded and put into the radius.
    """
    if v0 > walk.top:
        return arb(0)
    with working_precision(EXTRA_BITS + 2 * walk.m.bit_length()):
        below = -((alpha - lam * v0).expm1())
        above = (alpha - lam * (v0 - 1)).expm1()
        if v0 == walk.top:
            return ball(walk.edge) ** walk.m * below
        low = _low_tilt(walk, v0, float(lam.mid()) * (1 - 1e-9))
        if (
            low < 0
        ):  # P[W < v0], and the second law's weight from v0 on, by Chernoff with the same tilt
            missing = (
                2 * (walk.m * ball_moment(walk, arb(low)).log() - arb(low) * v0).exp()
            )
            if missing < math.exp(-BALL_MARGIN):
                return 1 - missing.union(arb(0))
        tilted, angles, places = _plan(
            walk, v0, BALL_MARGIN + _log_small(float(lam.mid()))
        )
        s = arb(tilted)
        rho = (-lam).exp()
        moment = ball_moment(walk, s)
        if angles == 0:
            return arb(0).union((walk.m * moment.log() - s * v0).exp())
        up = ball(walk.up) * s.exp() / moment
        down = ball(walk.down) * (-s).exp() / moment
        total = arb(0)
        for j in places.tolist():
            angle = arb(2 * j) / angles
            turn = acb(angle.cos_pi(), angle.sin_pi())
            back = turn.conjugate()
            phi = 1 + up * (turn - 1) + down * (back - 1)
            x = (-s).exp() * back
            start = arb(2 * ((j * v0) % angles)) / angles
            term = (
                (phi**walk.m)
                * acb(start.cos_pi(), -start.sin_pi())
                * (below + rho * above * x)
            )
            weight = 1 if j == 0 or 2 * j == angles else 2
            total += weight * (term / ((1 - x) * (1 - rho * x))).real
        scale = (walk.m * moment.log() - s * v0).exp()
        left = arb(0)
        if places.size < angles // 2 + 1:
            decay = _least_decay(ball(walk.stay) / moment, up, down, places, angles)
            left = (
                (1 - decay) ** (arb(walk.m) / 2) / (1 - (-s).exp())
                if decay < 1
                else arb(0)
            )
        wrap = 1 - (-s * angles).exp()
        alias = (
            scale
            * (
                _chernoff(walk, s, v0 + angles, upper=True) / (1 - (-s).exp())
                + _chernoff(walk, s, v0 - angles - 1, upper=False) / wrap
            )
            + (-s * angles).exp() / wrap
        )
        middle = scale * total / angles
        error = scale * left
        return middle + arb(0, 1) * error - alias / 2 + arb(0, 1) * alias / 2
