"""The commands on what was built and kept: `python -m companion costs|digest|crate`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from companion.paths import Layout

__all__ = ["add_kept_commands"]


def _costs(layout: Layout, options: argparse.Namespace) -> int:
    from companion.costs import run_costs

    return run_costs(layout, options.profile)


def _digest(layout: Layout, options: argparse.Namespace) -> int:
    """Print the hash of the built site; with another site, compare the two, file by file."""
    from companion.digest import differences, file_digests, site_digest

    own = file_digests(layout.html)
    print(f"{site_digest(own)}  {len(own)} files, times of provenance aside")
    if options.other is None:
        return 0
    found = differences(own, file_digests(options.other.resolve()))
    print("\n".join(found) or "the other site is the same")
    return 3 if found else 0


def _crate(layout: Layout, options: argparse.Namespace) -> int:
    from companion.build import alone
    from companion.crate import write_crate

    started = time.monotonic()
    with alone(layout):
        made = write_crate(layout)
    size = made.archive.stat().st_size / 1e6
    print(f"{made.archive}: {made.files} files, {size:.1f} MB; {made.entities} entities in {made.metadata.name}")
    print(f"RO-Crate of the release written in {time.monotonic() - started:.1f} s")
    return 0


def add_kept_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the three commands; `command` adds one."""
    command("costs", _costs, "write what the kept executions cost to data/results/costs.json", profile=True)
    one = command("digest", _digest, "print the hash of the built site, or compare it with another one")
    one.add_argument("other", nargs="?", type=Path, metavar="SITE", help="folder of another built site")
    command("crate", _crate, "write the RO-Crate of the release from the built book")
