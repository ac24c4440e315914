r"""Closed forms for the bootstrapping mechanism: how many records m at a given k.

$N=n+k|\Sigma|$, $\lambda=\log\frac{k+1}k$, logs natural. Theorem 2 as printed, with the
sharper bound that its two cells allow; the pure guarantee; and Theorem 2*, by Renyi
divergence, at any order and in closed form, which is of the exact order. All results
err by rounding only, except that whole numbers of records are rounded down. Sources:
bootstrapping paper, Theorem 2, Corollary 3, section 4; Theorem 2* is the book's (page
exact-accounting).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np

from mollified._validate import Array, check_count, check_eps, check_interval, echo
from mollified.bootstrap.setting import Smoothing
from mollified.privacy.exact_level import ball
from statements.precision import working_precision

__all__ = [
    "hoeffding_delta",
    "hoeffding_records",
    "order_records",
    "pure_records",
    "renyi_delta",
    "renyi_records",
    "smallest_pseudocount",
    "step_loss",
    "theorem_delta",
    "theorem_records",
    "typical_lower",
    "typical_upper",
]

#: Bits of balls beyond those of the numbers in them.
EXTRA_BITS = 192
#: More than the rounding of a bound in floats.
ROUNDING = 1e-12
#: How many orders are tried, the least one less 1, and lambda times the greatest.
ORDERS = 4000
LEAST_ORDER = 1e-3
GREATEST_ORDER = 600
#: The least float > 0.
LEAST = 5e-324

Form = Literal["printed", "corrected"]


def _check_form(form: object) -> None:
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {echo('form', form)}")


def _unit(name: str, value: object) -> float:
    number = float(value) if isinstance(value, Fraction) else value
    return check_interval(name, number, 0, 1, open_low=True, open_high=True)


def _factor(form: Form) -> float:
    r"""Return c of $L=\frac c{\gamma^2}\log\frac2\delta$."""
    _check_form(form)
    if form == "printed":
        return 2.0
    return 0.5


def _most(bound: float) -> int:
    """Return the largest whole m surely within a bound in floats."""
    return math.floor(bound * (1 - ROUNDING))


def step_loss(k: int) -> float:
    r"""Return $\lambda=\log\frac{k+1}k$, the largest loss of a record, in nats.

    Raises ValueError for k < 1.
    """
    return math.log1p(1 / check_count("k", k))


def pure_records(eps: float, k: int) -> int:
    r"""Return the largest m with $m\log\frac{k+1}k\le\varepsilon$: pure eps-DP.

    Decided exactly for the float eps. Raises ValueError or TypeError for eps <= 0, k <
    1. Source: section 4.
    """
    level = check_eps("eps", eps)
    k = check_count("k", k)
    digits = max(math.frexp(level)[1], 0)
    with working_precision(EXTRA_BITS + 2 * k.bit_length() + digits):
        ratio = ball(Fraction(level)) / ball(Fraction(k + 1, k)).log()
        most = ratio.floor().unique_fmpz()
    assert most is not None, (
        "the log of a rational is no rational, and floats come no nearer to it"
    )
    return int(most)


def typical_lower(gamma: float, delta: float, form: Form = "printed") -> float:
    r"""Return L of (1), as printed or corrected.

    $\frac2{\gamma^2}\log\frac2\delta$ as printed, $\frac1{2\gamma^2}\log\frac2\delta$
    corrected. The corrected one suffices for Theorem 2: only the two cells that change
    matter, one side of each (Hoeffding). Raises ValueError or TypeError unless 0 <
    gamma, delta < 1.
    """
    gamma = _unit("gamma", gamma)
    delta = _unit("delta", delta)
    return _factor(form) * math.log(2 / delta) / gamma**2


def typical_upper(gamma: float, eps: float, n: int, size: int, k: int) -> float:
    r"""Return U of (2): $\varepsilon\big/\bigl((\frac1N+2\gamma)\lambda\bigr)$.

    Raises ValueError or TypeError unless 0 < gamma < 1, eps > 0, n, k >= 1, size >= 2.
    Source: Theorem 2.
    """
    gamma = _unit("gamma", gamma)
    eps = check_eps("eps", eps)
    data = Smoothing(n, size, k)
    return eps / ((1 / data.total + 2 * gamma) * step_loss(k))


def smallest_pseudocount(
    gamma: float,
    delta: float,
    eps: float,
    n: int,
    size: int,
    form: Form = "printed",
) -> float:
    r"""Return $k_0$, the positive root of $a_2k^2+a_1k+a_0$ of Corollary 3.

    $a_2=\varepsilon|\Sigma|$, $a_1=\varepsilon n-2|\Sigma|\gamma L$,
    $a_0=-(2n\gamma+1)L$; corrected: $\lceil L\rceil$ in place of L, which makes room
    for a whole number m.
    """
    data = Smoothing(n, size, 1)
    n = data.n
    size = data.size
    low = typical_lower(gamma, delta)
    _check_form(form)
    if form == "corrected":
        low = math.ceil(low)
    a2 = eps * size
    a1 = eps * n - 2 * size * gamma * low
    a0 = -(2 * n * gamma + 1) * low
    root = math.sqrt(a1 * a1 - 4 * a2 * a0)
    if a1 <= 0:
        return (root - a1) / (2 * a2)
    return -2 * a0 / (root + a1)


def theorem_records(
    eps: float,
    delta: float,
    n: int,
    size: int,
    k: int,
    form: Form = "printed",
) -> int:
    r"""Return the largest whole m that Theorem 2 allows at the best gamma, or 0.

    At $\gamma=\sqrt{c\log(2/\delta)/m}$ (c = 2; corrected 1/2) condition (1) is tight
    and (2) reads $\frac mN+2\sqrt{c\,m\log(2/\delta)}\le\varepsilon/\lambda$; gamma < 1
    asks for $m>c\log(2/\delta)$. Raises ValueError or TypeError as the other bounds.
    Errs below, by a share of $2\cdot10^{-12}$.
    """
    data = Smoothing(n, size, k)
    eps = check_eps("eps", eps)
    delta = _unit("delta", delta)
    least = _factor(form) * math.log(2 / delta)
    steps = eps / step_loss(k)
    cell = 1 / data.total
    # sqrt(m) of the quadratic
    root = steps / (math.sqrt(least) + math.sqrt(least + cell * steps))
    m = _most(root * root)
    return m if m > least else 0


def hoeffding_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m by Theorem 2 sharpened at the best gamma > 0, or 0.

    With $m\ge\frac1{2\gamma^2}\log\frac1\delta$ and (2). Theorem 2 sharpened, by
    Hoeffding's inequality for the loss itself:
    $\frac mN+\sqrt{2m\log(1/\delta)}\le \varepsilon/\lambda$. Proof: page typical-sets
    of the book. Errs below, by a share of $2\cdot10^{-12}$. Raises ValueError or
    TypeError as the other bounds.
    """
    data = Smoothing(n, size, k)
    eps = check_eps("eps", eps)
    delta = _unit("delta", delta)
    steps = eps / step_loss(k)
    cell = 1 / data.total
    half = math.sqrt(-math.log(delta) / 2)
    # sqrt(m) of the quadratic
    root = steps / (half + math.sqrt(half * half + cell * steps))
    return _most(root * root)


