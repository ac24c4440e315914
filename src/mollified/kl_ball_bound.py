r"""The least bound on KL(P, Q) where KL(P, Q') = delta and Q, Q' lie in an eps-mollifier: exact, attained.

Write $b=1/(1+e^{-\varepsilon})$, $a=1-b$ and $k(p,q)=p\log\frac pq+(1-p)\log\frac{1-p}{1-q}$. Then
$$\sup\operatorname{KL}(P,Q)=\delta+\varepsilon(2p-1),\quad p\in[b,1]\text{ largest with }k(p,b)\le\delta,$$ over all
laws P and all $\varepsilon$-mollifiers $\{Q,Q'\}$ with $\operatorname{KL}(P,Q')=\delta$. It is attained on two points
by $P=(p,1-p)$, $Q'=(b,a)$, $Q=(a,b)$ as long as $\delta\le\log(1+e^{-\varepsilon})$, and equals $\delta+\varepsilon$
from there on. On the way $k(p,b)+\varepsilon(2p-1)=k(p,a)$. Proof: page kl-balls of the book. Not in the papers; it
sharpens v1 Lemma 17 (v2 Lemma 18).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mollified._validate import Array, check_array

__all__ = ["equality_radius", "exact_kl_ball"]

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
