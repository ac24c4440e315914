"""Check arguments before any work is done: each error names the argument, and shows its value where that is public.

Three rules stand here, for all of the package. What a message may show: `echo`. How a value from outside becomes an
array of numbers: `as_numbers`. What counts of records are: `check_counts`.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

__all__ = [
    "MOST_RECORDS", "PRIVATE", "Counts", "as_floats", "as_numbers", "check_array", "check_callable", "check_count",
    "check_counts", "check_each", "check_eps", "check_finite", "check_fraction", "check_fractions", "check_interval",
    "check_method", "check_points", "check_probabilities", "check_rng", "check_tensor", "describe", "echo",
    "exact_probabilities", "is_tensor", "total_tolerance",
]  # fmt: skip

Array = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Names of arguments that are private, or may be: a person's law, the counts and answers of a data set, and what is
#: computed from them. Of these a message shows the type and the shape.
PRIVATE = frozenset({
    "P", "answer", "classifiers", "components", "count", "counts", "covariance", "current", "data", "law",
    "log_constant", "log_density", "log_p", "log_q", "log_ratio", "log_values", "logit", "lower", "mean", "one", "p",
    "probabilities", "q", "target", "thetas", "two", "upper", "values", "weights",
})  # fmt: skip

#: Probabilities given as floats may miss a total of one by rounding: n atoms, each rounded to
#: half an ulp, miss it by at most n * 2**-53; 1e-9 leaves room for a million atoms and a sum.
TOTAL_TOLERANCE = 1e-9
#: So far from one no total is rounding, even of many floats of 32 bits.
LARGEST_TOLERANCE = 2.0**-4
#: More records than this are refused: sums with as many pseudo-records stay whole numbers of 64 bits.
MOST_RECORDS = 1 << 62
#: Names of types of floats with less than 24 digits, in which no law keeps its total.
HALVES = ("float16", "bfloat16")
#: Types of tensors that are taken.
TENSORS = [f"torch.{kind}" for kind in ("float32", "float64", "uint8", "int8", "int16", "int32", "int64")]


def describe(value: object) -> str:
    """Return what is said of a value that may be private: its type, and its shape or length."""
    kind = type(value).__name__
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return f"{kind} of shape {tuple(int(side) for side in shape)}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"{kind} of length {len(value)}"
    return f"value of type {kind}"


def echo(name: str, value: object, *, whole: bool = False) -> str:
    """Return what a message may show of an argument: numbers and words of public ones, else type and shape.

    What holds several values is shown only where the argument is public and takes such (`whole`): data that came in a
    wrong place stay unseen.
    """
    if name in PRIVATE:
        return describe(value)
    single, several = numbers.Number | arb | str | bytes | None, list | tuple | np.ndarray
    if not isinstance(value, single | several if whole else single) or str(getattr(value, "dtype", "")) == "object":
        return describe(value)
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def is_tensor(value: object) -> bool:
    """Tell whether a value is a tensor of PyTorch, without loading it."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def check_tensor(name: str, value: Any) -> Any:
    """Return a tensor that has no gradient and holds plain numbers of 32 bits or more, else raise a TypeError."""
    if value.requires_grad:
        raise TypeError(f"{name} must not require a gradient, which would be lost: give {name}.detach()")
    if str(value.dtype) not in TENSORS or value.is_sparse or value.is_meta or str(value.layout) != "torch.strided":
        raise TypeError(f"{name} must be dense, of real numbers of 32 bits or more, got {value.dtype}, {value.layout}")
    return value


def _check_labels(name: str, value: object) -> None:
    """Raise a ValueError for a table or series whose labels are not 0, 1, ...: it would be read in a wrong order."""
    labels = getattr(value, "columns", None)
    labels = getattr(value, "index", None) if labels is None else labels
    if labels is None or callable(labels):
        return
    if list(labels) != list(range(len(labels))):
        raise ValueError(f"{name} must have no labels, which could be in another order: sort it, then give its values")


