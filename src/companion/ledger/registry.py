"""Read `data/figures.yml`, the registry that says of each figure its page, its key, and how far its data may be off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.ledger import strict_yaml
from companion.paths import CompanionError

_NAME = "^[a-z0-9]+(-[a-z0-9]+)*$"
_NUMBER = {"type": "number", "minimum": 0, "maximum": 1e300}

_ONE = strict_yaml.record(rtol=_NUMBER, atol=_NUMBER)
#: One tolerance for all columns, or one for some columns and one for the others.
_ROOM = {
    "if": {"anyOf": [{"required": ["default"]}, {"required": ["columns"]}]},
    "then": strict_yaml.record(
        default=_ONE, columns={"type": "object", "additionalProperties": _ONE}
    )
    | {"required": []},
    "else": _ONE,
}
_ENTRY = strict_yaml.record(
    page={"type": "string", "pattern": _NAME},
    key={"type": "array", "minItems": 1, "items": {"type": "string"}},
    tolerance=_ROOM,
    agreement={"if": {"type": "string"}, "then": {"const": "none"}, "else": _ROOM},
    mean_over={"type": "string"},
) | {"required": ["page", "key"]}
SCHEMA = {
    "type": "object",
    "propertyNames": {"pattern": _NAME},
    "additionalProperties": _ENTRY,
}


@dataclass(frozen=True)
class Tolerance:
    """Allow a difference of atol + rtol * |reference|, the rounding that may differ between machines."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class FigureSpec:
    """Hold one entry of the registry: what cells of its page compute and draw.

    The tolerances are for the same run on another machine. How far the quick profile
    may be from the paper profile, on the rows that both have, stands in the registry as
    `agreement`, and is asked by a test alone. `mean_over` names the column of the key
    that numbers chaotic runs: where a table has enough of them, their means are
    compared (see `accepted.means`).
    """

    id: str
    page: str
    key: tuple[str, ...]
    default_tolerance: Tolerance = field(default_factory=lambda: Tolerance(1e-9, 1e-12))
    column_tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    mean_over: str | None = None

    @property
    def group(self) -> list[str]:
        """The columns of the key that chaotic runs share, all but the one that numbers them."""
        return [name for name in self.key if name != self.mean_over]

    def tolerance(self, column: str) -> Tolerance:
        """Return the tolerance of one column."""
        return self.column_tolerances.get(column, self.default_tolerance)


def with_room(spec: FigureSpec, given: Mapping[str, Any]) -> FigureSpec:
    """Return a figure with the tolerances given."""
    named = (
        given
        if {"default", "columns"} & set(given)
        else {"default": given}
        if given
        else {}
    )
    default = (
        Tolerance(**named["default"]) if "default" in named else spec.default_tolerance
    )
    columns = {
        column: Tolerance(**room) for column, room in named.get("columns", {}).items()
    }
    return replace(spec, default_tolerance=default, column_tolerances=columns)


def _spec(figure: str, entry: Mapping[str, Any]) -> FigureSpec:
    bare = FigureSpec(
        figure, entry["page"], tuple(entry["key"]), mean_over=entry.get("mean_over")
    )
    return with_room(bare, entry.get("tolerance", {}))


def load_registry(path: Path) -> dict[str, FigureSpec]:
    """Return all figures by id; an absent file is an empty registry, and one that has not changed is not read again.

    Raises CompanionError that names the figure and the key where an entry is not as it
    must be.
    """
    return (
        dict(_load(path, path.stat().st_mtime_ns, path.stat().st_size))
        if path.is_file()
        else {}
    )


@lru_cache(maxsize=2)
def _load(path: Path, _written: int, _size: int) -> dict[str, FigureSpec]:
    document, faults = strict_yaml.read_yaml(path, SCHEMA)
    if faults:
        raise CompanionError(f"data/{faults[0]}")
    return {figure: _spec(figure, entry) for figure, entry in document.items()}


def find_spec(registry: Mapping[str, FigureSpec], figure: str) -> FigureSpec:
    """Return one figure; raise CompanionError that lists the known ones."""
    if figure not in registry:
        raise CompanionError(
            f"unknown figure {figure!r}; known: {', '.join(sorted(registry)) or 'none'}"
        )
    return registry[figure]


def specs_of_page(registry: Mapping[str, FigureSpec], page: str) -> list[FigureSpec]:
    """Return the figures of one page, sorted by id."""
    return [registry[name] for name in sorted(registry) if registry[name].page == page]


def check_reason(why: object) -> str:
    """Return the reason for a change; raise CompanionError where it says nothing or has several lines."""
    if (
        not isinstance(why, str)
        or not why.strip()
        or why.strip() == "..."
        or "\n" in why.strip()
    ):
        raise CompanionError(
            f'a change of a figure needs a reason in one line (WHY="..."), got {why!r}'
        )
    return why.strip()
