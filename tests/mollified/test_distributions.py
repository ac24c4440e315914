from __future__ import annotations

import numpy as np
import pytest

from mollified.laws.discrete import Discrete
from mollified.laws.distributions import Boxed, Distribution
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.targets import mixture_1d, random_1d, random_2d, ring
from mollified.laws.uniform import Uniform

EVERY = [
    Discrete([0.2, 0.0, 0.8]),
    Gaussian([1.0, 2.0], [[2.0, 0.3], [0.3, 1.0]]),
    Mixture([Gaussian([0.0], 1.0), Uniform([0.0], [2.0])], [0.3, 0.7]),
    Uniform([0.0, 0.0, 0.0], [1.0, 2.0, 3.0]),
    ring(),
    mixture_1d(),
    random_1d(3, np.random.default_rng(0)),
    random_2d(3, np.random.default_rng(0)),
]


@pytest.mark.parametrize("distribution", EVERY, ids=lambda d: type(d).__name__)
def test_each_meets_the_protocol(distribution):
    assert isinstance(distribution, Distribution)
    draws = distribution.sample(7, np.random.default_rng(5))
    assert draws.shape == (7, distribution.dim)
    assert draws.dtype == np.float64
    logs = distribution.log_prob(draws)
    assert logs.shape == (7,)
    assert np.isfinite(logs).all()
    # same seed, same draws; and no log density is NaN far away
    assert np.array_equal(draws, distribution.sample(7, np.random.default_rng(5)))
    far = np.full((2, distribution.dim), 1e308) * [[1.0], [-1.0]]
    assert (distribution.log_prob(far) == -np.inf).all()


@pytest.mark.parametrize("distribution", [d for d in EVERY if not isinstance(d, Discrete)])
def test_boxes_are_boxes(distribution):
    assert isinstance(distribution, Boxed)
    small, large = distribution.box(1e-3), distribution.box(1e-9)
    for corners in (small, large):
        assert corners[0].shape == corners[1].shape == (distribution.dim,)
        assert (corners[0] < corners[1]).all()
    assert (large[0] <= small[0]).all()
    assert (large[1] >= small[1]).all()


def test_a_discrete_law_has_no_box():
    assert not isinstance(Discrete([1.0]), Boxed)


def test_stored_arrays_cannot_be_changed():
    mean = np.array([0.0, 1.0])
    gaussian = Gaussian(mean, 1.0)
    mean[0] = 9.0
    assert gaussian.mean[0] == 0.0
    for array in (gaussian.mean, gaussian.covariance, EVERY[0].probabilities, EVERY[3].lower):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
