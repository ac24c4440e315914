r"""The bounds of the papers on KL drop and gain, as printed and as corrected.

One function a bound, used by pages, figures and tests alike. Arguments are floats,
arrays (they broadcast) or balls of python-flint (`arb`, or object arrays of them): with
balls the result is certified, with floats it errs by rounding. All logs are natural,
divergences are in nats. $u=\theta c^*$ is the length of a step;
$\psi(u,\gamma)= \log(\cosh u-\gamma\sinh u)$ bounds $\log\mathbb E_Q e^{\theta c}$ for
a classifier with edge $\gamma$ over $Q$. Sources: v1 Theorems 6 to 8 and Lemmas 13 to
18, v2 and v3 alike under other numbers; `form="corrected"` is the book's.
"""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np
from flint import arb

from mollified._validate import Array, check_count, echo

__all__ = [
    "Form",
    "gain_lower",
    "gain_share",
    "gain_upper",
    "gamma_function",
    "kl_drop",
    "kl_drop_hoeffding",
    "log_moment",
]

Form = Literal["printed", "corrected"]
#: A float, an array, a ball, or an array of balls: one formula serves all of them.
Value: TypeAlias = Any
#: The longest step whose exponentials floats hold, and where the high regime begins.
LONGEST_STEP = 350.0
HIGH_REGIME = 1 / 3


def _check_form(form: object) -> None:
    if not isinstance(form, str) or form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {echo('form', form)}")


def _balls(name: str, value: Value) -> list[arb]:
    """Return the entries of a ball, or of an array of balls."""
    entries = [value] if isinstance(value, arb) else list(value.flat)
    if not all(isinstance(entry, arb) for entry in entries):
        raise TypeError(f"{name} must hold balls, got {echo(name, value)}")
    return entries


def _is_beyond(ball: arb, low: float, high: float, above: bool) -> bool:
    """Tell whether a ball certainly lies outside of an interval."""
    if not ball.is_finite() or ball < low or ball > high:
        return True
    return bool(above and ball <= low)


def _floats(name: str, value: Value) -> Array:
    message = f"{name} must be a number, an array or a ball, got {echo(name, value)}"
    if value is None or isinstance(value, bool | str):
        raise TypeError(message)
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(message) from error


def _check(
    name: str,
    value: Value,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
) -> Value:
    """Return floats as an array, balls as they are, within [low, high].

    Refuses what lies outside, for balls: certainly. With `above` low lies outside.
    """
    of_objects = isinstance(value, np.ndarray) and value.dtype == object
    if of_objects or isinstance(value, arb):
        wrong = any(_is_beyond(ball, low, high, above) for ball in _balls(name, value))
        checked = value
    else:
        checked = _floats(name, value)
        outside = ~np.isfinite(checked) | (checked < low) | (checked > high)
        wrong = bool((outside | (above & (checked <= low))).any())
    if wrong:
        bracket = "(" if above else "["
        raise ValueError(
            f"{name} must lie in {bracket}{low:g}, {high:g}], got {echo(name, value)}"
        )
    return checked


def _log(number: int, like: Value) -> Value:
    """Return the logarithm of an integer in the arithmetic of `like`."""
    return np.log(like * 0 + number)


def _float(value: Value) -> Value:
    """Return an array without axes as a float, and all else as it is."""
    if isinstance(value, np.ndarray | np.float64) and np.ndim(value) == 0:
        return float(value)
    return value


def _step(theta: Value, c_star: Value) -> Value:
    length = _check("theta", theta, 0.0, above=True)
    return length * _check("c_star", c_star, 0.0, above=True)


def _edge(name: str, value: Value) -> Value:
    return _check(name, value, 0.0, 1.0)


def _steps(eps: Value, rounds: int) -> Value:
    """Return theta_1..theta_T on a new last axis."""
    ratio = np.asarray(eps / (eps + 4 * _log(2, eps)))
    return np.stack([ratio**t for t in range(1, rounds + 1)], axis=-1)


def gamma_function(z: Value) -> Value:
    r"""Return $\Gamma(z)=\log\frac{4}{5-3z}$ for $z\le1$. Source: v1 Theorem 6, (8)."""
    z = _check("z", z, -math.inf, 1.0)
    return _float(_log(4, z) - np.log(5 - 3 * z))


def log_moment(u: Value, gamma_q: Value) -> Value:
    r"""Return $\psi(u,\gamma_Q)=\log(\cosh u-\gamma_Q\sinh u)$.

    For $u\ge0$, $\gamma_Q\in[0,1]$. Computed as
    $-u+\mathrm{log1p}(\frac{1-\gamma_Q}2\mathrm{expm1}(2u))$, which does not overflow
    before $u=350$ and errs by a few units in the last place of u. Not in the papers.
    """
    u = _check("u", u, 0.0, LONGEST_STEP)
    gamma_q = _edge("gamma_q", gamma_q)
    return _float(-u + np.log1p((1 - gamma_q) / 2 * np.expm1(2 * u)))


def kl_drop_hoeffding(
    theta: Value,
    c_star: Value,
    gamma_p: Value,
    gamma_q: Value,
) -> Value:
    r"""Return $c^*\theta(\gamma_P+\gamma_Q-c^*\theta/2)$, a drop in any regime.

    It is what the papers' own proof gives. Raises as `kl_drop`. Source: v1 (43).
    """
    u = _step(theta, c_star)
    edges = _edge("gamma_p", gamma_p) + _edge("gamma_q", gamma_q)
    return _float(u * edges - u * u / 2)


