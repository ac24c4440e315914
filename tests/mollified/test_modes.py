import numpy as np

from mollified.experiments.modes import modes_on_line, modes_shown
from mollified.laws import Gaussian, Grid, ring

CENTRES = 4 * np.column_stack([np.cos(np.pi * np.arange(8) / 4), np.sin(np.pi * np.arange(8) / 4)])
GRID = Grid(np.array([-7.0, -7.0]), np.array([7.0, 7.0]), 141)


def test_ring_shows_its_modes_and_a_gaussian_none():
    assert modes_shown(ring().log_prob(GRID.points), GRID, CENTRES, 0.5) == 8
    assert modes_shown(Gaussian.standard(2).log_prob(GRID.points), GRID, CENTRES, 0.5) == 0


LINE = Grid(np.array([-3.0]), np.array([3.0]), 601)


def on_line(values):
    return modes_on_line(np.asarray(values, dtype=float), LINE)


def test_places_on_the_line():
    x = LINE.points[:, 0]
    two = np.log(np.exp(-8 * (x + 1) ** 2) + 0.5 * np.exp(-8 * (x - 1) ** 2))
    np.testing.assert_allclose(on_line(two), [-1.0, 1.0], atol=0.011)
    np.testing.assert_allclose(on_line(Gaussian.standard(1).log_prob(LINE.points)), [0.0], atol=1e-12)
    assert len(on_line(-two)) == 1  # control: upside down, the valley
    assert len(on_line(x)) == 0  # a slope has none, and the ends do not count


def test_a_plateau_is_one_mode_and_a_step_is_none():
    x = LINE.points[:, 0]
    np.testing.assert_allclose(on_line(-np.maximum(np.abs(x - 1) - 0.5, 0)), [1.0], atol=1e-12)
    assert len(on_line(np.minimum(x, 0.0))) == 0
