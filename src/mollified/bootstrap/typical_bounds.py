r"""Closed forms for the bootstrapping mechanism: how many records m may be released at a given pseudocount k.

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

Form = Literal["printed", "corrected"]


def _check_form(form: object) -> None:
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {echo('form', form)}")


def _unit(name: str, value: object) -> float:
    return check_interval(
        name,
        float(value) if isinstance(value, Fraction) else value,
        0,
        1,
        open_low=True,
        open_high=True,
    )


def _sizes(n: object, size: object, k: object) -> tuple[int, int, int]:
    return (
        check_count("n", n),
        check_count("size", size, minimum=2),
        check_count("k", k),
    )


def step_loss(k: int) -> float:
    r"""Return $\lambda=\log\frac{k+1}k$, the largest loss of one released record, in nats; ValueError for k < 1."""
    return math.log1p(1 / check_count("k", k))


def pure_records(eps: float, k: int) -> int:
    r"""Return the largest m with $m\log\frac{k+1}k\le\varepsilon$: pure eps-DP, decided exactly for the float eps.

    Raises ValueError or TypeError for eps <= 0, k < 1. Source: section 4.
    """
    level, k = check_eps("eps", eps), check_count("k", k)
    with working_precision(
        EXTRA_BITS + 2 * k.bit_length() + max(math.frexp(level)[1], 0)
    ):
        found = (
            (ball(Fraction(level)) / ball(Fraction(k + 1, k)).log())
            .floor()
            .unique_fmpz()
        )
    assert found is not None, (
        "the log of a rational is no rational, and floats come no nearer to it"
    )
    return int(found)


def typical_lower(gamma: float, delta: float, form: Form = "printed") -> float:
    r"""Return L of (1): $\frac2{\gamma^2}\log\frac2\delta$ as printed, $\frac1{2\gamma^2}\log\frac2\delta$ corrected.

    The corrected one suffices for Theorem 2: only the two cells that change matter, one
    side of each (Hoeffding). Raises ValueError or TypeError unless 0 < gamma, delta <
    1.
    """
    gamma, delta = _unit("gamma", gamma), _unit("delta", delta)
    _check_form(form)
    return (2.0 if form == "printed" else 0.5) * math.log(2 / delta) / gamma**2


def typical_upper(gamma: float, eps: float, n: int, size: int, k: int) -> float:
    r"""Return U of (2): $\varepsilon\big/\bigl((\frac1N+2\gamma)\lambda\bigr)$.

    Raises ValueError or TypeError unless 0 < gamma < 1, eps > 0, n, k >= 1, size >= 2.
    Source: Theorem 2.
    """
    gamma, eps = _unit("gamma", gamma), check_eps("eps", eps)
    n, size, k = _sizes(n, size, k)
    return eps / ((1 / (n + k * size) + 2 * gamma) * step_loss(k))


def smallest_pseudocount(
    gamma: float, delta: float, eps: float, n: int, size: int, form: Form = "printed"
) -> float:
    r"""Return $k_0$, the positive root of $a_2k^2+a_1k+a_0$ of Corollary 3.

    $a_2=\varepsilon|\Sigma|$, $a_1=\varepsilon n-2|\Sigma|\gamma L$,
    $a_0=-(2n\gamma+1)L$; corrected: $\lceil L\rceil$ in place of L, which makes room
    for a whole number m.
    """
    n, size, _ = _sizes(n, size, 1)
    low = typical_lower(gamma, delta)
    _check_form(form)
    if form == "corrected":
        low = math.ceil(low)
    a2 = eps * size
    a1 = eps * n - 2 * size * gamma * low
    a0 = -(2 * n * gamma + 1) * low
    root = math.sqrt(a1 * a1 - 4 * a2 * a0)
    return (root - a1) / (2 * a2) if a1 <= 0 else -2 * a0 / (root + a1)


def theorem_records(
    eps: float, delta: float, n: int, size: int, k: int, form: Form = "printed"
) -> int:
    r"""Return the largest whole m that Theorem 2 allows at the best gamma; 0 where it allows none.

    At $\gamma=\sqrt{c\log(2/\delta)/m}$ (c = 2; corrected 1/2) condition (1) is tight
    and (2) reads $\frac mN+2\sqrt{c\,m\log(2/\delta)}\le\varepsilon/\lambda$; gamma < 1
    asks for $m>c\log(2/\delta)$. Raises ValueError or TypeError as the other bounds.
    Errs below, by a share of $2\cdot10^{-12}$.
    """
    n, size, k = _sizes(n, size, k)
    eps, delta = check_eps("eps", eps), _unit("delta", delta)
    _check_form(form)
    room = eps / step_loss(k)
    least = (2.0 if form == "printed" else 0.5) * math.log(2 / delta)
    a = 1 / (n + k * size)
    root = room / (
        math.sqrt(least) + math.sqrt(least + a * room)
    )  # sqrt(m) of the quadratic
    m = math.floor(root * root * (1 - 1e-12))
    return m if m > least else 0


def hoeffding_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m with $m\ge\frac1{2\gamma^2}\log\frac1\delta$ and (2) at the best gamma > 0, or 0.

    Theorem 2 sharpened, by Hoeffding's inequality for the loss itself:
    $\frac mN+\sqrt{2m\log(1/\delta)}\le \varepsilon/\lambda$. Proof: page typical-sets
    of the book. Errs below, by a share of $2\cdot10^{-12}$. Raises ValueError or
    TypeError as the other bounds.
    """
    n, size, k = _sizes(n, size, k)
    eps, delta = check_eps("eps", eps), _unit("delta", delta)
    room = eps / step_loss(k)
    a = 1 / (n + k * size)
    half = math.sqrt(-math.log(delta) / 2)
    root = room / (half + math.sqrt(half * half + a * room))  # sqrt(m) of the quadratic
    return math.floor(root * root * (1 - 1e-12))


