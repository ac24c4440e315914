r"""Checks of what training a GAN with noisy gradients spends, and of what clipping bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import torch
from flint import arb, ctx
from scipy.stats import norm

from mollified._validate import check_count, check_each, check_fraction, check_interval, check_trials
from mollified.ball_mbde import BITS, ball
from mollified.checks import Check, Tally
from mollified.dp_sgd import pair_gradient
from mollified.gan_accounting import SMALLEST_NOISE, drawn_at_all, whole_run_level
from mollified.wgan import Perceptron

__all__ = [
    "accounted_curve",
    "bounded_share",
    "enough_noise",
    "event_allowed",
    "loop_without_noise",
    "noise_of_formula",
]

#: 128 of 10,000 records a batch; delta = 1/10 (v1, v2, v3, section 5).
RATE, DELTA, LEVEL = Fraction(128, 10_000), Fraction(1, 10), Fraction(5000)


def _cdf(x: arb) -> arb:
    """Return the normal distribution function of a ball."""
    return (-x / arb(2).sqrt()).erfc() / 2


def noise_of_formula(eps: Fraction, inner: int) -> arb:
    r"""Return $\sigma_n=2q\sqrt{n_d\log(1/\delta)}/\varepsilon$ as a ball, for q = 128/10000 and $\delta$ = 1/10.

    Source: Xie et al. (2018), Lemma 2. Raises ValueError or TypeError for eps <= 0 or inner < 1.
    """
    level, steps = check_fraction("eps", eps, above=0), check_count("inner", inner)
    return ball(2 * RATE / level) * (steps * (1 / ball(DELTA)).log()).sqrt()


def event_allowed(*, steps: int, noise: Fraction | None = None, eps: Fraction = LEVEL, inner: int = 5) -> Check:
    r"""Check one event against $(\varepsilon,1/10)$-privacy of the noisy sums of `steps` critic steps. Certified.

    The event: some sum exceeds 1/2 in the direction of one record whose clipped gradient is that direction, times C =
    1. Privacy asks for $\Pr_1\le e^\varepsilon\Pr_0+\delta$, where a step's sum is $N(0,\sigma^2)$ without the record
    and $(1-q)N(0,\sigma^2)+qN(1,\sigma^2)$ with it; $\Pr_0$ is bounded above by a union bound. `noise` None takes the
    noise of the published formula for `eps` and `inner` critic steps a loop. A failure refutes the level; to pass is
    no proof of it.
    """
    count, level = check_count("steps", steps), check_fraction("eps", eps, above=0)
    with ctx.workprec(4 * BITS):
        sigma = noise_of_formula(level, inner) if noise is None else ball(check_fraction("noise", noise, above=0))
        half = 1 / (2 * sigma)
        without = _cdf(-half)
        single = ball(RATE) * _cdf(half) + ball(1 - RATE) * without
        with_record = 1 - (1 - single) ** count
        slack = ball(DELTA) + ball(level).exp() * count * without - with_record
        tally = Tally("certified")
        tally.add(
            max(min(float(slack.mid()), 1e6), -1e6),
            decided=bool(slack > 0),
            q=RATE,
            delta=DELTA,
            eps=level,
            steps=count,
            sigma=sigma.str(12, radius=False),
            with_record=with_record.str(12, radius=False),
            log_without=(count * without).log().str(12, radius=False),
        )
    return tally.check()


def loop_without_noise(*, steps: int, delta: Fraction = DELTA) -> Check:
    r"""Check that `steps` critic steps are $(0,\delta)$-private with no noise at all. Exact.

    The runs with and without a record differ only if it is drawn at least once, with probability $1-(1-q)^T$, and that
    is the total variation if the gradients tell it from nothing.
    """
    count, miss = check_count("steps", steps), check_fraction("delta", delta, above=0)
    drawn = drawn_at_all(RATE, count)
    tally = Tally("exact")
    tally.add(float(miss - drawn), decided=drawn <= miss, q=RATE, steps=count, drawn=drawn, delta=miss)
    return tally.check()


def enough_noise(*, noise: Fraction, eps: Fraction = LEVEL, steps: int = 10_000, draws: int = 145) -> Check:
    r"""Check that a noise multiplier makes all steps $(\varepsilon,1/10)$-private. Certified; a proof where it passes.

    A record is drawn more than k = `draws` times with probability $\beta$; else its sums are at most k Gaussian
    mechanisms, for which $\Phi(\frac\mu2-\frac\varepsilon\mu)$ with $\mu=\sqrt k/\sigma$ bounds $\delta(\varepsilon)$;
    by convexity the two add up.
    """
    sigma, level = check_fraction("noise", noise, above=0), check_fraction("eps", eps, above=0)
    count, most = check_count("steps", steps), check_count("draws", draws)
    with ctx.workprec(4 * BITS):
        term = ball(1 - RATE) ** count
        inside = term
        for j in range(min(most, count)):
            term = term * ball(RATE / (1 - RATE)) * (count - j) / (j + 1)
            inside += term
        mu = ball(Fraction(most)).sqrt() / ball(sigma)
        slack = ball(DELTA) - (1 - inside) - _cdf(mu / 2 - ball(level) / mu)
        tally = Tally("certified")
        tally.add(float(slack.mid()), decided=bool(slack > 0), noise=sigma, eps=level, steps=count, draws=most)
    return tally.check()


def accounted_curve(*, noises: Sequence[float], deltas: Sequence[float], assumed: float = 1.0) -> Check:
    r"""Check the accountant against the closed form of one step, for several noises and $\delta$. Floats.

    For one step the larger of the two directions is
    $\delta(\varepsilon)=(1-q)\bar\Phi(\frac t\sigma)+q\bar\Phi(\frac{t-1}\sigma)-e^\varepsilon\bar\Phi(\frac t\sigma)$
    with $t=\frac12+\sigma^2\log\frac{e^\varepsilon-1+q}q$. At the accountant's upper level it must be at most
    $\delta$, at the level minus 2e-4 at least $\delta$, both within 1e-9. `assumed` multiplies the noise that the
    accountant is told of.
    """
    sigmas = check_each("noises", noises, lambda name, item: check_interval(name, item, SMALLEST_NOISE, math.inf))
    misses = check_each("deltas", deltas, lambda name, item: check_interval(name, item, 0.0, float(RATE) / 2))
    factor = check_interval("assumed", assumed, 0.0, math.inf, open_low=True)
    q = float(RATE)
    tally = Tally("float", tolerance=1e-9)
    for sigma in sigmas:
        for miss in misses:
            level = whole_run_level(q, factor * sigma, 1, miss)
            curve = []
            for eps in (level, level - 2e-4):
                t = 0.5 + sigma**2 * math.log((math.exp(eps) - 1 + q) / q)
                tail = float(norm.sf(t / sigma))
                curve.append((1 - q) * tail + q * float(norm.sf((t - 1) / sigma)) - math.exp(eps) * tail)
            tally.add(min(miss - curve[0], curve[1] - miss), sigma=sigma, delta=miss, eps=level)
    return tally.check()


def bounded_share(rng: np.random.Generator, instances: int, *, average: bool = False) -> Check:
    r"""Check that one record moves the clipped sum of a batch by at most C. Floats, tolerance 1e-4 C.

    Each instance is a random critic, a batch of 2 to 40 pairs and a bound C; one pair is left out. `average` clips the
    mean of the batch instead of each example.
    """
    rng, instances = check_trials(rng, instances)
    tally = Tally("float", tolerance=1e-4)
    for _ in range(instances):
        source = torch.Generator().manual_seed(int(rng.integers(2**62)))
        critic = Perceptron((2, 8, 8, 1), source)
        size, clip = int(rng.integers(2, 41)), float(np.exp(rng.uniform(-3, 2)))
        real, fake = (torch.randn(size, 2, generator=source, dtype=critic.flat.dtype) * 3 for _ in range(2))
        whole, rest = torch.zeros_like(critic.flat), torch.zeros_like(critic.flat)
        pair_gradient(critic, real, fake, clip, whole, average=average)
        pair_gradient(critic, real[1:], fake[1:], clip, rest, average=average)
        moved = float((whole - rest).norm())
        tally.add((clip - moved) / clip, batch=size, clip=clip, moved=moved)
    return tally.check()
