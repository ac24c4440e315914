"""The papers' weak learner, on samples small enough for a test."""

import numpy as np
import pytest
import torch

from mollified.boosting import mbde
from mollified.boosting.theta import LOG2
from mollified.laws import Gaussian, Grid
from mollified.training import NetworkLearner
from mollified.training.network import build_network

pytestmark = pytest.mark.slow

TARGET, CURRENT = Gaussian([2.0], 0.25), Gaussian.standard(1)
X = np.linspace(-3, 4, 50)[:, np.newaxis]


def fit(method="clip", seed=0, optimiser="adam", steps=30):
    made = NetworkLearner(method, samples=200, steps=steps, optimiser=optimiser, learning_rate=0.02)
    return made, made.fit(TARGET, CURRENT, 1, np.random.default_rng(seed))(X)


def test_architecture_is_the_papers():
    network = build_network(2, torch.Generator().manual_seed(0))
    assert [type(layer).__name__ for layer in network] == ["Linear", "Tanh"] * 3 + ["Linear"]
    assert [(layer.in_features, layer.out_features) for layer in network[::2]] == [(2, 25), (25, 25), (25, 25), (25, 1)]
    assert all(not layer.bias.detach().any() for layer in network[::2])


@pytest.mark.parametrize("optimiser", ["adam", "nesterov"])
def test_training_is_a_function_of_the_rng(optimiser):
    torch.manual_seed(1)
    one, first = fit(optimiser=optimiser)
    torch.manual_seed(2)
    two, second = fit(optimiser=optimiser)
    assert one.losses == two.losses
    assert (first == second).all()
    assert (first != fit(optimiser=optimiser, seed=1)[1]).any()


@pytest.mark.parametrize("method", ["clip", "tanh"])
def test_the_classifier_tells_the_two_laws_apart_within_its_bound(method):
    values = fit(method, steps=100)[1]
    assert (values.shape, values.dtype) == ((50,), np.float64)
    assert np.abs(values).max() <= LOG2
    assert np.interp(2.0, X[:, 0], values) > 0.3 > -0.3 > np.interp(-1.0, X[:, 0], values)


def test_one_loss_per_round_in_mbde_and_the_current_density_is_sampled():
    made = NetworkLearner("clip", samples=100, steps=5)
    densities = mbde(TARGET, CURRENT, 1.0, 2, made, Grid([-6.0], [6.0], 101), np.random.default_rng(0))
    assert len(densities) == len(made.losses) == 2
    assert all(np.isfinite(density.log_prob(X)).all() for density in densities)
