"""Run the cells of one notebook: its parameters are checked first, each cell is reported as it starts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.paths import CompanionError

__all__ = ["KERNEL", "own_parameters", "run_cells", "say"]

KERNEL = "python3"
#: How often a kernel is started that dies before it answers. Its ports are chosen free, and taken a moment later.
_STARTS = 3


def say(event: str, **fields: Any) -> None:
    """Print one event as a line of JSON, for the parent process to read."""
    print(json.dumps({"event": event, **fields}), flush=True)


def own_parameters(notebook: Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that are not the defaults which a notebook (an ipynb) shows.

    Raises CompanionError that lists the known ones where the notebook has no such parameter.
    """
    import papermill

    known = papermill.inspect_notebook(str(notebook))
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise CompanionError(f"unknown parameter {', '.join(unknown)}; known: {', '.join(sorted(known)) or 'none'}")
    return {name: value for name, value in given.items() if not _is_default(known[name]["default"], value)}


def _is_default(source: str, value: Any) -> bool:
    try:
        default = ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return False
    return type(default) is type(value) and bool(default == value)


def _titles(cells: list[Any]) -> list[str]:
    """Return for each cell the heading that it stands under."""
    title, found = "", []
    for cell in cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^#+ +(.+?) *$", cell.source, flags=re.MULTILINE)
            title = headings[-1] if headings else title
        found.append(title)
    return found


def _traceback(cell: Any) -> str:
    """Return the source of a cell that failed, and its traceback."""
    error = next(output for output in cell.outputs if output.output_type == "error")
    source = "\n".join(f"    {line}" for line in cell.source.splitlines())
    trace = "\n".join(error.traceback) or f"{error.ename}: {error.evalue}"
    return f"cell [{cell.execution_count}] failed:\n{source}\n\n{trace}"


def run_cells(notebook: Any, kernel: str, folder: str) -> str | None:
    """Execute a notebook in place, its kernel in that folder; return None, or the traceback of the cell that failed.

    What follows a cell that failed is cut off, and its code is shown.
    """
    from jupyter_client.manager import KernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError
    from traitlets.config import Config

    titles, begun, config = _titles(notebook.cells), -1, Config()
    numbers = [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]

    def begin(cell: Any, cell_index: int) -> None:
        nonlocal begun
        if cell_index in numbers:
            begun = cell_index
            say("cell", index=numbers.index(cell_index) + 1, total=len(numbers), title=titles[cell_index])

    if "transport_encryption" in KernelManager.class_traits():
        config.KernelManager.transport_encryption = "auto"
    for trial in range(1, _STARTS + 1):
        try:
            NotebookClient(
                notebook, kernel_name=kernel, timeout=None, force_raise_errors=True, raise_on_iopub_timeout=True,
                resources={"metadata": {"path": folder}}, on_cell_start=begin, config=config,
                extra_arguments=["--InteractiveShell.colors=nocolor", "--HistoryManager.enabled=False"],
            ).execute()  # fmt: skip
            return None
        except CellExecutionError:
            failure = _traceback(notebook.cells[begun])
            break
        except DeadKernelError:
            failure = "the kernel died without a traceback"
            break
        except RuntimeError as error:  # before the first cell: another process took a port that was free
            if begun >= 0 or "before replying" not in str(error) or trial == _STARTS:
                raise
    notebook.cells = notebook.cells[: begun + 1]
    for cell in notebook.cells[-1:]:
        cell.metadata.pop("tags", None)
    return failure
