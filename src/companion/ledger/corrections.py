"""Read `data/corrections.yml`: what the book said, what is right, since when it was wrong and when it was corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.ledger import strict_yaml
from companion.ledger.verdicts import VERDICTS
from companion.paths import CompanionError

#: Where the corrections stand, under the folder of data.
FILE = "corrections.yml"
_VERSION = r"^[0-9]+\.[0-9]+\.[0-9]+$"
#: What the file must be. It stands here, because a data file beside the modules would count for all executions.
#: `wrong_in` is the first version with the error, null where none was published with it.
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


def _faults(entry: Mapping[str, Any], verdicts: Mapping[str, str], version: str) -> Iterator[str]:
    """Yield what an entry says that is not so."""
    wrong, corrected, now = entry["wrong_in"], entry["corrected_in"], entry.get("now")
    if _number(corrected) > _number(version):
        yield f"corrected in version {corrected}, and this is version {version}"
    if wrong and _number(wrong) >= _number(corrected):
        yield f"wrong in version {wrong}, and corrected in version {corrected} already"
    if now and entry["was"] == now:
        yield f"the verdict was and is {now}"
    for claim in entry["claims"]:
        if claim not in verdicts:
            yield f"there is no claim {claim}"
        elif now and corrected == version and verdicts[claim] != now:
            yield f"the verdict of {claim} is {verdicts[claim]}, not {now}"


def load_corrections(root: Path, verdicts: Mapping[str, str], version: str) -> list[dict[str, Any]]:
    """Return the corrections, newest version first, in the order of the file within a version.

    `verdicts` gives the verdict of each claim, and `version` is that of the book. Raises CompanionError that lists what
    is wrong: a claim that is not there, a verdict that is another one.
    """
    entries, faults = strict_yaml.read(root / "data" / FILE, SCHEMA)
    for number, entry in enumerate([] if faults else entries, start=1):
        faults += [f"{FILE}: entry {number}: {fault}" for fault in _faults(entry, verdicts, version)]
    if faults:
        raise CompanionError("\n".join(faults))
    return sorted(entries, key=lambda entry: _number(entry["corrected_in"]), reverse=True)
