import math

import numpy as np
import pytest
from scipy import stats

from mollified.laws import FiniteSpace, Gaussian, Grid, Uniform


def test_finite_space_sums_are_correctly_rounded():
    space = FiniteSpace(4)
    assert space.points.tolist() == [[0.0], [1.0], [2.0], [3.0]]
    result = space.integrate([1e16, 1.0, -1e16, 1.0])
    assert (result.value, result.error) == (2.0, 0.0)
    assert space.log_integral([-1000.0] * 4).value == -1000 + math.log(4)
    assert space.log_integral([-np.inf] * 4).value == -math.inf
    assert space.supremum([-np.inf, 3.0, 2.0, 0.0]).value == 3.0


def test_grid_layout_is_c_order():
    grid = Grid([0.0, 10.0], [1.0, 12.0], [5, 9])
    assert (grid.dim, grid.shape) == (2, (5, 9))
    table = grid.points.reshape(5, 9, 2)
    for i, j in ((0, 0), (2, 7), (4, 8)):
        assert table[i, j].tolist() == [grid.axes[0][i], grid.axes[1][j]]
    assert grid.weights.sum() == pytest.approx(2.0, rel=1e-14)


def test_rule_is_exact_for_linear_and_bilinear_functions():
    line = Grid([-1.0], [3.0], 9)
    result = line.integrate(2 * line.points[:, 0] + 1)
    assert result.value == pytest.approx(12.0, abs=1e-13)
    assert result.error < 1e-12
    plane = Grid([0.0, 0.0], [1.0, 2.0], [5, 9])
    x, y = plane.points.T
    assert plane.integrate(1 + x * y).value == pytest.approx(3.0, abs=1e-13)


@pytest.mark.parametrize("nodes", [21, 101, 1001])
def test_error_estimate_is_three_times_the_error_of_a_smooth_function(nodes):
    grid = Grid([0.0], [1.0], nodes)
    result = grid.integrate(np.exp(grid.points[:, 0]))
    error = abs(result.value - (math.e - 1))
    assert 2.9 * error < result.error < 3.1 * error


def kinked(grid, a, slope):
    """Return estimate and error for exp(-8|x - a|) + slope (x^2 - 1/3), which has one kink, at a."""
    x = grid.points[:, 0]
    result = grid.integrate(np.exp(-8 * np.abs(x - a)) + slope * (x * x - 1 / 3))
    truth = (2 - math.exp(-8 * a) - math.exp(-8 * (1 - a))) / 8
    return result.error, abs(result.value - truth)


KINKS = 0.4 + np.linspace(0, 4, 321) / 400


def test_error_estimate_brackets_one_kink_wherever_it_is():
    grid = Grid([0.0], [1.0], 401)
    step = 1 / 400
    for a in KINKS:
        linear = grid.integrate(np.abs(grid.points[:, 0] - a))
        assert abs(linear.value - (a * a + (1 - a) ** 2) / 2) <= linear.error
        assert linear.error <= 1.001 * step**2
        estimate, error = kinked(grid, a, 0.0)
        assert error <= 1.01 * estimate
        assert 16 * step**2 / 24 < estimate < 16 * step**2 / 3
        for slope in (-30.0, -8.0, -3.0, 3.0, 7.0, 7.5, 8.0, 30.0):
            estimate, error = kinked(grid, a, slope)
            assert error <= 3.1 * estimate


def test_error_estimate_brackets_one_jump_wherever_it_is():
    grid = Grid([0.0], [1.0], 41)
    step = 1 / 40
    for a in 0.3 + step * np.linspace(0, 4, 321):
        result = grid.integrate((grid.points[:, 0] <= a).astype(float))
        assert abs(result.value - a) <= result.error + 1e-15
        assert result.error <= 2 * step


def test_error_estimate_brackets_kinks_in_the_plane():
    """A cone: the distance to a point, over a square; the true value from a much finer grid."""
    rng = np.random.default_rng(8)
    for a in rng.uniform(0.2, 0.8, size=(40, 2)):
        values = [np.maximum(0.3 - np.hypot(*(g.points - a).T), 0.1) for g in (COARSE, FINE)]
        result, truth = COARSE.integrate(values[0]), FINE.integrate(values[1])
        assert abs(result.value - truth.value) <= 3 * result.error
        assert result.error < 0.05 * truth.value


COARSE, FINE = Grid([0.0, 0.0], [1.0, 1.0], 41), Grid([0.0, 0.0], [1.0, 1.0], 641)


def test_log_integral_is_stable_and_carries_the_error():
    grid = Grid([-9.0], [9.0], 401)
    logs = Gaussian([0.0], 1.0).log_prob(grid.points)
    shifted = grid.log_integral(logs - 5000.0)
    assert shifted.value == pytest.approx(-5000.0, abs=1e-11)
    assert shifted.error < 1e-13
    smooth = Grid([0.0], [1.0], 21)
    result = smooth.log_integral(smooth.points[:, 0])
    assert 2.9 < result.error / abs(result.value - math.log(math.e - 1)) < 3.1
    nothing = smooth.log_integral(np.full(21, -np.inf))
    assert (nothing.value, nothing.error) == (-math.inf, math.inf)
    spike = np.full(21, -np.inf)
    spike[5] = 0.0
    assert smooth.log_integral(spike).error == math.inf


def test_supremum_brackets_the_supremum_of_a_smooth_function():
    for shift in np.linspace(0, 0.1, 21):
        grid = Grid([-1.0], [1.0], 21)
        result = grid.supremum(-((grid.points[:, 0] - shift) ** 2))
        assert result.value <= 0.0 <= result.value + result.error
    plane = Grid([-1.0, -1.0], [1.0, 1.0], 21)
    result = plane.supremum(-np.sum((plane.points - 0.03) ** 2, axis=1))
    assert result.value <= 0.0 <= result.value + result.error
    lone = np.full(21, -np.inf)
    assert grid.supremum(lone).value == -np.inf
    lone[3] = 1.0
    assert (grid.supremum(lone).value, grid.supremum(lone).error) == (1.0, 0.0)


def test_covering_leaves_the_mass_said_of_each():
    laws = [Gaussian([0.0], 1.0), Gaussian([5.0], 0.01), Uniform([-20.0], [1.0])]
    grid = Grid.covering(laws, mass=1e-6)
    lower, upper = grid.axes[0][0], grid.axes[0][-1]
    assert lower == -20.0
    assert stats.norm(5, 0.1).sf(upper) <= 1e-6
    assert grid.shape == (16001,)
    assert Grid.covering([Gaussian.standard(2)]).shape == (401, 401)
    assert Grid.covering([Gaussian.standard(2)], nodes=[5, 9]).shape == (5, 9)


def test_points_cannot_be_changed():
    grid = Grid([0.0], [1.0], 5)
    for array in (grid.points, grid.weights, grid.axes[0], FiniteSpace(2).points):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3.0
