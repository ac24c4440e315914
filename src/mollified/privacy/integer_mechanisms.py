r"""Noise on a count that is itself an integer, with its exact levels.

Geometric, binomial and discrete Gaussian. A count moves by at most 1 between
neighbours, so every level here is for a shift by 1; one release, central, record-level.
Draws come from OpenDP (geometric, discrete Gaussian; the system's secure source, exact)
and from bits of numpy (binomial; pseudo-random, for experiments and not to publish).
Source: lecture, Mechanisms for (bounded) integer queries.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from flint import arb
from numpy.typing import NDArray

from mollified._validate import (
    check_count,
    check_eps,
    check_fraction,
    check_interval,
    check_rng,
    echo,
)
from mollified.privacy.exact_level import ball, float_above
from mollified.privacy.opendp_noise import (
    LEAST_SCALE,
    asked,
    check_scale,
    measurement,
    zcdp_delta,
)
from mollified.privacy.smallest import smallest_count
from statements.precision import working_precision

__all__ = [
    "binomial_delta",
    "binomial_noise",
    "binomial_trials",
    "discrete_gaussian_delta",
    "discrete_gaussian_masses",
    "discrete_gaussian_noise",
    "geometric_counts",
    "opendp_gaussian_delta",
    "weight_beyond",
]

Integers = NDArray[np.int64]

#: Working precision in bits, and the share of the mass, 2**-TAIL_BITS, that may lie
#: beyond the last term of a sum.
BITS = 256
TAIL_BITS = 200
#: Exact results take seconds up to here: coins of a delta and of a search for them, and
#: sigma squared.
MOST_TRIALS = 1 << 17
MOST_SEARCHED = 1 << 16
MOST_WIDTH = 1 << 26
#: Draws take seconds up to here: steps of the geometric mechanism, and words of 64
#: coins.
MOST_STEPS = 1 << 22
MOST_WORDS = 1 << 26
#: OpenDP rounds the chance to stop, about eps, to 2^-53: 2^-29 of it or less from here
#: on.
LEAST_GEOMETRIC = 2.0**-24
#: Coins of a word, and words of coins that are drawn at once.
WORD = 64
BLOCK = 1 << 20


def _bounds(low: object, high: object) -> tuple[int, int]:
    """Return two integers with low <= high.

    Raises TypeError or ValueError, naming the one at fault.
    """
    for name, value in (("low", low), ("high", high)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"{name} must be an integer, got {echo(name, value)}")
    if int(low) > int(high):  # type: ignore[call-overload]
        raise ValueError(
            f"high must be at least low, got {echo('high', high)}"
            f" for low = {echo('low', low)}"
        )
    return int(low), int(high)  # type: ignore[call-overload]


def binomial_delta(trials: int, exp_eps: Fraction) -> Fraction:
    r"""Return the exact delta of a count with the heads of N fair coins added.

    At $e^\varepsilon$. $\delta=F(k)-e^\varepsilon F(k-1)$ with F the distribution
    function and k the largest integer below $(N+1)/(1+e^\varepsilon)$; at least
    $2^{-N}$, never 0. Subtracting N/2 changes nothing. Raises TypeError or ValueError
    for N outside 1..2^17 (the cost grows like N^2) or $e^\varepsilon<1$.

    >>> binomial_delta(2, Fraction(2))
    Fraction(1, 4)
    """
    trials = check_count("trials", trials)
    level = check_fraction("exp_eps", exp_eps, minimum=1)
    if trials > MOST_TRIALS:
        raise ValueError(
            f"trials must be at most {MOST_TRIALS}, got {trials}:"
            " use gaussian_delta, sigma sqrt(N) / 2"
        )
    worst = max(0, math.ceil(Fraction(trials + 1) / (1 + level)) - 1)
    term = below = 1
    total = 0
    for heads in range(1, worst + 1):
        term = term * (trials - heads + 1) // heads
        total, below = below, below + term
    return (Fraction(below) - level * total) / Fraction(2**trials)


def binomial_trials(exp_eps: Fraction, delta: Fraction) -> int:
    r"""Return the smallest number of coins at which binomial noise is private, exactly.

    For $(\varepsilon,\delta)$-DP. Bisection: one more coin is post-processing, so
    delta never grows with N. Raises TypeError or ValueError for $e^\varepsilon\le1$,
    delta outside (0, 1), or where more than 2^16 coins are needed (N grows like
    $\varepsilon^{-2}\log\frac1\delta$).

    >>> binomial_trials(Fraction(2), Fraction(1, 4))
    2
    """
    level = check_fraction("exp_eps", exp_eps, above=1)
    goal = check_fraction("delta", delta, above=0)
    if goal >= 1:
        raise ValueError(f"delta must be below 1, got {echo('delta', delta)}")

    def fits(coins: int) -> bool:
        if coins > MOST_SEARCHED:
            raise ValueError(
                f"exp_eps and delta must be met by at most {MOST_SEARCHED} coins,"
                f" got {echo('exp_eps', exp_eps)} and {echo('delta', delta)}:"
                " use Gaussian noise of gaussian_sigma, that of 4 sigma^2 coins"
            )
        return binomial_delta(coins, level) <= goal

    return smallest_count(fits)


def _reach(sigma_squared: Fraction) -> int:
    """Return R such that the weights of a discrete Gaussian beyond R are tiny.

    Below 2**-TAIL_BITS in total.
    """
    reach = (
        math.ceil(math.sqrt(2 * float(sigma_squared) * (TAIL_BITS + 8) * math.log(2)))
        + 1
    )
    while not weight_beyond(sigma_squared, reach) < arb(2) ** -TAIL_BITS:
        reach *= 2
    return reach


def weight_beyond(sigma_squared: Fraction, reach: int) -> arb:
    r"""Return a ball whose upper end bounds $\sum_{z>R}e^{-z^2/2\sigma^2}$; errs above.

    By $(R+j)^2\ge(R+1)^2+2(R+1)(j-1)$ it is less than a geometric series.
    """
    with working_precision(BITS):
        ratio = (-ball(Fraction(reach + 1) / sigma_squared)).exp()
        return _weight(sigma_squared, reach + 1) / (1 - ratio)


def _up_to(bound: arb) -> arb:
    """Return a ball that contains everything from 0 to the bound."""
    return bound * arb(0.5, 0.5)


def _width(sigma_squared: object) -> Fraction:
    """Return a positive rational, not so large that sums of the law take minutes."""
    width = check_fraction("sigma_squared", sigma_squared, above=0)
    if width > MOST_WIDTH:
        shown = echo("sigma_squared", sigma_squared)
        raise ValueError(
            f"sigma_squared must lie in (0, 2^26], got {shown}:"
            " from there on use gaussian_delta"
        )
    return width


def discrete_gaussian_masses(sigma_squared: Fraction, low: int, high: int) -> list[arb]:
    r"""Return balls of the probabilities of a discrete Gaussian on low..high.

    $P[Z=z]=e^{-z^2/2\sigma^2}/\sum_te^{-t^2/2\sigma^2}$. The infinite sum is a finite
    one and a bound of its tails. Cost grows like sigma. Source: Canonne, Kamath and
    Steinke (2020).
    """
    low, high = _bounds(low, high)
    sigma_squared = _width(sigma_squared)
    with working_precision(BITS):
        reach = _reach(sigma_squared)
        within = sum((_weight(sigma_squared, z) for z in range(1, reach + 1)), arb(0))
        total = 1 + 2 * (within + _up_to(weight_beyond(sigma_squared, reach)))
        return [_weight(sigma_squared, z) / total for z in range(low, high + 1)]


def _weight(sigma_squared: Fraction, z: int) -> arb:
    return (-ball(Fraction(z * z) / (2 * sigma_squared))).exp()


def discrete_gaussian_delta(eps: Fraction, sigma_squared: Fraction) -> arb:
    r"""Return a ball of the exact delta of a count with discrete Gaussian noise.

    $\delta=P[Z\le k]-e^\varepsilon P[Z\le k-1]$ with k the largest integer below
    $\frac12-\varepsilon\sigma^2$: the loss $(1-2z)/2\sigma^2$ falls in z. Positive for
    every eps. Raises TypeError or ValueError for eps < 0 or $\sigma^2$ outside (0,
    2^26] (the cost grows like sigma).
    """
    eps = check_fraction("eps", eps, minimum=0)
    width = _width(sigma_squared)
    last = math.ceil(Fraction(1, 2) - eps * width) - 1
    with working_precision(BITS):
        bottom = min(-_reach(width), last - _reach(width))
        masses = discrete_gaussian_masses(width, bottom, last)
        # what lies below the sum: less than the weight beyond the reach, as the total
        # weight is above 1
        rest = _up_to(weight_beyond(width, -bottom))
        factor = ball(eps).exp()
        return sum(masses, rest) - factor * sum(masses[:-1], rest)


def _whole(name: str, value: object) -> int:
    """Return an integer of 64 bits."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be an integer, got {echo(name, value)}")
    if not -(1 << 63) <= int(value) < 1 << 63:
        raise ValueError(f"{name} must lie in -2^63..2^63 - 1, got {echo(name, value)}")
    return int(value)


