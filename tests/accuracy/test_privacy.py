"""What the docstrings of `mollified.privacy` say of accuracy, at the stated ends, against balls of 300 bits."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from flint import ctx

from mollified.privacy import ExactLevel, ball
from tests.accuracy import states


@pytest.fixture(autouse=True)
def _balls_of_300_bits():
    with ctx.workprec(300):
        yield


@states("privacy.ExactLevel", "Return the level as a float, in nats, rounded to nearest")
def test_the_float_of_a_level_is_the_nearest():
    rng = np.random.default_rng(1)
    for power in [*rng.uniform(-290, 300, 200), -12.0, -15.0, -300.0]:
        base = 1 + F(10.0**power)
        found = float(ExactLevel(exp_eps=base))
        log = (ball(base) - 1).log1p() if power > -60 else ball(base - 1).log1p()
        assert abs(ball(F(found)) - log) <= ball(F(math.ulp(found)) / 2) * (1 + ball(F(1, 10**12)))
    assert float(ExactLevel(eps=F(1, 3))) == 1 / 3
    assert float(ExactLevel(eps=F(10) ** 400)) == math.inf
