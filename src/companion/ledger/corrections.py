"""Read `data/corrections.yml`: what the book said, what is right, since when it was wrong and when it was corrected."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from companion.ledger import strict_yaml
from companion.ledger.verdicts import VERDICTS
from companion.paths import CompanionError

__all__ = ["FILE", "Correction", "is_first_version", "load_corrections", "since_last_version"]

#: Where the corrections stand, under the folder of data.
FILE = "corrections.yml"
_VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+$"
#: What the file must be. It stands here, because a data file beside the modules would count for all executions.
_ENTRY = strict_yaml.record(
    wrong_in={"type": ["string", "null"], "pattern": _VERSION},
    corrected_in={"type": "string", "pattern": _VERSION},
    date={"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    page={"type": "string", "minLength": 3},
    claims={"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    said={"type": "string", "minLength": 10},
    right={"type": "string", "minLength": 10},
    reported_by={"type": "string", "minLength": 3},
)
_ENTRY["properties"] |= {"was": {"enum": list(VERDICTS)}, "now": {"enum": list(VERDICTS)}}
SCHEMA = {"type": "array", "items": _ENTRY | {"dependentRequired": {"was": ["now"], "now": ["was"]}}}


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@dataclass(frozen=True)
class Correction:
    """Hold one correction; `wrong_in` is the first version with the error, None where none was published with it."""

    wrong_in: str | None
    corrected_in: str
    date: date
    page: str
    claims: tuple[str, ...]
    said: str
    right: str
    reported_by: str
    was: str | None = None
    now: str | None = None


def _faults(
    number: int, entry: Mapping[str, Any], verdicts: Mapping[str, str], pages: Collection[str], version: str
) -> list[str]:
    """Return what an entry names that is not so, one a line."""
    found = []
    try:
        date.fromisoformat(entry["date"])
    except ValueError:
        found.append(f"there is no day {entry['date']}")
    if entry["page"] not in pages:
        found.append(f"there is no page {entry['page']}")
    if _number(entry["corrected_in"]) > _number(version):
        found.append(f"corrected in version {entry['corrected_in']}, and this is version {version}")
    if entry["wrong_in"] and _number(entry["wrong_in"]) >= _number(entry["corrected_in"]):
        found.append(f"wrong in version {entry['wrong_in']}, and corrected in version {entry['corrected_in']} already")
    if entry.get("was") and entry["was"] == entry["now"]:
        found.append(f"the verdict was and is {entry['now']}")
    for claim in entry["claims"]:
        if claim not in verdicts:
            found.append(f"there is no claim {claim}")
        elif entry.get("now") and entry["corrected_in"] == version and verdicts[claim] != entry["now"]:
            found.append(f"the verdict of {claim} is {verdicts[claim]}, not {entry['now']}")
    return [f"{FILE}: entry {number}: {fault}" for fault in found]


def load_corrections(root: Path, verdicts: Mapping[str, str], pages: Collection[str], version: str) -> list[Correction]:
    """Return the corrections, newest version first, in the order of the file within a version.

    `verdicts` gives the verdict of each claim, `pages` the pages of the book and `version` its version. Raises
    CompanionError that lists what is wrong: a claim or page that is not there, a verdict that is another one.
    """
    path = root / "data" / FILE
    try:
        entries = strict_yaml.load(path.read_text(encoding="utf-8")) or []
    except (OSError, yaml.YAMLError) as error:
        raise CompanionError(f"{FILE} cannot be read: {error}") from error
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("date"), date):
            entry["date"] = entry["date"].isoformat()  # YAML reads a day as such, the schema speaks of text
    faults = [
        f"{FILE}: {fault}"
        for fault in strict_yaml.faults_of(entries, SCHEMA, lambda path: f"entry {path[0] + 1}" if path else "the file")
    ]
    for number, entry in enumerate([] if faults else entries, start=1):
        faults += _faults(number, entry, verdicts, pages, version)
    if faults:
        raise CompanionError("\n".join(faults))
    found = [
        Correction(**{**entry, "claims": tuple(entry["claims"]), "date": date.fromisoformat(entry["date"])})
        for entry in entries
    ]
    return sorted(found, key=lambda item: _number(item.corrected_in), reverse=True)


def is_first_version(root: Path, version: str) -> bool:
    """Return whether the changelog has a release of this version and of no other."""
    path = root / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return re.findall(r"(?m)^## \[([0-9.]+)\]", text) == [version]


def since_last_version(corrections: Collection[Correction], version: str) -> list[Correction]:
    """Return the corrections that this version makes to an earlier one."""
    return [item for item in corrections if item.corrected_in == version and item.wrong_in is not None]
