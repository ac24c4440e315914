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
from companion.profiles import PROFILES
from companion.run.cache import newest

__all__ = ["FILE", "load_costs", "run_costs", "told"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


def load_costs(layout: Layout) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table by page and profile, empty where there is none."""
    path = layout.results / FILE
    pages: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["pages"] if path.is_file() else {}
    return pages


def run_costs(layout: Layout, options: Any) -> int:
    """Write what the newest kept executions of a profile cost, to two digits; nothing is executed. Return 0.

    A page without one keeps the figure that it had, with its day; a page that is no longer there goes.
    """
    profile, before, pages = options.profile, load_costs(layout), {}
    for page in layout.pages():
        pages[page], entry = before.get(page, {}), newest(layout, page, profile)
        if entry is not None and entry.usage:
            day = datetime.datetime.fromtimestamp(entry.notebook.stat().st_mtime, datetime.UTC).date().isoformat()
            seconds, memory = math.ceil(entry.usage["cpu_seconds"]), math.ceil(entry.usage["peak_mib"])
            step = 10 ** max(0, len(str(seconds)) - 2)
            pages[page][profile] = {
                "seconds": -(-seconds // step) * step,
                "peak_mib": -(-memory // 10) * 10,
                "measured": day,
            }
    write_whole(layout.results / FILE, json_text({"pages": {page: own for page, own in pages.items() if own}}))
    print("without a figure:", *[page for page, own in pages.items() if profile not in own])
    return 0


def told(costs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what a page cost: `quick: 12 s, 410 MiB; paper: 13 min, 620 MiB, as last measured`."""
    parts = []
    for profile in (name for name in PROFILES if name in costs):
        seconds = costs[profile]["seconds"]
        time = f"{seconds} s" if seconds < 120 else f"{math.ceil(seconds / 60)} min"
        parts.append(f"{profile}: {time}, {costs[profile]['peak_mib']} MiB")
    return f"{'; '.join(parts)}, as last measured"
