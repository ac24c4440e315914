"""MBDE on a grid against `mollified.boosting.mbde`, inside its mollifier, and outside where the bound is removed."""

import importlib
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.special import log_expit

from mollified.boosting import mbde
from mollified.boosting.classifiers import BoundedLogit
from mollified.experiments.mbde_sweep import domain, domain_grid
from mollified.experiments.run_metrics import measure
from mollified.laws import Gaussian, Grid
from mollified.training import FAST, PRINTED, VARIANTS, grid_mbde
from mollified.training.grid_mbde import cell_sample
from tests.mollified.sampling_tests import ALPHA, chi_square, ks

module = importlib.import_module("mollified.training.grid_mbde")  # the package exports a function of that name
CPU = torch.device("cpu")
TARGET, REFERENCE = Gaussian([1.5], 0.25), Gaussian.standard(1)
GRID = Grid([-9.0], [9.0], 1001)
SHORT = replace(FAST, epochs=10)


def runs(eps=(1.0,), variants=("clip",), rounds=2, seed=1, samples=2000, recipe=SHORT, **more):
    chosen = [VARIANTS[name] for name in variants]
    rng = np.random.default_rng(seed)
    return grid_mbde(TARGET, REFERENCE, GRID, list(eps), chosen, rounds, rng, samples=samples, recipe=recipe, **more)


LOGITS = [lambda x: 2 * x[:, 0] - 1, lambda x: np.sin(3 * x[:, 0]) + 0.2 * x[:, 0]]


class Given:
    """A learner that returns prepared logits, in order."""

    def __init__(self, method):
        self.method = method

    def fit(self, target, current, iteration, rng):
        return BoundedLogit(LOGITS[iteration - 1], self.method)


@pytest.mark.parametrize("eps", [0.2, 3.0])
@pytest.mark.parametrize("method", ["clip", "tanh"])
def test_equal_classifiers_give_the_density_of_mbde(monkeypatch, method, eps):
    """Both normalise by the same rule; the mass of Q0 outside the box, below 1e-12, is the difference."""
    calls = iter(LOGITS)

    def prepared(inside, outside, recipe, seed, points, device):
        assert outside.shape == (1, 50, 1)
        return next(calls)(GRID.points)[np.newaxis]

    monkeypatch.setattr(module, "_fit", prepared)
    (run,) = runs((eps,), (method,), samples=50)
    density = mbde(TARGET, REFERENCE, eps, 2, Given(method), GRID, np.random.default_rng(1))[-1]
    assert run.log_ratio == pytest.approx(density.log_ratio(GRID.points), abs=1e-9)
    # Losses: the second classifier is judged against the density after the first round.
    first = mbde(TARGET, REFERENCE, eps, 1, Given(method), GRID, np.random.default_rng(1))[0]
    for index, law in enumerate((REFERENCE, first)):
        logit = LOGITS[index](GRID.points)
        on_p = np.exp(TARGET.log_prob(GRID.points)) @ (GRID.weights * log_expit(logit))
        on_q = np.exp(law.log_prob(GRID.points)) @ (GRID.weights * log_expit(-logit))
        assert run.losses[index] == pytest.approx(-(on_p + on_q) / 2, abs=1e-9)
    # The other order of the two classifiers is another density.
    monkeypatch.setattr(module, "_fit", lambda *_: next(back)(GRID.points)[np.newaxis])
    back = iter(LOGITS[::-1])
    (other,) = runs((eps,), (method,), samples=50)
    assert np.abs(other.log_ratio - run.log_ratio).max() > 1e-3


def test_a_normaliser_left_out_is_seen():
    """Every run integrates to one: E_Q0 exp(log ratio) = 1 to rounding."""
    for run in runs((0.5, 2.0), VARIANTS):
        mass = np.exp(REFERENCE.log_prob(GRID.points)) * GRID.weights
        assert float(mass @ np.exp(run.log_ratio)) == pytest.approx(1.0, abs=1e-9)


