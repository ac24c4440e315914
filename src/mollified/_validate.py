"""Check arguments before any work is done; errors name the argument.

They show its value where that is public. What a message may show, and how a value from
outside becomes an array of numbers, is said in `_numbers`; what counts of records are,
in `check_counts`.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mollified._numbers import (
    PRIVATE,
    as_floats,
    as_numbers,
    check_tensor,
    describe,
    echo,
    is_tensor,
)

__all__ = [
    "MOST_RECORDS",
    "PRIVATE",
    "Counts",
    "as_floats",
    "as_numbers",
    "check_array",
    "check_callable",
    "check_count",
    "check_counts",
    "check_each",
    "check_eps",
    "check_finite",
    "check_fraction",
    "check_fractions",
    "check_interval",
    "check_method",
    "check_points",
    "check_probabilities",
    "check_rng",
    "check_tensor",
    "describe",
    "echo",
    "exact_probabilities",
    "is_tensor",
    "total_tolerance",
]

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Entry = TypeVar("Entry")
Argument = TypeVar("Argument")

#: Probabilities given as floats may miss a total of one by rounding: n atoms, each
#: rounded to half an ulp, miss it by at most n * 2**-53; 1e-9 leaves room for a million
#: atoms and a sum.
TOTAL_TOLERANCE = 1e-9
#: So far from one no total is rounding, even of many floats of 32 bits.
LARGEST_TOLERANCE = 2.0**-4
#: More records than this are refused: sums with as many pseudo-records stay whole
#: numbers of 64 bits.
MOST_RECORDS = 1 << 62


def total_tolerance(size: int) -> float:
    """Return how far a law on so many points may miss the total one.

    That is what floats of 32 bits lose. A softmax in 32 bits misses it by up to k
    2^-23; the level of no mechanism here depends on the total.
    """
    return min(max(TOTAL_TOLERANCE, size * 2.0**-23), LARGEST_TOLERANCE)


def check_finite(name: str, value: object) -> float:
    """Return `value` as a finite float, or raise an error that names it."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {echo(name, value)}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {echo(name, value)}")
    return number