def hoeffding_delta(eps: float, n: int, size: int, k: int, m: int) -> float:
    r"""Return the least delta that `hoeffding_records` grants m records at eps; at most 1.

    $e^{-2m\gamma^2}$ at the largest gamma of (2),
    $2\gamma=\frac\varepsilon{m\lambda}-\frac1N$, where that is positive. Raises
    ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    n, size, k = _sizes(n, size, k)
    m = check_count("m", m)
    gamma = max(eps / (m * step_loss(k)) - 1 / (n + k * size), 0.0) / 2
    return math.exp(-2 * m * gamma**2)


def renyi_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m that Theorem 2* allows; 0 where k is too small for it.

    With $l=\log(1/\delta)$:
    $m\le e^{-1/12}(\sqrt{l+\varepsilon}-\sqrt l)^2N\sqrt{k(k+1)}$, provided that
    $k\ge\sqrt{l+\varepsilon}/(\sqrt{l+\varepsilon}-\sqrt l)$. Errs below, by a share of
    $2\cdot10^{-12}$. Raises ValueError or TypeError as the other bounds.
    """
    n, size, k = _sizes(n, size, k)
    eps, log_delta = check_eps("eps", eps), -math.log(_unit("delta", delta))
    gap = eps / (math.sqrt(log_delta + eps) + math.sqrt(log_delta))
    if k * gap < math.sqrt(log_delta + eps):
        return 0
    return math.floor(
        math.exp(-1 / 12)
        * gap**2
        * (n + k * size)
        * math.sqrt(k * (k + 1))
        * (1 - 1e-12)
    )


def theorem_delta(
    eps: float, n: int, size: int, k: int, m: int, form: Form = "printed"
) -> float:
    r"""Return the least delta that Theorem 2 grants m records at eps, 1 where it grants none.

    $2e^{-m\gamma^2/c}$ (c = 2; corrected 1/2) at the largest gamma that (2) admits,
    $2\gamma=\frac\varepsilon {m\lambda}-\frac1N$, as long as $0<\gamma<1$. Raises
    ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    n, size, k = _sizes(n, size, k)
    m = check_count("m", m)
    _check_form(form)
    gamma = min((eps / (m * step_loss(k)) - 1 / (n + k * size)) / 2, 1 - 1e-12)
    if gamma <= 0:
        return 1.0
    return min(2 * math.exp(-m * gamma**2 / (2.0 if form == "printed" else 0.5)), 1.0)


def _orders(k: int) -> tuple[Array, Array]:
    r"""Return orders > 1, and $4\sqrt{k(k+1)}\sinh\frac{\alpha\lambda}2\sinh\frac{(\alpha-1)\lambda}2$ of each."""
    lam = step_loss(k)
    alpha = 1 + np.geomspace(1e-3, max(600 / lam, 1.0), 4000)
    return alpha, 4 * math.sqrt(k * (k + 1)) * np.sinh(alpha * lam / 2) * np.sinh(
        (alpha - 1) * lam / 2
    )


def _saving(alpha: Array) -> Array:
    r"""Return $\log\alpha-(\alpha-1)\log(1-\frac1\alpha)>0$: minus the log of $\max_x(1-e^{-x})e^{-(\alpha-1)x}$."""
    return np.asarray(np.log(alpha) - (alpha - 1) * np.log1p(-1 / alpha))


def renyi_delta(eps: float, n: int, size: int, k: int, m: int) -> float:
    r"""Return the least delta that Theorem 2* grants m records at eps, over 4000 orders; at most 1.

    $\log\delta=\min_\alpha(\alpha-1)(D_\alpha-\varepsilon)-\log\alpha+(\alpha-1)\log(1-\frac1\alpha)$.
    Errs above: each order is valid. Raises ValueError or TypeError as the other bounds.
    """
    eps = check_eps("eps", eps)
    n, size, k = _sizes(n, size, k)
    m = check_count("m", m)
    alpha, bend = _orders(k)
    exponent = m * np.log1p(bend / (n + k * size)) - (alpha - 1) * eps - _saving(alpha)
    # Where it underflows, the smallest float is above it.
    return max(float(math.exp(min(exponent.min(), 0.0))), 5e-324)


def order_records(eps: float, delta: float, n: int, size: int, k: int) -> int:
    r"""Return the largest whole m that Theorem 2* allows at the best of 4000 orders; no condition on k.

    $m\le\max_\alpha\bigl((\alpha-1)\varepsilon-\log\frac1\delta+\log\alpha-(\alpha-1)\log(1-\frac1\alpha)\bigr)\big/ \log\bigl(1+\frac4N\sqrt{k(k+1)}\sinh\frac{\alpha\lambda}2\sinh\frac{(\alpha-1)\lambda}2\bigr)$;
    0 if that is < 1. Errs below: each order is valid. Raises ValueError or TypeError as
    the other bounds.
    """
    n, size, k = _sizes(n, size, k)
    eps, log_delta = check_eps("eps", eps), -math.log(_unit("delta", delta))
    alpha, bend = _orders(k)
    room = (alpha - 1) * eps - log_delta + _saving(alpha)
    return max(
        math.floor(float((room / np.log1p(bend / (n + k * size))).max()) * (1 - 1e-12)),
        0,
    )
