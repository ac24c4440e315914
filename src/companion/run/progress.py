"""Show how far the build is: a live display on a terminal, one plain line an event elsewhere."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from companion.run.execute import Progress

__all__ = ["Display"]


class Display:
    """Name each notebook that runs and the cell that it is at; safe to call from several threads."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._out = stream or sys.stdout
        self._lock = threading.Lock()
        self._tasks: dict[str, TaskID] = {}
        self._bars: Bars | None = None
        if self._out.isatty():
            columns = (
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[title]}", style="dim", markup=False),
            )
            self._bars = Bars(*columns, console=Console(file=self._out), transient=False)
            self._all = self._bars.add_task("[bold]notebooks", total=total, title="")

    @property
    def live(self) -> bool:
        """Whether this is a terminal, on which a line can change."""
        return self._bars is not None

    def __enter__(self) -> Display:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def say(self, text: str) -> None:
        """Print a line."""
        with self._lock:
            if self._bars is not None:
                self._bars.console.print(text, markup=False, highlight=False, soft_wrap=True)
            else:
                print(text, file=self._out, flush=True)

    def kept(self, page: str) -> None:
        """Say that a kept execution is used."""
        self._finish(page, f"{page}: nothing changed, kept execution used")

    def begin(self, page: str, reason: str) -> None:
        """Say that a notebook starts, and why."""
        if self._bars is not None:
            with self._lock:
                self._tasks[page] = self._bars.add_task(page, total=None, title=reason)
        else:
            self.say(f"{page}: executing ({reason})")

    def cell(self, page: str, at: Progress) -> None:
        """Say which cell of a notebook runs."""
        if self._bars is not None:
            self._bars.update(self._tasks[page], completed=at.index - 1, total=at.total, title=at.title)
        else:
            self.say(f"{page}: cell {at.index}/{at.total}" + (f" {at.title}" if at.title else ""))

    def end(self, page: str, text: str) -> None:
        """Say how a notebook ended."""
        self._finish(page, f"{page}: {text}")

    def _finish(self, page: str, line: str) -> None:
        if self._bars is not None:
            task = self._tasks.pop(page, None)
            if task is not None:
                self._bars.remove_task(task)
            self._bars.advance(self._all)
        self.say(line)
