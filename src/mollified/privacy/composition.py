r"""Levels of K runs: closed forms, and the exact hockey stick of randomised response.

A run of randomised response answers a bit truly with probability $\frac r{1+r}$,
$r=e^{\varepsilon_0}$. Its loss is $\pm\varepsilon_0$, so that of K runs is
$(2B-K)\varepsilon_0$, B binomial, and
$\delta_K(\varepsilon)=E[(1-e^{\varepsilon-(2B-K)\varepsilon_0})_+]$. Among all pure
$\varepsilon_0$-DP algorithms, run K times, none has a larger delta at any level
(Kairouz, Oh and Viswanath, 2015). Levels in nats.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb, fmpz
from scipy.optimize import minimize_scalar

from mollified._validate import check_count, check_fraction, check_interval, echo
from mollified.privacy.exact_level import ball, float_above
from mollified.privacy.lattice_walk import Walk, certified_tail, tail
from mollified.privacy.smallest import close_in
from statements.precision import working_precision

__all__ = [
    "certified_response_delta",
    "renyi_epsilon",
    "response_delta",
    "response_epsilon",
    "response_walk",
]

#: Levels of one run, and runs, whose results in floats keep their digits.
LEAST = 1e-30
MOST = 50.0
MOST_RUNS = 10**15
#: The least delta, and how much more than rounding a search leaves below one.
LEAST_DELTA = 1e-300
ROUNDING = 1e-12
#: The relative width to which a level is bisected.
LEVEL_WIDTH = 1e-10
#: Working precision in bits, beyond those of the runs.
BITS = 192
#: The logs of orders less one that are tried, and how near the best is searched.
ORDERS = (-9.0, 11.0, 161)
ORDER_WIDTH = 1e-9
#: From here on the log of a hyperbolic sine is taken from exponentials.
LARGE = 20


def _levels(eps0: object, runs: object) -> tuple[float, int]:
    step = check_interval("eps0", eps0, LEAST, MOST)
    count = check_count("runs", runs)
    if count > MOST_RUNS:
        raise ValueError(
            f"runs must be at most 10^15, got {echo('runs', runs)}:"
            " use certified_response_delta"
        )
    return step, count


def response_walk(exp_eps0: Fraction, runs: int) -> Walk:
    r"""Return the walk that counts the true answers of `runs` randomised responses.

    At $e^{\varepsilon_0}$ rational.
    """
    return Walk(exp_eps0 / (1 + exp_eps0), Fraction(0), runs)


def certified_response_delta(eps: Fraction | arb, exp_eps0: Fraction, runs: int) -> arb:
    r"""Return a ball that contains $\delta_K(\varepsilon)$ of randomised responses.

    At any K = `runs`, $0\le\varepsilon$. Raises TypeError or ValueError unless eps is a
    rational or a ball >= 0, exp_eps0 a rational > 1, runs >= 1; ArithmeticError where
    eps is a ball that does not tell on which side of a value of the loss it is.
    """
    ratio = check_fraction("exp_eps0", exp_eps0, above=1)
    walk = response_walk(ratio, check_count("runs", runs))
    with working_precision(BITS + 2 * runs.bit_length(), or_more=True):
        level = eps
        if not isinstance(level, arb):
            level = ball(check_fraction("eps", level, minimum=0))
        if not level >= 0:
            raise ValueError(f"eps must be at least 0, got {echo('eps', eps)}")
        lam = 2 * ball(ratio).log()
        alpha = level + runs * lam / 2
        start = (alpha / lam).ceil().unique_fmpz()
        if level == 0:
            start = fmpz((runs + 1) // 2)
    if start is None:
        raise ArithmeticError(
            f"eps {eps!r} is not told from a value of the loss at this precision"
        )
    return certified_tail(walk, int(start), alpha, lam)


def _share(eps0: float) -> Fraction:
    r"""Return $e^{\varepsilon_0}/(1+e^{\varepsilon_0})$ to 192 bits.

    And so its difference from one.
    """
    with working_precision(BITS):
        mantissa, exponent = (-arb(eps0)).exp().mid().man_exp()
    return 1 / (1 + int(mantissa) * Fraction(2) ** int(exponent))


def _whole_level(eps0: float, runs: int) -> float:
    r"""Return the least float that is not below $K\varepsilon_0$, where delta is 0."""
    return float_above(runs * Fraction(eps0))


def response_delta(eps: float, eps0: float, runs: int) -> float:
    r"""Return $\delta_K(\varepsilon)$ of K = `runs` randomised responses.

    Errs on either side, relatively by at most $10^{-12}$ where it is a normal float.
    Raises ValueError or TypeError for eps < 0, eps0 outside [1e-30, 50], runs outside
    1..10^15.
    """
    (step, count) = _levels(eps0, runs)
    level = Fraction(check_interval("eps", eps, 0.0, math.inf))
    exact = Fraction(step)
    if level >= count * exact:
        return 0.0
    start = max(0, math.ceil((level / exact + count) / 2))
    gap = float(level - (2 * start - count) * exact)
    walk = Walk(_share(step), Fraction(0), count)
    return min(1.0, tail(walk, start, max(gap, -2 * step), 2 * step))


def response_epsilon(delta: float, eps0: float, runs: int) -> float:
    r"""Return the least $\varepsilon$ with $\delta_K(\varepsilon)\le\delta$.

    Errs above, by 1e-10 of itself and by what a share $2\cdot10^{-12}$ of delta moves.
    Raises ValueError or TypeError for delta outside [1e-300, 1), and as
    `response_delta`.
    """
    step, count = _levels(eps0, runs)
    goal = check_interval("delta", delta, LEAST_DELTA, 1.0, open_high=True)
    miss = goal * (1 - ROUNDING)

    def fits(eps: float) -> bool:
        return response_delta(eps, step, count) <= miss

    if fits(0.0):
        return 0.0
    return close_in(fits, 0.0, _whole_level(step, count), LEVEL_WIDTH)[1]


def _log_sinh(x: float) -> float:
    if x < LARGE:
        return math.log(math.sinh(x))
    return x - math.log(2) + math.log1p(-math.exp(-2 * x))


def _response_renyi(alpha: float, less: float, eps0: float) -> float:
    r"""Return the Renyi divergence of one randomised response, in nats.

    Of order alpha = 1 + less: $\frac1{\alpha-1}
    \log\frac{\cosh((\alpha-\frac12)\varepsilon_0)}{\cosh(\varepsilon_0/2)}$, the log of
    one plus $2\sinh\frac{\alpha\varepsilon_0}2 \sinh\frac{(\alpha-1)\varepsilon_0}2
    /\cosh\frac{\varepsilon_0}2$.
    """
    half = eps0 / 2
    log_cosh = half + math.log1p(math.exp(-2 * half)) - math.log(2)
    above = math.log(2) + _log_sinh(alpha * half)
    above = above + _log_sinh(less * half) - log_cosh
    if above < 0:
        return math.log1p(math.exp(above)) / less
    return (above + math.log1p(math.exp(-above))) / less


def renyi_epsilon(eps0: float, runs: int, delta: float) -> float:
    r"""Return the level at delta by Renyi divergences, at the best order.

    Those of K randomised responses. $\min_{\alpha>1}KD_\alpha+\log\frac{\alpha-1}\alpha
    -\frac{\log(\delta\alpha)}{\alpha-1}$ (Canonne, Kamath and Steinke, 2020), and at
    most $K\varepsilon_0$. A valid level at every order, so an imperfect search errs on
    the large side; rounding errs by 1e-12 of the level and 1e-14. Raises ValueError or
    TypeError for eps0 outside [1e-30, 50], runs outside 1..10^15, delta outside
    [1e-300, 1).
    """
    step, count = _levels(eps0, runs)
    miss = check_interval("delta", delta, LEAST_DELTA, 1.0, open_high=True)

    def level(log_order: float) -> float:
        less = math.exp(log_order)
        alpha = 1 + less
        divergence = count * _response_renyi(alpha, less, step)
        for_delta = math.log(miss * alpha) / less
        return divergence + math.log(less / alpha) - for_delta

    grid = np.linspace(*ORDERS)
    best = int(np.argmin([level(float(x)) for x in grid]))
    before = max(best - 1, 0)
    after = min(best + 1, grid.size - 1)
    ends = (float(grid[before]), float(grid[after]))
    least = minimize_scalar(
        level, bounds=ends, method="bounded", options={"xatol": ORDER_WIDTH}
    )
    near = level(float(grid[best]))
    return max(0.0, min(float(least.fun), near, _whole_level(step, count)))
