from __future__ import annotations

import numpy as np
import pytest

from mollified.divergences import kl
from mollified.gaussian import Gaussian
from mollified.quadrature import QuadratureError, refine
from mollified.spaces import Integral


def absolute(grid):
    return grid.integrate(np.abs(grid.points[:, 0] - 0.123))


def test_refinement_stops_at_the_tolerance():
    truth = (0.123**2 + 0.877**2) / 2
    errors = []
    for tol in (1e-3, 1e-5, 1e-7):
        result = refine(absolute, [0.0], [1.0], tol, nodes=5)
        assert result.error <= tol
        errors.append(abs(result.value - truth))
        assert errors[-1] <= tol
    assert errors[2] < errors[0]


def test_steps_double():
    shapes = []

    def compute(grid):
        shapes.append(grid.shape)
        return Integral(0.0, 1.0 if len(shapes) < 4 else 0.0)

    refine(compute, [0.0, 0.0], [1.0, 1.0], 0.5, nodes=9)
    assert shapes == [(9, 9), (17, 17), (33, 33), (65, 65)]


def test_refinement_of_a_divergence():
    p, q = Gaussian([1.0], 1.0), Gaussian([0.0], 1.0)
    result = refine(lambda grid: kl(p.log_prob(grid.points), q.log_prob(grid.points), grid), [-9.0], [9.0], 1e-10)
    assert result.value == pytest.approx(0.5, abs=1e-10)


def test_a_tolerance_out_of_reach_is_an_error_that_says_so():
    with pytest.raises(QuadratureError, match=r"at most 1000 points .* tol=1e-09.*Grid\(.*Integral\("):
        refine(absolute, [0.0], [1.0], 1e-9, max_points=1000)


def test_refinement_in_the_plane():
    result = refine(lambda grid: grid.integrate(np.prod(grid.points**2, axis=1)), [0.0, 0.0], [1.0, 1.0], 1e-4)
    assert result.value == pytest.approx(1 / 9, abs=1e-4)
