"""Keep what each notebook last cost: `data/results/costs.json`, seconds and memory at each profile, with the day.

The seconds are processor time: what the page takes on one core that does nothing else, since each process uses one
thread. No execution depends on the file: writing it makes nothing run again.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Mapping
from typing import Any

from companion.paths import Layout, json_text, write_whole
from companion.profiles import PROFILES, check_profile
from companion.run.cache import newest

__all__ = ["FILE", "load_costs", "run_costs", "told"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


def load_costs(layout: Layout) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table by page and profile, empty where there is none."""
    path = layout.results / FILE
    pages: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["pages"] if path.is_file() else {}
    return pages


def _cost(layout: Layout, page: str, profile: str) -> dict[str, Any] | None:
    """Return what the newest kept execution cost, to two digits, and its day; None where it was not measured."""
    entry = newest(layout, page, profile)
    if entry is None or not entry.usage:
        return None
    step = 10 ** max(0, len(str(math.ceil(entry.usage["cpu_seconds"]))) - 2)
    day = datetime.datetime.fromtimestamp(entry.notebook.stat().st_mtime, datetime.UTC).date().isoformat()
    seconds, memory = (
        math.ceil(entry.usage[name] / unit) * unit for name, unit in (("cpu_seconds", step), ("peak_mib", 10))
    )
    return {"seconds": seconds, "peak_mib": memory, "measured": day}


def run_costs(layout: Layout, options: Any) -> int:
    """Write what the kept executions of a profile cost and say for how many pages; nothing is executed. Return 0.

    A page without a kept execution keeps the figure that it had, with its day; a page that is no longer there goes.
    Raises CompanionError for an unknown profile.
    """
    profile, before = check_profile(options.profile), load_costs(layout)
    new = {page: {profile: cost} for page in layout.pages() if (cost := _cost(layout, page, profile))}
    pages = {page: before.get(page, {}) | new.get(page, {}) for page in layout.pages()}
    document = {"pages": {page: records for page, records in pages.items() if records}}
    write_whole(layout.results / FILE, json_text(document))
    without = [page for page, records in pages.items() if profile not in records]
    print(f"profile {profile}: {len(new)} notebook(s) measured, {len(without)} without a figure", *without)
    return 0


def _time(seconds: int) -> str:
    return f"{seconds} s" if seconds < 120 else f"{math.ceil(seconds / 60)} min"


def told(costs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what a page cost: `quick: 12 s, 410 MiB; paper: 3 min, 620 MiB, as last measured`."""
    found = {profile: costs[profile] for profile in PROFILES if profile in costs}
    parts = [f"{profile}: {_time(cost['seconds'])}, {cost['peak_mib']} MiB" for profile, cost in found.items()]
    return f"{'; '.join(parts)}, as last measured"
