"""Sweeps as lists of independent, separately seeded tasks, run through joblib.

The backend is one setting: "loky" (processes of this machine, the default),
"sequential", "threading", or "dask" for the workers of a `dask.distributed.Client` that
is already connected. It can be given as an argument or in the environment variable
MOLLIFIED_BACKEND, and the number of workers in MOLLIFIED_JOBS. Each task gets its own
seed, and each runs on one thread of torch and of the linear algebra, so that results do
not depend on the backend or on the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import joblib
import numpy as np
import torch
from threadpoolctl import threadpool_limits

__all__ = ["BACKENDS", "run_tasks", "task_rng"]

#: What a task returns.
Result = TypeVar("Result")

BACKENDS = ("loky", "sequential", "threading", "dask")


def task_rng(seed: int, *place: int) -> np.random.Generator:
    """Return the generator of the task at `place` of a sweep.

    Streams of different places are independent.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=place))


def _single(function: Callable[..., Result], task: Mapping[str, object]) -> Result:
    """Run one task on one thread.

    Torch keeps that number for the worker, `run_tasks` restores it for its caller.
    """
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)
    with threadpool_limits(limits=1):
        return function(**task)


def _workers() -> int:
    """Return the number of workers that the environment asks for, else of cores."""
    asked = os.environ.get("MOLLIFIED_JOBS")
    if asked and (not asked.strip().isdecimal() or int(asked) < 1):
        raise ValueError(
            f"MOLLIFIED_JOBS must be an integer >= 1 (jobs), got {asked!r}"
        )
    return int(asked) if asked else os.cpu_count() or 1


def run_tasks(
    function: Callable[..., Result],
    tasks: Sequence[Mapping[str, object]],
    *,
    backend: str | None = None,
    jobs: int | None = None,
) -> list[Result]:
    """Return [function(**task) for task in tasks], in this order, run side by side.

    `function` must be importable (defined at the top of a module), and tasks and
    results must pickle.
    """
    chosen = (
        (os.environ.get("MOLLIFIED_BACKEND") or "loky") if backend is None else backend
    )
    if chosen not in BACKENDS:
        raise ValueError(
            f"backend must be one of {', '.join(BACKENDS)}, got {chosen!r}"
        )
    count = _workers() if jobs is None else jobs
    before = torch.get_num_threads()
    try:
        # Threads share the settings of the linear algebra: they are set here, once, for
        # all of them.
        with threadpool_limits(
            limits=1 if chosen in ("sequential", "threading") else None
        ):
            return _run(function, tasks, chosen, count)
    finally:
        torch.set_num_threads(before)


def _run(
    function: Callable[..., Result],
    tasks: Sequence[Mapping[str, object]],
    chosen: str,
    count: int,
) -> list[Result]:
    if chosen == "sequential" or (chosen != "dask" and min(count, len(tasks)) <= 1):
        return [_single(function, task) for task in tasks]
    # On Dask the connected client decides how many workers there are.
    settings = {} if chosen == "dask" else {"n_jobs": min(count, len(tasks))}
    with joblib.parallel_config(backend=chosen, **settings):
        results: list[Result] = joblib.Parallel()(
            joblib.delayed(_single)(function, task) for task in tasks
        )
    return results
