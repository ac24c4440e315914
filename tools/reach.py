"""List the claims whose instances stay small: `python tools/reach.py [FOLDER ...]`.

The folders are those that runs wrote to. Without a folder it reads the newest kept
quick execution of each page. A line has the claim, its page, its verdict, and how far
instances go, of the part where that is the least. Left out is what is proved, what has
no size, and what a check `claim.small` speaks for. Such a claim wants a further space,
`on=(Near, Far)`, or that check.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.ledger.claims import judged
from companion.ledger.evidence import FAR
from companion.paths import Layout
from companion.run.cache import newest


def newest_runs(layout: Layout) -> list[Path]:
    """Return where the newest quick execution of each page wrote to."""
    entries = [newest(layout, page, "quick") for page in layout.pages()]
    return [entry.run for entry in entries if entry is not None]


def main() -> None:
    """Print a line for each claim whose instances stay small."""
    layout = Layout(Path(__file__).resolve().parent.parent)
    runs = [Path(name) for name in sys.argv[1:]] or newest_runs(layout)
    ledger, _ = judged(layout.root, [run / "evidence" for run in runs])
    for item in ledger.claims:
        reach = item.judgement.reach
        if not reach or max(reach.values()) >= FAR:
            continue
        sizes = ", ".join(f"{name} {size}" for name, size in reach.items())
        columns = [
            f"{item.claim.id:20}",
            f"{item.claim.notebook:24}",
            f"{item.judgement.verdict:20}",
            sizes,
        ]
        print(" ".join(columns))


if __name__ == "__main__":
    main()
