"""The sharper form of Theorem 2, where both forms pass pure privacy, and the derivatives in the proof."""

import math

import numpy as np
import pytest

from mollified.bootstrap.typical_bounds import hoeffding_records, step_loss, theorem_records


@pytest.mark.parametrize("eps", [0.1, 1.0, 6.0])
def test_hoeffding_records_are_the_largest_that_meet_both_conditions(eps):
    n, size, k, delta = 50, 4, 60, 1e-3
    m = hoeffding_records(eps, delta, n, size, k)

    def fits(count):
        gamma = math.sqrt(math.log(1 / delta) / (2 * count))
        return count * (1 / (n + k * size) + 2 * gamma) * step_loss(k) <= eps

    assert m == 0 or fits(m)
    assert not fits(m + 1)
    assert m >= theorem_records(eps, delta, n, size, k, form="corrected")


@pytest.mark.parametrize("sign", [1, -1])
def test_derivatives_of_the_bounds_on_the_loss_are_those_of_the_proof(sign):
    """The formulas of the proof on the page, against differences of the bounds themselves; -1 is the lower bound."""
    rng = np.random.default_rng(21)
    for _ in range(50):
        c1, c2, w, h = rng.uniform(2, 40), rng.uniform(1, 40), sign * rng.uniform(0, 30), 1e-4

        def first(c, w=w):
            return -(c + w) * math.log1p(-1 / c)

        def second(c, w=w):
            return -(c - w) * math.log1p(1 / c)

        t, u = 1 / c1, 1 / c2
        one = math.log1p(-t) + t / (1 - t) + w * t**2 / (1 - t)
        two = math.log1p(u) - u / (1 + u) + w * u**2 / (1 + u)
        assert (first(c1 - h) - first(c1 + h)) / (2 * h) == pytest.approx(one, rel=1e-4, abs=1e-8)
        assert (second(c2 - h) - second(c2 + h)) / (2 * h) == pytest.approx(two, rel=1e-4, abs=1e-8)