def geometric_counts(
    count: int,
    eps: float,
    low: int,
    high: int,
    draws: int = 1,
) -> Integers:
    r"""Return independent outputs of the truncated geometric mechanism on low..high.

    Shape (draws,), by OpenDP. `make_geometric` with bounds, whose time is the same for
    all counts and grows like high - low. Each draw costs $\varepsilon$. Not
    reproducible, by design. Raises TypeError or ValueError for eps outside [2^-24,
    2^500], bounds that are no integers of 64 bits with low < high, a count outside
    them, draws < 1, (high - low) draws above 2^22.
    """
    low, high = _bounds(_whole("low", low), _whole("high", high))
    value = _whole("count", count)
    draws = check_count("draws", draws)
    if low == high:
        raise ValueError(
            f"high must exceed low, got {echo('high', high)}"
            f" for low = {echo('low', low)}"
        )
    if not low <= value <= high:
        raise ValueError(f"count must lie in {low}..{high}, got {echo('count', count)}")
    eps = check_interval("eps", eps, LEAST_GEOMETRIC, 1 / LEAST_SCALE)
    steps = (high - low) * draws
    if steps > MOST_STEPS:
        raise ValueError(
            f"high - low, times draws, must be at most {MOST_STEPS}, got {steps}:"
            " narrow the bounds, or clip the count with discrete_gaussian_noise"
        )
    scale = float_above(1 / Fraction(eps))
    data = [value] * draws
    outputs = asked(
        "eps", lambda: measurement("discrete-laplace", scale, (low, high))(data)
    )
    return np.asarray(outputs, dtype=np.int64)


