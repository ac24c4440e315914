r"""One learned log-density-ratio, clipped in closed form inside the relative mollifier.

It is v3 (8), with a plug-in for P. A score $s(x)$, here the logit of one network that
tells $P$ from $Q_0$, is clipped: $g=\min\{\max\{s-c,-a\},a\}$, and a point is drawn
from $Q\propto Q_0e^g$ by rejection, which needs no normaliser. The ratio is $\log
Q/Q_0=g-\log Z$, $Z=\mathbb E_{Q_0}[e^g]$; so $Z$ must be near one, and $c$ is solved on
a pool of $N$ fresh draws of $Q_0$: the mean of $e^g$ over the pool is one. How near $Z$
is to one then follows from N alone, not from the data.

Let $\delta=\kappa e^{-k\varepsilon/2}$ for k released points, and $\tau$ such that the
Chernoff bound for the mean of N variables in $[e^{-a},e^a]$ of mean $e^{\pm\tau}$ to
lie beyond 1 is at most $\delta$. If $a+\tau\le\frac\varepsilon2+\frac1k\log(1-\kappa)$,
the law of the k points, over the pool too, is within $e^{\pm k\varepsilon/2}$ of
$Q_0^k$ for every score: no input is excepted and no probability of failure is left.
Without a pool $a=\tau=\varepsilon/4$ is what can be had, the range of MBDE; the pool
buys the rest. Not in the papers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.optimize import brentq

from mollified._validate import Array, check_count, check_interval
from mollified.laws._validate_densities import evaluate_log
from mollified.sampling.rejection import rejection_sample
from mollified.training.logit_stack import (
    CHUNK,
    LogitStack,
    default_device,
    training_dtype,
)
from mollified.training.recipes import FAST, Recipe, train
from mollified.training.training_nodes import make_nodes

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = [
    "ONE_LOGIT",
    "ClippedRatio",
    "LearnedRatio",
    "clip_score",
    "half_width",
    "learn_log_ratio",
    "pool_constant",
    "pool_scores",
]

#: The fast recipe with fewer passes, for the 30,000 points that three rounds of MBDE
#: draw together.
ONE_LOGIT = replace(FAST, name="one logit", epochs=30)
#: The share kappa of the bound that is given away for a pool that misleads.
SPARE = 1e-6
#: What tau may be too large by for rounding, in half levels.
ROUNDING = 2.0**-50


class LearnedRatio:
    r"""Hold a trained network whose logit estimates $\log P/Q_0$.

    Both classes have one size. Not private by itself.
    """

    def __init__(self, stack: LogitStack) -> None:
        self._stack = stack

    def __call__(self, x: Array) -> Array:
        """Return the logit in nats at points of shape (n, d); shape (n,).

        It is computed in the type it was trained in.
        """
        return self._stack.at(x, training_dtype())


def learn_log_ratio(
    target: Distribution,
    reference: Distribution,
    rng: np.random.Generator,
    *,
    samples: int = 30_000,
    recipe: Recipe = ONE_LOGIT,
    device: torch.device | None = None,
) -> LearnedRatio:
    r"""Train one network of the papers, and return its logit.

    It sees `samples` draws of $P$ and as many of $Q_0$. It is the first classifier of
    MBDE, before any bound, and it does not depend on a budget: one for all of them. As
    printed, MBDE draws 10,000 points of $P$ in each of three rounds; the default is as
    many in one.
    """
    device = device or default_device()
    inside = target.sample(samples, rng)
    outside = reference.sample(samples, rng)
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    stack = LogitStack(target.dim, [generator], recipe.start, device)
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, device), recipe)
    return LearnedRatio(stack)


def _excess(x: float) -> float:
    """Return x - log(1 + x), with all digits also near zero; infinite without a log."""
    if x <= -1:
        return math.inf
    if abs(x) > 0.01:
        return x - math.log1p(x)
    return x * x * math.fsum((-x) ** n / (n + 2) for n in range(12))


def _relative_entropy(a: float, move: float) -> float:
    r"""Return $\operatorname{kl}(w_0,w)$, the relative entropy of two Bernoulli laws.

    $w_0=\frac1{1+e^a}$ and $w=(e^{a+\text{move}}-1)/(e^{2a}-1)$.
    """
    if a + move <= 0:
        return math.inf
    small = math.exp(-a)
    grown = math.expm1(move) / -math.expm1(-a)  # w / w0 - 1
    direct = (
        grown - math.log(math.expm1(a + move) / math.expm1(a))
        if grown < -0.5
        else _excess(grown)
    )
    return (small * direct + _excess(-small * grown)) / (1 + small)


def half_width(eps: float, pool: int, *, draws: int = 1, spare: float = SPARE) -> float:
    r"""Return the half width $a$ of the clip that keeps released points private.

    In nats; `draws` points are $k\varepsilon$-private. The largest a, but for $10^{-8}$
    of itself, with $a+\tau=\frac\varepsilon2+\frac1k\log(1-\kappa)$ and
    $N\operatorname{kl}(w_0,w_{\pm})\ge k\frac\varepsilon2+\log\frac1\kappa$, where
    $w_0=\frac1{1+e^a}$ and $w_\pm=(e^{a\pm\tau}-1)/(e^{2a}-1)$; between $\varepsilon/4$
    (pool 0) and $\varepsilon/2$. It depends on nothing but the arguments, and errs on
    the low side. Raises ValueError or TypeError for eps outside (0, 1400], pool < 0,
    draws < 1, or spare outside (0, 1).
    """
    half = check_interval("eps", eps, 0.0, 1400.0, open_low=True) / 2
    pool = check_count("pool", pool, minimum=0)
    draws = check_count("draws", draws)
    spare = check_interval("spare", spare, 0.0, 1.0, open_low=True, open_high=True)
    total = half + math.log1p(-spare) / draws
    needed = draws * half - math.log(spare)

    def certified(a: float) -> bool:
        tau = total - a - ROUNDING * half
        return tau > 0 and all(
            pool * _relative_entropy(a, side) >= needed * (1 + 1e-9)
            for side in (tau, -tau)
        )

    low = half / 2
    high = total
    if pool == 0 or total <= low or not certified(low * (1 + 1e-9)):
        return low
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if certified(middle) else (low, middle)
    return low * (1 - 1e-12)


def pool_scores(
    score: Callable[[Array], Array],
    reference: Distribution,
    pool: int,
    rng: np.random.Generator,
) -> Array:
    """Return the scores of `pool` fresh draws of the reference, in rising order.

    Shape (pool,). They must be independent of the score: draw them after it was
    learned.
    """
    parts = []
    for start in range(0, pool, CHUNK):
        points = reference.sample(min(CHUNK, pool - start), rng)
        parts.append(evaluate_log("score", score, points))
    return np.sort(np.concatenate(parts))


def pool_constant(scores: Array, width: float) -> float:
    r"""Return $c$ such that the mean of $e^{\operatorname{clip}(s_i-c,\pm a)}$ is one.

    a > 0 is the `width`. `scores`, shape (n,), are in rising order. The mean falls in c
    from $e^a$ to $e^{-a}$, so that c exists; it is met to 1e-11.
    """
    count = len(scores)

    def excess(c: float) -> float:
        first, last = (
            int(place) for place in np.searchsorted(scores, (c - width, c + width))
        )
        inner = float(np.expm1(scores[first:last] - c).sum())
        return (
            inner + first * math.expm1(-width) + (count - last) * math.expm1(width)
        ) / count

    c = float(
        brentq(
            excess,
            float(scores[0]) - 2 * width,
            float(scores[-1]) + 2 * width,
            xtol=1e-13,
            rtol=1e-14,
        )
    )
    if abs(excess(c)) > 1e-11 * math.exp(width):
        raise ArithmeticError("the constant of the clip leaves an excess")
    return c


@dataclass(frozen=True)
class ClippedRatio:
    r"""Hold the released law $Q\propto Q_0e^g$, $g=\operatorname{clip}(s-c,\pm a)$.

    `shift` is $c$, `width` $a$; `tau` is what $|\log Z|$ may be, but for pools that
    mislead.
    """

    score: Callable[[Array], Array]
    reference: Distribution
    eps: float
    shift: float
    width: float
    tau: float

    def statistic(self, x: Array) -> Array:
        r"""Return $g=\log Q/Q_0+\log Z$ at points (n, d), in $[-a,a]$; shape (n,)."""
        scores = self.score(x)
        clipped: Array = np.clip(scores - self.shift, -self.width, self.width)
        return clipped

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Draw n points exactly, shape (n, d).

        By rejection under the constant envelope. Idealised numerics.
        """
        return rejection_sample(
            self.reference,
            self.statistic,
            self.width,
            n,
            rng,
        ).samples


def clip_score(
    score: Callable[[Array], Array],
    reference: Distribution,
    eps: float,
    scores: Array,
    *,
    draws: int = 1,
    spare: float = SPARE,
) -> ClippedRatio:
    r"""Clip a score so that `draws` released points are $k\varepsilon$-private.

    `scores` come from `pool_scores`. The pool counts once for each release: budgets
    that are released together compose as releases do.
    """
    size = len(scores)
    width = half_width(eps, size, draws=draws, spare=spare)
    # At the width that needs no pool, |log Z| <= a for every reference.
    tau = (
        width
        if width <= eps / 4
        else max(eps / 2 + math.log1p(-spare) / draws - width, 0.0)
    )
    return ClippedRatio(
        score,
        reference,
        float(eps),
        pool_constant(scores, width),
        width,
        tau,
    )
