"""Say how far the data of a figure are from the accepted ones, a CSV file under `data/results/figures/<profile>/`."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from companion.ledger.registry import FigureSpec
from companion.paths import CompanionError, Layout

__all__ = [
    "Distance",
    "FigureChanged",
    "accept_command",
    "check_key",
    "compare_file",
    "compare_with_reference",
    "distance_from_reference",
    "distance_of_file",
    "excess",
    "read_rows",
    "read_table",
    "rounded",
    "row_label",
    "table_text",
]


class FigureChanged(CompanionError):
    """Say that the data of a figure are not the accepted ones, where most (`finding`), and how to accept them."""

    def __init__(self, finding: str, advice: str = "", distance: Distance | None = None) -> None:
        super().__init__(f"{finding} {advice}".strip())
        self.finding, self.distance = finding, distance


def _cell(figure: str, column: str, value: Any, kind: str) -> str:
    if kind == "b":
        return "true" if value else "false"
    if kind in "iu":
        return str(int(value))
    if kind == "f":
        return repr(float(value))
    if not isinstance(value, str):
        raise CompanionError(f"figure {figure}: column {column} must hold text or numbers only, got {value!r}")
    return value


def table_text(figure: str, table: pd.DataFrame) -> str:
    """Return a table as CSV text: LF, shortest decimals that read back as the same float.

    Raises CompanionError where a column is neither text, truth values nor real numbers, or is named twice.
    """
    if table.columns.duplicated().any() or not all(isinstance(name, str) for name in table.columns):
        raise CompanionError(f"figure {figure}: columns must be named once each, got {list(table.columns)}")
    kinds = {name: str(table[name].dtype.kind) for name in table.columns}
    wrong = [name for name, kind in kinds.items() if kind not in "biufOUT"]
    if wrong:
        raise CompanionError(f"figure {figure}: columns of a kind that no CSV can hold: {', '.join(wrong)}")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    columns = [[_cell(figure, name, value, kinds[name]) for value in table[name]] for name in table.columns]
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


def read_table(path: Path) -> pd.DataFrame:
    """Return a table of a figure from its file; text stays text, `nan` alone is a missing number."""
    return pd.read_csv(path, keep_default_na=False, na_values=["nan"])


def read_rows(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns and the rows of a table as text."""
    reader = csv.DictReader(io.StringIO(text))
    rows = list(reader)
    return list(reader.fieldnames or []), rows


def _number(text: str) -> float | None:
    try:
        return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text)
    except ValueError:
        return None


def excess(spec: FigureSpec, column: str, new: str, old: str) -> float:
    """Return by how many tolerances two cells differ: 0 for equal, more than 1 for too much."""
    if new == old:
        return 0.0
    a, b = _number(new), _number(old)
    if a is None or b is None or "true" in (new, old) or "false" in (new, old):
        return math.inf
    if math.isnan(a) and math.isnan(b):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return 0.0 if a == b else math.inf
    allowed = spec.tolerance(column).atol + spec.tolerance(column).rtol * abs(b)
    return 0.0 if a == b else (abs(a - b) / allowed if allowed > 0 else math.inf)


def rounded(text: str) -> str:
    """Return a cell as it is compared in a key: numbers to nine digits."""
    number = _number(text)
    return text if number is None else f"{number + 0.0:.9g}"


def row_label(spec: FigureSpec, row: dict[str, str]) -> str:
    """Return the key of a row in words."""
    return ", ".join(f"{name}={row[name]}" for name in spec.key)


def check_key(spec: FigureSpec, table: pd.DataFrame) -> None:
    """Raise CompanionError unless the key columns exist and name each row once."""
    missing = [name for name in spec.key if name not in table.columns]
    if missing:
        raise CompanionError(
            f"figure {spec.id}: key column(s) {', '.join(missing)} not in the table; "
            f"columns: {', '.join(map(str, table.columns))}"
        )
    if table.duplicated(subset=list(spec.key)).any():
        row = table[table.duplicated(subset=list(spec.key))].iloc[0]
        values = ", ".join(f"{name}={row[name]}" for name in spec.key)
        raise CompanionError(f"figure {spec.id}: two rows have the same key ({values})")


def accept_command(spec: FigureSpec, profile: str) -> str:
    """Return the command that accepts the data of a figure."""
    chosen = "" if profile == "quick" else f" PROFILE={profile}"
    return f'make accept FIG={spec.id}{chosen} WHY="..."'


