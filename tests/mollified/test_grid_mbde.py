"""MBDE on a grid against `mollified.boosting.mbde`, alone and in company.

Also the samples of its cells, and exact draws.
"""

import importlib
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.special import log_expit, logsumexp

from mollified.boosting import mbde
from mollified.boosting.classifiers import BoundedLogit
from mollified.experiments import mbde_sweep
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.experiments.metrics import measure
from mollified.experiments.open_settings import SIGMOID
from mollified.laws import Gaussian, Grid
from mollified.training import FAST, VARIANTS, exact_training, grid_mbde
from mollified.training.grid_mbde import cell_sample
from mollified.training.logit_stack import LogitStack
from tests.mollified.helpers import ALPHA, chi_square, ks

module = importlib.import_module(
    "mollified.training.grid_mbde"
)  # the package exports a function of that name
CPU = torch.device("cpu")
TARGET = Gaussian([1.5], 0.25)
REFERENCE = Gaussian.standard(1)
GRID = Grid([-9.0], [9.0], 1001)
SHORT = replace(FAST, epochs=10)


def runs(
    eps=(1.0,),
    variants=("clip",),
    rounds=2,
    seed=1,
    samples=200,
    recipe=SHORT,
    device=None,
):
    chosen = [VARIANTS[name] for name in variants]
    options = {"samples": samples, "recipe": recipe, "device": device}
    return grid_mbde(
        TARGET,
        REFERENCE,
        GRID,
        list(eps),
        chosen,
        rounds,
        np.random.default_rng(seed),
        **options,
    )


LOGITS = [lambda x: 2 * x[:, 0] - 1, lambda x: np.sin(3 * x[:, 0]) + 0.2 * x[:, 0]]


class Given:
    """A learner that returns prepared logits, in order."""

    def __init__(self, method):
        self.method = method

    def fit(self, target, current, iteration, rng):
        return BoundedLogit(LOGITS[iteration - 1], self.method)


@pytest.mark.parametrize(("method", "eps"), [("clip", 0.2), ("tanh", 3.0)])
def test_equal_classifiers_give_the_density_and_the_losses_of_mbde(
    monkeypatch, method, eps
):
    """Both normalise by the same rule.

    The mass of Q0 outside the box, below 1e-12, is the difference.
    """
    calls = iter(LOGITS)
    monkeypatch.setattr(
        module, "fit_networks", lambda *_: next(calls)(GRID.points)[np.newaxis]
    )
    (run,) = runs((eps,), (method,))
    first, second = mbde(
        TARGET, REFERENCE, eps, 2, Given(method), GRID, np.random.default_rng(1)
    )
    assert run.log_ratio == pytest.approx(second.log_ratio(GRID.points), abs=1e-9)
    for law, logits, loss in zip((REFERENCE, first), LOGITS, run.losses, strict=True):
        logit = logits(GRID.points)
        on_p = np.exp(TARGET.log_prob(GRID.points)) @ (GRID.weights * log_expit(logit))
        on_q = np.exp(law.log_prob(GRID.points)) @ (GRID.weights * log_expit(-logit))
        assert loss == pytest.approx(-(on_p + on_q) / 2, abs=1e-9)


def test_company_and_chunks_change_nothing(monkeypatch):
    """A budget or variant alone gives what it gives in company, up to sums.

    So do networks one at a time.
    """
    levels = (0.5, 1.0, 2.0)
    many = {
        (run.variant.name, run.eps): run
        for run in runs(levels, ("clip", "released"), device=CPU)
    }
    alone = runs((2.0,), ("released",), device=CPU)
    monkeypatch.setitem(module.STACKED, "cpu", 1)
    for run in (*alone, *runs(levels, device=CPU)):
        assert run.log_ratio == pytest.approx(
            many[run.variant.name, run.eps].log_ratio, abs=1e-9
        )
        assert run.losses == pytest.approx(
            many[run.variant.name, run.eps].losses, abs=1e-9
        )
    assert many["clip", 1.0].losses[0] == many["released", 2.0].losses[0]


