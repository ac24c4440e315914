"""Keep what each notebook last cost, in `data/results/costs.json`.

It holds seconds and memory at each profile, with the day.

`python tools/costs.py quick` (or paper) writes what the kept executions cost.

The seconds are processor time: what the page takes on one core that does nothing else,
since each process uses one thread. No execution depends on the file: writing it makes
nothing run again.
"""

from __future__ import annotations

import datetime
import json
import sys
from typing import TypedDict

from companion.paths import Layout, json_text, write_whole
from companion.profiles import check_profile
from companion.run.cache import Entry, newest

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


class Cost(TypedDict):
    """What a page cost: seconds of a processor, memory in MiB, and the day."""

    seconds: int
    peak_mib: int
    measured: str


#: By page and profile.
Costs = dict[str, dict[str, Cost]]


def load_costs(layout: Layout) -> Costs:
    """Return the table by page and profile, empty where there is none."""
    path = layout.results / FILE
    if not path.is_file():
        return {}
    pages: Costs = json.loads(path.read_text(encoding="utf-8"))["pages"]
    return pages


def _two_digits(value: float) -> int:
    return round(float(f"{value:.2g}"))


def _cost(entry: Entry) -> Cost:
    """Return what an execution that is kept cost, to two digits."""
    written = entry.notebook.stat().st_mtime
    day = datetime.datetime.fromtimestamp(written, datetime.UTC).date()
    return {
        "seconds": _two_digits(entry.usage["cpu_seconds"]),
        "peak_mib": _two_digits(entry.usage["peak_mib"]),
        "measured": day.isoformat(),
    }


def write_costs(layout: Layout, profile: str) -> None:
    """Write what the newest kept executions of a profile cost; nothing is executed.

    A page without one keeps the figure that it had, with its day; a page that is no
    longer there goes.
    """
    before = load_costs(layout)
    pages: Costs = {}
    for page in layout.pages():
        pages[page] = before.get(page, {})
        entry = newest(layout, page, profile)
        if entry is not None and entry.usage:
            pages[page][profile] = _cost(entry)
    measured = {page: own for page, own in pages.items() if own}
    write_whole(layout.results / FILE, json_text({"pages": measured}))
    print(
        "without a figure:",
        *[page for page, own in pages.items() if profile not in own],
    )


if __name__ == "__main__":
    write_costs(Layout.find(), check_profile(sys.argv[1]))
