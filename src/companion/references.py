"""Keep the data behind every figure, and notice when it changes.

A reference is a CSV file under `data/results/figures/<profile>/`, listed in `data/results/manifest.json` with
its hash and the reason for which it was accepted; the log `CHANGES.md` beside it repeats the reason. So a figure
changes by decision.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from companion.paths import CompanionError, Layout
from companion.provenance import sha256_of
from companion.registry import FigureSpec, check_reason

__all__ = [
    "FigureChanged",
    "accept_table",
    "compare_with_reference",
    "excess",
    "read_rows",
    "rounded",
    "row_label",
    "table_text",
    "verify_manifest",
]

#: The section of the log where a line goes; at a release it gets the number of the version.
UNRELEASED = "## Unreleased"


class FigureChanged(CompanionError):
    """Say that the data of a figure are not the accepted ones, where most (`finding`), and how to accept them."""

    def __init__(self, finding: str, advice: str = "") -> None:
        super().__init__(f"{finding} {advice}".strip())
        self.finding = finding


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


def compare_with_reference(layout: Layout, spec: FigureSpec, profile: str, table: pd.DataFrame) -> None:
    """Compare a table with the accepted one, row by key, column by column, each within its tolerance.

    A cell a passes against the reference b where |a - b| <= atol + rtol * |b|; texts must be equal; NaN
    equals NaN. Raises FigureChanged that names the worst row and column, and the command that accepts.
    """
    path = layout.reference(profile, spec.id)
    title = f"figure {spec.id} (profile {profile})"
    ending = f"Look at it with `make figure FIG={spec.id}`; if it is right: {accept_command(spec, profile)}"
    if not path.is_file():
        raise FigureChanged(f"{title} has no accepted data yet.", ending)
    columns, new = read_rows(table_text(spec.id, table))
    old_columns, old = read_rows(path.read_text(encoding="utf-8"))
    if columns != old_columns:
        raise FigureChanged(f"{title} changed: columns are {columns}, accepted were {old_columns}.", ending)
    pairs, fault = _paired(spec, new, old)
    if fault is not None:
        raise FigureChanged(f"{title} changed: {fault}.", ending)
    worst, place = 1.0, ""
    cells = 0
    for row, was in pairs:
        for column in columns:
            over = excess(spec, column, row[column], was[column])
            if over > 1:
                cells += 1
            if over > worst:
                worst = over
                times = "" if math.isinf(over) else f", {over:.3g} times the tolerance"
                place = f"{column} at {row_label(spec, row)} is {row[column]}, accepted was {was[column]}{times}"
    if cells:
        raise FigureChanged(f"{title} changed in {cells} cell(s); worst: {place}.", ending)


def _read_manifest(layout: Layout) -> dict[str, dict[str, str]]:
    if not layout.manifest.is_file():
        return {}
    document: dict[str, dict[str, str]] = json.loads(layout.manifest.read_text(encoding="utf-8"))
    return document


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8", newline="\n")
    draft.replace(path)


def _log(path: Path, line: str) -> None:
    text = path.read_text(encoding="utf-8") if path.is_file() else "# Accepted data of the figures\n"
    lines = text.rstrip("\n").split("\n")
    if UNRELEASED not in lines:
        first = next((i for i, item in enumerate(lines) if item.startswith("## ")), len(lines))
        gap = [] if first == 0 or lines[first - 1] == "" else [""]
        lines[first:first] = [*gap, UNRELEASED, ""]
    start = lines.index(UNRELEASED)
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("## ")), len(lines))
    while end > start + 1 and lines[end - 1] == "":
        end -= 1
    gap = [""] if lines[end - 1].startswith("#") else []
    after = [""] if end < len(lines) and lines[end] != "" else []
    lines[end:end] = [*gap, line, *after]
    _write(path, "\n".join(lines) + "\n")


@dataclass(frozen=True)
class Accepted:
    """Say what was accepted: `changed` is False where the very same bytes were accepted before."""

    path: Path
    sha256: str
    changed: bool


def accept_table(layout: Layout, spec: FigureSpec, profile: str, table: pd.DataFrame, why: str) -> Accepted:
    """Write a table as the accepted data of a figure, with its hash and reason, and a line of the log.

    Accepting the bytes that are accepted already changes nothing. Raises CompanionError without a reason.
    """
    reason = check_reason(why)
    check_key(spec, table)
    path = layout.reference(profile, spec.id)
    name = path.relative_to(layout.results).as_posix()
    before = _read_manifest(layout)
    text = table_text(spec.id, table)
    same = path.is_file() and path.read_text(encoding="utf-8") == text
    _write(path, text)
    digest = sha256_of(path)
    if same and before.get(name, {}).get("sha256") == digest:
        return Accepted(path, digest, changed=False)
    command = accept_command(spec, profile).replace('"..."', json.dumps(reason, ensure_ascii=False))
    entries = {**before, name: {"sha256": digest, "reason": reason, "command": command}}
    _write(layout.manifest, json.dumps(entries, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    _log(layout.changes, f"- figure `{spec.id}` (profile {profile}): {reason} [{digest[:8]}]")
    return Accepted(path, digest, changed=True)


def verify_manifest(root: Path) -> list[str]:
    """Return the faults of the manifest, one a line; empty where every reference is accounted for.

    Each file must be listed with the hash it has, each listed file must exist, and the log must mention each
    with the first eight digits of its hash.
    """
    layout = Layout(root)
    entries = _read_manifest(layout)
    folder = layout.results / "figures"
    present = {path.relative_to(layout.results).as_posix() for path in folder.rglob("*.csv")}
    log = layout.changes.read_text(encoding="utf-8") if layout.changes.is_file() else ""
    faults = [f"{name}: not in the manifest" for name in sorted(present - set(entries))]
    for name, entry in sorted(entries.items()):
        if name not in present:
            faults.append(f"{name}: in the manifest, but there is no such file")
            continue
        digest = sha256_of(layout.results / name)
        if digest != entry.get("sha256"):
            faults.append(f"{name}: changed without being accepted (hash {digest[:8]}, manifest {entry.get('sha256')})")
            continue
        if not str(entry.get("reason", "")).strip():
            faults.append(f"{name}: accepted without a reason")
        _, profile, file = name.split("/")
        mention = f"figure `{file.removesuffix('.csv')}` (profile {profile})"
        if not any(mention in line and f"[{digest[:8]}]" in line for line in log.splitlines()):
            faults.append(f"{name}: CHANGES.md has no line with {mention} and [{digest[:8]}]")
    twice = [name for name, count in Counter(path.split("/")[-1] for path in present).items() if count > 2]
    return faults + [f"{name}: more references than profiles" for name in sorted(twice)]
