"""Build the book: execute what changed, judge the claims, render, and only then replace the pages."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.cache import Entry, Key, find_entry, keep, key_of, latest_parts
from companion.downloads import write_downloads
from companion.execute import Failure, Running, start
from companion.exercises import exercise_faults, run_faults
from companion.ledger import LedgerError, Scoreboard, load_claims, write_claims_json
from companion.paths import CompanionError, Layout
from companion.profiles import check_profile
from companion.progress import Display
from companion.references import verify_manifest
from companion.registry import load_registry
from companion.render import recover, render, stage, swap

__all__ = ["Built", "alone", "build", "check_exercises", "execute_pages", "judge_claims", "prepare"]


class BuildFailed(CompanionError):
    """Hold the notebooks that failed, each with its traceback."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        self.failures = list(failures)
        parts = [f"notebook {failure.page} failed\n{'-' * 70}\n{failure.message}\n" for failure in failures]
        names = ", ".join(failure.page for failure in failures)
        super().__init__("\n".join(parts) + f"\n{len(self.failures)} notebook(s) failed: {names}")


@dataclass(frozen=True)
class Built:
    """Say what a build made: the start page, how many pages, the scoreboard, the seconds it took."""

    start_page: Path | None
    pages: int
    executed: tuple[str, ...]
    scoreboard: Scoreboard | None
    seconds: float


@contextmanager
def alone(layout: Layout) -> Iterator[None]:
    """Hold the build folder for one build at a time; raise CompanionError where another one holds it."""
    layout.build.mkdir(parents=True, exist_ok=True)
    with (layout.build / ".lock").open("w", encoding="utf-8") as stream:
        try:
            import fcntl
        except ImportError:  # no such lock on this system: two builds at once are up to the reader
            yield
            return
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CompanionError("another build of this book is running") from error
        yield


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


@dataclass
class _Runner:
    """Execute pages side by side, each in its own process."""

    layout: Layout
    profile: str
    display: Display
    running: dict[str, Running] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    stopped: bool = False

    def run(self, page: str, key: Key, reason: str) -> None:
        """Execute one page and keep the result."""
        draft = self.layout.build / "running" / f"{page}.{os.getpid()}"
        with self.lock:
            if self.stopped:
                return
            shutil.rmtree(draft, ignore_errors=True)
            job = start(self.layout, page, {"profile": self.profile}, draft)
            self.running[page] = job
        self.display.begin(page, reason)
        try:
            seconds = job.wait(lambda at: self.display.cell(page, at))
            entry = keep(self.layout, page, self.profile, key, draft, seconds, job.usage)
            with self.lock:
                self.entries[page] = entry
            self.display.end(page, f"done in {seconds:.1f} s")
        except Exception as error:
            shutil.rmtree(draft, ignore_errors=True)
            if not self.stopped:
                message = str(error) if isinstance(error, CompanionError) else repr(error)
                with self.lock:
                    self.failures.append(Failure(page, message))
                self.display.end(page, "FAILED")
        finally:
            with self.lock:
                self.running.pop(page, None)

    def stop(self) -> None:
        """End everything that runs."""
        with self.lock:
            self.stopped = True
            jobs = list(self.running.values())
        for job in jobs:
            job.stop()


