"""Finite spaces and grids: sums, the trapezoid rule and its error estimate, suprema,
boxes, and the divergence."""

import math

import numpy as np
import pytest
from scipy import stats

from mollified.laws import FiniteSpace, Gaussian, Grid, Uniform, kl


def test_finite_space_sums_are_correctly_rounded():
    space = FiniteSpace(4)
    assert space.points.tolist() == [[0.0], [1.0], [2.0], [3.0]]
    result = space.integrate([1e16, 1.0, -1e16, 1.0])
    assert (result.value, result.error) == (2.0, 0.0)
    assert space.log_integral([-1000.0] * 4).value == -1000 + math.log(4)
    assert space.log_integral([-np.inf] * 4).value == -math.inf
    assert space.supremum([-np.inf, 3.0, 2.0, 0.0]).value == 3.0


def test_grid_layout_is_c_order_and_the_rule_exact_for_bilinear_functions():
    grid = Grid([0.0, 10.0], [1.0, 12.0], [5, 9])
    assert (grid.dim, grid.shape) == (2, (5, 9))
    table = grid.points.reshape(5, 9, 2)
    for i, j in ((0, 0), (2, 7), (4, 8)):
        assert table[i, j].tolist() == [grid.axes[0][i], grid.axes[1][j]]
    x, y = grid.points.T
    result = grid.integrate(1 + x * y)
    assert result.value == pytest.approx(13.0, abs=1e-12)
    assert result.error < 1e-12


def test_log_integral_is_stable_and_knows_what_it_cannot_tell():
    grid = Grid([-9.0], [9.0], 401)
    shifted = grid.log_integral(Gaussian([0.0], 1.0).log_prob(grid.points) - 5000.0)
    assert shifted.value == pytest.approx(-5000.0, abs=1e-11)
    assert shifted.error < 1e-13
    spike = np.full(401, -np.inf)
    nothing = grid.log_integral(spike)
    assert (nothing.value, nothing.error) == (-math.inf, math.inf)
    spike[5] = 0.0
    assert grid.log_integral(spike).error == math.inf


def test_covering_leaves_the_mass_said_of_each():
    grid = Grid.covering(
        [Gaussian([0.0], 1.0), Gaussian([5.0], 0.01), Uniform([-20.0], [1.0])],
        mass=1e-6,
    )
    assert grid.axes[0][0] == -20.0
    assert stats.norm(5, 0.1).sf(grid.axes[0][-1]) <= 1e-6
    assert grid.shape == (16001,)
    assert Grid.covering([Gaussian.standard(2)]).shape == (401, 401)
    assert Grid.covering([Gaussian.standard(2)], nodes=[5, 9]).shape == (5, 9)


INF = math.inf
TWO = FiniteSpace(2)
THREE = FiniteSpace(3)
HALVES = np.log([0.5, 0.25, 0.25])
FIRST = np.array([0.0, -INF, -INF])


@pytest.mark.parametrize(
    ("mean", "covariance"),
    [
        ([0.0], 1.0),
        ([-2.0], 0.3),
        ([0.5], 2.0),
        ([1e-4], 1.0),
        ([1.0, -1.0], [[2.0, 0.8], [0.8, 1.0]]),
    ],
)
def test_gaussians_up_to_the_error_estimate(mean, covariance):
    p = Gaussian(mean, covariance)
    q = Gaussian.standard(len(mean))
    grid = Grid.covering([p, q], mass=1e-14)
    found = kl(p.log_prob(grid.points), q.log_prob(grid.points), grid)
    truth = (
        np.trace(p.covariance)
        + np.dot(mean, mean)
        - len(mean)
        - np.linalg.slogdet(p.covariance)[1]
    ) / 2
    assert abs(found.value - truth) <= found.error + 1e-10
    assert found.error < 1e-6 * max(1.0, abs(truth))


def test_what_is_no_density_is_refused_and_zeros_follow_the_conventions():
    with pytest.raises(ValueError, match=r"^log_q must .*density"):
        kl(HALVES, HALVES + 0.1, THREE)
    assert kl(HALVES, HALVES + 1e-5, THREE).error == pytest.approx(1e-5, rel=1e-4)
    assert kl(HALVES, FIRST, THREE).value == INF
    assert kl(FIRST, HALVES, THREE).value == pytest.approx(math.log(2), rel=1e-15)