def check_eps(name: str, value: object) -> float:
    """Return a privacy level as a float > 0."""
    number = check_finite(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be > 0, got {echo(name, value)}")
    return number


def check_interval(
    name: str,
    value: object,
    low: float,
    high: float,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """Return a number within an interval, closed unless said otherwise."""
    number = check_finite(name, value)
    outside = not low <= number <= high
    at_open_end = (open_low and number == low) or (open_high and number == high)
    if outside or at_open_end:
        left = "(" if open_low else "["
        right = ")" if open_high else "]"
        raise ValueError(
            f"{name} must lie in {left}{low}, {high}{right}, got {echo(name, value)}"
        )
    return number


def check_count(name: str, value: object, *, minimum: int = 1) -> int:
    """Return an integer that is at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {echo(name, value)}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {echo(name, value)}")
    return int(value)


def check_fraction(
    name: str,
    value: object,
    *,
    above: int | None = None,
    minimum: int | None = None,
    maximum: int | None = None,
) -> Fraction:
    """Return an int or a Fraction as a Fraction, within the bounds that are passed.

    It must be > `above`, >= `minimum` and <= `maximum`.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(
            f"{name} must be an int or a fractions.Fraction, got {echo(name, value)}"
        )
    number = Fraction(value)
    if above is not None and number <= above:
        raise ValueError(f"{name} must be > {above}, got {echo(name, value)}")
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {echo(name, value)}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {echo(name, value)}")
    return number


def check_fractions(
    name: str,
    value: object,
    *,
    size: int | None = None,
) -> tuple[Fraction, ...]:
    """Return a non-empty sequence of ints or Fractions as a tuple of Fractions.

    A `size` asks for as many entries.
    """
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise TypeError(
            f"{name} must be a non-empty sequence of fractions, got "
            f"{echo(name, value, whole=True)}"
        )
    if size is not None and len(value) != size:
        raise ValueError(
            f"{name} must have {size} entries, got {len(value)}: "
            f"{echo(name, value, whole=True)}"
        )
    if any(
        isinstance(entry, bool) or not isinstance(entry, int | Fraction)
        for entry in value
    ):
        raise TypeError(
            f"{name} must hold ints or fractions.Fraction, got "
            f"{echo(name, value, whole=True)}"
        )
    return tuple(Fraction(entry) for entry in value)


def exact_probabilities(
    name: str,
    value: object,
    *,
    size: int | None = None,
) -> tuple[Fraction, ...]:
    """Return a probability vector of rationals that sums to one exactly."""
    entries = check_fractions(name, value, size=size)
    if any(entry < 0 for entry in entries) or sum(entries) != 1:
        shown = echo(name, value, whole=True)
        raise ValueError(
            f"{name} must be probabilities >= 0 that sum to exactly 1, got {shown}"
        )
    return entries


def check_each(
    name: str,
    value: object,
    check: Callable[[str, object], Entry],
) -> list[Entry]:
    """Return the entries of a non-empty list or tuple, each passed by `check`.

    Errors show the whole.
    """
    if not isinstance(value, list | tuple) or not value:
        raise TypeError(
            f"{name} must be a non-empty list, got {echo(name, value, whole=True)}"
        )
    try:
        return [check(name, entry) for entry in value]
    except (TypeError, ValueError) as error:
        raise type(error)(f"{error}, in {echo(name, value, whole=True)}") from None


def check_array(
    name: str,
    value: object,
    *,
    ndim: int | None = None,
    shape: tuple[int, ...] | None = None,
) -> Array:
    """Return a non-empty array of finite floats, of the wanted dimension or shape."""
    array = as_floats(name, value)
    wanted = ""
    if ndim is not None and array.ndim != ndim:
        wanted = f"have {ndim} dimension(s)"
    elif shape is not None and array.shape != shape:
        wanted = f"have shape {shape}"
    elif array.size == 0:
        wanted = "not be empty"
    elif not np.isfinite(array).all():
        wanted = "be finite"
    if wanted:
        raise ValueError(
            f"{name} must {wanted}, got shape {array.shape}: "
            f"{echo(name, value, whole=True)}"
        )
    return array


def check_counts(name: str, value: object) -> Counts:
    """Return the counts of a data set as integers >= 0, shape (k,).

    There are two symbols and one record at least. Raises TypeError for counts that are
    no integers (floats of integer value too), ValueError for empty data and for more
    than 2^62 records.
    """
    array = as_numbers(name, value)
    if array.dtype.kind == "f":
        raise TypeError(
            f"{name} must hold integers, got {echo(name, value, whole=True)}"
        )
    if array.ndim != 1 or array.size < 2:
        raise ValueError(
            f"{name} must be one row of at least 2 counts, got "
            f"{echo(name, value, whole=True)}"
        )
    if (array < 0).any():
        raise ValueError(
            f"{name} must be counts >= 0, got {echo(name, value, whole=True)}"
        )
    records = sum(array.tolist())
    if not 0 < records <= MOST_RECORDS:
        raise ValueError(
            f"{name} must hold from 1 to 2^62 records in all, got "
            f"{echo(name, value, whole=True)}"
        )
    return array.astype(np.int64)


def check_probabilities(name: str, value: object, *, size: int | None = None) -> Array:
    """Return a probability vector: one dimension, finite, >= 0, total one to 1e-9."""
    shape = None if size is None else (size,)
    array = check_array(name, value, ndim=1, shape=shape)
    if (array < 0).any():
        raise ValueError(
            f"{name} must be probabilities >= 0, got {echo(name, value, whole=True)}"
        )
    if abs(math.fsum(array) - 1.0) > TOTAL_TOLERANCE:
        raise ValueError(
            f"{name} must be probabilities that sum to 1, got "
            f"{echo(name, value, whole=True)}"
        )
    return array


def check_points(name: str, value: object, dim: int) -> Array:
    """Return points as an array of shape (n, dim), n >= 1, all finite."""
    array = check_array(name, value, ndim=2)
    if array.shape[1] != dim:
        shown = echo(name, value, whole=True)
        raise ValueError(
            f"{name} must have shape (n, {dim}), got shape {array.shape}: {shown}"
        )
    return array


def check_rng(name: str, value: object) -> np.random.Generator:
    """Return a `numpy.random.Generator`; seeds and None are refused.

    So randomness is explicit.
    """
    if not isinstance(value, np.random.Generator):
        raise TypeError(
            f"{name} must be a numpy.random.Generator, got {echo(name, value)}"
        )
    return value


def check_callable(name: str, value: Argument) -> Argument:
    """Return a callable."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, got {echo(name, value)}")
    return value


def check_method(name: str, value: Argument, *methods: str) -> Argument:
    """Return an object that has all the methods named."""
    for method in methods:
        if not callable(getattr(value, method, None)):
            raise TypeError(
                f"{name} must have a method {method}(), got {echo(name, value)}"
            )
    return value