def _reason(layout: Layout, page: str, profile: str, key: Key, damage: str | None) -> str:
    if damage:
        return "kept execution damaged"
    before = latest_parts(layout, page, profile)
    if before is None:
        return "first time"
    changed = key.changed_since(before[0])
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"changed: {', '.join(changed[:3])}{more}" if changed else "not kept"


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
    for page in chosen:
        layout.notebook(page)
    if jobs is not None and jobs < 1:
        raise CompanionError(f"jobs must be at least 1, got {jobs}")
    registry = load_registry(layout.registry)
    strangers = sorted({spec.page for spec in registry.values()} - set(layout.pages()))
    with Display(len(chosen)) as display:
        if strangers:
            display.say(f"note: data/figures.yml has figures of pages that do not exist: {', '.join(strangers)}")
        runner = _Runner(layout, profile, display)
        todo: list[tuple[float, str, Key, str]] = []
        for page in chosen:
            key = key_of(layout, page, profile, {"profile": profile}, registry)
            entry, damage = find_entry(layout, page, profile, key.digest)
            if damage:
                display.say(f"{damage}; it is executed again")
            if entry is not None and not force:
                runner.entries[page] = entry
                display.kept(page)
                continue
            if key.whole:
                display.say(f"{page}: all of src counts as changed with it, since {key.whole}")
            before = latest_parts(layout, page, profile)
            reason = "asked for" if force else _reason(layout, page, profile, key, damage)
            todo.append((-(before[1] if before else 1e9), page, key, reason))
        shutil.rmtree(layout.build / "running", ignore_errors=True)
        todo.sort(key=lambda item: item[:2])  # the longest first, so that none starts alone at the end
        workers = min(jobs or os.cpu_count() or 1, max(1, len(todo)))
        pool = ThreadPoolExecutor(workers)
        try:
            with _ends_on_terminate():
                futures = [pool.submit(runner.run, page, key, reason) for _, page, key, reason in todo]
                for future in futures:
                    future.result()
        except BaseException:
            runner.stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    if runner.failures:
        raise BuildFailed(sorted(runner.failures, key=lambda failure: failure.page))
    entries = {page: runner.entries[page] for page in chosen}
    return entries, tuple(sorted(page for _, page, _, _ in todo))


def _check_ledger(layout: Layout) -> None:
    """Read the ledger before anything is executed, so that a slip in it costs no time."""
    try:
        load_claims(layout.root)
    except LedgerError as error:
        raise CompanionError(f"the ledger is not as it must be:\n{error}") from error


def _check_results(layout: Layout) -> None:
    """Compare every accepted table with its hash, so that a damaged one is not taken for a change of the figure."""
    faults = verify_manifest(layout.root)
    if faults:
        raise CompanionError(
            "accepted data are not as they were accepted; nothing was executed:\n"
            + "\n".join(faults)
            + "\nBring the file back from the repository, or accept the figure again."
        )


def judge_claims(layout: Layout, entries: Mapping[str, Entry], out: Path) -> Scoreboard:
    """Judge every claim on the evidence of the entries and write claims.json; raise CompanionError if not."""
    folders = [entry.run / "evidence" for _, entry in sorted(entries.items())]
    try:
        return write_claims_json(layout.root, folders, out)
    except LedgerError as error:
        raise CompanionError(f"the ledger and the evidence do not agree:\n{error}") from error


def check_exercises(layout: Layout, entries: Mapping[str, Entry]) -> None:
    """Raise CompanionError that lists every exercise without a solution that was run."""
    faults: list[str] = []
    for page, entry in sorted(entries.items()):
        text = layout.notebook(page).read_text(encoding="utf-8")
        own = [f"{page}: {fault}" for fault in exercise_faults(page, text)]
        faults += own or run_faults(page, text, entry.run)
    if faults:
        raise CompanionError("exercises and their solutions do not agree:\n" + "\n".join(faults))


def prepare(
    layout: Layout, profile: str, *, jobs: int | None = None, force: bool = False
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """Check the ledger, execute what changed, check the exercises; return the executions and which are new.

    The caller holds the build folder. Raises CompanionError that says what failed.
    """
    recover(layout)
    _check_ledger(layout)
    _check_results(layout)
    entries, executed = execute_pages(layout, profile, jobs=jobs, force=force)
    check_exercises(layout, entries)
    return entries, executed


def build(
    layout: Layout,
    profile: str,
    *,
    jobs: int | None = None,
    force: bool = False,
    render_pages: bool = True,
) -> Built:
    """Build the whole book for one profile; on any failure the pages that were there stay as they were.

    Raises CompanionError that says what failed, tracebacks of notebooks included.
    """
    started = time.monotonic()
    check_profile(profile)
    with alone(layout):
        entries, executed = prepare(layout, profile, jobs=jobs, force=force)
        if not render_pages:
            scoreboard = judge_claims(layout, entries, layout.build / "claims.json")
            return Built(None, 0, executed, scoreboard, time.monotonic() - started)
        scoreboard = judge_claims(layout, entries, layout.stage / "claims.json")
        stage(layout, entries)
        html, pages = render(layout)
        write_downloads(layout, entries, layout.stage / "claims.json", html)
        swap(layout, html)
    return Built(layout.html / "index.html", pages, executed, scoreboard, time.monotonic() - started)
