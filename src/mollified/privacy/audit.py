r"""Audit a mechanism as a black box: a lower bound on its eps.

From draws on two neighbouring data sets. If it is $(\varepsilon,\delta)$-DP then
$p\le e^\varepsilon q+\delta$ for every event, with p and q its probabilities on the two
data sets; so $\varepsilon\ge\log\frac{p-\delta}q$. From counts of the event, p is
bounded from below and q from above by Clopper and Pearson (1934), each with half of the
error probability: the result lies above the true value with probability at most 1 -
confidence, whatever the mechanism. The event must not be chosen on the draws that are
counted. Not in the papers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv

from mollified._validate import (
    check_callable,
    check_count,
    check_interval,
    check_rng,
    describe,
    echo,
)
from mollified.privacy.exact_level import ball, float_above, float_below
from statements.precision import working_precision

__all__ = ["Audit", "audit", "audited_eps", "least_probability", "most_probability"]

#: Enough for tails of 10^12 draws.
BITS = 160

#: A black box: draws wanted and a Generator to outputs, one a row.
Sampler = Callable[[int, np.random.Generator], NDArray[Any]]


@dataclass(frozen=True)
class Audit:
    """Hold how often the event was met, and the bound on eps, in nats.

    On either side, among `draws` draws a side.
    """

    hits: int
    other_hits: int
    draws: int
    delta: float
    confidence: float
    eps: float


def _check_hits(name: str, hits: object, draws: int) -> int:
    count = check_count(name, hits, minimum=0)
    if count > draws:
        raise ValueError(
            f"{name} must not exceed the {draws} draws, got {echo(name, hits)}"
        )
    return count


def _check_error(error: object) -> float:
    return check_interval("error", error, 0, 1, open_low=True, open_high=True)


def _certified(guess: float, side: int, surely: Callable[[arb], bool]) -> float:
    """Return a float beside a guess, of which a condition in balls surely holds.

    Below the guess for side -1, above it for 1.
    """
    share = Fraction(1, 10**12)
    with working_precision(BITS):
        while not surely(ball(Fraction(guess) * (1 + side * share))):
            share *= 8
    moved = Fraction(guess) * (1 + side * share)
    if side < 0:
        return float_below(moved)
    return float_above(moved)


def least_probability(hits: int, draws: int, error: float) -> float:
    """Return Clopper and Pearson's lower bound on a probability.

    Above the probability with probability at most `error`. Errs below: in balls, so
    many hits or more have at most this probability there.
    """
    hits = _check_hits("hits", hits, draws)
    error = _check_error(error)
    if hits == 0:
        return 0.0

    def rare(p: arb) -> bool:
        as_many = p.beta_lower(hits, draws - hits + 1, regularized=True)
        return bool(as_many <= ball(Fraction(error)))

    return _certified(float(betaincinv(hits, draws - hits + 1, error)), -1, rare)


def most_probability(hits: int, draws: int, error: float) -> float:
    """Return Clopper and Pearson's upper bound on a probability.

    Below the probability with probability at most `error`. Errs above: in balls, so
    many hits or fewer have at most this probability there.
    """
    hits = _check_hits("hits", hits, draws)
    error = _check_error(error)
    if hits == draws:
        return 1.0

    def rare(p: arb) -> bool:
        as_few = arb(0)
        if p < 1:
            as_few = (1 - p).beta_lower(draws - hits, hits + 1, regularized=True)
        return bool(as_few <= ball(Fraction(error)))

    guess = float(betainccinv(hits + 1, draws - hits, error))
    return min(_certified(guess, 1, rare), 1.0)


def audited_eps(
    hits: int,
    other_hits: int,
    draws: int,
    delta: float,
    confidence: float = 0.999,
) -> float:
    r"""Return $\log\frac{p_{low}-\delta}{q_{high}}$, a lower bound on eps in nats.

    0 where it is negative. `hits` of `draws` met the event on the first data set,
    `other_hits` of as many on the second. Above the true eps with probability at most 1
    - confidence. Raises ValueError or TypeError for draws < 1, hits outside 0..draws,
    delta outside [0, 1) or confidence outside (0, 1).
    """
    draws = check_count("draws", draws)
    hits = _check_hits("hits", hits, draws)
    other = _check_hits("other_hits", other_hits, draws)
    delta = check_interval("delta", delta, 0, 1, open_high=True)
    sure = check_interval("confidence", confidence, 0, 1, open_low=True, open_high=True)
    error = (1 - sure) / 2
    low = least_probability(hits, draws, error)
    high = most_probability(other, draws, error)
    with working_precision(BITS):
        ratio = ball((Fraction(low) - Fraction(delta)) / Fraction(high))
        if ratio > 1:
            return max(float_below(ratio.log()), 0.0)
    return 0.0


def audit(
    first: Sampler,
    second: Sampler,
    event: Callable[[NDArray[Any]], NDArray[np.bool_]],
    draws: int,
    delta: float,
    rng: np.random.Generator,
    *,
    confidence: float = 0.999,
    block: int = 500_000,
) -> Audit:
    """Draw from the mechanism on either data set, and bound its eps from below.

    By counts of the event and `audited_eps`. `first` and `second` take how many outputs
    are wanted and an rng; `event` takes outputs, one a row, and says which lie in the
    event. `block` outputs are drawn at a time. Raises ValueError or TypeError for what
    is not callable, an event that gives no row of booleans, draws or block < 1, no rng,
    and as `audited_eps`.
    """
    boxes = [check_callable("first", first), check_callable("second", second)]
    event = check_callable("event", event)
    rng = check_rng("rng", rng)
    draws = check_count("draws", draws)
    block = check_count("block", block)
    audited_eps(0, 0, draws, delta, confidence)
    counted = []
    for box in boxes:
        met = 0
        for start in range(0, draws, block):
            wanted = min(block, draws - start)
            inside = np.asarray(event(box(wanted, rng)))
            if inside.dtype != bool or inside.shape != (wanted,):
                raise ValueError(
                    f"event must give {wanted} booleans, got a {describe(inside)}"
                )
            met += int(inside.sum())
        counted.append(met)
    bound = audited_eps(counted[0], counted[1], draws, delta, confidence)
    return Audit(counted[0], counted[1], draws, float(delta), float(confidence), bound)
