"""Check densities, logs of densities and spaces; errors name the argument.

They show its value.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import numpy as np

from mollified._validate import Array, as_floats, check_method, echo

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.laws.spaces import IntegrationSpace

__all__ = ["check_distribution", "check_log_values", "check_space", "evaluate_log"]

#: exp(700) is close to the largest float64; a log density above it is a mistake, not a
#: density.
LARGEST_LOG = 700.0


def check_distribution(name: str, value: object) -> Distribution:
    """Return an object with `dim`, `log_prob` and `sample`, else raise a TypeError."""
    check_method(name, value, "log_prob", "sample")
    dim = getattr(value, "dim", None)
    if isinstance(dim, bool) or not isinstance(dim, numbers.Integral) or dim < 1:
        raise TypeError(
            f"{name} must have an integer dim >= 1, got {echo(name, value)}"
        )
    return cast("Distribution", value)


def check_space(name: str, value: object) -> IntegrationSpace:
    """Return an object that integrates values at its points, else raise a TypeError."""
    check_method(name, value, "integrate", "log_integral", "supremum")
    if not isinstance(getattr(value, "points", None), np.ndarray):
        raise TypeError(f"{name} must have an array of points, got {echo(name, value)}")
    return cast("IntegrationSpace", value)


def check_log_values(
    name: str,
    value: object,
    size: int | None = None,
    *,
    largest: float = np.inf,
) -> Array:
    """Return log densities as floats (size,): -inf is allowed, not NaN or +inf."""
    array = as_floats(name, value)
    if array.ndim != 1 or array.size == 0 or (size is not None and array.size != size):
        wanted = "(n,), n >= 1" if size is None else f"({size},)"
        raise ValueError(
            f"{name} must have shape {wanted}, got shape {array.shape}: "
            f"{echo(name, value, whole=True)}"
        )
    if np.isnan(array).any() or (array == np.inf).any():
        raise ValueError(
            f"{name} must hold logs that are finite or -inf, got "
            f"{echo(name, value, whole=True)}"
        )
    if (array > largest).any():
        raise ValueError(
            f"{name} must not exceed {largest}, got {echo(name, value, whole=True)}"
        )
    return array


def evaluate_log(
    name: str,
    function: Callable[[Array], object],
    points: Array,
) -> Array:
    """Return `function(points)` as logs of shape (n,); errors name the function."""
    return check_log_values(name, function(points), points.shape[0])