def as_numbers(name: str, value: object) -> NDArray[Any]:
    """Return an array of float64 or of whole numbers from what holds real numbers; floats of 32 bits become float64.

    Raises TypeError for text, booleans, complex numbers, floats of 16 bits, masked arrays, tensors with a gradient and
    what is no array at all, ValueError for labels that are not 0, 1, ...; no message holds a value, and none is chained
    to one that does.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: fill it, or leave the masked places out")
    _check_labels(name, value)
    plain: Any = check_tensor(name, value).cpu().numpy() if is_tensor(value) else value
    try:
        array = np.asarray(plain)
    except Exception:
        raise TypeError(_no_numbers(name, value)) from None
    if array.dtype.kind == "O":
        return _from_objects(name, value, array)
    if array.dtype.kind not in "iuf" or array.dtype.name in HALVES:
        raise TypeError(_no_numbers(name, value))
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def as_floats(name: str, value: object) -> Array:
    """Return an array of float64 as `as_numbers` does; ValueError for whole numbers that no float holds."""
    try:
        return np.asarray(as_numbers(name, value), dtype=np.float64)
    except OverflowError:
        raise ValueError(f"{name} must be finite, got a {describe(value)} with larger numbers") from None


def _no_numbers(name: str, value: object) -> str:
    return f"{name} must be an array of real numbers of 32 bits or more, got {echo(name, value, whole=True)}"


def _from_objects(name: str, value: object, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of Python's numbers as one of float64, or as it is where all are whole."""
    entries = array.ravel().tolist()
    if array.ndim == 0 or any(isinstance(one, bool | np.bool) or not isinstance(one, numbers.Real) for one in entries):
        raise TypeError(_no_numbers(name, value))
    if all(isinstance(one, numbers.Integral) for one in entries):
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(_no_numbers(name, value)) from None


def total_tolerance(size: int) -> float:
    """Return how far a law on so many points may miss the total one: what floats of 32 bits lose.

    A softmax in 32 bits misses it by up to k 2^-23; the level of no mechanism here depends on the total.
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
    name: str, value: object, low: float, high: float, *, open_low: bool = False, open_high: bool = False
) -> float:
    """Return a number within an interval, closed unless said otherwise."""
    number = check_finite(name, value)
    below = number <= low if open_low else number < low
    above = number >= high if open_high else number > high
    if below or above:
        left, right = "(" if open_low else "[", ")" if open_high else "]"
        raise ValueError(f"{name} must lie in {left}{low}, {high}{right}, got {echo(name, value)}")
    return number


def check_count(name: str, value: object, *, minimum: int = 1) -> int:
    """Return an integer that is at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {echo(name, value)}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {echo(name, value)}")
    return int(value)


def check_fraction(
    name: str, value: object, *, above: int | None = None, minimum: int | None = None, maximum: int | None = None
) -> Fraction:
    """Return an int or a `fractions.Fraction` as a Fraction: > `above`, >= `minimum`, <= `maximum` where given."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise TypeError(f"{name} must be an int or a fractions.Fraction, got {echo(name, value)}")
    number = Fraction(value)
    if above is not None and number <= above:
        raise ValueError(f"{name} must be > {above}, got {echo(name, value)}")
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {echo(name, value)}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {echo(name, value)}")
    return number


def check_fractions(name: str, value: object, *, size: int | None = None) -> tuple[Fraction, ...]:
    """Return a non-empty sequence of ints or Fractions, of the wanted size, as a tuple of Fractions."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise TypeError(f"{name} must be a non-empty sequence of fractions, got {echo(name, value, whole=True)}")
    if size is not None and len(value) != size:
        raise ValueError(f"{name} must have {size} entries, got {len(value)}: {echo(name, value, whole=True)}")
    if any(isinstance(entry, bool) or not isinstance(entry, int | Fraction) for entry in value):
        raise TypeError(f"{name} must hold ints or fractions.Fraction, got {echo(name, value, whole=True)}")
    return tuple(Fraction(entry) for entry in value)