def _paired(
    spec: FigureSpec, new: list[dict[str, str]], old: list[dict[str, str]]
) -> tuple[list[tuple[dict[str, str], dict[str, str]]], str | None]:
    if len(new) == len(old):
        pairs = list(zip(new, old, strict=True))
        if all(excess(spec, name, a[name], b[name]) <= 1 for a, b in pairs for name in spec.key):
            return pairs, None
    by_key = {tuple(rounded(row[name]) for name in spec.key): row for row in old}
    pairs, extra = [], []
    for row in new:
        match = by_key.pop(tuple(rounded(row[name]) for name in spec.key), None)
        if match is None:
            extra.append(row)
        else:
            pairs.append((row, match))
    if extra or by_key:
        first = row_label(spec, extra[0] if extra else next(iter(by_key.values())))
        kind = "new" if extra else "gone"
        return pairs, f"{len(extra)} row(s) are new and {len(by_key)} gone, the first {kind} one at {first}"
    return pairs, None


@dataclass(frozen=True)
class Distance:
    """Hold how many tolerances the worst cell of a figure is from the accepted one: 0 for equal, more than 1 changed.

    `cells` counts the changed ones; `fault` says what else differs (rows, columns), and then the distance is infinite.
    """

    figure: str
    tolerances: float = 0.0
    cells: int = 0
    column: str = ""
    key: str = ""
    found: str = ""
    accepted: str = ""
    fault: str = ""

    def __str__(self) -> str:
        if self.fault or not self.column:
            return self.fault or "every cell is the accepted one"
        times = "" if math.isinf(self.tolerances) else f", {self.tolerances:.3g} times the tolerance"
        return f"{self.column} at {self.key} is {self.found}, accepted was {self.accepted}{times}"


def distance_from_reference(layout: Layout, spec: FigureSpec, profile: str, table: pd.DataFrame) -> Distance:
    """Return how far a table is from the accepted one, row by key, column by column, in tolerances of each cell.

    A cell a is |a - b| / (atol + rtol * |b|) tolerances from the reference b; other texts, other rows, other columns
    and no accepted data are infinitely far; NaN equals NaN. Raises CompanionError for a table that no CSV can hold.
    """
    path = layout.reference(profile, spec.id)
    if not path.is_file():
        return Distance(spec.id, math.inf, fault="has no accepted data yet")
    columns, new = read_rows(table_text(spec.id, table))
    old_columns, old = read_rows(path.read_text(encoding="utf-8"))
    if columns != old_columns:
        return Distance(spec.id, math.inf, fault=f"changed: columns are {columns}, accepted were {old_columns}")
    pairs, fault = _paired(spec, new, old)
    if fault is not None:
        return Distance(spec.id, math.inf, fault=f"changed: {fault}")
    far = [(excess(spec, name, row[name], was[name]), name, row, was) for row, was in pairs for name in columns]
    worst, column, row, was = max(far, key=lambda item: item[0], default=(0.0, "", {}, {}))
    if worst == 0:
        return Distance(spec.id)
    cells = sum(item[0] > 1 for item in far)
    return Distance(spec.id, worst, cells, column, row_label(spec, row), row[column], was[column])


def compare_with_reference(layout: Layout, spec: FigureSpec, profile: str, table: pd.DataFrame) -> None:
    """Compare a table with the accepted one: no cell may be more than one tolerance away.

    Raises FigureChanged that names the worst row and column, and the command that accepts.
    """
    _refuse(spec, profile, distance_from_reference(layout, spec, profile, table))


def _refuse(spec: FigureSpec, profile: str, distance: Distance) -> None:
    if distance.tolerances > 1:
        found = distance.fault or f"changed in {distance.cells} cell(s); worst: {distance}"
        ending = f"Look at it with `make figure FIG={spec.id}`; if it is right: {accept_command(spec, profile)}"
        raise FigureChanged(f"figure {spec.id} (profile {profile}) {found}.", ending, distance)


def distance_of_file(layout: Layout, spec: FigureSpec, profile: str, path: Path) -> Distance:
    """Return how far the table that a run wrote is from the accepted one, as `distance_from_reference` does."""
    reference = layout.reference(profile, spec.id)
    if reference.is_file() and reference.read_bytes() == path.read_bytes():
        return Distance(spec.id)
    return distance_from_reference(layout, spec, profile, pd.read_csv(path, dtype=str, keep_default_na=False))


def compare_file(layout: Layout, spec: FigureSpec, profile: str, path: Path) -> None:
    """Compare the table that a run wrote with the accepted one, as `compare_with_reference` does."""
    _refuse(spec, profile, distance_of_file(layout, spec, profile, path))
