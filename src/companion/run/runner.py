"""Execute the pages that changed, side by side, keep what comes to its end and what there is of what failed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.run.cache import Entry, Key, find_entry, keep, kept, key_of
from companion.run.execute import Running

__all__ = ["BuildFailed", "execute_apart", "execute_pages"]

#: What the text says in place of a number that a notebook did not come to.
NO_VALUE = "(not computed)"


class BuildFailed(CompanionError):
    """Hold the notebooks that failed, each with its traceback, and the executions of all, in part where they failed."""

    def __init__(self, failures: Mapping[str, str], entries: Mapping[str, Entry], executed: tuple[str, ...]) -> None:
        self.failures, self.entries, self.executed = failures, entries, executed
        parts = [f"notebook {page} failed\n{'-' * 70}\n{message}\n" for page, message in failures.items()]
        super().__init__("\n".join(parts) + f"\n{len(failures)} notebook(s) failed: {', '.join(failures)}")


def _keep_part(layout: Layout, page: str, draft: Path, message: str) -> Entry:
    """Keep what there is of an execution that failed; a number that it did not come to, and pages name, is missing."""
    folder = layout.build / "failed" / page
    shutil.rmtree(folder, ignore_errors=True)
    (draft / "run").mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft.rename(folder)
    places = [*layout.root.glob("book/*.md"), *layout.root.glob("notebooks/*.md"), *layout.root.glob("data/*.yml")]
    named = {
        key for path in places for key in re.findall(rf"\{{val\}}`{page}:([^`]+)`", path.read_text(encoding="utf-8"))
    }
    values = folder / "run" / "values.json"
    known = json.loads(values.read_text(encoding="utf-8")) if values.is_file() else {}
    values.write_text(json.dumps({**dict.fromkeys(sorted(named), NO_VALUE), **known}), encoding="utf-8")
    return Entry(folder, {}, 0.0, failed=message)


@contextmanager
def _ends_on_terminate() -> Iterator[None]:
    """Treat a request to terminate like Ctrl-C, so that no kernel is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _reason(key: Key, before: Mapping[str, str] | None, damage: str | None) -> str:
    if damage or before is None:
        return "kept execution damaged" if damage else "first time"
    changed = sorted({name for name, _ in key.parts.items() ^ before.items()})
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"changed: {', '.join(changed[:3])}{more}" if changed else "not kept"


def _check(layout: Layout, pages: Sequence[str], jobs: int | None) -> None:
    for page in pages:
        layout.notebook(page)
    if jobs is not None and jobs < 1:
        raise CompanionError(f"jobs must be at least 1, got {jobs}")


