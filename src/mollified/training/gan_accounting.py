r"""What a privately trained GAN spends over all steps, and the published noise.

A step releases the sum of the clipped gradients of a Poisson-sampled batch (each record
with probability q) plus $N(0,\sigma^2C^2I)$. Neighbours add or remove one record. The
worst pair of data sets is, in each step, $N(0,\sigma^2)$ against
$(1-q)N(0,\sigma^2)+qN(1,\sigma^2)$ (Abadi et al. 2016; Zhu, Dong and Wang 2022), so
every level here is that of the list of all noisy sums; the generator is computed from
that list, and spends no more.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import gammaln
from scipy.stats import binom, norm

from mollified._validate import check_count, check_eps, check_interval

__all__ = ["low_noise_bracket", "noise_for_level", "published_noise", "whole_run_level"]

#: Below this noise multiplier the losses are too large for a grid of them.
SMALLEST_NOISE = 0.3
#: dp-accounting cuts tails of a mass of 1e-15 off and counts them as infinite losses:
#: ten times as much for "lower".
TRUNCATED = 1e-14


def published_noise(eps: float, rate: float, inner: int, delta: float) -> float:
    r"""Return the printed noise multiplier.

    $\sigma_n=2q\sqrt{n_d\log(1/\delta)}/\varepsilon$. `rate` is q, `inner` the critic
    steps $n_d$ between two steps of the generator. It is stated for the data points of
    one such outer loop (Xie et al. 2018, Lemma 2), and rests on an asymptotic theorem
    that asks for $\varepsilon<c\,q^2n_d$.
    """
    q, miss = _shares(rate, delta)
    return 2 * q * math.sqrt(inner * math.log(1 / miss)) / eps


def _shares(rate: object, delta: object) -> tuple[float, float]:
    q = check_interval("rate", rate, 0.0, 1.0, open_low=True, open_high=True)
    return q, check_interval("delta", delta, 0.0, 1.0, open_low=True, open_high=True)


def whole_run_level(
    rate: float,
    noise: float,
    steps: int,
    delta: float,
    side: Literal["upper", "lower"] = "upper",
) -> float:
    r"""Return the least $\varepsilon$ at which T steps are private.

    $(\varepsilon,\delta)$-private, by loss distributions. `noise` is $\sigma\ge0.3$.
    dp-accounting rounds losses to a grid of step 1e-4 (1e-3 for $\sigma<0.7$); "upper"
    errs on the large side (it may be infinite for $\delta<10^{-14}$), "lower" on the
    small one. Raises ValueError or TypeError for other values.
    """
    q, miss = _shares(rate, delta)
    sigma = check_interval("noise", noise, SMALLEST_NOISE, math.inf)
    count = check_count("steps", steps)
    if side not in ("upper", "lower"):
        raise ValueError(f"side must be upper or lower, got {side!r}")
    return _accounted(
        q,
        sigma,
        count,
        miss,
        1e-4 if sigma >= 0.7 else 1e-3,
        upper=side == "upper",
    )


@lru_cache(maxsize=256)
def _accounted(
    rate: float,
    noise: float,
    steps: int,
    delta: float,
    step: float,
    *,
    upper: bool = True,
) -> float:
    """Return the level by dp-accounting, whose losses lie on a grid of that step."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    single = pld.from_gaussian_mechanism(
        noise,
        pessimistic_estimate=upper,
        use_connect_dots=upper,
        value_discretization_interval=step,
        sampling_prob=rate,
    )
    return float(
        single.self_compose(steps).get_epsilon_for_delta(
            delta if upper else delta + TRUNCATED
        )
    )


def low_noise_bracket(
    rate: float,
    noise: float,
    steps: int,
    delta: float,
) -> tuple[float, float]:
    r"""Return bounds on the least $\varepsilon$ of T steps, below and above.

    For any noise; meant for small ones. *Below:* E, "at least k of the T sums exceed
    $1-z\sigma$", has probability $\Pr[\mathrm{Bin}(T,p)\ge k]$ with the record, $p\ge
    q\Phi(z)$, and at most $\binom Tk\bar\Phi(1/\sigma-z)^k$ without it; privacy asks
    for $\varepsilon\ge\log\frac{\Pr_1(E)-\delta}{\Pr_0(E)}$. The best k and z of a list
    are taken. *Above:* the record is drawn more than k times with probability
    $\beta<\delta$; otherwise the run is at most k Gaussian mechanisms, for which
    $\varepsilon=\mu^2/2+\mu\bar\Phi^{-1}(\delta-\beta),\ \mu=\sqrt k/\sigma$, is
    enough. Floats; both ends err by rounding only. Raises ValueError or TypeError for
    noise <= 0, and as `whole_run_level` does.
    """
    q, miss = _shares(rate, delta)
    sigma = check_eps("noise", noise)
    count = check_count("steps", steps)
    counts = (
        np.arange(1, count + 1)
        if count < 50
        else np.unique(binom.ppf(np.linspace(0.01, 0.95, 60), count, q))
    )
    k = counts[counts >= 1]
    z = np.linspace(0.0, 6.0, 25)[:, np.newaxis]
    inside = binom.sf(k - 1, count, q * norm.cdf(z)) - miss
    outside = (
        gammaln(count + 1)
        - gammaln(k + 1)
        - gammaln(count - k + 1)
        + k * norm.logsf(1 / sigma - z)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        low = float(
            np.where(inside > 0, np.log(inside) - outside, 0.0).max(initial=0.0)
        )
    return low, _level_above(q, sigma, count, miss)


def _level_above(rate: float, noise: float, steps: int, delta: float) -> float:
    """Return the upper end of `low_noise_bracket`."""
    share = np.linspace(0.05, 0.95, 19) * delta
    k = binom.isf(share, steps, rate)
    mu = np.sqrt(k) / noise
    return float(
        np.maximum(
            mu**2 / 2 + mu * norm.isf(delta - binom.sf(k, steps, rate)), 0.0
        ).min()
    )


def noise_for_level(eps: float, rate: float, steps: int, delta: float) -> float:
    r"""Return a noise multiplier at which T steps are $(\varepsilon,\delta)$-private.

    It is near the least one. By bisection to 2 %, not below 0.001, on `whole_run_level`
    where $\sigma\ge0.3$ and on the upper end of `low_noise_bracket` below; errs on the
    large side. Raises ValueError or TypeError as those do.
    """
    level = check_eps("eps", eps)
    _shares(rate, delta)
    check_count("steps", steps)

    def enough(sigma: float) -> bool:
        if sigma >= SMALLEST_NOISE:
            return _accounted(rate, sigma, steps, delta, 1e-3) <= level
        return _level_above(rate, sigma, steps, delta) <= level

    low = 1e-3
    high = SMALLEST_NOISE
    while not enough(high):
        low, high = high, 2 * high
    while high > 1.02 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
