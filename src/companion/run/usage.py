"""Measure what the children of this process use, all the way down: the kernel of a notebook, and its own workers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

__all__ = ["metered"]


@contextmanager
def metered(interval: float = 0.25) -> Iterator[dict[str, float]]:
    """Yield a dictionary that is filled, when the block ends, with `cpu_seconds` and `peak_mib` of descendants.

    Only what starts within the block counts: a browser or a server that this process had before does not.

    `peak_mib` is the most memory that they held at one time, each process counted whole, so that memory which they
    share counts more than once: it errs on the large side. What a process did since the last look at it is missed:
    processor time errs on the small side, by at most `interval` a process.
    """
    used: dict[str, float] = {}
    cpu: dict[tuple[int, float], float] = {}
    held, stop, here = [0], threading.Event(), psutil.Process()
    before = set(here.children(recursive=True))

    def watch() -> None:
        while not stop.wait(interval):
            held.append(0)
            for process in set(here.children(recursive=True)) - before:
                with suppress(psutil.Error), process.oneshot():  # it may end meanwhile
                    times = process.cpu_times()
                    held[-1] += process.memory_info().rss
                    cpu[process.pid, process.create_time()] = times.user + times.system

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield used
    finally:
        stop.set()
        thread.join()
        used |= {"peak_mib": -(-max(held) // 2**20), "cpu_seconds": round(sum(cpu.values()), 3)}
