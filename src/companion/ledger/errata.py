"""Say what the errata, and their note, need of an entry: what is wrong, what stands, where and how that is proved."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["faults_of_lines"]

#: The most characters of what is wrong, and of what stands; and the form of `proof`, a page and a section of it.
LONGEST = {"slip": 100, "stands": 140}
PROOF = re.compile(r"[a-z0-9-]+#[a-z0-9-]+")
#: What the note has besides: a proof in a few lines, what follows, the claim of the same cause, a program by hand.
NOTE = ("short_proof", "follows", "cause", "program")
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
    told = [key for key in NOTE if key in entry]
    yield from (f"`{key}` must be a text" for key in told if not isinstance(entry[key], str) or len(entry[key]) < 3)
    if told and (entry.get("expected") != "false" or not {"breaks", "correction"} <= entry.keys()):
        yield f"it has a `{told[0]}`, and is not false, with `breaks` and `correction`"
    if ("short_proof" in entry) != ("follows" in entry) or {"short_proof", "cause"} <= entry.keys():
        yield "it must have `short_proof` and `follows`, or a `cause`, or none of these"


def faults_of_lines(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with these fields of the entries given, each with the id of its entry."""
    proved = {entry.get("id") for entry in entries if "short_proof" in entry}
    strays = [entry for entry in entries if entry.get("cause", "") not in ["", *proved]]
    return [
        *(f"{entry.get('id')}: {fault}" for entry in entries for fault in _faults(entry)),
        *(f"{entry.get('id')}: its cause {entry['cause']} is no claim with a short proof" for entry in strays),
    ]
