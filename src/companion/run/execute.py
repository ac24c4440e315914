"""Execute one notebook with papermill, in a process of its own, and make the result repeatable."""

from __future__ import annotations

import ast
import contextlib
import logging
import multiprocessing
import os
import re
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from companion.paths import ROOT_VARIABLE, RUN_VARIABLE, CompanionError, Layout
from companion.run.normalise import normalise, notebook_text, without_paths

__all__ = ["THREADS", "Running", "child_environment", "own_parameters"]

_SPAWN = multiprocessing.get_context("spawn")
_reads: Any = nbformat.reads  # it has no types
#: How often a kernel is started that dies before it answers. Its ports are chosen free, and taken a moment later.
_STARTS = 3
#: One thread for each kernel in a build: how many run side by side must not move the last digit of a sum. And one
#: process, unless MOLLIFIED_JOBS says more: the pages themselves run side by side, and each worker loads PyTorch anew.
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def child_environment(layout: Layout, **extra: str) -> dict[str, str]:
    """Return the environment of a process that computes: fixed hashing, one thread, this book's sources."""
    beside = os.environ.get("PYTHONPATH")
    paths = [str(layout.source), *([beside] if beside else [])]
    return {
        "MOLLIFIED_JOBS": "1",
        **os.environ,
        **dict.fromkeys(THREADS, "1"),
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join(paths),
        ROOT_VARIABLE: str(layout.root),
        **extra,
    }