def test_company_and_chunks_change_nothing(monkeypatch):
    """A budget or variant alone, and networks one at a time, give what they give together, up to sums of 2000."""
    many = {(run.variant.name, run.eps): run for run in runs((0.5, 1.0, 2.0), ("clip", "released"), device=CPU)}
    alone = runs((2.0,), ("released",), device=CPU)
    monkeypatch.setitem(module.STACKED, "cpu", 1)
    for run in (*alone, *runs((0.5, 1.0, 2.0), ("clip",), device=CPU)):
        assert run.log_ratio == pytest.approx(many[run.variant.name, run.eps].log_ratio, abs=1e-9)
        assert run.losses == pytest.approx(many[run.variant.name, run.eps].losses, abs=1e-9)
    assert many["clip", 1.0].losses[0] == many["released", 2.0].losses[0]


def test_runs_are_a_function_of_the_rng():
    (one,), (two,), (other,) = (runs(seed=seed, samples=200) for seed in (1, 1, 2))
    assert (one.log_ratio == two.log_ratio).all()
    assert one.losses == two.losses
    assert (one.log_ratio != other.log_ratio).any()


def test_variants_outermost_and_own_recipes():
    """Without a recipe each variant takes its own; variants of one recipe share the first classifier."""
    made = runs((1.0, 2.0), ("clip", "tanh"), rounds=1, samples=40, recipe=None)
    assert [(run.variant.name, run.eps) for run in made] == [("clip", 1.0), ("clip", 2.0), ("tanh", 1.0), ("tanh", 2.0)]
    assert len({run.losses[0] for run in made}) == 1
    given = runs((1.0,), ("clip",), rounds=1, samples=40, recipe=PRINTED)
    assert given[0].losses[0] == pytest.approx(made[0].losses[0], abs=1e-6)


def test_cells_are_drawn_by_their_mass():
    """20,000 points on 9 nodes: counts by chi-square, places within a cell by Kolmogorov-Smirnov, at ALPHA each."""
    grid = Grid([0.0], [8.0], 9)
    log_density = np.log(np.arange(1.0, 10.0))
    drawn = cell_sample(grid, log_density + 700, np.random.default_rng(1).random((20_000, 2)))
    mass = np.exp(log_density) * grid.weights
    cells = np.rint(drawn[:, 0]).astype(int)
    assert chi_square(np.bincount(cells, minlength=9), mass / mass.sum()) > ALPHA
    assert ks(drawn[:, 0] - cells + 0.5, lambda x: np.clip(x, 0, 1)) > ALPHA
    # Equal masses are told apart from these.
    assert chi_square(np.bincount(cells, minlength=9), grid.weights / grid.weights.sum()) < ALPHA


def test_cells_in_the_plane_and_at_the_ends():
    grid = Grid([0.0, 10.0], [4.0, 18.0], 5)
    log_density = np.full(25, -np.inf)
    log_density[7] = 3.0
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.3, 0.5, 0.25]])
    node, steps = grid.points[7], np.array([1.0, 2.0])
    expected = [node - steps / 2, node + steps / 2, node + steps * [0.0, -0.25]]
    assert cell_sample(grid, log_density, corners) == pytest.approx(np.array(expected))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no CUDA device")
@pytest.mark.parametrize("name", ["ring", "mixture-sd"])
def test_both_devices_give_the_same_claims(name):
    """Equal seeds on CPU and GPU: the same draws and starts, gains within 0.02 nats, all inside the mollifier."""
    target = domain(name)
    reference, grid = domain_grid(target)
    tables = []
    for device in (CPU, torch.device("cuda")):
        chosen = [VARIANTS["clip"], VARIANTS["tanh"]]
        rng = np.random.default_rng(5)
        made = grid_mbde(target, reference, grid, [0.5, 2.0], chosen, 3, rng, recipe=FAST, device=device)
        tables.append(measure(made, target, reference, grid))
    cpu, gpu = tables
    for table in tables:
        assert (table["spent"] <= table["promised"]).all()
    assert gpu["gain"].to_numpy() == pytest.approx(cpu["gain"].to_numpy(), abs=0.02)
    assert gpu["loss_3"].to_numpy() == pytest.approx(cpu["loss_3"].to_numpy(), abs=0.005)
    assert gpu["coverage"].to_numpy() == pytest.approx(cpu["coverage"].to_numpy(), abs=0.02)
