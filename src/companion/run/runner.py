"""Execute the pages that changed, side by side.

What comes to its end is kept, and of what failed what there is.
"""

from __future__ import annotations

import math
import os
import re
import time
import traceback
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout, json_text, remove, write_whole
from companion.run.cache import (
    VALUES,
    Entry,
    Key,
    failed_pages,
    find_entry,
    keep,
    key_of,
    newest,
)
from companion.run.execute import Ending, execute

#: What the text says in place of a number that a notebook did not come to.
NO_VALUE = "(not computed)"
#: How long the line above a traceback is.
RULE = 70
#: How often an interruption looks whether all has ended, in seconds.
LOOK = 0.1
#: How many parts of a key that changed are named.
NAMED = 3


def failures(entries: Mapping[str, Entry]) -> str:
    """Return which notebooks failed, each with its traceback; empty where none did."""
    failed = failed_pages(entries)
    if not failed:
        return ""
    rule = "-" * RULE
    parts = [
        f"notebook {page} failed\n{rule}\n{message}\n"
        for page, message in failed.items()
    ]
    return "\n".join([*parts, f"{len(failed)} notebook(s) failed: {', '.join(failed)}"])


def raise_failures(entries: Mapping[str, Entry]) -> None:
    """Raise CompanionError where a notebook failed, with the traceback of each."""
    if failed := failures(entries):
        raise CompanionError(failed)


@dataclass(frozen=True)
class Task:
    """Hold one notebook to execute: the folder to write to, and why it runs.

    `seconds` is what it took the last time.
    """

    draft: Path
    reason: str
    seconds: float = math.inf


def _keep_part(layout: Layout, page: str, entry: Entry) -> Entry:
    """Keep what there is of an execution that failed.

    A number that it did not come to, and that pages name, says that it is missing.
    """
    places = [
        *layout.root.glob("book/*.md"),
        *layout.root.glob("notebooks/*.md"),
        *layout.root.glob("data/*.yml"),
    ]
    texts = "".join(path.read_text(encoding="utf-8") for path in places)
    named = sorted(re.findall(rf"\{{val\}}`{page}:([^`]+)`", texts))
    values = {**dict.fromkeys(named, NO_VALUE), **entry.values}
    write_whole(entry.run / VALUES, json_text(values))
    folder = layout.build / "failed" / page
    folder.parent.mkdir(parents=True, exist_ok=True)
    entry.folder.rename(folder)
    return replace(entry, folder=folder)


def _say(text: str) -> None:
    """Print a line in one piece, since threads write side by side."""
    print(f"{text}\n", end="", flush=True)


def _execute_one(
    layout: Layout,
    page: str,
    profile: str,
    task: Task,
    running: set[Ending],
    variables: Mapping[str, str],
) -> Entry:
    """Execute a notebook; whatever it raises is how it failed."""
    _say(f"{page}: executing ({task.reason})")
    remove(task.draft)
    started = time.monotonic()
    usage: dict[str, float] = {}
    failed = None
    try:
        usage = execute(layout, page, profile, task.draft, running, variables)
    except CompanionError as error:
        failed = str(error)
    except Exception:
        failed = traceback.format_exc()
    seconds = round(time.monotonic() - started, 3)
    return Entry(task.draft, {}, seconds, usage, failed)


def _side_by_side(
    layout: Layout,
    tasks: Mapping[str, Task],
    profile: str,
    jobs: int | None,
    variables: Mapping[str, str],
) -> Generator[tuple[str, Entry], None, None]:
    """Execute notebooks, `jobs` at a time (None: one a core).

    Yields each page with its execution as it ends. An interruption ends all that run.
    """
    running: set[Ending] = set()
    workers = min(jobs or os.cpu_count() or 1, max(1, len(tasks)))
    pool = ThreadPoolExecutor(workers)
    futures = {
        pool.submit(_execute_one, layout, page, profile, task, running, variables): page
        for page, task in tasks.items()
    }
    try:
        for number, future in enumerate(as_completed(futures), start=1):
            page = futures[future]
            entry = future.result()
            yield page, entry
            end = "FAILED"
            if entry.failed is None:
                end = f"done in {entry.seconds:.1f} s"
            _say(f"{page}: {end} ({number} of {len(tasks)})")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        # Some still run only after an interruption, or where the disk is full.
        while not all(future.done() for future in futures):
            for kernel in list(running):
                kernel.end()
            time.sleep(LOOK)


def _task(layout: Layout, page: str, profile: str, key: Key, *, force: bool) -> Task:
    """Return the task of a page that runs again, and say why it does."""
    draft = layout.build / "running" / page
    reason = "asked for" if force else "nothing sound is kept"
    last = newest(layout, page, profile)
    if last is None:
        return Task(draft, reason)
    changed = sorted({name for name, _ in key.parts.items() ^ last.parts.items()})
    if changed:
        reason = f"changed: {', '.join(changed[:NAMED])}"
    return Task(draft, reason, last.seconds)


def execute_pages(
    layout: Layout,
    profile: str,
    pages: Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    force: bool = False,
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Execute the pages that changed, side by side.

    Returns the entry of each page and the names executed. The entry of a page that
    failed says so, and holds what ran of it. An interruption loses only the pages that
    were running. Raises CompanionError for an unknown page.
    """
    chosen = pages or layout.pages()
    registry = load_registry(layout.registry)
    keys = {page: key_of(layout, page, profile, registry) for page in chosen}
    entries: dict[str, Entry] = {}
    tasks: dict[str, Task] = {}
    for page, key in keys.items():
        entry = None if force else find_entry(layout, page, profile, key.digest)
        if entry is None:
            tasks[page] = _task(layout, page, profile, key, force=force)
        else:
            entries[page] = entry
            _say(f"{page}: nothing changed, kept execution used")
    # The longest comes first, so that none starts alone at the end.
    tasks = dict(sorted(tasks.items(), key=lambda item: -item[1].seconds))
    remove(layout.build / "running")
    remove(layout.build / "failed")
    layout.build.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=layout.build) as shared,
        closing(
            _side_by_side(layout, tasks, profile, jobs, {"MOLLIFIED_SHARED": shared})
        ) as results,
    ):
        for page, entry in results:
            if entry.failed is None:
                entries[page] = keep(layout, page, profile, keys[page], entry)
            else:
                entries[page] = _keep_part(layout, page, entry)
    return {page: entries[page] for page in chosen}, tuple(sorted(tasks))


def execute_apart(
    layout: Layout,
    pages: Sequence[str],
    profile: str,
    base: Path,
    variables: Mapping[str, str],
    *,
    jobs: int | None = 1,
) -> dict[str, Entry]:
    """Execute notebooks apart from the kept executions, each into a folder of `base`.

    `variables` are added to the environment.
    """
    tasks = {page: Task(base / page, "apart from what is kept") for page in pages}
    return dict(sorted(_side_by_side(layout, tasks, profile, jobs, variables)))
