"""Frozen records that hold arrays: how they compare, and how they are shown."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

__all__ = ["Record"]

#: So many entries of an array or tuple, and so many letters of a field, are shown; of
#: longer ones, so many entries at the beginning.
SHOWN = 6
ENDS = 3
LETTERS = 100


def _comparable(value: object) -> object:
    """Return a value that compares and hashes as its content does.

    That of an array are its shape, type and entries.
    """
    if not isinstance(value, np.ndarray):
        return value
    entries = value + 0.0 if value.dtype.kind == "f" else value  # 0.0 and -0.0 are one
    return value.shape, value.dtype.str, entries.tobytes()


def _brief_array(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
    text = np.array2string(
        array, threshold=SHOWN, edgeitems=ENDS, separator=", ", precision=6
    )
    if array.size <= SHOWN:
        return text
    return f"<{array.size} entries {text}>".replace("\n", "")


def _brief(value: object) -> str:
    """Return a short text for a field."""
    if isinstance(value, np.ndarray):
        return _brief_array(value)
    if isinstance(value, tuple) and len(value) > SHOWN:
        first = ", ".join(map(repr, value[:ENDS]))
        return f"<{len(value)} entries ({first}, ..., {value[-1]!r})>"
    text = repr(value)
    if len(text) <= LETTERS:
        return text
    return f"{text[:LETTERS]}..."


class Record:
    """Give a frozen dataclass that holds arrays comparison by content, hash and repr.

    The dataclass is declared with `eq=False, repr=False`. Fields with `compare=False`
    do not count, and those with `repr=False` are not shown. Its arrays are read-only,
    those of a copy and of what comes out of a pickle too.
    """

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[object]]]

    def __post_init__(self) -> None:
        """Make the arrays read-only for whoever reads the record."""
        self._freeze()

    def _freeze(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                fixed = value.view()
                fixed.setflags(write=False)
                object.__setattr__(self, name, fixed)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take the fields of a pickle."""
        vars(self).update(state)
        self._freeze()

    def _content(self) -> tuple[object, ...]:
        return tuple(
            _comparable(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if field.compare
        )

    def __eq__(self, other: object) -> bool:
        """Tell whether the other has the same class and equal fields and entries."""
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Record)
        return self._content() == other._content()

    def __hash__(self) -> int:
        """Return a hash that equal records share."""
        return hash((type(self), self._content()))

    def __repr__(self) -> str:
        """Return the class and its fields, long ones in brief."""
        shown = [
            f"{field.name}={_brief(getattr(self, field.name))}"
            for field in dataclasses.fields(self)
            if field.repr
        ]
        return f"{type(self).__name__}({', '.join(shown)})"