def hoeffding_delta(eps: float, n: int, size: int, k: int, m: int) -> float:
    r"""Return the least delta of `hoeffding_records` for m records at eps; at most 1.

    $e^{-2m\gamma^2}$ at the largest gamma of (2),
    $2\gamma=\frac\varepsilon{m\lambda}-\frac1N$, where that is positive. Raises
    ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    data = Smoothing(n, size, k)
    m = check_count("m", m)
    steps = eps / (m * step_loss(k))
    gamma = max(steps - 1 / data.total, 0.0) / 2
    return math.exp(-2 * m * gamma**2)


def renyi_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m that Theorem 2* allows; 0 where k is too small.

    With $l=\log(1/\delta)$:
    $m\le e^{-1/12}(\sqrt{l+\varepsilon}-\sqrt l)^2N\sqrt{k(k+1)}$, provided that
    $k\ge\sqrt{l+\varepsilon}/(\sqrt{l+\varepsilon}-\sqrt l)$. Errs below, by a share of
    $2\cdot10^{-12}$. Raises ValueError or TypeError as the other bounds.
    """
    data = Smoothing(n, size, k)
    eps = check_eps("eps", eps)
    log_delta = -math.log(_unit("delta", delta))
    gap = eps / (math.sqrt(log_delta + eps) + math.sqrt(log_delta))
    if data.k * gap < math.sqrt(log_delta + eps):
        return 0
    root = math.sqrt(data.k * (data.k + 1))
    return _most(math.exp(-1 / 12) * gap**2 * data.total * root)


