"""Read `data/figures.yml`, the registry of figures.

It says of each figure its page, its key, and how far its data may be off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from companion.ledger import strict_yaml
from companion.paths import CompanionError, Record


@dataclass(frozen=True)
class Tolerance:
    """Allow a difference of atol + rtol * |reference|.

    It is for the rounding that may differ between machines.
    """

    rtol: float
    atol: float


@dataclass(frozen=True)
class FigureSpec:
    """Hold one entry of the registry, a figure that cells of its page draw.

    The tolerances are for the same run on another machine. How far the quick profile
    may be from the paper profile, on the rows that both have, stands in the registry as
    `agreement`, and is asked by a test alone. `mean_over` names the column of the key
    that numbers chaotic runs: where a table has enough of them, their means are
    compared (see `companion.snapshots.compare.means_apart`).
    """

    id: str
    page: str
    key: tuple[str, ...]
    default_tolerance: Tolerance = field(default_factory=lambda: Tolerance(1e-9, 1e-12))
    column_tolerances: Mapping[str, Tolerance] = field(default_factory=dict)
    mean_over: str | None = None

    @property
    def group(self) -> list[str]:
        """The columns of the key that chaotic runs share: all but their number."""
        return [name for name in self.key if name != self.mean_over]

    def tolerance(self, column: str) -> Tolerance:
        """Return the tolerance of one column."""
        return self.column_tolerances.get(column, self.default_tolerance)


def with_tolerances(spec: FigureSpec, entry: Record) -> FigureSpec:
    """Return a figure with the tolerances of an entry.

    The entry has one tolerance for all columns, or those of some `columns` and a
    `default` for the others; where it says nothing, those of the figure stay.
    """
    if not entry:
        return spec
    if not {"default", "columns"} & entry.keys():
        entry = {"default": entry}
    default = spec.default_tolerance
    if "default" in entry:
        default = Tolerance(**entry["default"])
    columns = {
        column: Tolerance(**bounds)
        for column, bounds in entry.get("columns", {}).items()
    }
    return replace(spec, default_tolerance=default, column_tolerances=columns)


def load_registry(path: Path) -> dict[str, FigureSpec]:
    """Return all figures by id; an absent file is an empty registry.

    One that has not changed is not read again. Raises CompanionError that names the
    figure and the key where an entry is not as it must be.
    """
    if not path.is_file():
        return {}
    status = path.stat()
    return dict(_load(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=2)
def _load(path: Path, _written: int, _size: int) -> dict[str, FigureSpec]:
    document, faults = strict_yaml.read(
        path, strict_yaml.schema_of("figures.schema.json")
    )
    if faults:
        raise CompanionError(f"data/{faults[0]}")
    registry = {}
    for figure, entry in document.items():
        key = tuple(entry["key"])
        bare = FigureSpec(figure, entry["page"], key, mean_over=entry.get("mean_over"))
        registry[figure] = with_tolerances(bare, entry.get("tolerance", {}))
    return registry


def find_spec(registry: Mapping[str, FigureSpec], figure: str) -> FigureSpec:
    """Return one figure; raise CompanionError that names those of a similar name."""
    if figure not in registry:
        near = get_close_matches(figure, registry)
        similar = f"similar: {', '.join(near)}; " if near else ""
        raise CompanionError(
            f"unknown figure {figure!r}; {similar}all are in data/figures.yml"
        )
    return registry[figure]


def specs_of_page(registry: Mapping[str, FigureSpec], page: str) -> list[FigureSpec]:
    """Return the figures of one page, sorted by id."""
    return [registry[name] for name in sorted(registry) if registry[name].page == page]


def check_reason(why: object) -> str:
    """Return the reason for a change.

    Raises CompanionError where it says nothing or has several lines.
    """
    reason = why.strip() if isinstance(why, str) else ""
    if reason in ("", "...") or "\n" in reason:
        raise CompanionError(
            f'a change of a figure needs a reason in one line (WHY="..."), got {why!r}'
        )
    return reason
