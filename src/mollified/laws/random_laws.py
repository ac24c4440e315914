r"""Random rational instances that reach into the corners.

Tiny atoms, extreme ratios, members on the boundary.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import (
    check_count,
    check_fraction,
    check_fractions,
    check_rng,
    exact_probabilities,
)

__all__ = [
    "member_of_box",
    "mollifier_box",
    "random_law",
    "random_root",
    "random_sparse_law",
]


def random_law(
    rng: np.random.Generator,
    size: int,
    *,
    spread: int = 12,
) -> tuple[Fraction, ...]:
    r"""Return a rational probability vector with all atoms positive.

    The smallest can be about $2^{-\text{spread}}$. Weights are integers, uniform below
    $2^B$ with B itself uniform on 1..`spread` for each atom. Raises ValueError or
    TypeError for size < 1, a spread outside 1..63 or a bad rng.
    """
    rng = check_rng("rng", rng)
    size = check_count("size", size)
    spread = check_count("spread", spread)
    if spread > 63:
        raise ValueError(f"spread must be at most 63, got {spread!r}")
    weights = [
        1 + int(rng.integers(2 ** int(rng.integers(1, spread + 1))))
        for _ in range(size)
    ]
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


def _random_fraction(
    rng: np.random.Generator,
    low: Fraction,
    high: Fraction,
    steps: int = 64,
) -> Fraction:
    r"""Return a rational in [low, high], an end with probability 1/4.

    Else it is a multiple of (high-low)/`steps`.
    """
    if rng.random() < 0.25:
        return high if rng.random() < 0.5 else low
    return low + (high - low) * int(rng.integers(steps + 1)) / steps


def random_root(rng: np.random.Generator) -> Fraction:
    r"""Return a rational $r=e^{\varepsilon/2}>1$, from 1.001 to about 20000.

    So eps runs from 0.002 to 20.
    """
    rng = check_rng("rng", rng)
    return 1 + Fraction(round(1000 * float(np.exp(rng.uniform(0.0, 16.8)))), 10**6)


def member_of_box(
    rng: np.random.Generator,
    low: tuple[Fraction, ...],
    high: tuple[Fraction, ...],
) -> tuple[Fraction, ...]:
    r"""Return a rational probability vector with low <= Q <= high, often at a bound.

    Atoms are visited in random order; each takes a random share, or all, of what the
    others leave it. Raises ValueError where no such vector exists.
    """
    rng = check_rng("rng", rng)
    for name, bound in (("low", low), ("high", high)):
        if min(check_fractions(name, bound)) < 0:
            raise ValueError(f"{name} must be >= 0, got {bound!r}")
    if len(low) != len(high):
        raise ValueError(f"low and high must have one length, got {low!r} and {high!r}")
    if (
        sum(low) > 1
        or sum(high) < 1
        or any(a > b for a, b in zip(low, high, strict=True))
    ):
        raise ValueError(
            f"low and high must leave room for mass one, got {low!r} and {high!r}"
        )
    order = [int(x) for x in rng.permutation(len(low))]
    values = list(low)
    rest_low = sum(low)
    rest_high = sum(high)
    left = Fraction(1)
    for x in order:
        rest_low -= low[x]
        rest_high -= high[x]
        bottom = max(low[x], left - rest_high)
        top = min(high[x], left - rest_low)
        values[x] = _random_fraction(rng, bottom, top)
        left -= values[x]
    return exact_probabilities("member", tuple(values))


def mollifier_box(
    base: tuple[Fraction, ...],
    root: Fraction,
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    r"""Return the bounds $Q_0/r$ and $\min\{rQ_0,1\}$ of the relative mollifier.

    Here $r=e^{\varepsilon/2}$, v3 (5). Raises TypeError or ValueError where `base` is
    not a rational law or `root` not a rational above 1.
    """
    law = exact_probabilities("base", base)
    r = check_fraction("root", root, above=1)
    return tuple(q / r for q in law), tuple(min(r * q, Fraction(1)) for q in law)


def random_sparse_law(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    r"""Return a random rational law in which atoms may be zero.

    Each but one is, with probability 0.3. Raises as `random_law` does.
    """
    law = list(random_law(rng, size))
    for x in range(size):
        if rng.random() < 0.3 and sum(value > 0 for value in law) > 1:
            law[x] = Fraction(0)
    total = sum(law)
    return tuple(value / total for value in law)