def theorem_delta(
    eps: float,
    n: int,
    size: int,
    k: int,
    m: int,
    form: Form = "printed",
) -> float:
    r"""Return the least delta that Theorem 2 grants m records at eps, or 1.

    $2e^{-m\gamma^2/c}$ (c = 2; corrected 1/2) at the largest gamma that (2) admits,
    $2\gamma=\frac\varepsilon {m\lambda}-\frac1N$, as long as $0<\gamma<1$. Raises
    ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    data = Smoothing(n, size, k)
    m = check_count("m", m)
    factor = _factor(form)
    steps = eps / (m * step_loss(k))
    cell = 1 / data.total
    gamma = min((steps - cell) / 2, 1 - ROUNDING)
    if gamma <= 0:
        return 1.0
    return min(2 * math.exp(-m * gamma**2 / factor), 1.0)


def _orders(k: int) -> tuple[Array, Array]:
    r"""Return orders > 1, and by how much each bends.

    $4\sqrt{k(k+1)}\sinh\frac{\alpha\lambda}2\sinh\frac{(\alpha-1)\lambda}2$.
    """
    lam = step_loss(k)
    alpha = 1 + np.geomspace(LEAST_ORDER, max(GREATEST_ORDER / lam, 1.0), ORDERS)
    root = 4 * math.sqrt(k * (k + 1))
    bend = root * np.sinh(alpha * lam / 2) * np.sinh((alpha - 1) * lam / 2)
    return alpha, bend


def _saving(alpha: Array) -> Array:
    r"""Return $\log\alpha-(\alpha-1)\log(1-\frac1\alpha)>0$.

    It is minus the log of $\max_x(1-e^{-x})e^{-(\alpha-1)x}$.
    """
    return np.asarray(np.log(alpha) - (alpha - 1) * np.log1p(-1 / alpha))


def renyi_delta(eps: float, n: int, size: int, k: int, m: int) -> float:
    r"""Return the least delta that Theorem 2* grants m records at eps; at most 1.

    The best of 4000 orders:
    $$\log\delta=\min_\alpha(\alpha-1)(D_\alpha-\varepsilon)
    -\log\alpha+(\alpha-1)\log(1-\frac1\alpha).$$

    Errs above: each order is valid. Raises ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    data = Smoothing(n, size, k)
    m = check_count("m", m)
    alpha, bend = _orders(data.k)
    spent = m * np.log1p(bend / data.total)
    allowed = (alpha - 1) * eps
    exponent = spent - allowed - _saving(alpha)
    # Where it underflows, the smallest float is above it.
    return max(float(math.exp(min(exponent.min(), 0.0))), LEAST)


def order_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m that Theorem 2* allows at the best of 4000 orders.

    No condition on k. The largest over $\alpha$ of
    $$\frac{(\alpha-1)\varepsilon-\log\frac1\delta
    +\log\alpha-(\alpha-1)\log(1-\frac1\alpha)}
    {\log\bigl(1+\frac4N\sqrt{k(k+1)}
    \sinh\frac{\alpha\lambda}2\sinh\frac{(\alpha-1)\lambda}2\bigr)};$$
    0 if that is < 1.

    Errs below: each order is valid. Raises ValueError or TypeError as the other bounds.
    """
    data = Smoothing(n, size, k)
    eps = check_eps("eps", eps)
    log_delta = -math.log(_unit("delta", delta))
    alpha, bend = _orders(data.k)
    allowed = (alpha - 1) * eps - log_delta + _saving(alpha)
    spent = np.log1p(bend / data.total)
    most = float((allowed / spent).max())
    return max(_most(most), 0)
