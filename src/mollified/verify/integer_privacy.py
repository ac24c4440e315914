r"""Checks of the three integer mechanisms on a count: what outputs reveal, and the exact level of each."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
from flint import arb, ctx

from mollified._validate import check_count, check_fraction, check_trials
from mollified.ball_mbde import ball
from mollified.checks import Check, Tally
from mollified.exact_level import Law
from mollified.finite_mechanisms import excess, truncated_geometric
from mollified.instances import random_fraction
from mollified.integer_mechanisms import (
    BITS,
    binomial_delta,
    binomial_law,
    binomial_trials,
    discrete_gaussian_delta,
    discrete_gaussian_masses,
    geometric_delta,
    weight_beyond,
)

__all__ = [
    "binomial_floor",
    "binomial_level",
    "gaussian_level",
    "gaussian_moment",
    "gaussian_support",
    "geometric_level",
    "geometric_private",
    "smallest_trials",
]

ONE = Fraction(1)
#: Two balls are the same number if they differ by less than this, with certainty.
CLOSE = Fraction(1, 10**30)


def _geometric(rng: np.random.Generator, root: Fraction) -> tuple[int, dict[int, Law]]:
    low = int(rng.integers(-3, 4))
    high = low + int(rng.integers(3, 9))
    return high - low, truncated_geometric(range(low, high + 1), low, high, root)


def geometric_private(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the truncated geometric mechanism: no output is more than $e^\varepsilon$ times likelier. Exact.

    Random integer ranges, sensitivity 1 to 3, ratio $\alpha=e^{-\varepsilon/\Delta}$ rational; every pair of answers at
    most $\Delta$ apart, every output. `claimed` < 1 states that share of $e^\varepsilon$, which fails, as the level is
    attained. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        root, moved = 1 + random_fraction(rng, Fraction(1, 50), Fraction(2)), int(rng.integers(1, 4))
        _, laws = _geometric(rng, root)
        bound = claimed * root**moved
        worst = min(
            bound - p / q
            for one in laws
            for two in laws
            if abs(one - two) <= moved
            for p, q in zip(laws[one], laws[two], strict=True)
        )
        tally.add(float(worst), decided=worst >= 0, ratio=root, sensitivity=moved, outputs=(min(laws), max(laws)))
    return tally.check()


def geometric_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the exact delta of the (truncated) geometric mechanism at every level up to and above its own. Exact.

    The hockey stick of the laws for two neighbouring counts, by its definition and in both directions, against
    `claimed` times the closed form. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("exact")
    for _ in range(instances):
        full, level = (1 + random_fraction(rng, Fraction(1, 50), Fraction(3)) for _ in range(2))
        _, laws = _geometric(rng, full)
        count = int(rng.integers(min(laws), max(laws)))
        form = claimed * geometric_delta(full, level)
        gap = max(abs(excess(*pair, level) - form) for pair in _both(laws[count], laws[count + 1]))
        tally.add(-float(gap), decided=gap == 0, exp_eps=full, level=level, count=count)
    return tally.check()


def _both(one: Law, two: Law) -> tuple[tuple[Law, Law], tuple[Law, Law]]:
    return (one, two), (two, one)


def binomial_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the exact delta of the binomial mechanism against the definition, in both directions. Exact.

    2 to 60 coins, $e^\varepsilon$ rational; neighbouring counts shift the law by one. `claimed` multiplies the formula.
    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally, none = Tally("exact"), (Fraction(0),)
    for _ in range(instances):
        trials, level = int(rng.integers(2, 61)), 1 + random_fraction(rng, Fraction(0), Fraction(3))
        law = binomial_law(trials)
        form = claimed * binomial_delta(trials, level)
        gap = max(abs(excess(*pair, level) - form) for pair in _both((*law, *none), (*none, *law)))
        tally.add(-float(gap), decided=gap == 0, trials=trials, exp_eps=level)
    return tally.check()


def binomial_floor(rng: np.random.Generator, instances: int, *, factor: int = 1) -> Check:
    r"""Check that delta of the binomial mechanism is at least $2^{-N}$, so that it is never pure. Exact.

    Half of the levels are $e^\varepsilon\ge N$, where it is that. `factor` multiplies the bound. Raises TypeError or
    ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    factor = check_count("factor", factor)
    tally = Tally("exact")
    for index in range(instances):
        trials = int(rng.integers(2, 200))
        level = trials * (1 + random_fraction(rng, Fraction(0), Fraction(2)))
        level = level if index % 2 == 0 else 1 + random_fraction(rng, Fraction(0), Fraction(3))
        slack = binomial_delta(trials, level) * 2**trials - factor
        tally.add(min(1.0, float(slack)), decided=slack >= 0, trials=trials, exp_eps=level)
    return tally.check()


