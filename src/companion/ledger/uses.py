"""Say which claims the proof of a claim rests on, and refuse a ledger in which that goes round in a circle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

#: Fields of an entry: what the printed proof rests on, and what the book's own proof rests on.
RELATIONS = ("uses", "stands_on")
#: Verdicts under which a statement is true, with or without a condition.
_TRUE = ("holds", "holds-with-condition")


def false_grounds(entry: Mapping[str, Any], false: Iterable[str]) -> list[str]:
    """Return the false claims that the printed proof of a true claim rests on; none where the claim is not true."""
    known = set(false)
    true = (entry.get("verdict") or entry["expected"]) in _TRUE
    return [str(other) for other in entry.get("uses", []) if other in known] if true else []


def faults_of_uses(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with `uses` and `stands_on`: a circle, a proof that is missing."""
    known, faults = {str(entry["id"]): entry for entry in entries}, []
    graph = {name: [other for field in RELATIONS for other in entry.get(field, [])] for name, entry in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        faults.append(f"proofs rest on each other in a circle: {' <- '.join(error.args[1])}")
    false = {name for name, entry in known.items() if entry["expected"] == "false"}
    for name, entry in known.items():
        broken = false_grounds(entry, false)
        if broken and "stands_on" not in entry:
            faults.append(f"{name}: its printed proof rests on {broken[0]}, which is false, and it has no `stands_on`")
    return faults


def depths(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many proofs lie below each claim: each rests, by its printed proof, on claims of less depth only."""
    here = {str(entry["id"]): entry for entry in entries}
    graph = {name: [other for other in entry.get("uses", []) if other in here] for name, entry in here.items()}
    depth: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        depth[name] = 1 + max((depth[other] for other in graph[name]), default=-1)
    return depth
