"""The papermill engine of the book: it reports each cell before it starts, and checks parameters first."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.paths import CompanionError

__all__ = ["Begun", "own_parameters", "register_engine", "say"]

#: The tag of the cells that papermill puts into a notebook that failed.
_MARK = "papermill-error-cell-tag"


def say(event: str, **fields: Any) -> None:
    """Print one event as a line of JSON, for the parent process to read."""
    print(json.dumps({"event": event, **fields}), flush=True)


def _titles(cells: list[Any]) -> list[str]:
    """Return for each cell the heading that it stands under."""
    title, found = "", []
    for cell in cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^#+ +(.+?) *$", cell.source, flags=re.MULTILINE)
            title = headings[-1] if headings else title
        found.append(title)
    return found


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


@dataclass
class Begun:
    """Hold a notebook that is being executed, and the index of the cell that was started last."""

    notebook: Any = None
    cell: int = -1

    def part(self) -> Any:
        """Return the notebook up to the cell that was started last, its code shown, without what papermill adds."""
        cells = [cell for cell in self.notebook.cells if _MARK not in cell.metadata.get("tags", [])]
        self.notebook.cells = cells[: self.cell + 1]
        for cell in self.notebook.cells[-1:]:
            cell.metadata.pop("tags", None)
        return self.notebook


def register_engine(begun: Begun) -> str:
    """Register the papermill engine that reports each cell before it starts, and return its name."""
    from papermill.engines import NBClientEngine, papermill_engines
    from traitlets.config import Config

    class Engine(NBClientEngine):  # type: ignore[misc]
        @classmethod
        def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **options: Any) -> Any:
            """Execute all cells, each reported before it starts."""
            begun.notebook = nb_man.nb
            titles = _titles(nb_man.nb.cells)
            numbers = [i for i, cell in enumerate(nb_man.nb.cells) if cell.cell_type == "code"]
            begin = nb_man.cell_start

            def cell_start(cell: Any, index: int | None = None, **rest: Any) -> Any:
                if index in numbers:
                    begun.cell = index
                    say("cell", index=numbers.index(index) + 1, total=len(numbers), title=titles[index])
                return begin(cell, index, **rest)

            nb_man.cell_start = cell_start
            from jupyter_client.manager import KernelManager

            config = Config()
            if "transport_encryption" in KernelManager.class_traits():
                config.KernelManager.transport_encryption = "auto"
            return super().execute_managed_notebook(nb_man, kernel_name, config=config, **options)

    papermill_engines.register("companion", Engine)
    return "companion"
