"""The papers' weak learner, on samples small enough for a test."""

import numpy as np
import pytest
import torch

from mollified.boosting import mbde
from mollified.boosting.theta import LOG2
from mollified.laws import Gaussian, Grid
from mollified.training import NetworkLearner
from mollified.training.network import WIDTHS, build_network

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
TARGET, CURRENT = Gaussian([2.0], 0.25), Gaussian.standard(1)
X = np.linspace(-3, 4, 50)[:, np.newaxis]


def learner(method="clip", **changes):
    given = {"samples": 200, "steps": 30, "optimiser": "adam", "learning_rate": 0.02, "device": CPU}
    return NetworkLearner(method, **{**given, **changes})


def fit(method="clip", seed=0, **changes):
    made = learner(method, **changes)
    return made, made.fit(TARGET, CURRENT, 1, np.random.default_rng(seed))


def test_architecture_is_the_papers():
    network = build_network(2, torch.Generator().manual_seed(0))
    assert [type(layer).__name__ for layer in network] == ["Linear", "Tanh"] * 3 + ["Linear"]
    linear = [layer for layer in network if isinstance(layer, torch.nn.Linear)]
    assert [(layer.in_features, layer.out_features) for layer in linear] == [(2, 25), (25, 25), (25, 25), (25, 1)]
    assert WIDTHS == (25, 25, 25)
    assert all(not layer.bias.detach().any() for layer in linear)


@pytest.mark.parametrize("optimiser", ["adam", "nesterov"])
def test_training_is_a_function_of_the_rng(optimiser):
    torch.manual_seed(1)
    one, first = fit(optimiser=optimiser)
    torch.manual_seed(2)
    two, second = fit(optimiser=optimiser)
    assert one.losses == two.losses
    assert (first(X) == second(X)).all()
    assert (first(X) != fit(optimiser=optimiser, seed=1)[1](X)).any()


def test_the_classifier_tells_the_two_laws_apart_within_its_bound():
    for method in ("clip", "tanh"):
        classifier = fit(method, steps=100)[1]
        values = classifier(X)
        assert values.shape == (50,)
        assert values.dtype == np.float64
        assert np.abs(values).max() <= LOG2 == classifier.bound
        assert classifier(np.array([[2.0]]))[0] > 0.3 > -0.3 > classifier(np.array([[-1.0]]))[0]


def test_one_loss_per_round_in_mbde_and_the_current_density_is_sampled():
    made = learner(samples=100, steps=5)
    grid = Grid([-6.0], [6.0], 101)
    densities = mbde(TARGET, CURRENT, 1.0, 2, made, grid, np.random.default_rng(0))
    assert len(densities) == len(made.losses) == 2
    assert all(np.isfinite(density.log_prob(X)).all() for density in densities)
