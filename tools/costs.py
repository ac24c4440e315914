"""Keep what each notebook last cost: `data/results/costs.json`, seconds and memory at each profile, with the day.

`python tools/costs.py quick` (or paper) writes what the kept executions cost.

The seconds are processor time: what the page takes on one core that does nothing else,
since each process uses one thread. No execution depends on the file: writing it makes
nothing run again.
"""

from __future__ import annotations

import datetime
import json
import sys
from typing import Any

from companion.paths import Layout, json_text, write_whole
from companion.profiles import check_profile
from companion.run.cache import newest

#: Where the figures stand, under the folder of results.
FILE = "costs.json"


def load_costs(layout: Layout) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table by page and profile, empty where there is none."""
    path = layout.results / FILE
    pages: dict[str, Any] = (
        json.loads(path.read_text(encoding="utf-8"))["pages"] if path.is_file() else {}
    )
    return pages


def write_costs(layout: Layout, profile: str) -> None:
    """Write what the newest kept executions of a profile cost, to two digits; nothing is executed.

    A page without one keeps the figure that it had, with its day; a page that is no
    longer there goes.
    """
    before = load_costs(layout)
    pages = {}
    for page in layout.pages():
        pages[page], entry = before.get(page, {}), newest(layout, page, profile)
        if entry is not None and entry.usage:
            day = (
                datetime.datetime.fromtimestamp(
                    entry.notebook.stat().st_mtime, datetime.UTC
                )
                .date()
                .isoformat()
            )
            own = {
                "seconds": entry.usage["cpu_seconds"],
                "peak_mib": entry.usage["peak_mib"],
            }
            rounded = {
                name: round(float(f"{value:.2g}")) for name, value in own.items()
            }
            pages[page][profile] = {**rounded, "measured": day}
    write_whole(
        layout.results / FILE,
        json_text({"pages": {page: own for page, own in pages.items() if own}}),
    )
    print(
        "without a figure:",
        *[page for page, own in pages.items() if profile not in own],
    )


if __name__ == "__main__":
    write_costs(Layout.find(), check_profile(sys.argv[1]))
