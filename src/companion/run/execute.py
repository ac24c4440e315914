"""Execute one notebook: MyST to ipynb, papermill in a process of its own, the result made repeatable.

`python -m companion.run.execute REQUEST` reads a request (JSON file), reports each cell as a line of JSON on
standard output, and writes the executed notebook. The build starts one such process for each notebook.
"""

from __future__ import annotations

import copy
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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.paths import ROOT_VARIABLE, CompanionError, Layout
from companion.run.engine import KERNEL, own_parameters, run_cells, say
from companion.run.usage import metered

__all__ = ["THREADS", "Progress", "Running", "child_environment", "start"]

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


@dataclass(frozen=True)
class Progress:
    """Say which cell of a notebook is running: `index` of `total`, under which heading."""

    index: int
    total: int
    title: str


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
    """One notebook that is being executed in a process of its own."""

    def __init__(self, page: str, draft: Path, process: subprocess.Popen[str]) -> None:
        self.page, self.draft, self._process = page, draft, process
        self._started = time.monotonic()
        #: What the notebook used, as `metered` tells; empty until it is done.
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
        layout, COMPANION_RUN=str(draft / "run"), **_private_jupyter(layout), **(variables or {})
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
    from papermill.exceptions import PapermillExecutionError

    from companion.run.normalise import normalise, notebook_text

    logging.getLogger("papermill").setLevel(logging.ERROR)
    source, output = Path(request["source"]), Path(request["output"])
    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst")
    notebook.metadata["kernelspec"] = {"name": KERNEL, "display_name": "Python 3", "language": "python"}
    output.write_text(notebook_text(notebook), encoding="utf-8")
    parameters, made = own_parameters(output, request["parameters"]), {}

    class Cells(papermill.engines.Engine):
        """Run the cells for papermill, and keep what they made before papermill marks an error in it."""

        @classmethod
        def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **_: Any) -> None:
            made["failure"] = run_cells(nb_man.nb, kernel_name, request["folder"])
            made["notebook"] = copy.deepcopy(nb_man.nb)

    papermill.engines.papermill_engines.register("cells", Cells)
    with suppress(PapermillExecutionError):
        papermill.execute_notebook(
            str(output), None, parameters, engine_name="cells", kernel_name=KERNEL, progress_bar=False
        )
    output.write_text(notebook_text(normalise(made["notebook"], request["paths"])), encoding="utf-8", newline="\n")
    failure = made["failure"]
    if failure is not None:
        raise CompanionError(_ANSI.sub("", failure))


def main(arguments: list[str]) -> int:
    """Execute one request; return the exit status."""
    _stop_with_parent()
    path = Path(arguments[0])
    request = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    try:
        with metered() as usage:
            run_request(request)
    except CompanionError as error:
        say("failed", message=str(error))
        return 1
    say("done", usage=usage)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
