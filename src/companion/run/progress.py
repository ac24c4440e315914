"""Show how far a run is: on a terminal a line that changes, elsewhere one line an event."""

from __future__ import annotations

import sys
import threading

from companion.run.execute import Progress

__all__ = ["Display"]

#: Go back to the beginning of the line, and erase it.
_ERASE = "\r\x1b[K"


class Display:
    """Name each notebook that runs and the cell that it is at; safe to call from several threads."""

    def __init__(self, total: int) -> None:
        self._out, self._total, self._done = sys.stdout, total, 0
        self._live, self._lock = self._out.isatty(), threading.Lock()

    def say(self, text: str) -> None:
        """Print a line."""
        with self._lock:
            print((_ERASE if self._live else "") + text, file=self._out, flush=True)

    def begin(self, page: str, reason: str) -> None:
        """Say that a notebook starts, and why."""
        self.say(f"{page}: executing ({reason})")

    def cell(self, page: str, at: Progress) -> None:
        """Say which cell of a notebook runs."""
        text = f"{page}: cell {at.index}/{at.total} {at.title}".rstrip()
        if not self._live:
            self.say(text)
            return
        with self._lock:
            print(f"{_ERASE}[{self._done}/{self._total}] {text}"[:79], end="", file=self._out, flush=True)

    def end(self, page: str, text: str) -> None:
        """Say how a notebook ended, or that its kept execution is used."""
        with self._lock:
            self._done += 1
        self.say(f"{page}: {text}")
