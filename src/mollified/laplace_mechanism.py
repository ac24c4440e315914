r"""The Laplace mechanism: density, density ratio, exact hockey stick, exact probability of its largest error.

Idealised numerics: a law is that of a real number; a float carries the leaks that the page on floating point shows.
Balls contain the true value, floats err by rounding. Everything is in units of the noise scale b where not said.
Source: lecture, section "DP algorithms via output perturbation"; the exact probabilities are ours.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import acb, arb, ctx

from mollified._validate import Array, _echo, check_array, check_count, check_eps, check_finite, check_rng
from mollified.ball_mbde import ball

__all__ = [
    "coverage",
    "density",
    "error_multiple",
    "hockey_stick",
    "log_ratio",
    "noise_scale",
    "promised_coverage",
    "release",
    "swap_probability",
    "top_probability",
]

#: Enough for exp(-200) beside one.
BITS = 320


def _positive(name: str, value: Any) -> Any:
    """Return a number > 0: balls as they are, rationals as balls, all else as a float."""
    if isinstance(value, Fraction):
        if value <= 0:
            raise ValueError(f"{name} must be > 0, got {_echo(value)}")
        return ball(value)
    if isinstance(value, arb):
        if not value > 0:
            raise ValueError(f"{name} must be > 0, got {_echo(value)}")
        return value
    return check_eps(name, value)


def _nonnegative(name: str, value: Any) -> Any:
    if isinstance(value, Fraction):
        if value < 0:
            raise ValueError(f"{name} must be >= 0, got {_echo(value)}")
        return ball(value)
    if isinstance(value, arb):
        if value < 0 or not value.is_finite():
            raise ValueError(f"{name} must be >= 0, got {_echo(value)}")
        return value
    number = check_finite(name, value)
    if number < 0:
        raise ValueError(f"{name} must be >= 0, got {_echo(value)}")
    return number


def noise_scale(sensitivity: Any, eps: Any) -> Any:
    r"""Return $b=\Delta/\varepsilon$: two rationals give a rational, balls a ball, floats a float.

    Raises ValueError or TypeError unless both are > 0 and finite. Source: lecture, Laplace mechanism, step 2.
    """
    if isinstance(sensitivity, Fraction) and isinstance(eps, Fraction):
        for name, value in (("sensitivity", sensitivity), ("eps", eps)):
            if value <= 0:
                raise ValueError(f"{name} must be > 0, got {_echo(value)}")
        return sensitivity / eps
    return _positive("sensitivity", sensitivity) / _positive("eps", eps)


def density(y: Any, scale: Any) -> Any:
    r"""Return $p(y;b)=\frac1{2b}e^{-|y|/b}$: arrays for arrays, a ball for a rational. Source: lecture, Definition.

    Raises ValueError or TypeError unless y is finite and b > 0.
    """
    b = _positive("scale", scale)
    if isinstance(y, Fraction | arb):
        at = ball(y) if isinstance(y, Fraction) else y
        return (-abs(at) / b).exp() / (2 * b)
    values = check_array("y", y)
    return np.exp(-np.abs(values) / float(b)) / (2 * float(b))


def log_ratio(outputs: Array, one: Array, two: Array, scale: Array) -> Array:
    r"""Return $\ln g(o)/g'(o)=\sum_k(|o_k-f'_k|-|o_k-f_k|)/b$ for rows of outputs and of two answers, shape (n,).

    Arrays (n, K), scales (n,). Errs by rounding. Raises ValueError or TypeError for shapes that differ, scales <= 0.
    """
    o = check_array("outputs", outputs, ndim=2)
    f, g = check_array("one", one, shape=o.shape), check_array("two", two, shape=o.shape)
    b = check_array("scale", scale, shape=(len(o),))
    if (b <= 0).any():
        raise ValueError(f"scale must be > 0, got {_echo(scale)}")
    return np.asarray((np.abs(o - g) - np.abs(o - f)).sum(axis=1) / b)


def hockey_stick(eps: Any, shift: Any) -> Any:
    r"""Return the least delta at $\varepsilon\ge0$ for one value that moves by `shift` = $|f(D)-f(D')|/b$ scales.

    $\delta(\varepsilon)=\max(0,\,1-e^{(\varepsilon-s)/2})$; zero from $\varepsilon=s$ on, the total variation at 0.
    Rationals and balls give a ball, floats a float. Raises ValueError or TypeError for negative arguments.
    """
    level, moved = _nonnegative("eps", eps), _nonnegative("shift", shift)
    if isinstance(level, arb) or isinstance(moved, arb):
        gap = arb(level) - arb(moved)
        return arb(0) if gap >= 0 else arb.max(arb(0), 1 - (gap / 2).exp())
    return max(0.0, -math.expm1((level - moved) / 2))


def _share(name: str, value: Any) -> Any:
    """Return beta in (0, 1]: rationals and balls as they are, all else as a float or an array of floats."""
    if isinstance(value, Fraction | arb):
        if not value > 0 or value > 1:
            raise ValueError(f"{name} must lie in (0, 1], got {_echo(value)}")
        return value
    share = check_array(name, value)
    if (share <= 0).any() or (share > 1).any():
        raise ValueError(f"{name} must lie in (0, 1], got {_echo(value)}")
    return float(share) if share.ndim == 0 else share


def error_multiple(beta: Any, size: int) -> Any:
    r"""Return $\ln(K/\beta)$, the threshold of the theorem on the largest error in units of b; a ball for a rational.

    Raises ValueError or TypeError unless 0 < beta <= 1 and K >= 1. Source: lecture, Theorem (high probability bound).
    """
    share, size = _share("beta", beta), check_count("size", size)
    if isinstance(share, Fraction | arb):
        return (size / (ball(share) if isinstance(share, Fraction) else share)).log()
    found = np.log(size / np.asarray(share))
    return float(found) if found.ndim == 0 else found


def coverage(multiple: Any, size: int) -> Any:
    r"""Return the exact probability $(1-e^{-t})^K$ that K independent errors all stay below t scales.

    Rationals and balls give a ball, floats a float (relative error below 1e-14 times K e^{-t} + 1). Raises ValueError
    or TypeError for t < 0 or K < 1.
    """
    t, size = _nonnegative("multiple", multiple), check_count("size", size)
    if isinstance(t, arb):
        return (1 - (-t).exp()) ** size
    return 0.0 if t == 0 else math.exp(size * math.log(-math.expm1(-t)))


def promised_coverage(beta: Any, size: int) -> Any:
    r"""Return the exact probability $(1-\beta/K)^K$ of the event of the theorem: a rational for a rational.

    It is $\ge1-\beta$ by Bernoulli's inequality, with equality for K = 1 only, and grows with K to $e^{-\beta}$.
    Raises ValueError or TypeError unless 0 < beta <= 1 and K >= 1.
    """
    share, size = _share("beta", beta), check_count("size", size)
    if isinstance(share, Fraction | arb):
        return (1 - share / size) ** size
    with np.errstate(divide="ignore"):
        found = np.exp(size * np.log1p(-np.asarray(share) / size))
    return float(found) if found.ndim == 0 else found


def release(answer: Array, sensitivity: float, eps: float, rng: np.random.Generator) -> Array:
    r"""Return $f(D)+Y$ with $Y_k\sim\mathrm{Lap}(\Delta_1/\varepsilon)$ independent; shape (K,), idealised numerics.

    $\varepsilon$-DP as a statement on real numbers, for an $\ell_1$ sensitivity of at most `sensitivity`; the floats
    that come out do not keep it (page on floating point). Raises ValueError or TypeError for bad arguments.
    """
    values = check_array("answer", answer, ndim=1)
    scale = noise_scale(check_eps("sensitivity", sensitivity), check_eps("eps", eps))
    return values + check_rng("rng", rng).laplace(0.0, scale, values.shape)


def swap_probability(gap: Any) -> Any:
    r"""Return $P[Y_2-Y_1\ge s]=\frac12e^{-s}(1+\frac s2)$: two counts s scales apart come out in the wrong order.

    Rationals and balls give a ball, floats a float. Raises ValueError or TypeError for a negative gap.
    """
    s = _nonnegative("gap", gap)
    return (1 + s / 2) * ((-s).exp() if isinstance(s, arb) else math.exp(-s)) / 2


def top_probability(gap: Any, others: int) -> Any:
    r"""Return the probability that a count s scales above m equal others stays first, as a ball.

    $\int p(y)F(y+s)^m\,dy$ with $w=\frac12e^{-(y+s)}$: $\frac{e^s(1-(1-w_0)^{m+1})+e^{-s}2^{-m-1}}{m+1}
    +\frac{e^{-s}}4\int_{w_0}^{1/2}(1-w)^mw^{-2}dw$, $w_0=\frac12e^{-s}$. Certified. Raises ValueError or TypeError for
    a gap that is no rational or ball >= 0, or m < 1.
    """
    if not isinstance(gap, Fraction | arb):
        raise TypeError(f"gap must be a fractions.Fraction or a ball, got {_echo(gap)}")
    if gap < 0:
        raise ValueError(f"gap must be >= 0, got {_echo(gap)}")
    m = check_count("others", others)
    with ctx.workprec(BITS):
        s = _nonnegative("gap", gap)
        edge, up = (-s).exp() / 2, s.exp()
        outer = (up * (1 - (1 - edge) ** (m + 1)) + arb(2) ** (-m - 1) / up) / (m + 1)
        # In x = log w the integrand is smooth on a scale of one.
        inner = acb.integral(lambda x, _: (1 - x.exp()) ** m * (-x).exp(), acb(edge.log()), -acb(2).log())
        return outer + inner.real / up / 4
