"""Run the code cells of one notebook in this process, without Jupyter: the child of `companion.verify_run`.

The cells are compiled as they stand, one after the other in one namespace, as a kernel does; what they show is not
drawn. The parameters are set after the cell tagged so, as papermill does.
"""

from __future__ import annotations

import ast
import linecache
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from pathlib import Path
from types import ModuleType
from typing import Any

import jupytext

from companion.paths import CompanionError

__all__ = ["PRELOAD_VARIABLE", "Job", "imports_of", "run_job"]

#: Names the modules, separated by commas, that `companion.verify_preload` imports.
PRELOAD_VARIABLE = "COMPANION_PRELOAD"
#: The tag of the cell whose names are parameters.
PARAMETERS = "parameters"


@dataclass(frozen=True)
class Job:
    """Say what to run: the page, its source, its parameters, the folder it runs in, the folder it writes to.

    `paths` are folders to import from, before all others.
    """

    page: str
    source: Path
    parameters: Mapping[str, Any]
    folder: Path
    run: Path
    paths: tuple[str, ...] = ()


def imports_of(codes: Iterable[str]) -> set[str]:
    """Return the modules that cells may import, by reading them: `a.b` and `a.b.c` for `from a.b import c`."""
    found: set[str] = set()
    for code in codes:
        try:
            nodes = list(ast.walk(ast.parse(code)))
        except SyntaxError:  # the run of the notebook reports it
            continue
        for node in nodes:
            if isinstance(node, ast.Import):
                found |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def _peak_mib() -> int | None:
    """Return the most memory that this process held in MiB, shared libraries included; None where not told."""
    try:
        import resource
    except ImportError:  # no such count on this system
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return -(-resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 2**20)


def _seconds() -> float:
    """Return the processor seconds of this process and of those that it waited for."""
    return sum(os.times()[:4])


def _end_with_parent() -> None:
    """End this process when the one that asked for it goes away; Ctrl-C is for that one to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _text_of(error: BaseException, name: str) -> str:
    """Return the traceback from the cell on, without the frames of this module."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != name:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).strip()


def run_cells(job: Job, tell: Any) -> None:
    """Run all code cells; `tell(index, total)` is called before each. Raises CompanionError where one fails."""
    notebook = jupytext.reads(job.source.read_text(encoding="utf-8"), fmt="md:myst")
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    tagged = [PARAMETERS in cell.metadata.get("tags", []) for cell in cells]
    if tagged.count(True) != 1:
        raise CompanionError(f"one cell must be tagged {PARAMETERS}, got {tagged.count(True)}")
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    for index, (cell, parameters) in enumerate(zip(cells, tagged, strict=True), 1):
        tell(index, len(cells))
        name = f"{job.page}, cell {index}"
        linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
        try:
            exec(compile(cell.source, name, "exec", dont_inherit=True), module.__dict__)
        except BaseException as error:  # a cell that calls exit() has failed as well
            raise CompanionError(f"cell {index} of {len(cells)} failed:\n{_text_of(error, name)}") from error
        if parameters:
            unknown = sorted(set(job.parameters) - set(module.__dict__))
            if unknown:
                raise CompanionError(f"cell {index}, tagged {PARAMETERS}, does not set {', '.join(unknown)}")
            module.__dict__.update(job.parameters)


def run_job(job: Job, reports: connection.Connection) -> None:
    """Run one notebook and report: `cell` before each cell, then `done` or `failed` with what it took.

    Standard output and error go to output.txt in the folder of the run.
    """
    import companion.page
    from companion.verify_page import VerifiedPage

    _end_with_parent()
    # Notebooks ask for `companion.page.Page` by name: in this process it is the page that draws nothing.
    companion.page.Page = VerifiedPage  # type: ignore[misc]
    os.environ["COMPANION_RUN"] = str(job.run)
    os.chdir(job.folder)
    sys.path[:0] = job.paths
    with (job.run / "output.txt").open("wb") as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    started, before = time.monotonic(), _seconds()
    event: dict[str, Any] = {"event": "done"}
    try:
        run_cells(job, lambda index, total: reports.send({"event": "cell", "index": index, "total": total}))
    except CompanionError as error:
        event = {"event": "failed", "message": str(error)}
    reports.send(
        {
            **event,
            "seconds": time.monotonic() - started,
            "processor_seconds": _seconds() - before,
            "peak_mib": _peak_mib(),
            "imports": getattr(sys.modules.get("companion.verify_preload"), "SECONDS", 0.0),
        }
    )
    reports.close()
