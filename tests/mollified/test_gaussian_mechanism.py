"""The exact curve and the noise of the Gaussian mechanism, against balls, libraries and their own bounds."""

from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx

from mollified.privacy.exact_level import ball
from mollified.privacy.gaussian_mechanism import (
    certified_sigma,
    delta_ball,
    gaussian_delta,
    gaussian_sigma,
)


def test_floats_agree_with_balls():
    rng = np.random.default_rng(5)
    counted = 0
    for _ in range(400):
        eps, mu = 10 ** rng.uniform(-3, 2), 10 ** rng.uniform(-4, 2)
        with ctx.workprec(1000):
            true = float(delta_ball(F(eps), F(mu)).mid())
        if true > 1e-300:
            counted += 1
            assert gaussian_delta(eps, mu) == pytest.approx(true, rel=1e-9)
    assert counted > 200


@pytest.mark.parametrize(("eps", "delta"), [(F(1), F(1, 10**5)), (F(20), F(1, 100)), (F(1, 1000), F(9, 10))])
def test_the_smallest_sigma_is_enclosed(eps, delta):
    low, high = certified_sigma(eps, delta, F(3))
    assert 0 < high - low <= F(6, 10**14) * high
    with ctx.workprec(256):
        assert delta_ball(eps, 3 / high) < ball(delta) < delta_ball(eps, 3 / low)
    found = gaussian_sigma(float(eps), float(delta), 3.0)
    assert found == pytest.approx(float(high), rel=1e-12)


def test_a_sigma_as_a_float_is_enough():
    rng = np.random.default_rng(6)
    for _ in range(30):
        eps, delta = float(10 ** rng.uniform(-2, 1.5)), float(10 ** rng.uniform(-12, -0.01))
        sigma = gaussian_sigma(eps, delta)
        with ctx.workprec(256):
            assert delta_ball(F(eps), 1 / F(sigma)) <= ball(F(delta))