def discrete_gaussian_noise(sigma: float, draws: int = 1) -> Integers:
    r"""Return independent draws of discrete Gaussian noise, shape (draws,).

    By OpenDP's `make_gaussian`. Integers of 64 bits: 40 sigma must fit. Not
    reproducible, by design. Raises TypeError or ValueError for sigma outside [2^-500,
    2^57], draws < 1.
    """
    sigma = check_scale("sigma", sigma)
    zeros = [0] * check_count("draws", draws)
    noise = asked("sigma", lambda: measurement("discrete-gaussian", sigma)(zeros))
    return np.asarray(noise, dtype=np.int64)


def opendp_gaussian_delta(sigma: float, eps: float, sensitivity: float = 1.0) -> float:
    r"""Return the delta that OpenDP certifies for discrete Gaussian noise.

    By `make_zCDP_to_approxDP` of `make_gaussian`. At the given l2 sensitivity, 1 for a
    count; errs above, and is 1 where floats do not hold OpenDP's terms. Raises
    TypeError or ValueError for sigma outside [2^-500, 2^57], eps or the sensitivity <=
    0.
    """
    sigma = check_scale("sigma", sigma)
    eps = check_eps("eps", eps)
    return zcdp_delta(sigma, eps, check_eps("sensitivity", sensitivity))


def binomial_noise(trials: int, rng: np.random.Generator, draws: int = 1) -> Integers:
    """Return independent draws of heads minus N/2, shape (draws,).

    N random bits each are drawn and counted. Idealised numerics: a pseudo-random
    generator; the law of independent bits is met exactly at any N. Raises TypeError or
    ValueError unless N is an even integer >= 2, draws >= 1, N/64 draws at most 2^26 and
    rng a generator.
    """
    trials = check_count("trials", trials, minimum=2)
    draws = check_count("draws", draws)
    if trials % 2:
        raise ValueError(
            f"trials must be even, so that N/2 is an integer, got {trials!r}"
        )
    words = -(-trials // WORD)
    if words * draws > MOST_WORDS:
        raise ValueError(
            f"trials / 64, times draws, must be at most 2^26, got {words * draws}:"
            " use discrete_gaussian_noise with sigma sqrt(trials) / 2"
        )
    source = check_rng("rng", rng)
    step = max(1, BLOCK // words)
    heads = [
        _heads(trials, min(step, draws - start), source)
        for start in range(0, draws, step)
    ]
    return np.concatenate(heads) - trials // 2


def _heads(trials: int, draws: int, rng: np.random.Generator) -> Integers:
    """Return how many of so many random bits are one, shape (draws,)."""
    heads = np.zeros(draws, dtype=np.int64)
    for start in range(0, trials, WORD * BLOCK):
        bits = min(WORD * BLOCK, trials - start)
        shape = (draws, -(-bits // WORD))
        words = rng.integers(1 << WORD, size=shape, dtype=np.uint64)
        words[:, -1] >>= np.uint64(-bits % WORD)
        heads += np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return heads
