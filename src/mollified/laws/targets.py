"""The target distributions P of the experiments (section 5 of v1, v2 and v3).

What the papers leave open is an argument here, with a default that each function
states.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from mollified._validate import Array, check_count, check_eps, echo
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture

__all__ = ["mixture_1d", "random_1d", "random_2d", "ring"]


def _equal_mixture(means: Array, variances: Sequence[float]) -> Mixture:
    pairs = zip(means, variances, strict=True)
    count = len(variances)
    return Mixture(
        [Gaussian(mean, variance) for mean, variance in pairs],
        np.full(count, 1.0 / count),
    )


def ring(modes: int = 8, radius: float = 4.0, variance: float = 0.25) -> Mixture:
    """Return equally weighted Gaussians N(m_i, variance I) on a circle in the plane.

    Their means are regularly spaced. m_i = radius (cos(2 pi i / modes), sin(2 pi i /
    modes)), i = 0..modes-1. The papers fix only the number of modes, 8, and the circle
    ("8 Gaussians have their modes regularly spaced on a circle", v1 and v3, section 5);
    radius 4 and variance 1/4 are choices of this package. An earlier public library of
    one of the authors (BoostedDensities.jl, gaussian_mixture.jl) has radius 4 and sigma
    = 1/2, used there as the covariance I/2.

    Raises ValueError or TypeError where `modes` is not an integer >= 1, or `radius` or
    `variance` not > 0.
    """
    count = check_count("modes", modes)
    length = check_eps("radius", radius)
    width = check_eps("variance", variance)
    angles = 2.0 * math.pi * np.arange(count) / count
    return _equal_mixture(
        length * np.column_stack([np.cos(angles), np.sin(angles)]), [width] * count
    )


def mixture_1d(
    reading: Literal["standard-deviation", "variance"] = "standard-deviation",
) -> Mixture:
    """Return P = (N(0.3, 0.01) + N(0.5, 0.1) + N(0.7, 0.1)) / 3 on the line.

    Source: v1 and v3, section 5. The papers do not say whether the second argument is a
    standard deviation or a variance: both readings can be had.

    Raises ValueError where `reading` is neither "standard-deviation" nor "variance".
    """
    if reading not in ("standard-deviation", "variance"):
        raise ValueError(
            "reading must be 'standard-deviation' or 'variance', got "
            f"{echo('reading', reading)}"
        )
    spreads = [0.01, 0.1, 0.1]
    variances = (
        spreads if reading == "variance" else [spread * spread for spread in spreads]
    )
    return _equal_mixture(np.array([[0.3], [0.5], [0.7]]), variances)


def random_1d(m: int, rng: np.random.Generator, variance: float = 0.01) -> Mixture:
    """Return `m` equally weighted Gaussians on the line with random means.

    They have one variance. The papers "randomly place m gaussians with means centered
    in the interval [0, 1] and variances 0.01" (v1 and v3, section 5). The law of the
    means is not stated; here they are independent and uniform on [0, 1]. The weights
    are not stated; here they are equal.
    """
    return _equal_mixture(rng.random((m, 1)), [variance] * m)


def random_2d(
    m: int,
    rng: np.random.Generator,
    half_width: float = 4.0,
    variance: float = 0.25,
) -> Mixture:
    """Return `m` equally weighted Gaussians N(m_i, variance I) at random in the plane.

    The papers show "randomly placed" Gaussians in the plane (v1 figure 8, v3 appendix)
    and state neither the box nor the variance. Here the means are independent and
    uniform on the square [-half_width, half_width]^2, and both defaults are those of
    `ring`, so that the scales agree.
    """
    return _equal_mixture(half_width * (2.0 * rng.random((m, 2)) - 1.0), [variance] * m)
