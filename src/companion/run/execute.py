"""Execute one notebook with papermill and make the result repeatable."""

from __future__ import annotations

import logging
import os
import re
import site
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import jupytext
import nbformat
from nbformat import NotebookNode

from companion.paths import (
    ROOT_VARIABLE,
    RUN_VARIABLE,
    CompanionError,
    Layout,
    write_whole,
)
from companion.profiles import DEFAULT
from companion.run.normalise import KERNEL, normalise, notebook_text, without_paths

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager

#: How often a kernel is started that dies before it answers. Its ports are chosen free,
#: and taken a moment later.
_STARTS = 3
#: One thread for each kernel in a build: how many run side by side must not move the
#: last digit of a sum. And one process, unless MOLLIFIED_JOBS says more: the pages
#: themselves run side by side, and each worker loads PyTorch anew.
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)

#: What a computation sees in its environment and this book does not fix, by how the
#: names begin; it counts in the key. First where code and libraries are found, then
#: what the mathematics libraries, and `mollified`, ask for.
COUNTED = (
    "PYTHONHOME",
    "PYTHONPATH",
    "LD_",
    "DYLD_",
    "GLIBC_TUNABLES",
    "ATEN_",
    "BLIS_",
    "CUBLAS_",
    "CUDA_",
    "DNNL_",
    "FLINT_",
    "GOTO_",
    "MKL_",
    "ONEDNN_",
    "OPENBLAS_",
    "MPMATH_",
    "NPY_",
    "NUMPY_",
    "OPENDP_",
    "PANDAS_",
    "PYTORCH_",
    "SCIPY_",
    "SYMPY_",
    "TORCH_",
    "MOLLIFIED_",
)
#: What begins so and moves no number: how many work side by side, and where they leave
#: work for each other.
_FREE = (*THREADS, "MOLLIFIED_JOBS", "MOLLIFIED_SHARED")
#: What is the same for every computation, whatever the reader has set: hashing, texts,
#: dates, and how figures are drawn (the null device is a file of settings that has
#: none, so that the reader's own is not read).
_FIXED = {
    "LC_ALL": "C.UTF-8",
    "MATPLOTLIBRC": os.devnull,
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
}
#: Folders of Jupyter; a build has its own, so that no reader's settings count.
_JUPYTER = (
    "JUPYTER_DATA_DIR",
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTER_PATH",
    "IPYTHONDIR",
)
#: What the shell of a kernel leaves out.
_SHELL = ("--InteractiveShell.colors=nocolor", "--HistoryManager.enabled=False")


class Ending(Protocol):
    """What an interruption ends: a kernel that runs."""

    def end(self) -> None:
        """End the process of the kernel at once."""


