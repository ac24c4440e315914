import numpy as np
import pytest

from mollified.laws import Gaussian, Grid, kl, mixture_1d, ring
from mollified.laws.targets import random_1d, random_2d


def on_grid(target, reference):
    grid = Grid.covering([target, reference])
    return target.log_prob(grid.points), reference.log_prob(grid.points), grid


def test_ring_is_symmetric_under_rotation_by_one_mode():
    target = ring(modes=5, radius=2.0, variance=0.1)
    points = np.random.default_rng(1).normal(size=(40, 2)) * 2
    angle = 2 * np.pi / 5
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    np.testing.assert_allclose(target.log_prob(points), target.log_prob(points @ turn.T), atol=1e-10)
    half = np.array([[np.cos(angle / 2), -np.sin(angle / 2)], [np.sin(angle / 2), np.cos(angle / 2)]])
    assert not np.allclose(target.log_prob(points), target.log_prob(points @ half.T), atol=1e-3)
    assert np.linalg.norm([c.mean for c in target.components], axis=1) == pytest.approx(2.0)


def test_both_readings_of_the_mixture():
    deviations = [c.covariance[0, 0] for c in mixture_1d().components]
    variances = [c.covariance[0, 0] for c in mixture_1d("variance").components]
    assert deviations == pytest.approx([1e-4, 1e-2, 1e-2])
    assert variances == pytest.approx([0.01, 0.1, 0.1])
    for target in (mixture_1d(), mixture_1d("variance")):
        assert [c.mean[0] for c in target.components] == [0.3, 0.5, 0.7]
        assert target.weights == pytest.approx(1 / 3)
    p, q0, grid = on_grid(mixture_1d(), Gaussian.standard(1))
    assert kl(p, q0, grid).value == pytest.approx(1.8951, abs=5.1e-5)


@pytest.mark.parametrize("m", [1, 2, 10])
def test_random_targets(m):
    line = random_1d(m, np.random.default_rng(m))
    plane = random_2d(m, np.random.default_rng(m), half_width=3.0, variance=0.5)
    assert (len(line.components), len(plane.components)) == (m, m)
    assert (line.dim, plane.dim) == (1, 2)
    assert all(0 <= c.mean[0] <= 1 and c.covariance[0, 0] == 0.01 for c in line.components)
    assert all((np.abs(c.mean) <= 3).all() and c.covariance[1, 1] == 0.5 for c in plane.components)
    assert line.weights == pytest.approx(1 / m)
    again = random_1d(m, np.random.default_rng(m))
    assert [c.mean[0] for c in line.components] == [c.mean[0] for c in again.components]
