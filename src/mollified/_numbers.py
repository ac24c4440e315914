"""Turn values from outside into arrays of numbers, and say what messages may show."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np
from flint import arb
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

__all__ = [
    "PRIVATE",
    "Numbers",
    "as_floats",
    "as_numbers",
    "check_tensor",
    "describe",
    "echo",
    "is_tensor",
]

Array = NDArray[np.float64]
#: Whole numbers: of NumPy, or Python's own, which may be larger.
Whole: TypeAlias = NDArray[np.integer] | NDArray[np.object_]
Numbers: TypeAlias = Array | Whole

#: Names of arguments that are private, or may be: a person's law, the counts and
#: answers of a data set, and what is computed from them. Of these a message shows the
#: type and the shape.
PRIVATE = frozenset(
    {
        "P",
        "answer",
        "classifiers",
        "components",
        "count",
        "counts",
        "covariance",
        "current",
        "data",
        "law",
        "log_constant",
        "log_density",
        "log_p",
        "log_q",
        "log_ratio",
        "log_values",
        "logit",
        "lower",
        "mean",
        "one",
        "p",
        "probabilities",
        "q",
        "target",
        "thetas",
        "two",
        "upper",
        "values",
        "weights",
    }
)

#: Types of single values that a message shows, and of what holds several.
SINGLE = (numbers.Number, arb, str, bytes, type(None))
SEVERAL = (list, tuple, np.ndarray)
#: The most letters of an argument that a message shows.
LETTERS = 120
#: Names of types of floats with less than 24 digits, in which no law keeps its total.
HALVES = ("float16", "bfloat16")
#: Types of tensors that are taken.
TENSORS = [
    f"torch.{kind}"
    for kind in ("float32", "float64", "uint8", "int8", "int16", "int32", "int64")
]


def describe(value: object) -> str:
    """Return what is said of a value that may be private: type, and shape or length."""
    kind = type(value).__name__
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return f"{kind} of shape {tuple(int(side) for side in shape)}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return f"{kind} of length {len(value)}"
    return f"value of type {kind}"


def echo(name: str, value: object, *, whole: bool = False) -> str:
    """Return what a message may show of an argument.

    Of public ones: numbers and words. Of others: type and shape. What holds several
    values is shown only where the argument is public and takes such (`whole`): data
    that came in a wrong place stay unseen.
    """
    shown = (*SINGLE, *SEVERAL) if whole else SINGLE
    of_objects = str(getattr(value, "dtype", "")) == "object"
    if name in PRIVATE or of_objects or not isinstance(value, shown):
        return describe(value)
    text = repr(value)
    return text if len(text) <= LETTERS else text[: LETTERS - 3] + "..."


def is_tensor(value: object) -> TypeGuard[torch.Tensor]:
    """Tell whether a value is a tensor of PyTorch, without loading it."""
    library = sys.modules.get("torch")
    return library is not None and isinstance(value, library.Tensor)


def check_tensor(name: str, value: torch.Tensor) -> torch.Tensor:
    """Return a tensor of plain numbers without gradient; raise a TypeError for others.

    Plain numbers have 32 bits or more.
    """
    if value.requires_grad:
        raise TypeError(
            f"{name} must not require a gradient, which would be lost: give "
            f"{name}.detach()"
        )
    if (
        str(value.dtype) not in TENSORS
        or value.is_sparse
        or value.is_meta
        or str(value.layout) != "torch.strided"
    ):
        raise TypeError(
            f"{name} must be dense, of real numbers of 32 bits or more, got "
            f"{value.dtype}, {value.layout}"
        )
    return value


def _check_labels(name: str, value: object) -> None:
    """Raise a ValueError for a table or series whose labels are not 0, 1, ....

    It would be read in a wrong order.
    """
    labels = getattr(value, "columns", None)
    if labels is None:
        labels = getattr(value, "index", None)
    if labels is None or callable(labels):
        return
    if list(labels) != list(range(len(labels))):
        raise ValueError(
            f"{name} must have no labels, which could be in another order: sort it, "
            "then give its values"
        )


def as_numbers(name: str, value: object) -> Numbers:
    """Return an array of float64, or of whole numbers, from what holds real numbers.

    Floats of 32 bits become float64. Raises TypeError for text, booleans, complex
    numbers, floats of 16 bits, masked arrays, tensors with a gradient and what is no
    array at all, ValueError for labels that are not 0, 1, ...; no message holds a
    value, and none is chained to one that does.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must not be a masked array: fill it, or leave the masked places "
            "out"
        )
    _check_labels(name, value)
    plain: object = value
    if is_tensor(value):
        plain = check_tensor(name, value).cpu().numpy()
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
    """Return an array of float64 as `as_numbers` does.

    Raises ValueError for whole numbers that no float holds.
    """
    try:
        return np.asarray(as_numbers(name, value), dtype=np.float64)
    except OverflowError:
        raise ValueError(
            f"{name} must be finite, got a {describe(value)} with larger numbers"
        ) from None


def _no_numbers(name: str, value: object) -> str:
    return (
        f"{name} must be an array of real numbers of 32 bits or more, got "
        f"{echo(name, value, whole=True)}"
    )


def _from_objects(name: str, value: object, array: NDArray[np.object_]) -> Numbers:
    """Return Python's numbers as an array of float64, or as they are if whole."""
    entries = array.ravel().tolist()
    if array.ndim == 0 or any(
        isinstance(one, bool | np.bool) or not isinstance(one, numbers.Real)
        for one in entries
    ):
        raise TypeError(_no_numbers(name, value))
    if all(isinstance(one, numbers.Integral) for one in entries):
        return array
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(_no_numbers(name, value)) from None