def _side_by_side(
    layout: Layout, tasks: Sequence[tuple[str, Path, str]], parameters: Mapping[str, Any], jobs: int | None,
    bar: tqdm[Any], done: Callable[[str, Running, float, dict[str, float]], None],
    failed: Callable[[str, Path, str], None], variables: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Execute notebooks in their folders, `jobs` at a time (None: one a core); a task is a page, its folder, and why.

    Each that comes to its end is `done`, with its seconds and what it used, any other has `failed`, with its traceback.
    An interruption ends all that run, and is raised again.
    """
    running: dict[str, Running] = {}
    lock, stopped = threading.Lock(), threading.Event()

    def one(page: str, folder: Path, reason: str) -> None:
        with lock:
            if stopped.is_set():
                return
            shutil.rmtree(folder, ignore_errors=True)
            started, job = time.monotonic(), Running(layout, page, parameters, folder, variables)
            running[page] = job
        _say(bar, f"{page}: executing ({reason})")
        told = partial(_say, bar) if bar.disable else bar.set_postfix_str
        try:
            used = job.wait(lambda cell: told(f"{page}: {cell}"))
            seconds = time.monotonic() - started
            done(page, job, seconds, used)
            _ended(bar, page, f"done in {seconds:.1f} s")
        except Exception as error:
            if not stopped.is_set():
                failed(page, folder, str(error) if isinstance(error, CompanionError) else repr(error))
                _ended(bar, page, "FAILED")
        finally:
            running.pop(page, None)

    pool = ThreadPoolExecutor(min(jobs or os.cpu_count() or 1, max(1, len(tasks))))
    try:
        with _ends_on_terminate():
            for future in [pool.submit(one, *task) for task in tasks]:
                future.result()
    except BaseException:
        with lock:
            stopped.set()
            jobs_left = list(running.values())
        for job in jobs_left:
            job.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        bar.close()


def _bar(total: int) -> tqdm[Any]:
    """Return a bar of that many pages, which only a terminal shows; its lines of text are shown everywhere."""
    return tqdm(total=total, disable=None, leave=False, file=sys.stdout, unit="page")


def _say(bar: tqdm[Any], text: str) -> None:
    bar.write(text)
    sys.stdout.flush()


def _ended(bar: tqdm[Any], page: str, text: str) -> None:
    bar.update()
    _say(bar, f"{page}: {text}")


def execute_pages(
    layout: Layout, profile: str, pages: Sequence[str] | None = None, *, jobs: int | None = None, force: bool = False
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Execute the pages that changed, side by side; return the entry of each page and the names executed.

    All pages that fail are reported together, after the others have finished and are kept; an interruption
    loses only the pages that were running. Raises BuildFailed, or CompanionError for an unknown page.
    """
    check_profile(profile)
    chosen = list(pages) if pages else layout.pages()
    _check(layout, chosen, jobs)
    registry, bar, parameters = load_registry(layout.registry), _bar(len(chosen)), {"profile": profile}
    entries: dict[str, Entry] = {}
    failures: dict[str, str] = {}
    keys: dict[str, Key] = {}
    todo: list[tuple[float, str, Path, str]] = []
    for page in chosen:
        key = keys[page] = key_of(layout, page, profile, parameters, registry)
        entry, damage = find_entry(layout, page, profile, key.digest)
        if damage:
            _say(bar, f"{damage}; it is executed again")
        if entry is not None and not force:
            entries[page] = entry
            _ended(bar, page, "nothing changed, kept execution used")
            continue
        last: dict[str, Any] = next((one for one, _ in kept(layout, page, profile)), {"parts": None, "seconds": 1e9})
        reason = "asked for" if force else _reason(key, last["parts"], damage)
        todo.append((-last["seconds"], page, layout.build / "running" / f"{page}.{os.getpid()}", reason))

    def done(page: str, job: Running, seconds: float, used: Mapping[str, float]) -> None:
        entries[page] = keep(layout, page, profile, keys[page], job.draft, seconds, used)

    def failed(page: str, draft: Path, message: str) -> None:
        failures[page] = message
        with suppress(OSError):
            entries[page] = _keep_part(layout, page, draft, message)
        shutil.rmtree(draft, ignore_errors=True)

    for folder in ("running", "failed"):
        shutil.rmtree(layout.build / folder, ignore_errors=True)
    tasks = [item[1:] for item in sorted(todo)]  # the longest first, so that none starts alone at the end
    _side_by_side(layout, tasks, parameters, jobs, bar, done, failed)
    entries = {page: entries[page] for page in chosen if page in entries}
    executed = tuple(sorted(page for page, _, _ in tasks))
    if failures:
        raise BuildFailed(dict(sorted(failures.items())), entries, executed)
    return entries, executed


def execute_apart(
    layout: Layout, pages: Sequence[str], parameters: Mapping[str, Any], base: Path, *, jobs: int | None = 1,
    variables: Mapping[str, str] | None = None,
) -> dict[str, str]:  # fmt: skip
    """Execute notebooks apart from the kept executions, each into its folder of `base`; return what failed, and how.

    `variables` are added to the environment. Raises CompanionError for an unknown page or jobs < 1.
    """
    _check(layout, pages, jobs)
    failures: dict[str, str] = {}

    def failed(page: str, draft: Path, message: str) -> None:
        failures[page] = message

    tasks = [(page, base / page, "apart from what is kept") for page in pages]
    _side_by_side(layout, tasks, parameters, jobs, _bar(len(pages)), lambda *_: None, failed, variables)
    return dict(sorted(failures.items()))
