"""The commands for what is built: `python -m companion pdf|archive|crate|digest|costs|serve`."""

from __future__ import annotations

import argparse
import functools
import http.server
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.paths import CompanionError, Layout

__all__ = ["add_commands"]

_MB = 1e6


def _pdf(layout: Layout, options: argparse.Namespace) -> int:
    from companion.publish.pdf import print_book

    there = sorted((layout.build / "pdf").glob("*.pdf"))
    try:
        printed = print_book(layout, options.profile, jobs=options.jobs, force=options.force)
    except (CompanionError, OSError) as error:
        kept = "The PDF of the last good run is unchanged." if there else "No PDF was written."
        raise CompanionError(f"{error}\n{kept}") from error
    print("\n".join(printed.log.lines()))
    print(f"{printed.sha256}  {printed.path.name}")
    print(f"{printed.path}: {printed.pages} pages, {printed.size / _MB:.1f} MB, {printed.seconds:.1f} s")
    return 0


def _archive(layout: Layout, options: argparse.Namespace) -> int:
    """Build first, so that the archive is never older than its sources."""
    from companion.publish.archive import pack
    from companion.run.build import alone, build

    try:
        built = build(layout, options.profile, jobs=options.jobs, force=options.force)
        if built.failed is not None:
            raise built.failed
        with alone(layout):
            packed = pack(layout)
    except (CompanionError, OSError) as error:
        there = sorted((layout.build / "archive").glob("*.zip"))
        kept = "The archive of the last good run is unchanged." if there else "No archive was written."
        raise CompanionError(f"{error}\n{kept}") from error
    size = packed.path.stat().st_size
    print(f"{packed.sha256}  {packed.path.name}")
    print(
        f"{packed.path}: {built.pages} pages, {packed.files} files, {size / _MB:.1f} MB "
        f"({packed.unpacked / _MB:.1f} MB unpacked)"
    )
    return 0


def _port(text: str) -> int:
    """Return the number of a port; raise ArgumentTypeError where there is none with that number."""
    if not (text.isascii() and text.isdigit() and int(text) < 2**16):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, got {text!r}")
    return int(text)


def _crate(layout: Layout, options: argparse.Namespace) -> int:
    from companion.publish.crate import write_crate
    from companion.run.build import alone

    started = time.monotonic()
    with alone(layout):
        made = write_crate(layout)
    size = made.archive.stat().st_size / 1e6
    print(f"{made.archive}: {made.files} files, {size:.1f} MB, described in {made.metadata.name}")
    print(f"RO-Crate of the release written in {time.monotonic() - started:.1f} s")
    return 0


def _digest(layout: Layout, options: argparse.Namespace) -> int:
    """Print the hash of the built site; with another site, compare the two, file by file."""
    from companion.publish.digest import differences, file_digests, site_digest

    own = file_digests(layout.html)
    print(f"{site_digest(own)}  {len(own)} files, times of provenance aside")
    if options.other is None:
        return 0
    found = differences(own, file_digests(options.other.resolve()))
    print("\n".join(found) or "the other site is the same")
    return 3 if found else 0


def _costs(layout: Layout, options: argparse.Namespace) -> int:
    from companion.run.costs import run_costs

    return run_costs(layout, options.profile)


def _serve(layout: Layout, options: argparse.Namespace) -> int:
    """Serve the finished pages to this machine only."""
    if not (layout.html / "index.html").is_file():
        raise CompanionError("there are no pages yet: build the book first")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(layout.html))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler)
    except OSError as error:
        raise CompanionError(f"port {options.port} cannot be used: {error.strerror}") from error
    with server:
        print(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)", flush=True)
        server.serve_forever()
    return 0


def add_commands(
    command: Callable[..., argparse.ArgumentParser], running: Callable[[argparse.ArgumentParser], Any]
) -> None:
    """Add these commands; `command` adds one, `running` gives it the options of a build."""
    running(command("pdf", _pdf, "execute what changed, judge the claims, print the book as a PDF", profile=True))
    running(command("archive", _archive, "build the book and pack its pages into a zip", profile=True))
    command("crate", _crate, "write the RO-Crate of the release from the built book")
    one = command("digest", _digest, "print the hash of the built site, or compare it with another one")
    one.add_argument("other", nargs="?", type=Path, metavar="SITE", help="folder of another built site")
    command("costs", _costs, "write what the kept executions cost to data/results/costs.json", profile=True)
    one = command("serve", _serve, "serve the finished pages on this machine")
    one.add_argument("--port", type=_port, default=8000)