def kl_drop(
    theta: Value,
    c_star: Value,
    gamma_p: Value,
    gamma_q: Value,
    *,
    form: Form,
    regime: Literal["low", "high"] | None = None,
) -> Value:
    r"""Return the lower bound on the drop of one step.

    The drop is $\operatorname{KL}(P,Q_{t-1})-\operatorname{KL}(P,Q_t)$. Printed:
    $\theta(\gamma_P+\gamma_Q-c^*\theta/2)$ in the low regime ($\gamma_Q<1/3$),
    $\theta(c^*\gamma_P+\Gamma( \gamma_Q))$ in the high one; `regime` fixes one branch
    (needed for balls), else it follows $\gamma_Q$. Corrected, for both:
    $u\gamma_P-\psi(u,\gamma_Q)$ with $u=\theta c^*$; attained by two-valued
    classifiers, hence the best bound in these four quantities. It grows with both
    edges. Raises ValueError or TypeError for theta or c_star <= 0, edges outside [0, 1]
    or an unknown form. Source: v1 Theorem 6, (8)-(9); v3 Theorem 5.
    """
    _check_form(form)
    if regime not in (None, "low", "high"):
        raise ValueError(
            f"regime must be low, high or None, got {echo('regime', regime)}"
        )
    u = _step(theta, c_star)
    edge_p = _edge("gamma_p", gamma_p)
    edge_q = _edge("gamma_q", gamma_q)
    if form == "corrected":
        return _float(u * edge_p - log_moment(u, edge_q))
    theta = _check("theta", theta)
    c_star = _check("c_star", c_star)
    low = theta * (edge_p + edge_q - u / 2)
    high = theta * (c_star * edge_p + gamma_function(edge_q))
    if regime == "low":
        return _float(low)
    if regime == "high":
        return _float(high)
    if np.asarray(edge_q).dtype == object:
        raise TypeError("regime must be low or high for balls, got None")
    return _float(np.where(edge_q < HIGH_REGIME, low, high))


def gain_upper(eps: Value, rounds: int, *, form: Form) -> Value:
    r"""Return the barrier on $\Delta(Q_T)$.

    Printed $\varepsilon/2$, sharp $\frac\varepsilon2(1-\theta_T)$. The printed one is
    for every member of $\mathcal M_{\varepsilon,Q_0}$, the sharp one for outputs of
    MBDE. Raises ValueError or TypeError for eps <= 0, rounds < 1. Source: v1 Theorem 7
    (10); v3 Theorem 6.
    """
    _check_form(form)
    eps = _check("eps", eps, 0.0, above=True)
    rounds = check_count("rounds", rounds)
    if form == "printed":
        return _float(eps / 2)
    return _float(eps / 2 * (1 - (eps / (eps + 4 * _log(2, eps))) ** rounds))


def gain_share(gamma_p: Value, gamma_q: Value, *, form: Form) -> Value:
    r"""Return the share of the barrier that is guaranteed.

    The barrier is $\frac\varepsilon2(1-\theta_T)$, and $c_t^*=\log2$ in all rounds.
    Printed $(\gamma_P+\gamma_Q)/2$, corrected
    $\frac12(\gamma_P+\Gamma(\gamma_Q)/\log2)$. Source: v1 Theorem 7, (11).
    """
    _check_form(form)
    edge_p = _edge("gamma_p", gamma_p)
    edge_q = _edge("gamma_q", gamma_q)
    if form == "printed":
        return _float((edge_p + edge_q) / 2)
    return _float((edge_p + gamma_function(edge_q) / _log(2, edge_q)) / 2)


def gain_lower(
    eps: Value,
    rounds: int,
    gamma_p: Value,
    gamma_q: Value,
    *,
    form: Form,
    c_star: Value = None,
) -> Value:
    r"""Return the lower bound on the gain $\Delta(Q_T)$, in nats.

    The edges are kept in all rounds.
    $\Delta(Q_T)=\operatorname{KL}(P,Q_0)-\operatorname{KL}(P,Q_T)$. Printed:
    $\frac\varepsilon2(1-\theta_T) (\gamma_P+\gamma_Q)/2$. Corrected:
    $\sum_t[u_t\gamma_P-\psi(u_t,\gamma_Q)]$, $u_t=\theta_tc_t^*$; `c_star` has the
    rounds on its last axis, None is $\log2$ in every round. `eps`, `gamma_p` and
    `gamma_q` broadcast without that axis. Raises as `kl_drop` and `gain_upper`. Source:
    v1 Theorem 7 (11), v3 (13).
    """
    _check_form(form)
    eps = _check("eps", eps, 0.0, above=True)
    rounds = check_count("rounds", rounds)
    edge_p = _edge("gamma_p", gamma_p)
    edge_q = _edge("gamma_q", gamma_q)
    if form == "printed":
        share = gain_share(edge_p, edge_q, form="printed")
        return _float(share * gain_upper(eps, rounds, form="corrected"))
    u = _lengths(eps, rounds, c_star)
    gains = _gains(u, np.asarray(edge_p)[..., np.newaxis], edge_q)
    return _float(gains.sum(axis=-1))


def _lengths(eps: Value, rounds: int, c_star: Value) -> Value:
    steps = _steps(eps, rounds)
    if c_star is None:
        return steps * _log(2, steps)
    largest = _check("c_star", c_star, 0.0, above=True)
    if np.shape(largest)[-1:] != (rounds,):
        raise ValueError(
            f"c_star must have {rounds} entries on its last axis, got "
            f"{echo('c_star', c_star)}"
        )
    return steps * largest


def _gains(u: Value, edge_p: Value, edge_q: Value) -> Value:
    return u * edge_p - log_moment(u, np.asarray(edge_q)[..., np.newaxis])
