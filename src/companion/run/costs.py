"""Keep what each notebook last cost: processor time and memory at each profile, with the machine, versions and day.

Processor time is what the page takes on one core that does nothing else, since each process uses one thread; the time
by the clock would tell how busy the machine was.

The figures stand in `data/results/costs.json`, which no execution depends on: writing them makes nothing run again.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema

from companion.paths import CompanionError, Layout
from companion.profiles import PROFILES, check_profile
from companion.run.cache import MANIFEST, Entry, find_entry
from companion.run.provenance import describe_machine

__all__ = ["FILE", "Cost", "costs_of_page", "load_costs", "memory_up", "run_costs", "seconds_up", "told", "write_costs"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"
#: What is read of the usage of an execution.
USED = ("cpu_seconds", "peak_mib")


@dataclass(frozen=True)
class Cost:
    """Hold what one execution of a page cost (processor seconds, MiB), rounded up, and where and when."""

    profile: str
    seconds: int
    peak_mib: int
    cpus: int
    measured: str


def _object(properties: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    needed = {"required": list(properties)} if "required" not in more else {}
    return {"type": "object", "additionalProperties": False, "properties": dict(properties), **needed, **more}


def _named(pattern: str, item: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "propertyNames": {"pattern": pattern}, "additionalProperties": dict(item), **more}


_MACHINE = _object(
    {
        "cpus": {"type": "integer", "minimum": 1},
        "architecture": {"type": "string"},
        "system": {"type": "string"},
    }
)
_VERSIONS = {"type": "object", "required": ["python"], "additionalProperties": {"type": "string"}}
_RECORD = _object(
    {
        "seconds": {"type": "integer", "minimum": 1},
        "peak_mib": {"type": "integer", "minimum": 10, "multipleOf": 10},
        "measured": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "setup": {"type": "string"},
    }
)
#: What the document must be. It stands here, because a data file beside the modules would count for all executions.
SCHEMA = _object(
    {
        "setups": _named("^[0-9a-f]{8}$", _object({"machine": _MACHINE, "versions": _VERSIONS})),
        "pages": _named("^[a-z0-9]+(-[a-z0-9]+)*$", _named(f"^({'|'.join(PROFILES)})$", _RECORD, minProperties=1)),
    }
)


def seconds_up(seconds: float) -> int:
    """Return seconds rounded up to two digits; raise ValueError for what is no time."""
    if not (math.isfinite(seconds) and seconds > 0):
        raise ValueError(f"seconds must be positive and finite, got {seconds!r}")
    step: int = 10 ** max(0, len(str(math.ceil(seconds))) - 2)
    return math.ceil(seconds / step) * step


def memory_up(mib: float) -> int:
    """Return MiB rounded up to a multiple of ten; raise ValueError for what is no size."""
    if not (math.isfinite(mib) and mib > 0):
        raise ValueError(f"mib must be positive and finite, got {mib!r}")
    return math.ceil(mib / 10) * 10


def load_costs(layout: Layout) -> dict[str, Any]:
    """Return the document, empty where there is none; raise CompanionError where it is not as the schema says."""
    path = layout.results / FILE
    if not path.is_file():
        return {"setups": {}, "pages": {}}
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CompanionError(f"{FILE} is no JSON: {error}; write it again with `python -m companion costs`") from error
    _check(document)
    return document


def _check(document: dict[str, Any]) -> None:
    faults = [fault.message[:200] for fault in jsonschema.Draft202012Validator(SCHEMA).iter_errors(document)]
    if not faults:
        used = {record["setup"] for records in document["pages"].values() for record in records.values()}
        faults = [f"setup {name} is not described" for name in sorted(used - set(document["setups"]))]
    if faults:
        raise CompanionError(f"{FILE} is not as it must be: {'; '.join(faults[:3])}")


def _newest(layout: Layout, page: str, profile: str) -> tuple[Entry, datetime.date] | None:
    """Return the newest whole kept execution whose memory was measured, and its day."""
    found = [(path.stat().st_mtime, path) for path in layout.cache(profile, page).glob(f"*/{MANIFEST}")]
    for stamp, path in sorted(found, reverse=True):
        entry, _ = find_entry(layout, page, profile, path.parent.name)
        if entry is not None and min(entry.usage.get(name, 0.0) for name in USED) > 0:
            return entry, datetime.datetime.fromtimestamp(stamp, datetime.UTC).date()
    return None


def _setup(entry: Entry) -> tuple[str, dict[str, Any]]:
    """Return the kind of machine and the versions of an execution, under a short name made of both."""
    machine = describe_machine()
    versions = json.loads(entry.parts["versions"])
    versions.pop("architecture", None)
    described = {"machine": machine, "versions": versions}
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:8], described


def write_costs(layout: Layout, profile: str) -> tuple[list[str], list[str]]:
    """Write what the kept executions of one profile cost; return the pages measured and those that have no figure.

    A page without a kept execution keeps the figure that it had, with its day; a page that is no longer there goes.
    Raises CompanionError for an unknown profile or a document that is not as it must be, and then writes nothing.
    """
    check_profile(profile)
    before = load_costs(layout)
    setups: dict[str, Any] = dict(before["setups"])
    pages: dict[str, dict[str, Any]] = {}
    measured, without = [], []
    for page in layout.pages():
        records = dict(before["pages"].get(page, {}))
        newest = _newest(layout, page, profile)
        if newest is not None:
            entry, day = newest
            name, setups[name] = _setup(entry)
            seconds, memory = (entry.usage[key] for key in USED)
            cost = {"seconds": seconds_up(seconds), "peak_mib": memory_up(memory)}
            records[profile] = {**cost, "measured": day.isoformat(), "setup": name}
            measured.append(page)
        if profile not in records:
            without.append(page)
        if records:
            pages[page] = records
    used = {record["setup"] for records in pages.values() for record in records.values()}
    document = {"setups": {name: setups[name] for name in sorted(used)}, "pages": pages}
    _check(document)
    path = layout.results / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
    draft.replace(path)
    return measured, without


def run_costs(layout: Layout, options: Any) -> int:
    """Write what the kept executions cost and say for how many pages; nothing is executed. Return 0."""
    measured, without = write_costs(layout, options.profile)
    print(f"profile {options.profile}: {len(measured)} notebook(s) measured, {len(without)} without a figure")
    if without:
        print(f"without: {', '.join(without)}")
    return 0


def costs_of_page(document: Mapping[str, Any], page: str) -> list[Cost]:
    """Return what a page cost at each profile that was measured, the quick one first."""
    records = document["pages"].get(page, {})
    return [
        Cost(
            profile,
            record["seconds"],
            record["peak_mib"],
            document["setups"][record["setup"]]["machine"]["cpus"],
            record["measured"],
        )
        for profile in PROFILES
        if (record := records.get(profile))
    ]


def _time(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 360) / 10:g} h"


def told(costs: list[Cost]) -> str:
    """Return the costs of a page in words: `quick: 12 s, 410 MiB; paper: 3 min, 620 MiB, as last measured on 2 cores`.

    Raises ValueError where there are none.
    """
    if not costs:
        raise ValueError("costs must hold at least one measurement, got []")

    def place(cost: Cost) -> str:
        return f"on {cost.cpus} core{'s' * (cost.cpus != 1)}"

    same = len({cost.cpus for cost in costs}) == 1
    parts = [f"{one.profile}: {_time(one.seconds)}, {one.peak_mib} MiB" for one in costs]
    if same:
        return f"{'; '.join(parts)}, as last measured {place(costs[0])}"
    parts = [f"{part} {place(one)}" for part, one in zip(parts, costs, strict=True)]
    return f"{'; '.join(parts)}, as last measured"
