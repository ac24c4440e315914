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


def square(x):
    return x * x


def settings(x):
    return torch.get_num_threads(), x, os.getpid()


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


@pytest.mark.slow
def test_two_dask_workers_give_equal_results(plain):
    """A local cluster of two processes, one setting: the same tables from two other processes."""
    with warnings.catch_warnings():
        # Dask's own modules warn on import and at the close of a cluster.
        warnings.simplefilter("ignore")
        from dask.distributed import Client, LocalCluster

        with (
            LocalCluster(
                n_workers=2,
                processes=True,
                threads_per_worker=1,
                dashboard_address=None,
                host="127.0.0.1",
                memory_limit=None,
            ) as cluster,
            Client(cluster) as client,
        ):
            theirs = set(client.run(os.getpid).values())
            table = sweep(backend="dask")
            found = run_tasks(settings, [{"x": x} for x in range(8)], backend="dask")
    pd.testing.assert_frame_equal(table, plain, rtol=1e-9)
    assert [x for _, x, _ in found] == list(range(8))
    workers = {process for _, _, process in found}
    assert len(theirs) == 2
    assert workers <= theirs - {os.getpid()}
    assert {threads for threads, _, _ in found} == {1}


@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_a_task_runs_on_one_thread_and_the_caller_keeps_his(backend):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        found = run_tasks(settings, [{"x": x} for x in range(4)], backend=backend, jobs=2)
        assert {threads for threads, _, _ in found} == {1}
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_the_environment_chooses_backend_and_workers(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_BACKEND", "no-such")
    with pytest.raises(ValueError, match=r"backend must be one of .* got 'no-such'"):
        run_tasks(square, [{"x": 2}])
    assert run_tasks(square, [{"x": x} for x in (3, 1)], backend="sequential") == [9, 1]
    assert run_tasks(square, [], backend="loky", jobs=2) == []
    monkeypatch.setenv("MOLLIFIED_BACKEND", "sequential")
    assert {process for _, _, process in run_tasks(settings, [{"x": 1}, {"x": 2}])} == {os.getpid()}
    monkeypatch.setenv("MOLLIFIED_BACKEND", "")
    monkeypatch.setenv("MOLLIFIED_JOBS", "1")
    assert {process for _, _, process in run_tasks(settings, [{"x": 1}, {"x": 2}])} == {os.getpid()}
    for bad in ("0", "two", "-1", "1.5"):
        monkeypatch.setenv("MOLLIFIED_JOBS", bad)
        with pytest.raises(ValueError, match="jobs"):
            run_tasks(square, [{"x": 2}])


def fails(x):
    raise RuntimeError(f"task {x} failed")


def test_errors_of_a_task_are_its_own():
    for where in ({"backend": "sequential"}, {"backend": "threading", "jobs": 2}):
        with pytest.raises(RuntimeError, match="task 1 failed"):
            run_tasks(fails, [{"x": 1}, {"x": 1}], **where)


def test_streams_of_places_are_their_own():
    """Equal places give equal streams; neighbours, swapped and shorter places give others."""
    draws = {place: tuple(task_rng(3, *place).integers(2**60, size=4)) for place in ((), (0,), (1,), (0, 1), (1, 0))}
    assert len(set(draws.values())) == len(draws)
    assert tuple(task_rng(3, 0, 1).integers(2**60, size=4)) == draws[0, 1]
    assert tuple(task_rng(4, 0, 1).integers(2**60, size=4)) != draws[0, 1]


def test_sweeps_with_equal_settings_are_computed_once_and_are_copies(monkeypatch):
    calls = []

    def counted(function, tasks, **_):
        calls.append(len(tasks))
        return [pd.DataFrame({"place": [task["place"]]}) for task in tasks]

    monkeypatch.setattr(mbde_sweep, "run_tasks", counted)
    settings = {**SMALL, "samples": 17, "places": PLACES}
    one, two = sweep_domain(**settings), sweep_domain(**settings)
    assert calls == [3]
    one.loc[0, "place"] = None
    assert two["place"].tolist() == list(PLACES)
    assert sweep_domain(**settings)["place"].tolist() == list(PLACES)
    mbde_sweep._sweep.cache_clear()
