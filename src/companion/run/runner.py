"""Execute the pages that changed, side by side, keep what comes to its end and what there is of what failed."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
import traceback
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.run.cache import Entry, Key, find_entry, keep, key_of, newest
from companion.run.execute import execute

__all__ = ["execute_apart", "execute_pages", "failures"]

#: What the text says in place of a number that a notebook did not come to.
NO_VALUE = "(not computed)"


@dataclass(frozen=True)
class _Result:
    """Hold what became of one execution: its draft, its seconds, what it used, and its traceback where it failed."""

    page: str
    draft: Path
    seconds: float
    used: Mapping[str, float]
    failure: str | None


def failures(entries: Mapping[str, Entry]) -> str:
    """Return which notebooks failed, each with its traceback; nothing where none did."""
    failed = {page: entry.failed for page, entry in sorted(entries.items()) if entry.failed is not None}
    parts = [f"notebook {page} failed\n{'-' * 70}\n{message}\n" for page, message in failed.items()]
    return "\n".join([*parts, f"{len(failed)} notebook(s) failed: {', '.join(failed)}"]) if failed else ""


def _keep_part(layout: Layout, page: str, draft: Path, message: str) -> Entry:
    """Keep what there is of an execution that failed; a number that it did not come to, and pages name, is missing."""
    folder = layout.build / "failed" / page
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft.rename(folder)
    places = [*layout.root.glob("book/*.md"), *layout.root.glob("notebooks/*.md"), *layout.root.glob("data/*.yml")]
    texts = "".join(path.read_text(encoding="utf-8") for path in places)
    named = dict.fromkeys(sorted(re.findall(rf"\{{val\}}`{page}:([^`]+)`", texts)), NO_VALUE)
    values = folder / "run" / "values.json"
    known = json.loads(values.read_text(encoding="utf-8")) if values.is_file() else {}
    values.write_text(json.dumps({**named, **known}), encoding="utf-8")
    return Entry(folder, {}, 0.0, failed=message)


def _say(bar: tqdm[Any], text: str, ended: int = 0) -> None:
    bar.update(ended)
    bar.write(text)
    sys.stdout.flush()


def _bar(total: int) -> tqdm[Any]:
    """Return a bar of that many pages, which only a terminal shows; its lines of text are shown everywhere."""
    return tqdm(total=total, disable=None, leave=False, file=sys.stdout, unit="page")


def _side_by_side(
    layout: Layout, tasks: Sequence[tuple[str, Path, str]], parameters: Mapping[str, Any], jobs: int | None,
    bar: tqdm[Any], variables: Mapping[str, str] | None = None,
) -> Generator[_Result, None, None]:  # fmt: skip
    """Execute notebooks in their folders, `jobs` at a time (None: one a core); a task is a page, its folder, and why.

    Yields each as it ends. An interruption ends all that run.
    """
    running: set[Any] = set()

    def one(page: str, draft: Path, reason: str) -> _Result:
        _say(bar, f"{page}: executing ({reason})")
        told = partial(_say, bar) if bar.disable else bar.set_postfix_str
        shutil.rmtree(draft, ignore_errors=True)
        started, used, failure = time.monotonic(), {}, None
        try:
            used = execute(
                layout, page, parameters, draft, lambda cell: told(f"{page}: {cell}"), running, variables or {}
            )
        except Exception as error:
            failure = str(error) if isinstance(error, CompanionError) else traceback.format_exc()
        return _Result(page, draft, time.monotonic() - started, used, failure)

    pool = ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, max(1, len(tasks))))
    futures = [pool.submit(one, *task) for task in tasks]
    try:
        for future in as_completed(futures):
            result = future.result()
            yield result
            _say(bar, f"{result.page}: {'FAILED' if result.failure else f'done in {result.seconds:.1f} s'}", ended=1)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in futures):  # only after an interruption, or where the disk is full
            for kernel in list(running):
                kernel.end()
            time.sleep(0.1)
        bar.close()


def _check(layout: Layout, pages: Sequence[str], jobs: int | None) -> None:
    for page in pages:
        layout.notebook(page)
    if jobs is not None and jobs < 1:
        raise CompanionError(f"jobs must be at least 1, got {jobs}")


def execute_pages(
    layout: Layout, profile: str, pages: Sequence[str] | None = None, *, jobs: int | None = None, force: bool = False
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Execute the pages that changed, side by side; return the entry of each page and the names executed.

    The entry of a page that failed says so, and holds what ran of it. An interruption loses only the pages that were
    running. Raises CompanionError for an unknown page.
    """
    check_profile(profile)
    chosen = list(pages) if pages else layout.pages()
    _check(layout, chosen, jobs)
    registry, bar, parameters = load_registry(layout.registry), _bar(len(chosen)), {"profile": profile}
    entries: dict[str, Entry | None] = {}
    keys: dict[str, Key] = {}
    todo: list[tuple[float, str, Path, str]] = []
    for page in chosen:
        key = keys[page] = key_of(layout, page, profile, parameters, registry)
        entries[page] = None if force else find_entry(layout, page, profile, key.digest)
        if entries[page] is not None:
            _say(bar, f"{page}: nothing changed, kept execution used", ended=1)
            continue
        last = newest(layout, page, profile)
        changed = sorted({name for name, _ in key.parts.items() ^ last.parts.items()}) if last else []
        reason = f"changed: {', '.join(changed[:3])}" if changed else "asked for" if force else "nothing sound is kept"
        todo.append((-last.seconds if last else -1e9, page, layout.build / "running" / page, reason))

    for folder in ("running", "failed"):
        shutil.rmtree(layout.build / folder, ignore_errors=True)
    tasks = [item[1:] for item in sorted(todo)]  # the longest first, so that none starts alone at the end
    with closing(_side_by_side(layout, tasks, parameters, jobs, bar)) as results:
        for one in results:
            if one.failure is None:
                entries[one.page] = keep(layout, one.page, profile, keys[one.page], one.draft, one.seconds, one.used)
            else:
                entries[one.page] = _keep_part(layout, one.page, one.draft, one.failure)
    return {page: entry for page, entry in entries.items() if entry}, tuple(sorted(page for page, _, _ in tasks))


def execute_apart(
    layout: Layout, pages: Sequence[str], parameters: Mapping[str, Any], base: Path, *, jobs: int | None = 1,
    variables: Mapping[str, str] | None = None,
) -> dict[str, str]:  # fmt: skip
    """Execute notebooks apart from the kept executions, each into its folder of `base`; return what failed, and how.

    `variables` are added to the environment. Raises CompanionError for an unknown page or jobs < 1.
    """
    _check(layout, pages, jobs)
    tasks = [(page, base / page, "apart from what is kept") for page in pages]
    results = _side_by_side(layout, tasks, parameters, jobs, _bar(len(pages)), variables)
    return {one.page: one.failure for one in sorted(results, key=lambda one: one.page) if one.failure is not None}
