"""Measure what the children of this process use, all the way down: the kernel of a notebook, and its own workers."""

from __future__ import annotations

import threading
from types import TracebackType

import psutil

__all__ = ["Meter"]


class Meter:
    """Look again and again at all descendants of this process that start while the block runs.

    `cpu_seconds` is their processor time and `peak_mib` the most memory that they held at one time, each process
    counted whole, so that memory which they share counts more than once: it errs on the large side. What a process did
    since the last look at it is missed: processor time errs on the small side, by at most `interval` a process.
    """

    def __init__(self, interval: float = 0.25) -> None:
        self._interval, self._stop = interval, threading.Event()
        self._cpu: dict[tuple[int, float], float] = {}
        self._before: set[psutil.Process] = set()
        self._peak = 0
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Meter:
        self._before = set(psutil.Process().children(recursive=True))
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        here = psutil.Process()
        while not self._stop.wait(self._interval):
            held = 0
            for process in set(here.children(recursive=True)) - self._before:
                try:
                    with process.oneshot():
                        times, key = process.cpu_times(), (process.pid, process.create_time())
                        held += process.memory_info().rss
                except psutil.Error:  # it ended meanwhile, or is not ours to look at
                    continue
                self._cpu[key] = times.user + times.system
            self._peak = max(self._peak, held)

    def usage(self) -> dict[str, float]:
        """Return `cpu_seconds` and `peak_mib` so far."""
        return {"peak_mib": -(-self._peak // 2**20), "cpu_seconds": round(sum(self._cpu.values()), 3)}
