"""Frozen records that hold arrays: how they compare, and how they are shown."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

__all__ = ["Record"]

#: So many entries of an array or tuple, and so many letters of a field, are shown.
SHOWN = 6
LETTERS = 100


def _comparable(value: Any) -> Any:
    """Return a value that compares and hashes as its content does.

    That of an array are its shape, type and entries.
    """
    if not isinstance(value, np.ndarray):
        return value
    entries = value + 0.0 if value.dtype.kind == "f" else value  # 0.0 and -0.0 are one
    return value.shape, value.dtype.str, entries.tobytes()


def _brief(value: Any) -> str:
    """Return a short text for a field."""
    if isinstance(value, np.ndarray):
        text = np.array2string(
            value, threshold=SHOWN, edgeitems=3, separator=", ", precision=6
        )
        return (
            text
            if value.size <= SHOWN
            else f"<{value.size} entries {text}>".replace("\n", "")
        )
    if isinstance(value, tuple) and len(value) > SHOWN:
        first = ", ".join(map(repr, value[:3]))
        return f"<{len(value)} entries ({first}, ..., {value[-1]!r})>"
    text = repr(value)
    return text if len(text) <= LETTERS else f"{text[:LETTERS]}..."


class Record:
    """Give a frozen dataclass that holds arrays comparison by content, hash and repr.

    The dataclass is declared with `eq=False, repr=False`. Fields with `compare=False`
    do not count, and those with `repr=False` are not shown. Its arrays are read-only,
    those of a copy and of what comes out of a pickle too.
    """

    def __post_init__(self) -> None:
        """Make the arrays read-only for whoever reads the record."""
        self._freeze()

    def _freeze(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                fixed = value.view()
                fixed.setflags(write=False)
                object.__setattr__(self, name, fixed)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a pickle."""
        vars(self).update(state)
        self._freeze()

    def _content(self) -> tuple[Any, ...]:
        fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
        return tuple(
            _comparable(getattr(self, field.name)) for field in fields if field.compare
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
        fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
        shown = [
            f"{field.name}={_brief(getattr(self, field.name))}"
            for field in fields
            if field.repr
        ]
        return f"{type(self).__name__}({', '.join(shown)})"
