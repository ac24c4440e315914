r"""Integer noise of OpenDP: its measurements on integers of 64 bits.

And the scales at which these hold the noise. An integer that leaves its type is cut to
the end of it there, in silence. Noise farther out than 40 scales has probability
$e^{-40}$ at most (Laplace; $e^{-800}$ for Gaussian noise).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mollified._validate import check_interval

__all__ = [
    "LARGEST_SCALE",
    "LEAST_SCALE",
    "asked",
    "check_scale",
    "measurement",
    "zcdp_delta",
]

Answer = TypeVar("Answer")

#: Forty of the largest stay below 2^63; below the least, squares of scales are no
#: floats.
LEAST_SCALE = 2.0**-500
LARGEST_SCALE = 2.0**57


def check_scale(name: str, value: object) -> float:
    """Return a scale whose noise integers of 64 bits hold, or raise an error."""
    return check_interval(name, value, LEAST_SCALE, LARGEST_SCALE)


def asked(name: str, question: Callable[[], Answer]) -> Answer:
    """Return what OpenDP answers; ValueError with the argument's name if it refuses."""
    from opendp.mod import OpenDPException

    try:
        return question()
    except OpenDPException:
        raise ValueError(f"{name} must be a value that OpenDP takes") from None


def measurement(noise: str, scale: float, bounds: tuple[int, int] | None = None) -> Any:
    """Return OpenDP's measurement on vectors of integers.

    make_gaussian, make_laplace, or make_geometric on bounds.
    """
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if noise == "discrete-gaussian":
        return dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale)
    if bounds is None:
        return dp.m.make_laplace(domain, dp.l1_distance(T="f64"), scale)
    return dp.m.make_geometric(domain, dp.l1_distance(T="i64"), scale, bounds=bounds)


def zcdp_delta(scale: float, eps: float, sensitivity: float) -> float:
    """Return the delta of `make_zCDP_to_approxDP` for discrete Gaussian noise.

    1 where OpenDP's floats overflow.
    """
    import opendp.prelude as dp
    from opendp.mod import OpenDPException

    converted: Any = dp.c.make_zCDP_to_approxDP(measurement("discrete-gaussian", scale))
    try:
        return min(1.0, float(converted.map(sensitivity).delta(eps)))
    except OpenDPException:
        return 1.0
