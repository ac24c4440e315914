"""The studies of the experiments.

Coverage, modes, metrics of a run, perfect learners, data sets, task lists.
"""

import contextlib
import math
import os
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import chi2

from mollified.boosting import PolynomialLearner
from mollified.bootstrap import corrected_histogram
from mollified.bootstrap.mechanism import independent_releases
from mollified.experiments.bootstrap_worth import record_error, squared_error
from mollified.experiments.metrics import measure, mode_coverage, modes_on_line
from mollified.experiments.random_experiment import deviation_interval
from mollified.experiments.task_list import run_tasks
from mollified.laws import FiniteSpace, Gaussian, Grid
from mollified.training import VARIANTS, GridRun
from tests.repository import ROOT, load_tool

NORMAL = Gaussian.standard(1)


def covered(model, target, level, rising):
    """The mass of the target on the atoms of most model mass, in rationals.

    They are taken by falling mass until `level`, the last one in part.
    """
    mass = Fraction(0)
    held = Fraction(0)
    for q, p in sorted(
        zip(model, target, strict=True), key=lambda pair: pair[0], reverse=not rising
    ):
        share = max(Fraction(0), min(Fraction(1), (level - held) / q))
        mass += share * p
        held += share * q
    return float(mass)


def distinct_law(rng, size):
    parts = [int(item) for item in rng.permutation(np.arange(1, 40))[:size]]
    return [Fraction(part, sum(parts)) for part in parts]


