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
from typing import Any

import jupytext
import nbformat

from companion.paths import ROOT_VARIABLE, RUN_VARIABLE, CompanionError, Layout
from companion.profiles import DEFAULT
from companion.run.kernel_pool import Forks
from companion.run.normalise import normalise, notebook_text, without_paths

_read: Any = nbformat.read  # it has no types
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
    *("PYTHONHOME", "PYTHONPATH", "LD_", "DYLD_", "GLIBC_TUNABLES"),
    *(
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
    ),
    *(
        "MPMATH_",
        "NPY_",
        "NUMPY_",
        "OPENDP_",
        "PANDAS_",
        "PYTORCH_",
        "SCIPY_",
        "SYMPY_",
        "TORCH_",
    ),
    *("MOLLIFIED_",),
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


def counted_variables() -> dict[str, str]:
    """Return the variables of this process that can change what a computation gives and are not fixed."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(COUNTED) and name not in _FREE
    }


def child_environment(layout: Layout, **extra: str) -> dict[str, str]:
    """Return the environment of a process that computes: this book's sources, one thread, nothing that changes code.

    Of the variables of Python, which can switch off every `assert`, only those pass
    that count in the key.
    """
    beside = os.environ.get("PYTHONPATH")
    paths = [str(layout.source), *([beside] if beside else [])]
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in COUNTED or not name.startswith("PYTHON")
    }
    return {
        "MOLLIFIED_JOBS": "1",
        **passed,
        **dict.fromkeys(THREADS, "1"),
        **_FIXED,
        **({} if site.ENABLE_USER_SITE else {"PYTHONNOUSERSITE": "1"}),
        "PYTHONPATH": os.pathsep.join(paths),
        ROOT_VARIABLE: str(layout.root),
        **extra,
    }


def _usage(pid: int) -> dict[str, float]:
    """Return what a process that still runs has used: processor seconds, and memory at most; Linux alone tells."""
    try:
        times = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8")
            .rpartition(")")[2]
            .split()[11:15]
        )
        peak = re.findall(
            r"VmHWM:\s+(\d+) kB",
            Path(f"/proc/{pid}/status").read_text(encoding="utf-8"),
        )
    except OSError:
        return {}
    seconds = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return (
        {"cpu_seconds": seconds, "peak_mib": -(-int(peak[0]) // 2**10)} if peak else {}
    )


def _kernel(
    draft: Path,
    options: Mapping[str, Any],
    running: set[Any],
    used: dict[str, float],
    forks: Forks | None,
) -> type[Any]:
    """Return a kind of kernel, this interpreter, that starts with options, is in `running`, and tells what it used.

    The reader's own kernels, settings and history stay out.
    """
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning.local_provisioner import LocalProvisioner

    class Forked(LocalProvisioner):
        async def launch_kernel(self, cmd: list[str], **given: Any) -> Any:
            arguments = cmd[cmd.index("ipykernel_launcher") + 1 :]
            started: Any = forks.start(arguments, given["env"], given["cwd"])  # type: ignore[union-attr]
            self.process = started
            self.pid = started.pid
            self.pgid = started.pid
            return self.connection_info

    class Kernel(AsyncKernelManager):
        kernel_spec = KernelSpec(**get_kernel_dict())

        async def start_kernel(self, **given: Any) -> None:  # type: ignore[override]
            running.add(self)
            self.connection_file = str(draft / "kernel.json")
            if forks is not None:
                self.provisioner = Forked(
                    kernel_id=draft.name, kernel_spec=self.kernel_spec, parent=self
                )
            await super().start_kernel(**given, **options)

        def end(self) -> None:
            if (process := getattr(self.provisioner, "process", None)) is not None:
                process.kill()

        async def shutdown_kernel(self, **given: Any) -> None:  # type: ignore[override]
            used.update(_usage(self.provisioner.pid))  # type: ignore[union-attr]
            await super().shutdown_kernel(
                **given | {"now": True}
            )  # all has come in; it would tidy up for nobody

    return Kernel


@contextmanager
def _loop() -> Iterator[None]:
    """Give this thread an event loop, and close it; one that runs already is its owner's, and stays."""
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
    running: set[Any],
    variables: Mapping[str, str],
    forks: Forks | None = None,
) -> dict[str, float]:
    """Execute a notebook into the new folder `draft`: notebook.ipynb and run/; return what its kernel used.

    A notebook itself names the default profile. The kernel is added to `running`, and
    `variables` to its environment; it is a fork where there are `forks`. Raises
    CompanionError with the traceback; what ran of the notebook is there all the same.
    """
    import papermill
    from nbclient.exceptions import DeadKernelError
    from papermill.engines import NBClientEngine, papermill_engines
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    class SavedOnce(NBClientEngine):  # type: ignore[misc]
        """At the end, and not twice for each cell, which costs a third of a second a page and more."""

        @classmethod
        def execute_managed_notebook(
            cls, nb_man: Any, *args: Any, **given: Any
        ) -> None:
            save, nb_man.save = nb_man.save, lambda **_: None
            try:
                super().execute_managed_notebook(nb_man, *args, **given)
            finally:
                nb_man.save = save

    papermill_engines.register("saved-once", SavedOnce)
    logging.getLogger("papermill").setLevel(logging.CRITICAL)
    (draft / "run").mkdir(parents=True)
    output = draft / "notebook.ipynb"
    private = str(layout.build / "jupyter")
    notebook: Any = jupytext.reads(
        layout.notebook(page).read_text(encoding="utf-8"), fmt="md:myst"
    )
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    output.write_text(notebook_text(notebook), encoding="utf-8")
    given = {} if profile == DEFAULT else {"profile": profile}
    config = Config()
    config.KernelManager.transport_encryption = "auto"
    folders = (
        "JUPYTER_DATA_DIR",
        "JUPYTER_CONFIG_DIR",
        "JUPYTER_RUNTIME_DIR",
        "JUPYTER_PATH",
        "IPYTHONDIR",
    )
    own = {
        **dict.fromkeys(folders, private),
        RUN_VARIABLE: str(draft / "run"),
        **variables,
    }
    quiet = dict.fromkeys(
        ("stdout", "stderr"), subprocess.DEVNULL
    )  # what is written past the notebook
    options = {
        "env": child_environment(layout, **own),
        "cwd": str(layout.notebooks),
        **quiet,
    }
    used: dict[str, float] = {}
    failure = None
    for _ in range(_STARTS):
        try:
            with _loop():
                papermill.execute_notebook(
                    str(output),
                    str(output),
                    given,
                    progress_bar=False,
                    force_raise_errors=True,
                    config=config,
                    engine_name="saved-once",
                    coalesce_streams=True,
                    kernel_manager_class=_kernel(draft, options, running, used, forks),
                    extra_arguments=[
                        "--InteractiveShell.colors=nocolor",
                        "--HistoryManager.enabled=False",
                    ],
                )
            failure = None
        except PapermillExecutionError as error:
            failure = str(error).strip()
        except DeadKernelError:
            failure = "the kernel died without a traceback"
        except (
            RuntimeError
        ) as error:  # before the first cell: another process took a port that was free
            if "before replying" not in str(error):
                raise
            failure = str(error)
            continue
        break
    made = _read(output, as_version=4)
    if (
        failure is not None
    ):  # what follows the cell that failed is cut off, and its code is shown
        ran = [
            cell
            for cell in made.cells
            if cell.metadata.get("papermill", {}).get("start_time")
        ]
        made.cells = ran or made.cells[:1]
        made.cells[-1].metadata.pop("tags", None)
    paths = {
        str(draft / "run"): "<run>",
        str(layout.root): "<book>",
        sys.prefix: "<python>",
    }
    output.write_text(
        notebook_text(normalise(made, paths)), encoding="utf-8", newline="\n"
    )
    if failure is not None:
        raise CompanionError(without_paths(failure, {}))
    return used
