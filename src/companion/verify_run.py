"""Run all notebooks anew, side by side, each in a process of its own that starts with the libraries imported."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any

from companion.dependencies import code_of_notebook
from companion.execute import Progress, child_environment
from companion.paths import CompanionError, Layout
from companion.progress import Display
from companion.registry import FigureSpec
from companion.verify_cells import PRELOAD_VARIABLE, Job, imports_of, run_job

__all__ = ["Ran", "run_notebooks"]

#: Modules that every notebook needs, whether it says so or not.
_BASE = ("numpy", "scipy", "pandas", "jupytext", "companion.verify_page")


@dataclass
class Ran:
    """Say how the run of one notebook came out: `message` is None where it came to its end.

    `imports` are the processor seconds that the common imports took, once for all notebooks.
    """

    page: str
    run: Path
    message: str | None = None
    cells: int = 0
    seconds: float = 0.0
    processor_seconds: float | None = None
    peak_mib: int | None = None
    imports: float = 0.0


@dataclass
class _Child:
    """One process, what it has reported so far, and when it started."""

    ran: Ran
    process: Any
    reports: connection.Connection
    started: float = field(default_factory=time.monotonic)
    at: tuple[int, int] = (0, 0)
    last: dict[str, Any] = field(default_factory=dict)
    silent: bool = False


@contextmanager
def _environment(changes: Mapping[str, str]) -> Iterator[None]:
    """Set the environment that the processes inherit, and put the old one back."""
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _modules(layout: Layout, pages: Sequence[str], specs: Sequence[FigureSpec]) -> list[str]:
    named = imports_of(code for page in pages for code in code_of_notebook(layout.notebook(page)))
    return sorted({*_BASE, *named, *(spec.compute.partition(":")[0] for spec in specs if spec.compute)})


def _nothing() -> None:
    """Do nothing: a process that comes to its end shows that processes can be started."""


def _starts(context: Any) -> bool:
    """Say whether a process can be started."""
    try:
        probe = context.Process(target=_nothing)
        probe.start()
        probe.join()
    except (OSError, EOFError):
        return False
    return bool(probe.exitcode == 0)


def _context() -> Any:
    """Return what starts the processes: forked from one with the libraries imported, where the system can fork.

    A library that ends that process is not imported beforehand: the notebook that imports it will tell.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    for modules in (["companion.verify_preload"], *[[]] * 50):
        context.set_forkserver_preload(modules)
        if _starts(context):
            return context
        time.sleep(0.1)  # the one that ended must be gone before another takes its place
    raise CompanionError("no process can be started")


def _begin(context: Any, layout: Layout, page: str, profile: str, folder: Path) -> _Child:
    run = folder / page
    run.mkdir(parents=True)
    receive, send = context.Pipe(duplex=False)
    paths = (str(layout.notebooks), str(layout.source))
    job = Job(page, layout.notebook(page), {"profile": profile}, layout.notebooks, run, paths)
    process = context.Process(target=run_job, args=(job, send), name=page)
    process.start()
    send.close()  # else the end of the process would not be the end of its reports
    return _Child(Ran(page, run), process, receive)


def _hear(child: _Child, display: Display | None) -> None:
    """Take in all that a process has reported by now."""
    try:
        while not child.silent and child.reports.poll():
            report = child.reports.recv()
            if report["event"] != "cell":
                child.last = report
                continue
            child.at = (report["index"], report["total"])
            if display is not None:
                display.cell(child.ran.page, Progress(*child.at, ""))
    except (EOFError, OSError):
        child.silent = True


def _death(child: _Child) -> str:
    """Return in words how a process ended that did not say so itself."""
    code = child.process.exitcode
    how = f"with status {code}"
    if code is not None and code < 0:
        with suppress(ValueError):
            how = f"by {signal.Signals(-code).name}"
    place = f"in cell {child.at[0]} of {child.at[1]}" if child.at[0] else "before its first cell"
    output = child.ran.run / "output.txt"
    lines = output.read_text(encoding="utf-8", errors="replace").splitlines() if output.is_file() else []
    return "\n".join([f"its process ended {how}, {place}", *lines[-20:]])


def _finish(child: _Child) -> Ran:
    child.process.join()
    child.reports.close()
    ran, last = child.ran, child.last
    ran.cells = child.at[1]
    ran.seconds = round(last.get("seconds", time.monotonic() - child.started), 3)
    if last:
        ran.processor_seconds, ran.peak_mib = round(last["processor_seconds"], 3), last["peak_mib"]
        ran.imports = last["imports"]
    if last.get("event") == "failed":
        ran.message = last["message"]
    elif not last or child.process.exitcode != 0:
        ran.message = _death(child)
    return ran


def _stop(children: Sequence[_Child]) -> None:
    for child in children:
        child.process.kill()
    for child in children:
        child.process.join()


def run_notebooks(
    layout: Layout,
    profile: str,
    pages: Sequence[str],
    specs: Sequence[FigureSpec],
    folder: Path,
    display: Display,
    *,
    jobs: int,
) -> list[Ran]:
    """Run the pages in this order, `jobs` at a time, each writing to its own folder; return how each came out, by name.

    No kept execution is used, and one notebook that fails ends no other. Raises CompanionError for an unknown page, or
    jobs < 1; an interruption ends all processes.
    """
    if jobs < 1:
        raise CompanionError(f"jobs must be at least 1, got {jobs}")
    todo = list(pages)
    shutil.rmtree(folder, ignore_errors=True)
    told = display if display.live else None
    finished: list[Ran] = []
    running: list[_Child] = []
    modules = ",".join(_modules(layout, pages, specs))
    # One process a notebook: sweeps that could ask for more of them run in it, with the same numbers.
    settings = {PRELOAD_VARIABLE: modules, "MOLLIFIED_BACKEND": "sequential", "MPLBACKEND": "agg"}
    with _environment(child_environment(layout, **settings)):
        try:
            context = _context()
            while todo or running:
                while todo and len(running) < jobs:
                    page = todo.pop(0)
                    display.begin(page, "anew")
                    running.append(_begin(context, layout, page, profile, folder))
                heard = [child.reports for child in running if not child.silent]
                connection.wait([*heard, *(child.process.sentinel for child in running)])
                for child in list(running):
                    ended = not child.process.is_alive()  # asked first: what it reported last is then there
                    _hear(child, told)
                    if ended:
                        running.remove(child)
                        finished.append(_finish(child))
                        taken = f"{finished[-1].seconds:.1f} s"
                        display.end(child.ran.page, f"done in {taken}" if not finished[-1].message else "FAILED")
        except BaseException:
            _stop(running)
            raise
    return sorted(finished, key=lambda ran: ran.page)