def _private_jupyter(layout: Layout) -> dict[str, str]:
    """Return the variables that keep the reader's own kernels, settings and history out."""
    parts = {"JUPYTER_DATA_DIR": "data", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime"}
    folders = {name: layout.build / "jupyter" / part for name, part in (parts | {"IPYTHONDIR": "ipython"}).items()}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    return {"JUPYTER_PATH": "", "JUPYTER_PLATFORM_DIRS": "1", **{name: str(path) for name, path in folders.items()}}


class Running:
    """One notebook that is being executed in a process of its own, which ends when the one that started it does.

    `draft` is a new folder that receives notebook.ipynb and run/; `variables` are added to the environment.
    """

    def __init__(
        self, layout: Layout, page: str, parameters: Mapping[str, Any], draft: Path,
        variables: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.draft = draft
        (draft / "run").mkdir(parents=True)
        own = {RUN_VARIABLE: str(draft / "run"), **_private_jupyter(layout), **(variables or {})}
        self._events, events = _SPAWN.Pipe(duplex=False)
        given = (layout, page, dict(parameters), draft, child_environment(layout, **own), events)
        self._process = _SPAWN.Process(target=_process, args=given, daemon=True)
        self._process.start()
        events.close()

    def wait(self, report: Callable[[str], None]) -> dict[str, float]:
        """Report each cell as it starts and return what the notebook used; raise CompanionError with the traceback."""
        kind, told = "", None
        with contextlib.suppress(EOFError):  # the end of the process
            while kind not in ("done", "failed"):
                kind, told = self._events.recv()
                if kind == "cell":
                    report(told)
        self._process.join()
        if kind != "done":
            ended = f"the process ended with status {self._process.exitcode}"
            raise CompanionError(told if kind == "failed" else ended)
        return dict(told or {})

    def stop(self) -> None:
        """End the process and its kernel; no trace of the execution is kept."""
        self._process.terminate()
        self._process.join(10)
        self._process.kill()
        shutil.rmtree(self.draft, ignore_errors=True)


def _process(
    layout: Layout, page: str, parameters: dict[str, Any], draft: Path, environment: dict[str, str], events: Connection
) -> None:
    """Execute a notebook in this new process and send what happens: each cell, and how it ended."""

    def leave(number: int, frame: Any) -> None:
        raise SystemExit(143)

    def watch() -> None:
        starter = multiprocessing.parent_process()
        if starter is not None:
            starter.join()
            os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that started it ends it
    threading.Thread(target=watch, daemon=True).start()
    with open(os.devnull, "w") as nowhere:  # what is written past the notebook
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    os.environ.update(environment)
    paths = {str(draft / "run"): "<run>", str(layout.root): "<book>", sys.prefix: "<python>"}
    try:
        failure = _execute(layout, page, parameters, draft / "notebook.ipynb", paths, events)
    except CompanionError as error:
        failure = str(error)
    except Exception:
        failure = without_paths(traceback.format_exc(), {})
    events.send(("done", _usage()) if failure is None else ("failed", failure))


def _usage() -> dict[str, float]:
    """Return what the kernel used, and the processes that it waited for: the largest one counts for the memory."""
    try:
        import resource
    except ImportError:  # this system does not tell
        return {}
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return {"cpu_seconds": round(used.ru_utime + used.ru_stime, 3), "peak_mib": -(-used.ru_maxrss // unit)}


def own_parameters(notebook: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that are not the defaults which a notebook (an ipynb) shows.

    Raises CompanionError that lists the known ones where the notebook has no such parameter.
    """
    import papermill

    known = papermill.inspect_notebook(str(notebook))
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise CompanionError(f"unknown parameter {', '.join(unknown)}; known: {', '.join(sorted(known)) or 'none'}")
    same = {name for name, value in given.items() if _shown(known[name]["default"]) == (type(value), value)}
    return {name: value for name, value in given.items() if name not in same}


def _shown(source: str) -> tuple[type, Any] | None:
    """Return type and value that a text of Python stands for, None where it is no constant."""
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None
    return type(value), value


def _execute(
    layout: Layout, page: str, parameters: Mapping[str, Any], output: Path, paths: Mapping[str, str], events: Connection
) -> str | None:
    """Execute a notebook and write it normalised, or what ran of it; return None, or the traceback where it failed."""
    import papermill
    from jupyter_client.manager import KernelManager
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    logging.getLogger("papermill").setLevel(logging.ERROR)
    notebook: Any = jupytext.reads(layout.notebook(page).read_text(encoding="utf-8"), fmt="md:myst")
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    output.write_text(notebook_text(notebook), encoding="utf-8")
    given, config, title, begun = own_parameters(output, parameters), Config(), "", 0
    total = sum(cell.cell_type == "code" for cell in notebook.cells) + bool(given)

    def begin(cell: Any, cell_index: int) -> None:
        nonlocal title, begun
        if cell.cell_type == "markdown":
            title = (re.findall(r"(?m)^#+ +(.+?) *$", cell.source) or [title])[-1]
        else:
            begun += 1
            events.send(("cell", f"cell {begun}/{total} {title}".rstrip()))

    if "transport_encryption" in KernelManager.class_traits():
        config.KernelManager.transport_encryption = "auto"
    failure = None
    for trial in range(1, _STARTS + 1):
        try:
            papermill.execute_notebook(
                str(output), str(output), given, cwd=str(layout.notebooks), progress_bar=False, on_cell_start=begin,
                force_raise_errors=True, config=config,
                extra_arguments=["--InteractiveShell.colors=nocolor", "--HistoryManager.enabled=False"],
            )  # fmt: skip
            break
        except PapermillExecutionError as error:
            failure = str(error).strip()
            break
        except DeadKernelError:
            failure = "the kernel died without a traceback"
            break
        except RuntimeError as error:  # before the first cell: another process took a port that was free
            if begun or "before replying" not in str(error):
                raise
            if trial == _STARTS:
                failure = str(error)
    made = _reads(output.read_text(encoding="utf-8"), as_version=4)
    if failure is not None:  # what follows the cell that failed is cut off, and its code is shown
        ran = [cell for cell in made.cells if cell.metadata.get("papermill", {}).get("start_time")]
        made.cells = ran or made.cells[:1]
        made.cells[-1].metadata.pop("tags", None)
    output.write_text(notebook_text(normalise(made, paths)), encoding="utf-8", newline="\n")
    return failure and without_paths(failure, {})
