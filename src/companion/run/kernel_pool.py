"""Kernels that are forks of one process, which has loaded what most pages load: it saves each page two seconds."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.paths import CompanionError

#: What most pages load, and a kernel.
_LOADED = (
    *(
        "ipykernel.kernelapp",
        "ipykernel.debugger",
        "IPython.core.oinspect",
        "matplotlib_inline.backend_inline",
    ),
    *(
        "pandas",
        "scipy.stats",
        "seaborn",
        "torch",
        "sympy.physics.units",
        "sympy.tensor.tensor",
        "statements",
    ),
    *(
        f"mollified.{name}"
        for name in [
            "bootstrap",
            "boosting",
            "boxes",
            "laws",
            "mollifiers",
            "sampling",
            "training",
        ]
    ),
    *("companion.drawing", "companion.checks", "companion.page"),
)


class _Fork:
    """Hold a fork as jupyter_client holds a process."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Forks:
    """Start the process that forks, in an environment; `close` ends it, and the kernels that run."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        pipes: Any = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
        }
        command = [sys.executable, "-m", __name__]
        self._process: Any = subprocess.Popen(
            command, env=environment, text=True, start_new_session=True, **pipes
        )
        self._lock = threading.Lock()

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: str
    ) -> Any:
        """Return a new kernel with these arguments. Raises CompanionError where the process has ended."""
        with (
            self._lock,
            suppress(OSError, ValueError),
        ):  # of a pipe that is broken, or closed
            print(
                json.dumps([arguments, environment, folder]),
                file=self._process.stdin,
                flush=True,
            )
            if answer := self._process.stdout.readline():
                return _Fork(int(answer))
        raise CompanionError("the process that starts kernels has ended")

    def close(self) -> None:
        """End the process."""
        with self._process:
            self._process.kill()


def _serve() -> None:
    """Load what pages load; then become a kernel, in a fork, for each line that comes in, and answer with its pid."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())
    for name in _LOADED:
        with suppress(ImportError):  # what fails here is told where a page needs it
            importlib.import_module(name)
    gc.freeze()
    gc.set_threshold(
        50_000, 20, 50
    )  # checks make many small objects, few of them in circles
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for forks
    for line in sys.stdin:
        if pid := os.fork():
            print(pid, flush=True)
            continue
        arguments, environment, folder = json.loads(line)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        importlib.import_module("ipykernel.kernelapp").IPKernelApp.launch_instance(
            arguments
        )
        return


if __name__ == "__main__":
    _serve()
