"""Execute the pages that changed, side by side, keep what comes to its end and what there is of what failed."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import traceback
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, remove
from companion.run.cache import Entry, find_entry, keep, key_of, newest
from companion.run.execute import child_environment, execute
from companion.run.kernel_pool import Forks

#: What the text says in place of a number that a notebook did not come to.
NO_VALUE = "(not computed)"


def failures(entries: Mapping[str, Entry]) -> str:
    """Return which notebooks failed, each with its traceback; nothing where none did."""
    failed = {
        page: entry.failed
        for page, entry in sorted(entries.items())
        if entry.failed is not None
    }
    parts = [
        f"notebook {page} failed\n{'-' * 70}\n{message}\n"
        for page, message in failed.items()
    ]
    return (
        "\n".join([*parts, f"{len(failed)} notebook(s) failed: {', '.join(failed)}"])
        if failed
        else ""
    )


def _keep_part(layout: Layout, page: str, entry: Entry) -> Entry:
    """Keep what there is of an execution that failed; a number that it did not come to, and pages name, is missing."""
    folder = layout.build / "failed" / page
    folder.parent.mkdir(parents=True, exist_ok=True)
    entry.folder.rename(folder)
    places = [
        *layout.root.glob("book/*.md"),
        *layout.root.glob("notebooks/*.md"),
        *layout.root.glob("data/*.yml"),
    ]
    texts = "".join(path.read_text(encoding="utf-8") for path in places)
    named = dict.fromkeys(
        sorted(re.findall(rf"\{{val\}}`{page}:([^`]+)`", texts)), NO_VALUE
    )
    values = folder / "run" / "values.json"
    known = json.loads(values.read_text(encoding="utf-8")) if values.is_file() else {}
    values.write_text(json.dumps({**named, **known}), encoding="utf-8")
    return replace(entry, folder=folder)


def _say(text: str) -> None:
    print(
        f"{text}\n", end="", flush=True
    )  # in one piece, since threads write side by side


def _side_by_side(
    layout: Layout,
    tasks: Mapping[str, tuple[Path, str]],
    profile: str,
    jobs: int | None,
    variables: Mapping[str, str] | None = None,
) -> Generator[tuple[str, Entry], None, None]:
    """Execute notebooks, `jobs` at a time (None: one a core); a task has the folder to write to, and why.

    Yields each page with its execution as it ends. An interruption ends all that run.
    """
    running: set[Any] = set()
    many = (
        len(tasks) > 2 and sys.platform == "linux"
    )  # elsewhere a fork of these libraries may not work
    forks = Forks(child_environment(layout, **(variables or {}))) if many else None

    def one(page: str) -> tuple[str, Entry]:
        draft, reason = tasks[page]
        _say(f"{page}: executing ({reason})")
        remove(draft)
        started = time.monotonic()
        used = {}
        failed = None
        try:
            used = execute(
                layout, page, profile, draft, running, variables or {}, forks
            )
        except Exception as error:
            failed = (
                str(error)
                if isinstance(error, CompanionError)
                else traceback.format_exc()
            )
        return page, Entry(
            draft, {}, round(time.monotonic() - started, 3), used, failed
        )

    pool = ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, max(1, len(tasks))))
    futures = [pool.submit(one, page) for page in tasks]
    try:
        for number, future in enumerate(as_completed(futures), start=1):
            page, entry = future.result()
            yield page, entry
            ended = (
                f"done in {entry.seconds:.1f} s" if entry.failed is None else "FAILED"
            )
            _say(f"{page}: {ended} ({number} of {len(tasks)})")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(
            future.done() for future in futures
        ):  # only after an interruption, or where the disk is full
            for kernel in list(running):
                kernel.end()
            time.sleep(0.1)
        if forks is not None:
            forks.close()


def execute_pages(
    layout: Layout,
    profile: str,
    pages: Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    force: bool = False,
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Execute the pages that changed, side by side; return the entry of each page and the names executed.

    The entry of a page that failed says so, and holds what ran of it. An interruption
    loses only the pages that were running. Raises CompanionError for an unknown page.
    """
    chosen = list(pages) if pages else layout.pages()
    registry = load_registry(layout.registry)
    entries = {}
    keys = {page: key_of(layout, page, profile, registry) for page in chosen}
    why: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for page, key in keys.items():
        kept = None if force else find_entry(layout, page, profile, key.digest)
        if kept is not None:
            entries[page] = kept
            _say(f"{page}: nothing changed, kept execution used")
            continue
        last = newest(layout, page, profile)
        changed = (
            sorted({name for name, _ in key.parts.items() ^ last.parts.items()})
            if last
            else []
        )
        why[page] = (
            f"changed: {', '.join(changed[:3])}"
            if changed
            else "asked for"
            if force
            else "nothing sound is kept"
        )
        seconds[page] = last.seconds if last else float("inf")

    for folder in ("running", "failed"):
        remove(layout.build / folder)
    layout.build.mkdir(parents=True, exist_ok=True)
    order = sorted(
        why, key=lambda page: -seconds[page]
    )  # the longest first, so that none starts alone at the end
    tasks = {page: (layout.build / "running" / page, why[page]) for page in order}
    with TemporaryDirectory(dir=layout.build) as shared:
        runs = _side_by_side(layout, tasks, profile, jobs, {"MOLLIFIED_SHARED": shared})
        with closing(runs) as results:
            for page, entry in results:
                key = keys[page]
                whole = entry.failed is None
                entries[page] = (
                    keep(layout, page, profile, key, entry)
                    if whole
                    else _keep_part(layout, page, entry)
                )
    return {page: entries[page] for page in chosen}, tuple(sorted(tasks))


def execute_apart(
    layout: Layout,
    pages: Sequence[str],
    profile: str,
    base: Path,
    *,
    jobs: int | None = 1,
    variables: Mapping[str, str] | None = None,
) -> dict[str, Entry]:
    """Execute notebooks apart from the kept executions, each into its folder of `base`.

    `variables` are added to the environment.
    """
    tasks = {page: (base / page, "apart from what is kept") for page in pages}
    return dict(sorted(_side_by_side(layout, tasks, profile, jobs, variables)))
