r"""The least bound on KL(P, Q) where KL(P, Q') = delta and Q, Q' lie in an eps-mollifier: exact, attained.

Write $b=1/(1+e^{-\varepsilon})$, $a=1-b$ and $k(p,q)=p\log\frac pq+(1-p)\log\frac{1-p}{1-q}$. Then
$$\sup\operatorname{KL}(P,Q)=\delta+\varepsilon(2p-1),\quad p\in[b,1]\text{ largest with }k(p,b)\le\delta,$$ over all
laws P and all $\varepsilon$-mollifiers $\{Q,Q'\}$ with $\operatorname{KL}(P,Q')=\delta$. It is attained on two points
by $P=(p,1-p)$, $Q'=(b,a)$, $Q=(a,b)$ as long as $\delta\le\log(1+e^{-\varepsilon})$, and equals $\delta+\varepsilon$
from there on. On the way $k(p,b)+\varepsilon(2p-1)=k(p,a)$. Proof: page kl-balls of the book. Not in the papers; it
sharpens v1 Lemma 17 (v2 Lemma 18).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from mollified._validate import Array, check_array, check_fraction
from mollified.ball_mbde import ball
from mollified.exact_level import Law, exact_probabilities

__all__ = [
    "certified_kl",
    "certified_kl_ball",
    "equality_radius",
    "exact_kl_ball",
    "exact_kl_outside",
    "extreme_laws",
]

#: What `certified_kl_ball` adds so that its result lies above the least bound also where the dual is exact.
MARGIN = 2.0**-80

#: Levels above this are refused: their exponentials leave the floats.
LARGEST_EPS = 700.0


def _pair(delta: object, eps: object) -> tuple[Array, Array]:
    radius, level = check_array("delta", delta), check_array("eps", eps)
    if (radius < 0).any():
        raise ValueError(f"delta must be >= 0, got {delta!r}")
    return radius, _level(eps, level)


def _level(eps: object, level: Array) -> Array:
    if ((level <= 0) | (level > LARGEST_EPS)).any():
        raise ValueError(f"eps must lie in (0, {LARGEST_EPS:g}], got {eps!r}")
    return level


def _out(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _phi(x: Array) -> Array:
    r"""Return $(1+x)\log(1+x)-x$ for x >= -1, without cancellation near 0."""
    near = np.abs(x) < 0.01
    z = np.where(near, x, 0.0)
    series = z * z * (1 / 2 - z * (1 / 6 - z * (1 / 12 - z * (1 / 20 - z * (1 / 30 - z * (1 / 42 - z / 56))))))
    inside = np.where(x > -1, x, 0.0)
    return np.where(near, series, np.where(x > -1, (1 + inside) * np.log1p(inside) - inside, 1.0))


def _divergence(v: Array, level: Array) -> Array:
    r"""Return $k(b+av,b)$ for v in [0, 1]."""
    a, b = 1 / (1 + np.exp(level)), 1 / (1 + np.exp(-level))
    return np.asarray(b * _phi(np.exp(-level) * v) + a * _phi(-v))


def _largest(function: Callable[[Array], Array], target: Array) -> Array:
    """Return v in [0, 1] with function(v) = target, rounded up; `function` grows; 1 where it never gets there."""
    low, high = np.full(target.shape, -80.0), np.zeros(target.shape)
    for _ in range(64):
        middle = (low + high) / 2
        below = function(np.exp(middle)) <= target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.asarray(np.exp(high))


def equality_radius(eps: object) -> Any:
    r"""Return $\log(1+e^{-\varepsilon})$, the divergence from which $\delta+\varepsilon$ is attained, in nats.

    Floats or arrays; errs by rounding only. Raises ValueError or TypeError unless 0 < eps <= 700.
    """
    return _out(np.log1p(np.exp(-_level(eps, check_array("eps", eps)))))


def exact_kl_ball(delta: object, eps: object) -> Any:
    r"""Return the least bound on $\operatorname{KL}(P,Q)$ given $\operatorname{KL}(P,Q')=\delta$, in nats.

    $\delta+\varepsilon(2p-1)$ as above; floats or arrays that broadcast. p is rounded up: errs above, by less than
    $10^{-14}(1+\delta+\varepsilon)$. Raises ValueError or TypeError for delta < 0 or unless 0 < eps <= 700.
    """
    radius, level = np.broadcast_arrays(*_pair(delta, eps))
    v = np.where(radius > 0, _largest(lambda v: _divergence(v, level), radius), 0.0)
    return _out(radius + level * (np.tanh(level / 2) + 2 * v / (1 + np.exp(level))))


def exact_kl_outside(delta: object, eps: object) -> Any:
    r"""Return the least KL(P, Q') where $\operatorname{KL}(P,Q)=\delta$, the inverse of `exact_kl_ball`.

    It is 0 up to $\delta=\varepsilon\tanh(\varepsilon/2)$ and $\delta-\varepsilon$ from $\log(1+e^\varepsilon)$ on;
    between them $k(p,b)$ with $k(p,a)=\delta$. Floats or arrays; errs below, by less than
    $10^{-14}(1+\delta+\varepsilon)$. Raises as `exact_kl_ball`.
    """
    radius, level = np.broadcast_arrays(*_pair(delta, eps))
    least = level * np.tanh(level / 2)
    slope = 2 * level / (1 + np.exp(level))
    v = _largest(lambda v: _divergence(v, level) + least + slope * v, radius)
    return _out(np.maximum(radius - least - slope * v, 0.0))


def certified_kl(one: Sequence[Fraction], two: Sequence[Fraction]) -> arb:
    r"""Return $\sum_xP(x)\log\frac{P(x)}{Q(x)}$ of two rational laws as a ball that contains it, in nats.

    Raises TypeError or ValueError where they are no laws of one size, or Q has no mass where P has some.
    """
    p = exact_probabilities("one", one)
    q = exact_probabilities("two", two, size=len(p))
    if any(x > 0 and y == 0 for x, y in zip(p, q, strict=True)):
        raise ValueError(f"two must have mass where one has, got {two!r} for {one!r}")
    return sum((ball(x) * ball(x / y).log() for x, y in zip(p, q, strict=True) if x > 0), arb(0))


def certified_kl_ball(delta: arb, eps: arb) -> arb:
    r"""Return a ball that lies above `exact_kl_ball`: the dual bound, which holds for every slope s > 0.

    $\delta+\min\{\varepsilon,\frac1s(\delta+\log(be^{s\varepsilon}+ae^{-s\varepsilon}))\}$ with s near the best one,
    found in floats; $\delta+\varepsilon\tanh\frac\varepsilon2$ where delta is exactly 0. Errs above, by about
    $10^{-24}$ where $\delta$ is not within $10^{-6}$ of 0 or of the radius of equality. Raises TypeError or
    ValueError for what are no balls or no such numbers.
    """
    for name, value in (("delta", delta), ("eps", eps)):
        if not isinstance(value, arb):
            raise TypeError(f"{name} must be a ball, got {value!r}")
        if not value.is_finite() or value < 0:
            raise ValueError(f"{name} must be >= 0, got {value!r}")
    if not 0 < eps < LARGEST_EPS:
        raise ValueError(f"eps must lie in (0, {LARGEST_EPS:g}), got {eps!r}")
    if delta == 0:
        return eps * (eps / 2).tanh() + arb(MARGIN)
    if delta >= (1 + (-eps).exp()).log():
        return delta + eps + arb(MARGIN)
    level = np.asarray(float(eps.mid()))
    v = _largest(lambda v: _divergence(v, level), np.asarray(max(float(delta.mid()), 0.0)))
    tilt = float(np.log1p(np.exp(-level) * v) - np.log1p(-min(float(v), 1 - 2**-53)))
    slope = arb(tilt) / (2 * eps)
    b = 1 / (1 + (-eps).exp())
    total = b * (slope * eps).exp() + (1 - b) * (-slope * eps).exp()
    dual = (delta + total.log()) / slope
    return delta + (eps if dual > eps else dual) + arb(MARGIN)


def extreme_laws(exp_eps: Fraction, weight: Fraction, inner: Fraction = Fraction(1)) -> tuple[Law, Law, Law]:
    r"""Return rational P, Q', Q that attain the least bound at level $\varepsilon=\log R$, R = `exp_eps`.

    Two points, $P=(p,1-p)$ with p = `weight` in $[\frac R{R+1},1]$, $Q'=(R,1)/(R+1)$, $Q=(1,R)/(R+1)$. With p = 1 and
    `inner` = h in (0, 1) the first point is split, (h, 1-h), and P sits on its first part: $\delta=\log(1+1/R)-\log h$.
    Raises TypeError or ValueError for other values.
    """
    root = check_fraction("exp_eps", exp_eps, above=1)
    p, h = check_fraction("weight", weight, maximum=1), check_fraction("inner", inner, above=0, maximum=1)
    high, low = root / (root + 1), 1 / (root + 1)
    if p < high:
        raise ValueError(f"weight must be at least {high}, got {weight!r}")
    if h == 1:
        return (p, 1 - p), (high, low), (low, high)
    if p < 1:
        raise ValueError(f"inner must be 1 where weight is below 1, got {inner!r}")
    return (p, Fraction(0), Fraction(0)), (h * high, (1 - h) * high, low), (h * low, (1 - h) * low, high)
