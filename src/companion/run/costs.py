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

from companion.paths import CompanionError, Layout, json_text, write_whole
from companion.profiles import PROFILES, check_profile
from companion.run.cache import kept

__all__ = ["FILE", "load_costs", "run_costs", "told"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


def load_costs(layout: Layout) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table by page and profile, empty where there is none; raise CompanionError where it is no JSON."""
    path = layout.results / FILE
    try:
        pages: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["pages"] if path.is_file() else {}
    except (ValueError, KeyError) as error:
        raise CompanionError(
            f"{FILE} cannot be read: {error!r}; `python -m companion costs` writes it again"
        ) from error
    return pages


def _newest(layout: Layout, page: str, profile: str) -> dict[str, Any] | None:
    """Return what the newest kept execution cost whose memory was measured, to two digits, and its day."""
    for document, stamp in kept(layout, page, profile):
        seconds, memory = (document["usage"].get(name, 0.0) for name in ("cpu_seconds", "peak_mib"))
        if min(seconds, memory) > 0:
            step = 10 ** max(0, len(str(math.ceil(seconds))) - 2)
            day = datetime.datetime.fromtimestamp(stamp, datetime.UTC).date().isoformat()
            rounded = {"seconds": math.ceil(seconds / step) * step, "peak_mib": math.ceil(memory / 10) * 10}
            return {**rounded, "measured": day}
    return None


def run_costs(layout: Layout, options: Any) -> int:
    """Write what the kept executions of a profile cost and say for how many pages; nothing is executed. Return 0.

    A page without a kept execution keeps the figure that it had, with its day; a page that is no longer there goes.
    Raises CompanionError for an unknown profile or a file that cannot be read, and then writes nothing.
    """
    profile, before = check_profile(options.profile), load_costs(layout)
    new = {page: {profile: cost} for page in layout.pages() if (cost := _newest(layout, page, profile))}
    pages = {page: before.get(page, {}) | new.get(page, {}) for page in layout.pages()}
    document = {"pages": {page: records for page, records in pages.items() if records}}
    write_whole(layout.results / FILE, json_text(document))
    without = [page for page, records in pages.items() if profile not in records]
    print(f"profile {profile}: {len(new)} notebook(s) measured, {len(without)} without a figure", *without)
    return 0


def _time(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 360) / 10:g} h"


def told(costs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what a page cost: `quick: 12 s, 410 MiB; paper: 3 min, 620 MiB, as last measured`."""
    found = [(profile, costs[profile]) for profile in PROFILES if profile in costs]
    parts = [f"{profile}: {_time(cost['seconds'])}, {cost['peak_mib']} MiB" for profile, cost in found]
    return f"{'; '.join(parts)}, as last measured"
