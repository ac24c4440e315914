"""Execute the pages that changed, side by side, keep what comes to its end and what there is of what failed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import jupytext

from companion.ledger.registry import load_registry
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.run.cache import Entry, Key, find_entry, keep, key_of, latest_parts
from companion.run.execute import Running, start
from companion.run.normalise import normalise, notebook_text
from companion.run.progress import Display

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
    """Keep what there is of an execution that failed: the notebook up to there, its figures and its numbers.

    A number that other pages name and that it did not come to is said to be missing.
    """
    folder = layout.build / "failed" / page
    shutil.rmtree(folder, ignore_errors=True)
    (draft / "run").mkdir(parents=True, exist_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft.rename(folder)
    notebook = folder / "notebook.ipynb"
    if not notebook.is_file():  # the process ended before it could write: the title is all that there is
        read = jupytext.reads(layout.notebook(page).read_text(encoding="utf-8"), fmt="md:myst")
        read.cells = read.cells[:1]
        notebook.write_text(notebook_text(normalise(read)), encoding="utf-8", newline="\n")
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


def _reason(key: Key, before: tuple[Mapping[str, str], float] | None, damage: str | None) -> str:
    if damage:
        return "kept execution damaged"
    if before is None:
        return "first time"
    changed = key.changed_since(before[0])
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"changed: {', '.join(changed[:3])}{more}" if changed else "not kept"


def _check(layout: Layout, pages: Sequence[str], jobs: int | None) -> None:
    for page in pages:
        layout.notebook(page)
    if jobs is not None and jobs < 1:
        raise CompanionError(f"jobs must be at least 1, got {jobs}")


def _side_by_side(
    layout: Layout, tasks: Sequence[tuple[str, Path, str]], parameters: Mapping[str, Any], jobs: int, display: Display,
    done: Callable[[str, Running, float], None], failed: Callable[[str, str], None],
    variables: Mapping[str, str] | None = None,
) -> None:  # fmt: skip
    """Execute notebooks in their folders, so many at a time; each task is a page, its folder and why it is executed.

    Each that comes to its end is `done`, with its seconds, any other has `failed`, with its traceback. An interruption
    ends all that run, and is raised again.
    """
    running: dict[str, Running] = {}
    lock, stopped = threading.Lock(), threading.Event()

    def one(page: str, folder: Path, reason: str) -> None:
        with lock:
            if stopped.is_set():
                return
            shutil.rmtree(folder, ignore_errors=True)
            job = running[page] = start(layout, page, parameters, folder, variables=variables)
        display.begin(page, reason)
        try:
            seconds = job.wait(lambda at: display.cell(page, at))
            done(page, job, seconds)
            display.end(page, f"done in {seconds:.1f} s")
        except Exception as error:
            if not stopped.is_set():
                failed(page, str(error) if isinstance(error, CompanionError) else repr(error))
                display.end(page, "FAILED")
        finally:
            running.pop(page, None)

    pool = ThreadPoolExecutor(min(jobs, max(1, len(tasks))))
    try:
        with _ends_on_terminate():
            for future in [pool.submit(one, *task) for task in tasks]:
                future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        with lock:
            stopped.set()
            jobs_left = list(running.values())
        for job in jobs_left:
            job.stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def execute_pages(
    layout: Layout,
    profile: str,
    pages: Sequence[str] | None = None,
    *,
    jobs: int | None = None,
    force: bool = False,
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Execute the pages that changed, side by side; return the entry of each page and the names executed.

    All pages that fail are reported together, after the others have finished and are kept; an interruption
    loses only the pages that were running. Raises BuildFailed, or CompanionError for an unknown page.
    """
    check_profile(profile)
    chosen = list(pages) if pages else layout.pages()
    _check(layout, chosen, jobs)
    registry = load_registry(layout.registry)
    strangers = sorted({spec.page for spec in registry.values()} - set(layout.pages()))
    display = Display(len(chosen))
    if strangers:
        display.say(f"note: data/figures.yml has figures of pages that do not exist: {', '.join(strangers)}")
    entries: dict[str, Entry] = {}
    failures: dict[str, str] = {}
    keys: dict[str, Key] = {}
    todo: list[tuple[float, str, Path, str]] = []
    for page in chosen:
        key = keys[page] = key_of(layout, page, profile, {"profile": profile}, registry)
        entry, damage = find_entry(layout, page, profile, key.digest)
        if damage:
            display.say(f"{damage}; it is executed again")
        if entry is not None and not force:
            entries[page] = entry
            display.end(page, "nothing changed, kept execution used")
            continue
        before = latest_parts(layout, page, profile)
        reason = "asked for" if force else _reason(key, before, damage)
        todo.append((-(before[1] if before else 1e9), page, layout.build / "running" / f"{page}.{os.getpid()}", reason))

    def done(page: str, job: Running, seconds: float) -> None:
        entries[page] = keep(layout, page, profile, keys[page], job.draft, seconds, job.usage)

    def failed(page: str, message: str) -> None:
        draft = layout.build / "running" / f"{page}.{os.getpid()}"
        failures[page] = message
        with suppress(OSError):
            entries[page] = _keep_part(layout, page, draft, message)
        shutil.rmtree(draft, ignore_errors=True)

    for folder in ("running", "failed"):
        shutil.rmtree(layout.build / folder, ignore_errors=True)
    todo.sort(key=lambda item: item[:2])  # the longest first, so that none starts alone at the end
    tasks = [item[1:] for item in todo]
    _side_by_side(layout, tasks, {"profile": profile}, jobs or os.cpu_count() or 1, display, done, failed)
    entries = {page: entries[page] for page in chosen if page in entries}
    executed = tuple(sorted(page for page, _, _ in tasks))
    if failures:
        raise BuildFailed(dict(sorted(failures.items())), entries, executed)
    return entries, executed


def execute_apart(
    layout: Layout,
    pages: Sequence[str],
    parameters: Mapping[str, Any],
    base: Path,
    *,
    jobs: int = 1,
    variables: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Execute notebooks apart from the kept executions, each into its folder of `base`; return what failed, and how.

    `variables` are added to the environment. Raises CompanionError for an unknown page or jobs < 1.
    """
    _check(layout, pages, jobs)
    failures: dict[str, str] = {}
    tasks = [(page, base / page, "apart from what is kept") for page in pages]
    failed = failures.__setitem__
    _side_by_side(layout, tasks, parameters, jobs, Display(len(pages)), lambda *_: None, failed, variables)
    return dict(sorted(failures.items()))
