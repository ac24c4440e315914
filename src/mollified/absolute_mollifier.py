r"""Mollifiers by absolute range, as v1 and v2 have them: ranges, scale-and-shift, and counterexamples."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mollified._validate import Array, check_array, check_eps, check_finite, check_interval

__all__ = [
    "EXAMPLE_PAIR",
    "is_empty_on_infinite_measure",
    "necessary_range",
    "scale_and_shift",
    "scale_limit",
    "spike",
    "sufficient_range",
    "tilted_pair",
    "total_variation_diameter",
]

#: Q1 = 1/2 + x and Q2 = Q1 (1 + (x - 7/12)/10) on [0, 1], coefficients lowest first; ratio in [113/120, 25/24].
EXAMPLE_PAIR: tuple[tuple[Fraction, ...], tuple[Fraction, ...]] = (
    (Fraction(1, 2), Fraction(1)),
    (Fraction(113, 240), Fraction(119, 120), Fraction(1, 10)),
)


def _unit_points(x: object) -> Array:
    """Return points of [0, 1] as an array of shape (n,), or raise a ValueError that names x."""
    points = check_array("x", x, ndim=1)
    if ((points < 0) | (points > 1)).any():
        raise ValueError(f"x must lie in [0, 1], got {x!r}")
    return points


def necessary_range(eps: float) -> tuple[float, float]:
    r"""Return the printed "necessary" range $(e^{-\varepsilon}, e^{\varepsilon})$ of a continuous density on [0, 1].

    It is not necessary as printed. Where the uniform density belongs to the mollifier the closed range is.
    Raises ValueError for eps <= 0. Source: v1 and v2 section 3, v3 section 2.
    """
    eps = check_eps("eps", eps)
    return math.exp(-eps), math.exp(eps)


def sufficient_range(eps: float) -> tuple[float, float]:
    r"""Return $[e^{-\varepsilon/2}, e^{\varepsilon/2}]$: all densities within it form an $\varepsilon$-mollifier.

    Raises ValueError for eps <= 0. Source: v1 and v2 section 3 and footnote 2, v3 section 2.
    """
    eps = check_eps("eps", eps)
    return math.exp(-eps / 2), math.exp(eps / 2)


def total_variation_diameter(eps: float) -> float:
    r"""Return $\tanh(\varepsilon/2)$: the largest total variation between two members of an $\varepsilon$-mollifier.

    From $e^{-\varepsilon}\le Q/Q'\le e^\varepsilon$: the extreme case has ratio $e^{\pm\varepsilon}$ only, hence
    $(e^\varepsilon-1)/(e^\varepsilon+1)$. It tends to 0 with $\varepsilon$. Raises ValueError for eps <= 0.
    """
    return math.tanh(check_eps("eps", eps) / 2)


def scale_limit(low: float, high: float, eps: float, measure: float = 1.0) -> float:
    r"""Return the largest $a\in[0,1]$ such that $aQ+(1-a)/\mu$ has range in $[e^{-\varepsilon/2},e^{\varepsilon/2}]$.

    `low` and `high` are inf Q and sup Q in the same units as $1/\mu$, `measure` the base measure $\mu$ of the
    space; $a\le(e^{\varepsilon/2}-1/\mu)/(\sup Q-1/\mu)$ and $a\le(1/\mu-e^{-\varepsilon/2})/(1/\mu-\inf Q)$.
    Raises ValueError where no $a$ works, that is where $1/\mu$ itself is out of range (on a space of infinite
    measure always). Source: v1 Figure 3 (right), v3 Figure 2 (right); the papers print no formula.
    """
    low, high = check_finite("low", low), check_finite("high", high)
    eps = check_eps("eps", eps)
    if isinstance(measure, bool) or not isinstance(measure, int | float) or not measure > 0:
        raise ValueError(f"measure must be > 0, got {measure!r}")
    level = 1 / measure
    if not 0 <= low <= level <= high:
        raise ValueError(f"low and high must bracket 1/measure = {level!r}, got {low!r} and {high!r}")
    bottom, top = sufficient_range(eps)
    if not bottom <= level <= top:
        raise ValueError(f"measure must have 1/measure in [{bottom!r}, {top!r}] for eps = {eps!r}, got {measure!r}")
    limits = [1.0]
    if high > level:
        limits.append((top - level) / (high - level))
    if low < level:
        limits.append((level - bottom) / (level - low))
    return min(limits)


def scale_and_shift(density: object, eps: float, *, low: float, high: float) -> Array:
    r"""Return $aQ+(1-a)$ with the largest $a$ that fits the sufficient range; base measure one.

    `density` holds values of Q, shape (n,), `low` and `high` its infimum and supremum over the space. The map is
    increasing and affine, so it keeps every mode, and it multiplies every derivative by $a>0$.
    Raises ValueError for values outside [low, high]. Source: v1 Figure 3 (right), v3 Figure 2 (right).
    """
    values = check_array("density", density, ndim=1)
    eps, low, high = check_eps("eps", eps), check_finite("low", low), check_finite("high", high)
    if values.min() < low or values.max() > high:
        raise ValueError(f"density must lie in [low, high] = [{low!r}, {high!r}], got {density!r}")
    a = scale_limit(low, high, eps)
    shifted: Array = a * values + (1 - a)
    return shifted


def is_empty_on_infinite_measure(eps: float, measure: float) -> bool:
    r"""Tell whether $\mathcal M_\varepsilon$ read absolutely has no member on a space of base measure $\mu$.

    A density with values in $[e^{-\varepsilon/2},e^{\varepsilon/2}]$ has mass in $\mu[e^{-\varepsilon/2},
    e^{\varepsilon/2}]$, so there is one if and only if $e^{-\varepsilon/2}\le1/\mu\le e^{\varepsilon/2}$; on
    $\mathbb R^d$, where $\mu=\infty$, none. Raises ValueError for eps <= 0 or a measure <= 0.
    """
    eps = check_eps("eps", eps)
    if isinstance(measure, bool) or not isinstance(measure, int | float) or not measure > 0:
        raise ValueError(f"measure must be > 0, got {measure!r}")
    return abs(math.log(measure)) > eps / 2


def spike(x: object, eps: float, half_width: float) -> Array:
    r"""Return a continuous density on [0, 1] with maximum $e^\varepsilon$ and minimum $e^{-\varepsilon}$ exactly.

    A triangular spike around 1/2 on a floor $e^{-\varepsilon}$, which then falls linearly from its full height over
    `half_width`; with the uniform density it forms an $\varepsilon$-mollifier, though the printed range is open.
    The half-width $w$ must give mass one: $e^{-\varepsilon}+w(e^\varepsilon-e^{-\varepsilon})=1$, w <= 1/2;
    otherwise ValueError. `x` has shape (n,), in [0, 1]; otherwise ValueError.
    """
    points = _unit_points(x)
    eps = check_eps("eps", eps)
    width = check_interval("half_width", half_width, 0.0, 0.5, open_low=True)
    floor, top = math.exp(-eps), math.exp(eps)
    if abs(floor + width * (top - floor) - 1) > 1e-12:
        raise ValueError(f"half_width must be {(1 - floor) / (top - floor)!r} for mass one, got {half_width!r}")
    rise = np.maximum(0.0, 1 - np.abs(points - 0.5) / width)
    density: Array = floor + (top - floor) * rise
    return density


def tilted_pair(x: object) -> tuple[Array, Array]:
    r"""Return $Q_1=1/2+x$ and $Q_2=Q_1(1+(x-7/12)/10)$ on [0, 1]: a 0.0602-mollifier of two continuous densities.

    Their ratio lies in [113/120, 25/24], yet $\max Q_1=3/2>e^{0.2}$ and $\min Q_1=1/2<e^{-0.2}$: outside the
    "necessary" range at 0.2. `x` has shape (n,). Raises ValueError for points outside [0, 1].
    """
    points = _unit_points(x)
    first = np.polynomial.polynomial.polyval(points, [float(c) for c in EXAMPLE_PAIR[0]])
    second = np.polynomial.polynomial.polyval(points, [float(c) for c in EXAMPLE_PAIR[1]])
    return np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
