"""What the docstrings of `mollified.training` say of accuracy, at the stated ends.

They are held against balls of 300 bits.
"""

import math
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx
from scipy.stats import binom

from mollified.training import (
    half_width,
    low_noise_bracket,
    noise_for_level,
    whole_run_level,
)
from tests.accuracy import states


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


def certified(a, eps, pool, draws, spare):
    """Tell whether a half width meets both conditions of `half_width`, in balls."""
    width = arb(a)
    tau = arb(eps) / 2 + (1 - arb(spare)).log() / draws - width
    centre = 1 / (1 + width.exp())
    needed = draws * arb(eps) / 2 - arb(spare).log()
    met = tau > 0
    for side in (tau, -tau):
        moved = ((width + side).exp() - 1) / ((2 * width).exp() - 1)
        if 0 < moved < 1:  # else no mean of the pool is there
            rest = (1 - centre) * ((1 - centre) / (1 - moved)).log()
            met = met and pool * (centre * (centre / moved).log() + rest) >= needed
    return met


@states(
    "training.half_width",
    "The largest a, but for",
    "It depends on nothing but the arguments, and errs on the low",
)
@pytest.mark.parametrize("eps", [1e-9, 1e-3, 1.0, 20.0, 300.0, 1400.0])
def test_a_half_width_is_certified_and_a_little_more_is_not(eps):
    """Pools up to 10^25.

    Logs of ratios near one gave widths that missed the condition by 1e-5 from 10^12 on.
    """
    for pool, draws, spare in product(
        (1, 10**3, 10**6, 10**12, 10**15, 10**25), (1, 100), (1e-100, 1e-6, 0.5)
    ):
        a = half_width(eps, pool, draws=draws, spare=spare)
        assert eps / 4 <= a <= eps / 2
        assert a == eps / 4 or certified(a, eps, pool, draws, spare)
        assert not certified(a * (1 + 1e-8), eps, pool, draws, spare)
    assert half_width(eps, 0) == eps / 4


def above(x):
    """Return the chance that a standard normal number exceeds x."""
    return (arb(x) / arb(2).sqrt()).erfc() / 2


def one_step_delta(rate, noise, eps):
    """Return the exact delta of one step: the larger of those of the two directions."""
    q = arb(rate)
    s = arb(noise)
    factor = arb(eps).exp()
    edge = s * s * ((factor - 1 + q) / q).log() + arb(1) / 2
    with_record = (
        (1 - q) * above(edge / s) + q * above((edge - 1) / s) - factor * above(edge / s)
    )
    ratio = (1 / factor - 1 + q) / q
    if not ratio > 0:
        return with_record
    edge = s * s * ratio.log() + arb(1) / 2
    without = above(-edge / s) - factor * (
        (1 - q) * above(-edge / s) + q * above((1 - edge) / s)
    )
    return with_record if with_record > without else without


def gaussian_delta(mu, eps):
    return above(eps / mu - mu / 2) - eps.exp() * above(eps / mu + mu / 2)


WHOLE_RUN = "dp-accounting rounds losses to a grid"


@states("training.whole_run_level", WHOLE_RUN)
@pytest.mark.parametrize("delta", [1e-5, 1e-14, 1e-18])
def test_levels_of_one_step_lie_around_the_exact_one(delta):
    """The lower one counted tails that were cut off: at delta 1e-18 it was infinite."""
    for rate, noise in (
        (1e-6, 0.3),
        (0.5, 0.3),
        (0.01, 0.7),
        (0.999, 5.0),
        (0.5, 1000.0),
    ):
        high, low = (
            whole_run_level(rate, noise, 1, delta, side) for side in ("upper", "lower")
        )
        assert high == math.inf or one_step_delta(rate, noise, high) <= delta
        assert low == 0 or one_step_delta(rate, noise, low) >= delta
        if delta >= 1e-10:
            assert low <= high <= low + 0.003


