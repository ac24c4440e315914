"""Read `data/corrections.yml`: what the book said, what is right, since when it was wrong and when it was corrected."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

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
    date={"type": "string", "format": "date"},
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


def _faults(entry: Mapping[str, Any], verdicts: Mapping[str, str], pages: Collection[str], version: str) -> list[str]:
    """Return what an entry names that is not so."""
    wrong, corrected = entry["wrong_in"], entry["corrected_in"]
    told = {
        f"there is no page {entry['page']}": entry["page"] not in pages,
        f"corrected in version {corrected}, and this is version {version}": _number(corrected) > _number(version),
        f"wrong in version {wrong}, and corrected in version {corrected} already": (
            wrong is not None and _number(wrong) >= _number(corrected)
        ),
        f"the verdict was and is {entry.get('now')}": "now" in entry and entry["was"] == entry["now"],
    }
    found = [words for words, is_so in told.items() if is_so]
    for claim in entry["claims"]:
        if claim not in verdicts:
            found.append(f"there is no claim {claim}")
        elif "now" in entry and corrected == version and verdicts[claim] != entry["now"]:
            found.append(f"the verdict of {claim} is {verdicts[claim]}, not {entry['now']}")
    return found


def load_corrections(root: Path, verdicts: Mapping[str, str], pages: Collection[str], version: str) -> list[Correction]:
    """Return the corrections, newest version first, in the order of the file within a version.

    `verdicts` gives the verdict of each claim, `pages` the pages of the book and `version` its version. Raises
    CompanionError that lists what is wrong: a claim or page that is not there, a verdict that is another one.
    """
    entries, faults = strict_yaml.read(root / "data" / FILE, SCHEMA)
    for number, entry in enumerate([] if faults else entries, start=1):
        faults += [f"{FILE}: entry {number}: {fault}" for fault in _faults(entry, verdicts, pages, version)]
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
