"""Execute one notebook: MyST to ipynb, papermill in a process of its own, the result made repeatable.

`python -m companion.run.execute REQUEST` reads a request (JSON file), reports each cell as a line of JSON on
standard output, and writes the executed notebook. The build starts one such process for each notebook.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.paths import ROOT_VARIABLE, CompanionError, Layout
from companion.run.engine import Begun, own_parameters, register_engine, say
from companion.run.usage import Meter

__all__ = ["THREADS", "Failure", "Progress", "Running", "child_environment", "start"]

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
#: One thread for each kernel in a build: how many run side by side must not move the last digit of a sum. And one
#: process, unless MOLLIFIED_JOBS says more: the pages themselves run side by side, and each worker loads PyTorch anew.
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
KERNEL = "companion"
#: How often a kernel is started that dies before it answers. Its ports are chosen free, and taken a moment later.
_STARTS = 3


@dataclass(frozen=True)
class Progress:
    """Say which cell of a notebook is running: `index` of `total`, under which heading."""

    index: int
    total: int
    title: str


@dataclass(frozen=True)
class Failure:
    """Hold the traceback of a notebook that failed, without colours."""

    page: str
    message: str


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


def _private_kernel(layout: Layout) -> dict[str, str]:
    """Write the kernel description that the build uses; return the variables that make Jupyter find it."""
    home = layout.build / "jupyter"
    folder = home / "data" / "kernels" / KERNEL
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    quiet = ["--HistoryManager.enabled=False", "--InteractiveShell.colors=nocolor"]
    description = {"argv": [*command, *quiet], "display_name": "Python 3", "language": "python"}
    draft = folder / f"kernel.{os.getpid()}.{threading.get_ident()}.part"
    draft.write_text(json.dumps(description, indent=1) + "\n", encoding="utf-8")
    draft.replace(folder / "kernel.json")
    for name in ("config", "ipython", "runtime"):
        (home / name).mkdir(exist_ok=True)
    return {
        "JUPYTER_PATH": str(home / "data"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PLATFORM_DIRS": "1",
        "IPYTHONDIR": str(home / "ipython"),
    }


class Running:
    """One notebook that is being executed in a process of its own."""

    def __init__(self, page: str, draft: Path, process: subprocess.Popen[str]) -> None:
        self.page, self.draft, self._process = page, draft, process
        self._started = time.monotonic()
        #: What the notebook used, as `Meter` tells; empty until it is done, and where that is not told.
        self.usage: dict[str, float] = {}

    def wait(self, report: Callable[[Progress], None]) -> float:
        """Report each cell as it starts and return the seconds; raise CompanionError with the traceback."""
        stdout, stderr = self._process.stdout, self._process.stderr
        if stdout is None or stderr is None:
            raise RuntimeError("the process was started without pipes")
        errors: list[str] = []
        failure = None
        with self._process:
            reader = threading.Thread(target=lambda: errors.extend(stderr), daemon=True)
            reader.start()
            for line in stdout:
                try:
                    event = json.loads(line)
                    kind = event["event"]
                except (ValueError, KeyError, TypeError):
                    continue
                if kind == "cell":
                    report(Progress(event["index"], event["total"], event["title"]))
                elif kind == "failed":
                    failure = str(event["message"])
                elif kind == "done":
                    self.usage = dict(event["usage"])
            code = self._process.wait()
            reader.join(timeout=10)
        if code != 0:
            tail = _ANSI.sub("", "".join(errors[-40:])).strip()
            raise CompanionError(failure or f"the process ended with status {code}\n{tail}")
        return time.monotonic() - self._started

    def stop(self) -> None:
        """End the process and its kernel; no trace of the execution is kept."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.draft, ignore_errors=True)


def start(
    layout: Layout,
    page: str,
    parameters: Mapping[str, Any],
    draft: Path,
    *,
    variables: Mapping[str, str] | None = None,
) -> Running:
    """Start the execution of one notebook; `draft` is a new folder that receives notebook.ipynb and run/.

    `variables` are added to the environment. The process ends by itself when the one that started it goes away.
    """
    source = layout.notebook(page)
    (draft / "run").mkdir(parents=True)
    request = draft / "request.json"
    document = {
        "source": str(source),
        "parameters": dict(parameters),
        "output": str(draft / "notebook.ipynb"),
        "folder": str(layout.notebooks),
        "paths": {str(draft / "run"): "<run>", str(layout.root): "<book>", sys.prefix: "<python>"},
    }
    request.write_text(json.dumps(document), encoding="utf-8")
    environment = child_environment(
        layout, COMPANION_RUN=str(draft / "run"), **_private_kernel(layout), **(variables or {})
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.run.execute", str(request)],
        cwd=layout.notebooks,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    return Running(page, draft, process)


def _failure_text(error: Any) -> str:
    """Return the traceback of a failed cell with its source, without colours."""
    trace = _ANSI.sub("", "\n".join(error.traceback)) or f"{error.ename}: {error.evalue}"
    source = "\n".join(f"    {line}" for line in str(error.source).splitlines())
    return f"cell [{error.exec_count}] failed:\n{source}\n\n{trace}"


def _stop_with_parent() -> None:
    """End this process when its parent closes the pipe, or goes away."""

    def watch() -> None:
        while os.read(0, 1024):
            continue
        os.kill(os.getpid(), signal.SIGTERM)

    def leave(number: int, frame: Any) -> None:
        raise SystemExit(143)

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=watch, daemon=True).start()


def run_request(request: Mapping[str, Any]) -> None:
    """Execute what a request asks for and write the normalised notebook, or on failure the part that ran.

    Raises CompanionError on failure.
    """
    import jupytext
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    from companion.run.normalise import normalise, notebook_text

    logging.getLogger("papermill").setLevel(logging.ERROR)
    source, output = Path(request["source"]), Path(request["output"])
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst")
    notebook.metadata["kernelspec"] = {"name": KERNEL, "display_name": "Python 3", "language": "python"}
    draft = output.with_name("input.ipynb")
    draft.write_text(notebook_text(notebook), encoding="utf-8")
    begun, failure = Begun(), None
    try:
        parameters = own_parameters(draft, request["parameters"])
        for trial in range(_STARTS):
            try:
                papermill.execute_notebook(
                    str(draft),
                    None,
                    parameters=parameters,
                    engine_name=register_engine(begun),
                    kernel_name=KERNEL,
                    progress_bar=False,
                    cwd=str(request["folder"]),
                )
                break
            except RuntimeError as error:  # before the first cell: another process took a port that was free
                if begun.cell >= 0 or "before replying" not in str(error) or trial == _STARTS - 1:
                    raise
    except PapermillExecutionError as error:
        failure = _failure_text(error)
    except DeadKernelError:
        failure = "the kernel died without a traceback"
    finally:
        draft.unlink(missing_ok=True)
    made = normalise(begun.notebook if failure is None else begun.part(), request["paths"])
    output.write_text(notebook_text(made), encoding="utf-8", newline="\n")
    if failure is not None:
        raise CompanionError(failure)


def main(arguments: list[str]) -> int:
    """Execute one request; return the exit status."""
    _stop_with_parent()
    path = Path(arguments[0])
    request = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    with Meter() as meter:
        try:
            run_request(request)
        except CompanionError as error:
            say("failed", message=str(error))
            return 1
    say("done", usage=meter.usage())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