def test_cells_are_drawn_by_their_mass():
    """20,000 points on 9 nodes.

    Counts are tested by chi-square, places within a cell by Kolmogorov-Smirnov, at
    ALPHA each.
    """
    grid = Grid([0.0], [8.0], 9)
    log_density = np.log(np.arange(1.0, 10.0))
    drawn = cell_sample(
        grid, log_density + 700, np.random.default_rng(1).random((20_000, 2))
    )
    mass = np.exp(log_density) * grid.weights
    cells = np.rint(drawn[:, 0]).astype(int)
    for weights, right in ((mass, True), (grid.weights, False)):
        assert (
            chi_square(np.bincount(cells, minlength=9), weights / weights.sum()) > ALPHA
        ) == right
    assert ks(drawn[:, 0] - cells + 0.5, lambda x: np.clip(x, 0, 1)) > ALPHA


def test_cells_in_the_plane_and_at_the_ends():
    grid = Grid([0.0, 10.0], [4.0, 18.0], 5)
    log_density = np.full(25, -np.inf)
    log_density[7] = 3.0
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.3, 0.5, 0.25]])
    places = grid.points[7] + np.array([[-0.5, -1.0], [0.5, 1.0], [0.0, -0.5]])
    assert cell_sample(grid, log_density, corners) == pytest.approx(places)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no CUDA device")
def test_both_devices_give_the_same_claims():
    """Equal seeds on CPU and GPU.

    They have the same draws and starts, gains within 0.02 nats, and all are inside the
    mollifier.
    """
    target = domain("ring")
    reference, grid = domain_grid(target)
    chosen = [VARIANTS["clip"], VARIANTS["tanh"]]
    tables = []
    for device in (CPU, torch.device("cuda")):
        rng = np.random.default_rng(5)
        both = grid_mbde(
            target,
            reference,
            grid,
            [0.5, 2.0],
            chosen,
            3,
            rng,
            recipe=FAST,
            device=device,
        )
        tables.append(measure(both, target, reference, grid))
        assert (tables[-1]["spent"] <= tables[-1]["promised"]).all()
    cpu, gpu = (table[["gain", "coverage"]].to_numpy() for table in tables)
    assert gpu == pytest.approx(cpu, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    [VARIANTS["clip"], VARIANTS["tanh"], SIGMOID],
    ids=lambda variant: variant.name,
)
def test_exact_draws_follow_the_current_density(variant):
    """Against the distribution function on a fine grid, for two untrained networks.

    Control: moved by 0.2.
    """
    stacks = [
        LogitStack(1, [torch.Generator().manual_seed(seed)], device=CPU)
        for seed in (1, 2)
    ]
    thetas = np.array([0.9, 0.6])
    grid = Grid([-9.0], [9.0], 20_001)
    logs = REFERENCE.log_prob(grid.points) + exact_training.statistic_at(
        stacks, thetas, variant, grid.points
    )
    mass = np.exp(logs - logsumexp(logs + np.log(grid.weights))) * grid.weights
    drawn = exact_training.exact_draws(
        stacks, thetas, variant, REFERENCE, 4000, np.random.default_rng(5)
    )[:, 0]

    def cdf(x):
        return np.interp(x, grid.points[:, 0], np.cumsum(mass) - mass / 2)

    assert ks(drawn, cdf) > ALPHA > ks(drawn + 0.2, cdf)


def test_runs_in_the_plane_are_shared_and_the_same(tmp_path, monkeypatch):
    """A second page trains what the first one did not.

    Each run is what it is alone, to the last bit.
    """
    settings = mbde_sweep.RunSettings(
        name="small-ring",
        seed=3,
        eps=(2.0, 0.5),
        variants=("clip", "released"),
        recipe="fast",
        rounds=2,
        samples=2100,
    )
    alone = mbde_sweep.runs_of_seed((0,), settings).runs
    trained = []
    real = mbde_sweep.grid_mbde
    monkeypatch.setattr(
        mbde_sweep, "grid_mbde", lambda *a, **k: trained.append(a[3:5]) or real(*a, **k)
    )
    monkeypatch.setenv(mbde_sweep.SHARED, str(tmp_path))
    part = replace(settings, eps=(0.5,), variants=("clip",))
    mbde_sweep.runs_of_seed((0,), part)
    shared = mbde_sweep.runs_of_seed((0,), settings).runs
    assert [(run.variant, run.eps) for run in shared] == [
        (run.variant, run.eps) for run in alone
    ]
    assert all(
        np.array_equal(one.log_ratio, other.log_ratio)
        for one, other in zip(shared, alone, strict=True)
    )
    assert [(list(eps), [item.name for item in some]) for eps, some in trained] == [
        ([0.5], ["clip"]),
        ([2.0], ["clip"]),
        ([2.0, 0.5], ["released"]),
    ]
