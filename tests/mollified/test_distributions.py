from __future__ import annotations

import numpy as np
import pytest

from mollified.laws.discrete import Discrete
from mollified.laws.distributions import Distribution
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
