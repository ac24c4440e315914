"""Sweeps as task lists: equal results on every backend and number of workers, Dask included.

Equal to 1e-9: in one process that has done much else the linear algebra may round otherwise, with where arrays lie.
"""

import os
import warnings

import pandas as pd
import pytest
import torch

from mollified.experiments import mbde_sweep
from mollified.experiments.mbde_sweep import sweep_domain, sweep_seed
from mollified.experiments.task_list import run_tasks, task_rng

pytestmark = pytest.mark.slow

PLACES = ((2, 0), (2, 1), (3, 0))
SWEEP = {"name": "random-1d", "seed": 4, "eps": (0.5, 2.0), "variants": ("clip", "released"), "recipe": "fast"}
SMALL = {**SWEEP, "rounds": 2, "samples": 500}
EIGHT = [{"x": x} for x in range(8)]


def settings(x):
    return torch.get_num_threads(), x, os.getpid()


def fails(x):
    raise RuntimeError(f"task {x} failed")


def processes():
    return {process for _, _, process in run_tasks(settings, EIGHT)}


def sweep(**where):
    return pd.concat(run_tasks(sweep_seed, [{**SMALL, "place": place} for place in PLACES], **where))


@pytest.fixture(scope="module")
def plain():
    """The sweep, task by task, on this process."""
    return sweep(backend="sequential")


@pytest.mark.parametrize(
    "where", [{"jobs": 1}, {"jobs": 2}, {"backend": "threading", "jobs": 2}, {"backend": "loky", "jobs": 3}], ids=str
)
def test_backends_and_workers_give_equal_results(plain, where):
    pd.testing.assert_frame_equal(sweep(**where), plain, rtol=1e-9)


def test_two_dask_workers_give_equal_results(plain):
    with warnings.catch_warnings():
        # Dask's own modules warn on import and at the close of a cluster.
        warnings.simplefilter("ignore")
        from dask.distributed import Client, LocalCluster

        local = {"dashboard_address": None, "host": "127.0.0.1", "memory_limit": None}
        with LocalCluster(n_workers=2, threads_per_worker=1, **local) as cluster, Client(cluster) as client:
            theirs = set(client.run(os.getpid).values())
            table = sweep(backend="dask")
            found = run_tasks(settings, EIGHT, backend="dask")
    pd.testing.assert_frame_equal(table, plain, rtol=1e-9)
    assert [x for _, x, _ in found] == list(range(8))
    assert {process for _, _, process in found} <= theirs - {os.getpid()}
    assert {threads for threads, _, _ in found} == {1}


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_a_task_runs_on_one_thread_and_the_caller_keeps_his(backend):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        found = run_tasks(settings, EIGHT, backend=backend, jobs=2)
        assert {threads for threads, _, _ in found} == {1}
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    with pytest.raises(RuntimeError, match="task 1 failed"):
        run_tasks(fails, [{"x": 1}, {"x": 1}], backend=backend, jobs=2)
    assert run_tasks(fails, [], backend=backend, jobs=2) == []


@pytest.mark.parametrize(("name", "value"), [("BACKEND", "sequential"), ("JOBS", "1")])
def test_the_environment_chooses_backend_and_workers(monkeypatch, name, value):
    monkeypatch.setenv(f"MOLLIFIED_{name}", value)
    assert processes() == {os.getpid()}


@pytest.mark.parametrize(
    ("name", "value"), [("BACKEND", "no-such"), *(("JOBS", bad) for bad in ("0", "two", "-1", "1.5"))]
)
def test_a_bad_value_in_the_environment_is_named(monkeypatch, name, value):
    monkeypatch.setenv(f"MOLLIFIED_{name}", value)
    with pytest.raises(ValueError, match=rf"(?i){name} must .*{value}"):
        processes()


def test_streams_of_places_are_their_own():
    """Equal places give equal streams; neighbours, swapped and shorter places give others."""
    streams = [(3, *place) for place in ((), (0,), (1,), (0, 1), (1, 0))] + [(4, 0, 1)]
    draws, again = ([tuple(task_rng(*stream).integers(2**60, size=4)) for stream in streams] for _ in range(2))
    assert draws == again
    assert len(set(draws)) == len(streams)


def test_sweeps_with_equal_settings_are_computed_once_and_are_copies(monkeypatch):
    calls = []

    def counted(function, tasks, **_):
        calls.append(len(tasks))
        return [pd.DataFrame({"place": [task["place"]]}) for task in tasks]

    monkeypatch.setattr(mbde_sweep, "run_tasks", counted)
    one, two = (sweep_domain(**SMALL, places=PLACES) for _ in range(2))
    assert calls == [3]
    one.loc[0, "place"] = None
    assert two["place"].tolist() == list(PLACES)
    mbde_sweep._sweep.cache_clear()