@states("training.whole_run_level", WHOLE_RUN)
@pytest.mark.parametrize("delta", [1e-5, 1e-14, 1e-18])
def test_levels_of_many_steps_lie_around_that_of_the_gaussian_mechanism(delta):
    """At a rate of 1 - 2^-53 each record is in each step, but for 1e-11 in all."""
    for noise, steps in ((50.0, 10_000), (200.0, 1000)):
        mu = arb(steps).sqrt() / arb(noise)
        slack = 1e-11
        high, low = (
            whole_run_level(1 - 2**-53, noise, steps, delta, side)
            for side in ("upper", "lower")
        )
        assert high == math.inf or gaussian_delta(mu, arb(high)) <= delta + slack
        assert low == 0 or gaussian_delta(mu, arb(low)) >= delta - slack


def at_least(k, steps, chance):
    """Return the chance of k successes or more, in balls."""
    return chance.beta_lower(arb(k), arb(steps - k + 1), regularized=1)


def list_of_counts(rate, steps):
    if steps < 50:
        return range(1, steps + 1)
    counts = np.unique(binom.ppf(np.linspace(0.01, 0.95, 60), steps, rate))
    return [int(k) for k in counts if k >= 1]


def lower_end(rate, noise, steps, delta):
    best = arb(0)
    for k, z in product(list_of_counts(rate, steps), np.linspace(0.0, 6.0, 25)):
        inside = at_least(k, steps, arb(rate) * (1 - above(z))) - arb(delta)
        outside = (
            arb(math.comb(steps, k)).log() + k * above(1 / arb(noise) - arb(z)).log()
        )
        if inside > 0 and inside.log() - outside > best:
            best = inside.log() - outside
    return best


def no_less(rate, noise, steps, delta, eps):
    """Tell whether some k certifies a level.

    There are k Gaussian mechanisms, and at most delta with the record's rarer draws.
    """
    for share in np.linspace(0.05, 0.95, 19) * delta:
        k = int(binom.isf(share, steps, rate))
        rest = (
            arb(delta) - at_least(k + 1, steps, arb(rate)) if k < steps else arb(delta)
        )
        mu = arb(k).sqrt() / arb(noise)
        # the level of mu^2/2 + mu x has a delta of at most the chance to exceed x
        if k == 0 or (rest > 0 and above((arb(eps) - mu * mu / 2) / mu) <= rest):
            return True
    return False


@states(
    "training.low_noise_bracket", "*Above:*", "Floats; both ends err by rounding only"
)
@pytest.mark.parametrize(
    ("rate", "noise", "steps", "delta"),
    [
        (0.5, 1e-3, 1, 1e-5),
        (0.01, 0.05, 40, 1e-10),
        (1e-3, 0.1, 3000, 1e-5),
        (0.9, 1e-3, 200, 1e-3),
        (0.5, 9.0, 2, 0.1),
    ],
)
def test_both_ends_of_the_bracket_are_those_of_balls_up_to_rounding(
    rate, noise, steps, delta
):
    low, high = low_noise_bracket(rate, noise, steps, delta)
    exact = lower_end(rate, noise, steps, delta)
    assert abs(arb(low) - exact) <= 1e-9 * exact + arb(10) ** -12
    assert no_less(rate, noise, steps, delta, high * (1 + 1e-9) + 1e-12)
    assert high < 1e-6 or not no_less(rate, noise, steps, delta, high * (1 - 1e-6))


@states("training.noise_for_level", "By bisection to 2 %, not below 0.001")
@pytest.mark.parametrize(
    ("eps", "rate", "steps", "delta"),
    [(3.0, 0.02, 1000, 1e-3), (5000.0, 0.02, 10_000, 1e-5), (0.01, 1e-4, 1, 1e-9)],
)
def test_noise_for_a_level_is_enough_and_not_much_more(eps, rate, steps, delta):
    def level(noise):
        below = low_noise_bracket(rate, noise, steps, delta)[1]
        return whole_run_level(rate, noise, steps, delta) if noise >= 0.3 else below

    noise = noise_for_level(eps, rate, steps, delta)
    assert level(noise) <= eps < level(noise / 1.04)
    assert 0.001 <= noise_for_level(1e12, 0.5, 10, 1e-5) <= 0.00103
