"""Check arguments before any work is done: each error names the argument and echoes the value."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "check_array", "check_callable", "check_count", "check_each", "check_eps", "check_finite", "check_fraction",
    "check_fractions", "check_interval", "check_method", "check_points", "check_probabilities", "check_rng",
    "exact_probabilities",
]  # fmt: skip

Array = NDArray[np.float64]

#: Probabilities given as floats may miss a total of one by rounding: n atoms, each rounded to
#: half an ulp, miss it by at most n * 2**-53; 1e-9 leaves room for a million atoms and a sum.
TOTAL_TOLERANCE = 1e-9


def _echo(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def check_finite(name: str, value: object) -> float:
    """Return `value` as a finite float, or raise an error that names it."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {_echo(value)}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {_echo(value)}")
    return number


def check_eps(name: str, value: object) -> float:
    """Return a privacy level as a float > 0."""
    number = check_finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be > 0, got {_echo(value)}")
    return number


def check_interval(
    name: str, value: object, low: float, high: float, *, open_low: bool = False, open_high: bool = False
) -> float:
    """Return a number within an interval, closed unless said otherwise."""
    number = check_finite(name, value)
    below = number <= low if open_low else number < low
    above = number >= high if open_high else number > high
    if below or above:
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        raise ValueError(f"{name} must lie in {left}{low}, {high}{right}, got {_echo(value)}")
    return number


def check_count(name: str, value: object, *, minimum: int = 1) -> int:
    """Return an integer that is at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {_echo(value)}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {_echo(value)}")
    return int(value)


def check_fraction(
    name: str, value: object, *, above: int | None = None, minimum: int | None = None, maximum: int | None = None
) -> Fraction:
    """Return an int or a `fractions.Fraction` as a Fraction: > `above`, >= `minimum`, <= `maximum` where given."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"{name} must be an int or a fractions.Fraction, got {_echo(value)}")
    number = Fraction(value)
    if above is not None and number <= above:
        raise ValueError(f"{name} must be > {above}, got {_echo(value)}")
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {_echo(value)}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {_echo(value)}")
    return number


def check_fractions(name: str, value: object, *, size: int | None = None) -> tuple[Fraction, ...]:
    """Return a non-empty sequence of ints or Fractions, of the wanted size, as a tuple of Fractions."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise TypeError(f"{name} must be a non-empty sequence of fractions, got {_echo(value)}")
    if size is not None and len(value) != size:
        raise ValueError(f"{name} must have {size} entries, got {len(value)}: {_echo(value)}")
    if any(isinstance(entry, bool) or not isinstance(entry, int | Fraction) for entry in value):
        raise TypeError(f"{name} must hold ints or fractions.Fraction, got {_echo(value)}")
    return tuple(Fraction(entry) for entry in value)


def exact_probabilities(name: str, value: object, *, size: int | None = None) -> tuple[Fraction, ...]:
    """Return a probability vector of rationals that sums to one exactly, else raise an error naming it."""
    entries = check_fractions(name, value, size=size)
    if any(entry < 0 for entry in entries) or sum(entries) != 1:
        raise ValueError(f"{name} must be probabilities >= 0 that sum to exactly 1, got {value!r}")
    return entries


def check_each(name: str, value: object, check: Callable[[str, Any], Any]) -> list[Any]:
    """Return the entries of a non-empty list or tuple, each passed by `check`; errors echo the whole."""
    if not isinstance(value, list | tuple) or not value:
        raise TypeError(f"{name} must be a non-empty list, got {_echo(value)}")
    try:
        return [check(name, entry) for entry in value]
    except (TypeError, ValueError) as error:
        raise type(error)(f"{error}, in {_echo(value)}") from error


def check_array(name: str, value: object, *, ndim: int | None = None, shape: tuple[int, ...] | None = None) -> Array:
    """Return a non-empty float array of finite values, of the wanted dimension or shape."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be an array of numbers, got {_echo(value)}") from error
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} dimension(s), got shape {array.shape}: {_echo(value)}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got shape {array.shape}: {_echo(value)}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got {_echo(value)}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {_echo(value)}")
    return array


def check_probabilities(name: str, value: object, *, size: int | None = None) -> Array:
    """Return a probability vector: one dimension, finite, >= 0, total one within 1e-9."""
    array = check_array(name, value, ndim=1, shape=None if size is None else (size,))
    if (array < 0).any():
        raise ValueError(f"{name} must be probabilities >= 0, got {_echo(value)}")
    total = math.fsum(array)
    if abs(total - 1.0) > TOTAL_TOLERANCE:
        raise ValueError(f"{name} must be probabilities that sum to 1, got a sum of {total!r}: {_echo(value)}")
    return array


def check_points(name: str, value: object, dim: int) -> Array:
    """Return points as an array of shape (n, dim), n >= 1, all finite."""
    array = check_array(name, value, ndim=2)
    if array.shape[1] != dim:
        raise ValueError(f"{name} must have shape (n, {dim}), got shape {array.shape}: {_echo(value)}")
    return array


def check_rng(name: str, value: object) -> np.random.Generator:
    """Return a `numpy.random.Generator`; seeds and None are refused, so that randomness is explicit."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator, got {_echo(value)}")
    return value


def check_callable(name: str, value: object) -> Callable[..., Any]:
    """Return a callable."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, got {_echo(value)}")
    return value


def check_method(name: str, value: object, *methods: str) -> Any:
    """Return an object that has all the methods named."""
    for method in methods:
        if not callable(getattr(value, method, None)):
            raise TypeError(f"{name} must have a method {method}(), got {_echo(value)}")
    return value