def counted_variables() -> dict[str, str]:
    """Return the variables of this process that can change a computation.

    Those that a build fixes are left out.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(COUNTED) and name not in _FREE
    }


def child_environment(layout: Layout, **extra: str) -> dict[str, str]:
    """Return the environment of a process that computes.

    It has this book's sources, one thread, and nothing that changes code: of the
    variables of Python, which can switch off every `assert`, only those pass that count
    in the key.
    """
    paths = [str(layout.source)]
    beside = os.environ.get("PYTHONPATH")
    if beside:
        paths.append(beside)
    environment = {
        "MOLLIFIED_JOBS": "1",
        **{
            name: value
            for name, value in os.environ.items()
            if name in COUNTED or not name.startswith("PYTHON")
        },
        **dict.fromkeys(THREADS, "1"),
        **_FIXED,
    }
    if not site.ENABLE_USER_SITE:
        environment["PYTHONNOUSERSITE"] = "1"
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    environment[ROOT_VARIABLE] = str(layout.root)
    return environment | extra


#: The fields of /proc/<pid>/stat, behind the name, that hold processor times.
_TIMES = slice(11, 15)


def usage_of(pid: int) -> dict[str, float]:
    """Return what a process that still runs has used; Linux alone tells.

    That is processor seconds, `cpu_seconds`, and memory at most, `peak_mib`.
    """
    process = Path(f"/proc/{pid}")
    try:
        fields = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2]
        status = (process / "status").read_text(encoding="utf-8")
    except OSError:
        return {}
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    if peak is None:
        return {}
    ticks = sum(map(int, fields.split()[_TIMES]))
    return {
        "cpu_seconds": ticks / os.sysconf("SC_CLK_TCK"),
        "peak_mib": -(-int(peak[1]) // 2**10),
    }


def _kernel(
    layout: Layout,
    draft: Path,
    variables: Mapping[str, str],
    running: set[Ending],
    usage: dict[str, float],
) -> type[AsyncKernelManager]:
    """Return a kind of kernel: this interpreter, with `variables` in its environment.

    It is in `running`, and tells in `usage` what it used. The reader's own kernels,
    settings and history stay out.
    """
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    environment = {
        **dict.fromkeys(_JUPYTER, str(layout.build / "jupyter")),
        RUN_VARIABLE: str(draft / "run"),
        **variables,
    }
    options = {
        "env": child_environment(layout, **environment),
        "cwd": str(layout.notebooks),
        # What is written past the notebook is for nobody.
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }

    class Kernel(AsyncKernelManager):
        kernel_spec = KernelSpec(**get_kernel_dict())

        async def start_kernel(self, **more: Any) -> None:  # type: ignore[override]
            running.add(self)
            self.connection_file = str(draft / "kernel.json")
            await super().start_kernel(**more, **options)

        def end(self) -> None:
            process = getattr(self.provisioner, "process", None)
            if process is not None:
                process.kill()

        async def shutdown_kernel(self, **more: Any) -> None:  # type: ignore[override]
            usage.update(usage_of(self.provisioner.pid))  # type: ignore[union-attr]
            # The outputs are complete: no graceful end is waited for.
            await super().shutdown_kernel(**more | {"now": True})

    return Kernel


@contextmanager
def _loop() -> Iterator[None]:
    """Give this thread an event loop, and close it.

    One that runs already is its owner's, and stays.
    """
    from jupyter_core.utils import ensure_event_loop

    loop = ensure_event_loop()
    try:
        yield
    finally:
        if not loop.is_running():
            loop.close()


def execute(
    layout: Layout,
    page: str,
    profile: str,
    draft: Path,
    running: set[Ending],
    variables: Mapping[str, str],
) -> dict[str, float]:
    """Execute a notebook into the new folder `draft`; return what its kernel used.

    The folder gets notebook.ipynb and run/. A notebook itself names the default
    profile. The kernel is added to `running`, and `variables` to its environment.
    Raises CompanionError with the traceback; what ran of the notebook is there all the
    same.
    """
    (draft / "run").mkdir(parents=True)
    output = draft / "notebook.ipynb"
    source = layout.notebook(page).read_text(encoding="utf-8")
    notebook: NotebookNode = jupytext.reads(source, fmt="md:myst")
    notebook.metadata["kernelspec"] = KERNEL
    write_whole(output, notebook_text(notebook))
    usage: dict[str, float] = {}
    kernel = _kernel(layout, draft, variables, running, usage)
    parameters = {} if profile == DEFAULT else {"profile": profile}
    failure = _run_with_retries(output, parameters, kernel)
    notebook = nbformat.read(output, as_version=4)  # type: ignore[no-untyped-call]
    if failure is not None:
        _cut_off(notebook)
    paths = {
        str(draft / "run"): "<run>",
        str(layout.root): "<book>",
        sys.prefix: "<python>",
    }
    write_whole(output, notebook_text(normalise(notebook, paths)))
    if failure is not None:
        raise CompanionError(without_paths(failure, {}))
    return usage


def _run_with_retries(
    notebook: Path,
    parameters: Mapping[str, str],
    kernel: type[AsyncKernelManager],
) -> str | None:
    """Execute a notebook in place; return how it failed, None where it did not."""
    from nbclient.exceptions import DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    failure = None
    for _ in range(_STARTS):
        try:
            _run(notebook, parameters, kernel)
            return None
        except PapermillExecutionError as error:
            return str(error).strip()
        except DeadKernelError:
            return "the kernel died without a traceback"
        except RuntimeError as error:
            # Before the first cell: another process took a port that was free.
            if "before replying" not in str(error):
                raise
            failure = str(error)
    return failure


def _run(
    notebook: Path,
    parameters: Mapping[str, str],
    kernel: type[AsyncKernelManager],
) -> None:
    """Execute a notebook in place by papermill."""
    import papermill
    from traitlets.config import Config

    config = Config()
    config.KernelManager.transport_encryption = "auto"
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    _register_engine()
    with _loop():
        papermill.execute_notebook(
            str(notebook),
            str(notebook),
            dict(parameters),
            progress_bar=False,
            force_raise_errors=True,
            config=config,
            engine_name="saved-once",
            coalesce_streams=True,
            kernel_manager_class=kernel,
            extra_arguments=[*_SHELL],
        )


def _register_engine() -> None:
    from papermill.engines import NBClientEngine, papermill_engines

    class SavedOnce(NBClientEngine):  # type: ignore[misc]
        """Save a notebook once, at its end.

        Papermill saves it twice a cell, which costs a third of a second a page.
        """

        @classmethod
        def execute_managed_notebook(
            cls,
            nb_man: Any,
            *args: Any,
            **options: Any,
        ) -> None:
            save = nb_man.save
            nb_man.save = lambda **_: None
            try:
                super().execute_managed_notebook(nb_man, *args, **options)
            finally:
                nb_man.save = save

    papermill_engines.register("saved-once", SavedOnce)


def _cut_off(notebook: NotebookNode) -> None:
    """Cut off what follows the cell that failed, whose code is shown."""
    ran = [
        cell
        for cell in notebook.cells
        if cell.metadata.get("papermill", {}).get("start_time")
    ]
    notebook.cells = ran or notebook.cells[:1]
    notebook.cells[-1].metadata.pop("tags", None)
