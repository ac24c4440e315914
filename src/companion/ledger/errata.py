"""Say what a line of the errata needs of an entry: what is wrong, what stands, and where a correction is proved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["FIELDS", "faults_of_lines"]

#: The most characters of what is wrong, and of what stands; and the form of `proof`, a page and a section of it.
LONGEST = {"slip": 100, "stands": 140}
PROOF = re.compile(r"[a-z0-9-]+#[a-z0-9-]+")
#: The fields of an entry that are read here, and not by the schema.
FIELDS = (*LONGEST, "proof")
#: Verdicts that the errata list.
LISTED = ("false", "holds-with-condition", "variant-only", "not-reproduced")


def _faults(entry: Mapping[str, Any]) -> Iterator[str]:
    for key, most in LONGEST.items():
        if key in entry and not (isinstance(entry[key], str) and 3 <= len(entry[key]) <= most):
            yield f"`{key}` must be a text of 3 to {most} characters, got {str(entry[key])[:150]!r}"
        if key in entry and entry.get("expected") not in LISTED:
            yield f"it has a `{key}`, and is not in the errata"
    if "conclusion" in entry and "stands" not in entry:
        yield "it has a `conclusion`, and does not say what `stands`"
    if "conclusion" in entry and entry.get("expected") == "false" and "slip" not in entry:
        yield "it is false, and has no `slip`"
    if "proof" in entry and not PROOF.fullmatch(str(entry["proof"])):
        yield f"`proof` must be a page and a section, as in page#section, got {entry['proof']!r}"


def faults_of_lines(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with these fields of the entries given, each with the id of its entry."""
    return [f"{entry.get('id')}: {fault}" for entry in entries for fault in _faults(entry)]