def smallest_trials(*, exp_eps: Fraction, delta: Fraction, claimed: int) -> Check:
    r"""Check that so many coins, and not one fewer, make the binomial mechanism $(\varepsilon,\delta)$-DP. Exact.

    Raises TypeError or ValueError for bad arguments.
    """
    level, goal = check_fraction("exp_eps", exp_eps, above=1), check_fraction("delta", delta, above=0)
    claimed = check_count("claimed", claimed, minimum=2)
    tally = Tally("exact")
    slack = min(goal - binomial_delta(claimed, level), binomial_delta(claimed - 1, level) - goal)
    agrees = binomial_trials(level, goal) == claimed
    tally.add(float(slack), decided=agrees and slack >= 0, exp_eps=level, delta=goal, trials=claimed)
    return tally.check()


def gaussian_level(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the exact delta of the discrete Gaussian mechanism against the definition. Certified, to 1e-30.

    $\sum_z(P(z)-e^\varepsilon P(z-1))_+$ over all integers, the far ones bounded; eps and sigma^2 rational. `claimed`
    multiplies the formula. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            eps = random_fraction(rng, Fraction(0), Fraction(2))
            width = random_fraction(rng, Fraction(1, 4), Fraction(9))
            reach = 40 + int(30 * float(width) ** 0.5)
            masses = discrete_gaussian_masses(width, -reach - 1, reach)
            factor, zero = ball(eps).exp(), arb(0)
            terms = ((p - factor * q).max(zero) for q, p in pairwise(masses))
            total = sum(terms, zero) + 2 * weight_beyond(width, reach) * arb(0, 1)
            gap = abs(total - ball(claimed) * discrete_gaussian_delta(eps, width))
            slack = ball(CLOSE) - gap
            tally.add(float(slack.mid()), decided=bool(slack > 0), eps=eps, sigma_squared=width)
    return tally.check()


def gaussian_moment(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check concentrated DP of discrete Gaussian noise on a count: $\sum_zP(z)^aP(z-1)^{1-a}\le e^{a(a-1)/2\sigma^2}$.

    Certified; order a > 1 rational and no integer (there it is an equality), sigma^2 at most 4, so that the difference
    is above the precision. `claimed` multiplies the exponent. Source: Canonne, Kamath and Steinke (2020).
    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    claimed = check_fraction("claimed", claimed, above=0)
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            order = int(rng.integers(1, 4)) + Fraction(int(rng.integers(1, 8)), 8)
            width = random_fraction(rng, Fraction(1, 4), Fraction(4))
            reach = 45 + int(30 * float(width) ** 0.5)
            masses = discrete_gaussian_masses(width, -reach - 1, reach)
            power, rest = ball(order), ball(1 - order)
            total = sum(((power * p.log() + rest * q.log()).exp() for q, p in pairwise(masses)), arb(0))
            exponent = ball(order * (order - 1) / (2 * width))
            # P(z)^a P(z-1)^(1-a) is at most e^exponent times the weight of z + a - 1, at most 4 off
            total += 2 * exponent.exp() * weight_beyond(width, reach - 5) * arb(0, 1)
            slack = ball(claimed) * exponent - total.log()
            tally.add(float(slack.mid()), decided=bool(slack > 0), order=order, sigma_squared=width)
    return tally.check()


def gaussian_support(rng: np.random.Generator, instances: int, *, truncated: bool = False) -> Check:
    r"""Check that every integer is a possible output of the discrete Gaussian mechanism, so none is pure. Certified.

    A random far integer z has P(z) > 0 and a loss $(1-2z)/2\sigma^2$ above a random eps. `truncated`: the output is
    clamped at -3, where the loss has a bound. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if not isinstance(truncated, bool):
        raise TypeError(f"truncated must be True or False, got {truncated!r}")
    tally = Tally("certified")
    with ctx.workprec(BITS):
        for _ in range(instances):
            width, eps = random_fraction(rng, Fraction(1, 4), Fraction(9)), random_fraction(rng, ONE, Fraction(20))
            z = -3 if truncated else -int(eps * width) - 2
            q, p = discrete_gaussian_masses(width, z - 1, z)
            if truncated:  # all that lies below -3 is added to the output -3
                q, p = (sum(discrete_gaussian_masses(width, z - 200 - k, z - k), arb(0)) for k in (1, 0))
            loss = (p / q).log()
            tally.add(float((loss - ball(eps)).mid()), decided=bool(loss > ball(eps)), eps=eps, sigma_squared=width)
    return tally.check()
