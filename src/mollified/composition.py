r"""Levels of K runs and of groups of K records: closed forms, and the exact hockey stick of randomised response.

A run of randomised response answers a bit truly with probability $\frac r{1+r}$, $r=e^{\varepsilon_0}$. Its loss is
$\pm\varepsilon_0$, so that of K runs is $(2B-K)\varepsilon_0$, B binomial, and
$\delta_K(\varepsilon)=E[(1-e^{\varepsilon-(2B-K)\varepsilon_0})_+]$. Among all pure $\varepsilon_0$-DP algorithms, run
K times, none has a larger delta at any level (Kairouz, Oh and Viswanath, 2015). Levels in nats; source of the group
bounds: lecture, Theorem "Group DP".
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from flint import arb
from scipy.optimize import minimize_scalar

from mollified._validate import _echo, check_count, check_eps, check_fraction, check_interval
from mollified.ball_mbde import ball
from mollified.bounds import Form
from mollified.lattice_walk import Walk, certified_tail, tail

__all__ = [
    "advanced_epsilon",
    "canonical_pair",
    "certified_response_delta",
    "exact_hockey_stick",
    "group_delta",
    "group_factor",
    "renyi_epsilon",
    "response_delta",
    "response_epsilon",
    "response_walk",
]

Advanced = Literal["lecture-notes", "mean"]


def exact_hockey_stick(one: Any, two: Any, factor: Fraction) -> Fraction:
    r"""Return $\sum_x(p_x-rq_x)_+$ exactly, the least delta of one order at $e^\varepsilon=r$ = `factor`.

    Raises TypeError or ValueError where the laws are not sequences of rationals of one length, or factor < 0.
    """
    r = check_fraction("factor", factor, minimum=0)
    for name, law in (("one", one), ("two", two)):
        if not isinstance(law, list | tuple) or not law or not all(isinstance(p, int | Fraction) for p in law):
            raise TypeError(f"{name} must be a non-empty sequence of fractions, got {_echo(law)}")
    if len(one) != len(two):
        raise ValueError(f"one and two must have one length, got {_echo(one)} and {_echo(two)}")
    return sum((max(p - r * q, Fraction(0)) for p, q in zip(one, two, strict=True)), Fraction(0))


def canonical_pair(exp_eps: Fraction, delta: Fraction) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    r"""Return the two laws that are the worst at $(\varepsilon,\delta)$, one the mirror image of the other.

    $(\delta,\frac{(1-\delta)r}{1+r},\frac{1-\delta}{1+r},0)$, $r=e^\varepsilon$:
    With probability delta the output tells which; else it is randomised response. Exact. Raises TypeError or ValueError
    unless exp_eps > 1 and 0 <= delta <= 1 are rational.
    """
    r, d = check_fraction("exp_eps", exp_eps, above=1), check_fraction("delta", delta, minimum=0, maximum=1)
    one = (d, (1 - d) * r / (1 + r), (1 - d) / (1 + r), Fraction(0))
    return one, one[::-1]


def _power_sum(r: Any, count: int) -> Any:
    total = 0 * r + 1
    for _ in range(count - 1):
        total = total * r + 1
    return total


def group_factor(exp_eps: Any, count: int, form: Form = "printed") -> Any:
    r"""Return what multiplies delta for groups of K: $Ke^{K\varepsilon}$ as printed, $1+r+\dots+r^{K-1}$ corrected.

    `exp_eps` is $r=e^\varepsilon\ge1$, a float, a rational or a ball. The corrected factor is attained. Raises
    TypeError or ValueError for r < 1, count < 1 or another form.
    """
    count = check_count("count", count)
    if isinstance(exp_eps, bool) or not isinstance(exp_eps, float | int | Fraction | arb):
        raise TypeError(f"exp_eps must be a number or a ball, got {_echo(exp_eps)}")
    if not exp_eps >= 1 or (isinstance(exp_eps, float) and math.isinf(exp_eps)):
        raise ValueError(f"exp_eps must be at least 1 and finite, got {_echo(exp_eps)}")
    if form not in ("printed", "corrected"):
        raise ValueError(f"form must be printed or corrected, got {form!r}")
    return count * exp_eps**count if form == "printed" else _power_sum(exp_eps, count)


def group_delta(eps: float, delta: float, count: int, form: Form = "corrected") -> float:
    r"""Return the delta at $K\varepsilon$ of groups of K, at most 1. Errs by rounding. Raises as `group_factor`."""
    level, count = check_interval("eps", eps, 0.0, 700.0), check_count("count", count)
    miss = check_interval("delta", delta, 0.0, 1.0)
    group_factor(1.0, 1, form)
    factor = float(group_factor(math.exp(level), count, form)) if count * level < 600 else math.inf
    return min(1.0, miss * factor) if miss > 0 else 0.0


def _levels(eps0: object, runs: object) -> tuple[float, int]:
    return check_interval("eps0", eps0, 0.0, 50.0, open_low=True), check_count("runs", runs)


def response_walk(exp_eps0: Fraction, runs: int) -> Walk:
    r"""Return the walk that counts the true answers of `runs` randomised responses at $e^{\varepsilon_0}$ rational.

    Raises TypeError or ValueError unless exp_eps0 > 1 is rational and runs >= 1.
    """
    r = check_fraction("exp_eps0", exp_eps0, above=1)
    return Walk(r / (1 + r), Fraction(0), check_count("runs", runs))


def certified_response_delta(eps: Fraction | arb, exp_eps0: Fraction, runs: int) -> arb:
    r"""Return a ball that contains $\delta_K(\varepsilon)$ of `runs` randomised responses, $0\le\varepsilon$, at any K.

    Raises TypeError or ValueError unless eps is a rational or a ball >= 0, and as `response_walk`; ArithmeticError
    where eps is so near a value of the loss that the precision of the context does not tell on which side it is (use
    `exact_hockey_stick` there).
    """
    if isinstance(eps, arb):
        if not eps >= 0:
            raise ValueError(f"eps must be at least 0, got {_echo(eps)}")
        level = eps
    else:
        level = ball(check_fraction("eps", eps, minimum=0))
    walk = response_walk(exp_eps0, runs)
    lam = 2 * ball(Fraction(exp_eps0)).log()
    alpha = level + runs * lam / 2
    start = math.ceil(float((alpha / lam).mid()) - 1e-9)
    for v0 in (start, start + 1):
        if alpha <= lam * v0 and alpha > lam * (v0 - 1):
            return certified_tail(walk, v0, alpha, lam)
    raise ArithmeticError(f"eps {eps!r} is not told from a value of the loss at this precision")


def response_delta(eps: float, eps0: float, runs: int) -> float:
    r"""Return $\delta_K(\varepsilon)$ of K = `runs` randomised responses at $\varepsilon_0$; 1e-9 off at most.

    Raises ValueError or TypeError for eps < 0, eps0 outside (0, 50], runs < 1.
    """
    (step, count), level = _levels(eps0, runs), check_interval("eps", eps, 0.0, math.inf)
    if level >= count * step:
        return 0.0
    p = 1 / (1 + Fraction(math.exp(-step)))  # 1 - p keeps its digits
    start = max(0, math.ceil((level / step + count) / 2))
    if start and level <= (2 * (start - 1) - count) * step:
        start -= 1
    gap = level - (2 * start - count) * step
    return min(1.0, tail(Walk(p, Fraction(0), count), start, min(max(gap, -2 * step), 0.0), 2 * step))


def response_epsilon(delta: float, eps0: float, runs: int) -> float:
    r"""Return the least $\varepsilon$ with $\delta_K(\varepsilon)\le\delta$, to 1e-10 of itself, from above.

    Raises ValueError or TypeError for delta outside (0, 1), and as `response_delta`.
    """
    step, count = _levels(eps0, runs)
    miss = check_interval("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
    low, high = 0.0, count * step
    if response_delta(0.0, step, count) <= miss:
        return 0.0
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if response_delta(middle, step, count) <= miss else (middle, high)
    return high


def _tanh(half: Any) -> Any:
    return half.tanh() if isinstance(half, arb) else math.tanh(half)


def advanced_epsilon(eps0: Any, runs: int, delta: Any, form: Advanced = "mean") -> Any:
    r"""Return the level of K runs of $\varepsilon_0$-DP algorithms at a total slack delta, by a tail bound.

    "lecture-notes": $\varepsilon_0\sqrt{2K\ln(1/\delta)}+K\varepsilon_0(e^{\varepsilon_0}-1)$ (Dwork, Rothblum and
    Vadhan, 2010; Dwork and Roth, 2014, Theorem 3.20). "mean": with the largest mean loss,
    $\varepsilon_0\sqrt{2K\ln(1/\delta)}+K\varepsilon_0\tanh\frac{\varepsilon_0}2$, proved on the page; smaller for all
    arguments. Floats (err by rounding) or balls. Raises ValueError or TypeError for eps0 <= 0, runs < 1, delta outside
    (0, 1), another form.
    """
    count = check_count("runs", runs)
    if form not in ("lecture-notes", "mean"):
        raise ValueError(f"form must be lecture-notes or mean, got {form!r}")
    if not isinstance(eps0, arb):
        eps0 = check_eps("eps0", eps0)
    elif not eps0 > 0:
        raise ValueError(f"eps0 must be > 0, got {_echo(eps0)}")
    if not isinstance(delta, arb):
        delta = check_interval("delta", delta, 0.0, 1.0, open_low=True, open_high=True)
    elif not (delta > 0 and delta < 1):
        raise ValueError(f"delta must lie in (0, 1), got {_echo(delta)}")
    if isinstance(eps0, arb) or isinstance(delta, arb):
        eps0, delta = arb(eps0), arb(delta)
        spread, grown = (-2 * count * delta.log()).sqrt(), eps0.expm1()
    else:
        spread, grown = math.sqrt(-2 * count * math.log(delta)), math.expm1(min(eps0, 700.0))
    return eps0 * spread + count * eps0 * (grown if form == "lecture-notes" else _tanh(eps0 / 2))


def _response_renyi(alpha: float, eps0: float) -> float:
    """Return the Renyi divergence of one randomised response, in nats."""
    logs = np.logaddexp(alpha * eps0, (1 - alpha) * eps0) - np.logaddexp(0.0, eps0)
    return float(logs) / (alpha - 1)


def renyi_epsilon(eps0: float, runs: int, delta: float) -> float:
    r"""Return the level at delta that the Renyi divergences of K randomised responses give, at the best order.

    $\min_{\alpha>1}KD_\alpha+\log\frac{\alpha-1}\alpha-\frac{\log(\delta\alpha)}{\alpha-1}$ (Canonne, Kamath and
    Steinke, 2020), and at most $K\varepsilon_0$. A valid level at every order, so an imperfect search errs on the large
    side. Raises ValueError or TypeError for eps0 outside (0, 50], runs < 1, delta outside (0, 1).
    """
    step, count = _levels(eps0, runs)
    miss = check_interval("delta", delta, 0.0, 1.0, open_low=True, open_high=True)

    def level(log_order: float) -> float:
        less = math.exp(log_order)
        alpha = 1 + less
        return count * _response_renyi(alpha, step) + math.log(less / alpha) - math.log(miss * alpha) / less

    grid = np.linspace(-9.0, 11.0, 161)
    best = int(np.argmin([level(float(x)) for x in grid]))
    ends = (float(grid[max(best - 1, 0)]), float(grid[min(best + 1, grid.size - 1)]))
    found = minimize_scalar(level, bounds=ends, method="bounded", options={"xatol": 1e-9})
    return max(0.0, min(float(found.fun), level(float(grid[best])), count * step))