@pytest.mark.parametrize("form", ["high-density", "printed"])
def test_coverage_of_small_cases_is_exact(form):
    """Pairs of laws on 2 to 9 atoms, no two of one mass, at levels n/20."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        size = int(rng.integers(2, 10))
        level = Fraction(int(rng.integers(1, 20)), 20)
        model = distinct_law(rng, size)
        target = distinct_law(rng, size)
        logs = [np.log([float(x) for x in law]) for law in (model, target)]
        coverage = mode_coverage(*logs, FiniteSpace(size), float(level), form)
        assert coverage == pytest.approx(
            covered(model, target, level, form == "printed"), abs=1e-12
        )


def test_modes_on_the_line():
    """A plateau is one mode; a step and the ends are none."""
    grid = Grid([-3.0], [3.0], 601)
    x = grid.points[:, 0]
    two = np.log(np.exp(-8 * (x + 1) ** 2) + 0.5 * np.exp(-8 * (x - 1) ** 2))
    plateau = -np.maximum(np.abs(x - 1) - 0.5, 0)
    step = np.minimum(x, 0.0)
    for values, places in ((two, [-1.0, 1.0]), (x, []), (plateau, [1.0]), (step, [])):
        np.testing.assert_allclose(modes_on_line(values, grid), places, atol=0.011)


def test_metrics_are_the_closed_forms():
    """P = N(1, 1/4), Q = N(m, 1): -E log Q = (log 2 pi + 1/4 + (1 - m)^2)/2.

    The gain is its fall from m = 0.
    """
    grid = Grid([-12.0], [12.0], 4801)
    clip = VARIANTS["clip"]
    means = np.array([0.0, 0.5, 1.0, -0.7])
    ratios = [m * grid.points[:, 0] - m * m / 2 for m in means]
    runs = [
        GridRun(clip, 1.0, clip.steps(1.0, 3), ratio, [0.6, 0.5, 0.4], 0.7)
        for ratio in ratios
    ]
    table = measure(runs, Gaussian([1.0], 0.25), NORMAL, grid)
    nll = (np.log(2 * np.pi) + 0.25 + (1 - means) ** 2) / 2
    assert table["nll"].to_numpy() == pytest.approx(nll, abs=1e-9)
    assert table["gain"].to_numpy() == pytest.approx(nll[0] - nll, abs=1e-9)
    assert table["spent"].to_numpy() == pytest.approx(
        2 * (12 * np.abs(means) + means**2 / 2)
    )
    assert table["coverage"].idxmax() == 2
    assert table.loc[0, ["loss_1", "loss_3", "largest"]].tolist() == [0.6, 0.4, 0.7]


def test_quadratic_logit_is_exact_for_two_gaussians():
    target = Gaussian([0.5], 0.5)
    x = np.linspace(-2, 2, 9)[:, np.newaxis]
    fitted = PolynomialLearner(2, "clip", Grid([-8.0], [8.0], 2001)).fit(
        target, NORMAL, 1, np.random.default_rng(0)
    )
    np.testing.assert_allclose(
        fitted.logit(x), target.log_prob(x) - NORMAL.log_prob(x), atol=1e-6
    )


@pytest.mark.parametrize("count", [2, 4, 20])
def test_interval_of_a_deviation_covers_as_often_as_it_says(count):
    """(count - 1) s^2 has a chi-square law where the deviation is one."""
    law = chi2(count - 1)
    ends = np.array(deviation_interval(count))
    below, above = law.cdf((count - 1) / ends**2)
    assert below - above == pytest.approx(0.95, abs=1e-9)


DATA = ROOT / "data" / "datasets"


@pytest.mark.parametrize("name", ["visits", "spending"])
def test_the_file_is_what_its_command_makes_from_statsmodels_byte_for_byte(name):
    tool = load_tool(name, "data/provenance")
    assert DATA / f"{name}.csv" == tool.TARGET
    assert tool.written().encode() == tool.TARGET.read_bytes()


@pytest.mark.parametrize(("k", "m"), [(33, 5638), (581, 2906)])
def test_the_expected_errors_are_those_of_a_simulation(k, m):
    """Of the corrected shares and of the shares as released.

    One false alarm in a million.
    """
    counts = pd.read_csv(DATA / "visits.csv")["persons"].tolist()
    draws = 4000
    n = sum(counts)
    drawn = independent_releases(
        np.array(counts), k, m, draws, np.random.default_rng(k)
    )
    corrected = np.array([corrected_histogram(one, n, k) for one in drawn])
    for shares, error in (
        (corrected, squared_error),
        (np.array(drawn) / m, record_error),
    ):
        errors = ((shares - np.array(counts) / n) ** 2).sum(axis=1)
        assert (
            abs(errors.mean() - error(counts, k, m)) / (errors.std() / math.sqrt(draws))
            < 4.9
        )


EIGHT = [{"x": x} for x in range(8)]


def settings(x):
    return torch.get_num_threads(), x, os.getpid()


def fails(x):
    raise RuntimeError(f"task {x} failed")


@contextlib.contextmanager
def workers(backend):
    """Two Dask workers where Dask is the backend.

    Its modules warn on import and at the close of a cluster.
    """
    if backend != "dask":
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dask.distributed import Client, LocalCluster

        local = {"dashboard_address": None, "host": "127.0.0.1", "memory_limit": None}
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, **local) as cluster,
            Client(cluster),
        ):
            yield


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["sequential", "threading", "loky", "dask"])
def test_backends_give_results_in_order_on_one_thread_each_and_the_caller_keeps_his(
    backend,
):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with workers(backend):
            results = run_tasks(settings, EIGHT, backend=backend, jobs=2)
            with pytest.raises(RuntimeError, match="task 1 failed"):
                run_tasks(fails, [{"x": 1}, {"x": 1}], backend=backend, jobs=2)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert [row[:2] for row in results] == [(1, x) for x in range(8)]
    assert ({process for _, _, process in results} == {os.getpid()}) == (
        backend in ("sequential", "threading")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "bad"),
    [("BACKEND", "sequential", "no-such"), ("JOBS", "1", "1.5")],
)
def test_the_environment_chooses_backend_and_workers_and_a_bad_value_is_named(
    monkeypatch, name, value, bad
):
    monkeypatch.setenv(f"MOLLIFIED_{name}", value)
    assert {process for _, _, process in run_tasks(settings, EIGHT)} == {os.getpid()}
    monkeypatch.setenv(f"MOLLIFIED_{name}", bad)
    with pytest.raises(ValueError, match=rf"(?i){name} must .*{bad}"):
        run_tasks(settings, EIGHT)
