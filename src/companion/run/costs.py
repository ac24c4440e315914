"""Keep what each notebook last cost, one table of seconds and memory at each profile, with the cores and the day.

The seconds are processor time: what the page takes on one core that does nothing else, since each process uses one
thread; the time by the clock would tell how busy the machine was.

The figures stand in `data/results/costs.json`, which no execution depends on: writing them makes nothing run again.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jsonschema

from companion.paths import CompanionError, Layout
from companion.profiles import PROFILES, check_profile
from companion.run.cache import MANIFEST, find_entry
from companion.run.provenance import describe_machine

__all__ = ["FILE", "Cost", "costs_of_page", "load_costs", "memory_up", "run_costs", "seconds_up", "told", "write_costs"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"
#: What the document must be. It stands here, because a data file beside the modules would count for all executions.
_RECORD = {
    "seconds": {"type": "integer", "minimum": 1},
    "peak_mib": {"type": "integer", "minimum": 10, "multipleOf": 10},
    "cpus": {"type": "integer", "minimum": 1},
    "measured": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
}
_PAGE = {
    "type": "object",
    "minProperties": 1,
    "propertyNames": {"enum": list(PROFILES)},
    "additionalProperties": {
        "type": "object",
        "properties": _RECORD,
        "required": list(_RECORD),
        "additionalProperties": False,
    },
}
_PAGES = {"type": "object", "propertyNames": {"pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}, "additionalProperties": _PAGE}
SCHEMA = {"type": "object", "properties": {"pages": _PAGES}, "required": ["pages"], "additionalProperties": False}


@dataclass(frozen=True)
class Cost:
    """Hold what one execution of a page cost (processor seconds, MiB), rounded up, and where and when."""

    profile: str
    seconds: int
    peak_mib: int
    cpus: int
    measured: str


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
    """Return the document, whose `pages` are the table by page and profile, empty where there is none.

    Raises CompanionError where it is not as the schema says.
    """
    path = layout.results / FILE
    if not path.is_file():
        return {"pages": {}}
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CompanionError(f"{FILE} is no JSON: {error}; write it again with `python -m companion costs`") from error
    faults = [fault.message[:200] for fault in jsonschema.Draft202012Validator(SCHEMA).iter_errors(document)]
    if faults:
        raise CompanionError(f"{FILE} is not as it must be: {'; '.join(faults[:3])}")
    return document


def _newest(layout: Layout, page: str, profile: str) -> dict[str, Any] | None:
    """Return what the newest whole kept execution cost whose memory was measured, and its day."""
    found = [(path.stat().st_mtime, path) for path in layout.cache(profile, page).glob(f"*/{MANIFEST}")]
    for stamp, path in sorted(found, reverse=True):
        entry, _ = find_entry(layout, page, profile, path.parent.name)
        seconds, memory = (entry.usage.get(name, 0.0) if entry else 0.0 for name in ("cpu_seconds", "peak_mib"))
        if min(seconds, memory) > 0:
            day = datetime.datetime.fromtimestamp(stamp, datetime.UTC).date().isoformat()
            cost = {"seconds": seconds_up(seconds), "peak_mib": memory_up(memory)}
            return {**cost, "cpus": describe_machine()["cpus"], "measured": day}
    return None


def write_costs(layout: Layout, profile: str) -> tuple[list[str], list[str]]:
    """Write what the kept executions of one profile cost; return the pages measured and those that have no figure.

    A page without a kept execution keeps the figure that it had, with its day; a page that is no longer there goes.
    Raises CompanionError for an unknown profile or a document that is not as it must be, and then writes nothing.
    """
    check_profile(profile)
    before = load_costs(layout)["pages"]
    new = {page: cost for page in layout.pages() if (cost := _newest(layout, page, profile))}
    pages = {page: before.get(page, {}) | ({profile: new[page]} if page in new else {}) for page in layout.pages()}
    document = {"pages": {page: records for page, records in pages.items() if records}}
    path = layout.results / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", encoding="utf-8", newline="\n")
    draft.replace(path)
    return list(new), [page for page, records in pages.items() if profile not in records]


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
    return [Cost(profile, **records[profile]) for profile in PROFILES if profile in records]


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

    cores = [f"on {cost.cpus} core{'s' * (cost.cpus != 1)}" for cost in costs]
    parts = [f"{one.profile}: {_time(one.seconds)}, {one.peak_mib} MiB" for one in costs]
    if len(set(cores)) == 1:
        return f"{'; '.join(parts)}, as last measured {cores[0]}"
    return f"{'; '.join(map(' '.join, zip(parts, cores, strict=True)))}, as last measured"
