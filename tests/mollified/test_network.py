"""The papers' weak learner, on samples small enough for a test."""

import numpy as np
import pytest

from mollified.boosting.theta import LOG2
from mollified.laws import Gaussian
from mollified.training import NetworkLearner

pytestmark = pytest.mark.slow

TARGET, CURRENT = Gaussian([2.0], 0.25), Gaussian.standard(1)
X = np.linspace(-3, 4, 50)[:, np.newaxis]


def fit(method="clip", seed=0, optimiser="adam", steps=30):
    made = NetworkLearner(method, samples=200, steps=steps, optimiser=optimiser, learning_rate=0.02)
    return made.fit(TARGET, CURRENT, 1, np.random.default_rng(seed))(X)


@pytest.mark.parametrize("optimiser", ["adam", "nesterov"])
def test_training_is_a_function_of_the_rng(optimiser):
    first, second, other = (fit(optimiser=optimiser, seed=seed) for seed in (0, 0, 1))
    assert (first == second).all()
    assert (first != other).any()


@pytest.mark.parametrize("method", ["clip", "tanh"])
def test_the_classifier_tells_the_two_laws_apart_within_its_bound(method):
    values = fit(method, steps=100)
    assert (values.shape, values.dtype) == ((50,), np.float64)
    assert np.abs(values).max() <= LOG2
    assert np.interp(2.0, X[:, 0], values) > 0.3 > -0.3 > np.interp(-1.0, X[:, 0], values)
