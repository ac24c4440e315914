"""Task lists: results in order on every backend, Dask included, each task on one thread, and errors that arrive."""

import contextlib
import os
import warnings

import pytest
import torch

from mollified.experiments.task_list import run_tasks

pytestmark = pytest.mark.slow

EIGHT = [{"x": x} for x in range(8)]


def settings(x):
    return torch.get_num_threads(), x, os.getpid()


def fails(x):
    raise RuntimeError(f"task {x} failed")


@contextlib.contextmanager
def workers(backend):
    """Two Dask workers where Dask is the backend; its modules warn on import and at the close of a cluster."""
    if backend != "dask":
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dask.distributed import Client, LocalCluster

        local = {"dashboard_address": None, "host": "127.0.0.1", "memory_limit": None}
        with LocalCluster(n_workers=2, threads_per_worker=1, **local) as cluster, Client(cluster):
            yield


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky", "dask"])
def test_backends_give_results_in_order_on_one_thread_each_and_the_caller_keeps_his(backend):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with workers(backend):
            found = run_tasks(settings, EIGHT, backend=backend, jobs=2)
            with pytest.raises(RuntimeError, match="task 1 failed"):
                run_tasks(fails, [{"x": 1}, {"x": 1}], backend=backend, jobs=2)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert [row[:2] for row in found] == [(1, x) for x in range(8)]
    assert ({process for _, _, process in found} == {os.getpid()}) == (backend in ("sequential", "threading"))


@pytest.mark.parametrize(("name", "value", "bad"), [("BACKEND", "sequential", "no-such"), ("JOBS", "1", "1.5")])
def test_the_environment_chooses_backend_and_workers_and_a_bad_value_is_named(monkeypatch, name, value, bad):
    monkeypatch.setenv(f"MOLLIFIED_{name}", value)
    assert {process for _, _, process in run_tasks(settings, EIGHT)} == {os.getpid()}
    monkeypatch.setenv(f"MOLLIFIED_{name}", bad)
    with pytest.raises(ValueError, match=rf"(?i){name} must .*{bad}"):
        run_tasks(settings, EIGHT)
