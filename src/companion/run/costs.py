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
from typing import Any

from companion.paths import CompanionError, Layout, json_text, write_whole
from companion.profiles import PROFILES, check_profile
from companion.run.cache import MANIFEST, find_entry
from companion.run.provenance import describe_machine

__all__ = ["FILE", "load_costs", "run_costs", "seconds_up", "told", "write_costs"]

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


def seconds_up(seconds: float) -> int:
    """Return seconds > 0 rounded up to two digits."""
    step: int = 10 ** max(0, len(str(math.ceil(seconds))) - 2)
    return math.ceil(seconds / step) * step


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
    """Return what the newest whole kept execution cost whose memory was measured, and its day."""
    found = [(path.stat().st_mtime, path) for path in layout.cache(profile, page).glob(f"*/{MANIFEST}")]
    for stamp, path in sorted(found, reverse=True):
        entry, _ = find_entry(layout, page, profile, path.parent.name)
        seconds, memory = (entry.usage.get(name, 0.0) if entry else 0.0 for name in ("cpu_seconds", "peak_mib"))
        if min(seconds, memory) > 0:
            day = datetime.datetime.fromtimestamp(stamp, datetime.UTC).date().isoformat()
            cost = {"seconds": seconds_up(seconds), "peak_mib": math.ceil(memory / 10) * 10}
            return {**cost, "cpus": describe_machine()["cpus"], "measured": day}
    return None


def write_costs(layout: Layout, profile: str) -> tuple[list[str], list[str]]:
    """Write what the kept executions of one profile cost; return the pages measured and those that have no figure.

    A page without a kept execution keeps the figure that it had, with its day; a page that is no longer there goes.
    Raises CompanionError for an unknown profile or a file that cannot be read, and then writes nothing.
    """
    check_profile(profile)
    before = load_costs(layout)
    new = {page: cost for page in layout.pages() if (cost := _newest(layout, page, profile))}
    pages = {page: before.get(page, {}) | ({profile: new[page]} if page in new else {}) for page in layout.pages()}
    document = {"pages": {page: records for page, records in pages.items() if records}}
    write_whole(layout.results / FILE, json_text(document))
    return list(new), [page for page, records in pages.items() if profile not in records]


def run_costs(layout: Layout, options: Any) -> int:
    """Write what the kept executions cost and say for how many pages; nothing is executed. Return 0."""
    measured, without = write_costs(layout, options.profile)
    print(f"profile {options.profile}: {len(measured)} notebook(s) measured, {len(without)} without a figure")
    if without:
        print(f"without: {', '.join(without)}")
    return 0


def _time(seconds: int) -> str:
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{math.ceil(seconds / 60)} min"
    return f"{math.ceil(seconds / 360) / 10:g} h"


def told(costs: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what a page cost: `quick: 12 s, 410 MiB; paper: 3 min, 620 MiB, as last measured on 2 cores`."""
    costs = {profile: costs[profile] for profile in PROFILES if profile in costs}
    cores = [f" on {cost['cpus']} core{'s' * (cost['cpus'] != 1)}" for cost in costs.values()]
    parts = [f"{profile}: {_time(cost['seconds'])}, {cost['peak_mib']} MiB" for profile, cost in costs.items()]
    if len(set(cores)) == 1:
        return f"{'; '.join(parts)}, as last measured{cores[0]}"
    return f"{'; '.join(map(''.join, zip(parts, cores, strict=True)))}, as last measured"