def exact_probabilities(name: str, value: object, *, size: int | None = None) -> tuple[Fraction, ...]:
    """Return a probability vector of rationals that sums to one exactly, else raise an error naming it."""
    entries = check_fractions(name, value, size=size)
    if any(entry < 0 for entry in entries) or sum(entries) != 1:
        shown = echo(name, value, whole=True)
        raise ValueError(f"{name} must be probabilities >= 0 that sum to exactly 1, got {shown}")
    return entries


def check_each(name: str, value: object, check: Callable[[str, Any], Any]) -> list[Any]:
    """Return the entries of a non-empty list or tuple, each passed by `check`; errors show the whole."""
    if not isinstance(value, list | tuple) or not value:
        raise TypeError(f"{name} must be a non-empty list, got {echo(name, value, whole=True)}")
    try:
        return [check(name, entry) for entry in value]
    except (TypeError, ValueError) as error:
        raise type(error)(f"{error}, in {echo(name, value, whole=True)}") from None


def check_array(name: str, value: object, *, ndim: int | None = None, shape: tuple[int, ...] | None = None) -> Array:
    """Return a non-empty float array of finite values, of the wanted dimension or shape."""
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
        raise ValueError(f"{name} must {wanted}, got shape {array.shape}: {echo(name, value, whole=True)}")
    return array


def check_counts(name: str, value: object) -> Counts:
    """Return the counts of a data set as integers >= 0, shape (k,): two symbols and one record at least.

    Raises TypeError for counts that are no integers (floats of integer value too), ValueError for empty data and for
    more than 2^62 records.
    """
    array = as_numbers(name, value)
    if array.dtype.kind == "f":
        raise TypeError(f"{name} must hold integers, got {echo(name, value, whole=True)}")
    if array.ndim != 1 or array.size < 2:
        raise ValueError(f"{name} must be one row of at least 2 counts, got {echo(name, value, whole=True)}")
    if (array < 0).any():
        raise ValueError(f"{name} must be counts >= 0, got {echo(name, value, whole=True)}")
    records = sum(array.tolist())
    if not 0 < records <= MOST_RECORDS:
        raise ValueError(f"{name} must hold from 1 to 2^62 records in all, got {echo(name, value, whole=True)}")
    return array.astype(np.int64)


def check_probabilities(name: str, value: object, *, size: int | None = None) -> Array:
    """Return a probability vector: one dimension, finite, >= 0, total one within 1e-9."""
    array = check_array(name, value, ndim=1, shape=None if size is None else (size,))
    if (array < 0).any():
        raise ValueError(f"{name} must be probabilities >= 0, got {echo(name, value, whole=True)}")
    if abs(math.fsum(array) - 1.0) > TOTAL_TOLERANCE:
        raise ValueError(f"{name} must be probabilities that sum to 1, got {echo(name, value, whole=True)}")
    return array


def check_points(name: str, value: object, dim: int) -> Array:
    """Return points as an array of shape (n, dim), n >= 1, all finite."""
    array = check_array(name, value, ndim=2)
    if array.shape[1] != dim:
        shown = echo(name, value, whole=True)
        raise ValueError(f"{name} must have shape (n, {dim}), got shape {array.shape}: {shown}")
    return array


def check_rng(name: str, value: object) -> np.random.Generator:
    """Return a `numpy.random.Generator`; seeds and None are refused, so that randomness is explicit."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"{name} must be a numpy.random.Generator, got {echo(name, value)}")
    return value


def check_callable(name: str, value: object) -> Callable[..., Any]:
    """Return a callable."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, got {echo(name, value)}")
    return value


def check_method(name: str, value: object, *methods: str) -> Any:
    """Return an object that has all the methods named."""
    for method in methods:
        if not callable(getattr(value, method, None)):
            raise TypeError(f"{name} must have a method {method}(), got {echo(name, value)}")
    return value
