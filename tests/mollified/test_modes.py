import numpy as np

from mollified.gaussian import Gaussian
from mollified.modes import modes_shown
from mollified.spaces import Grid
from mollified.targets import ring

CENTRES = 4 * np.column_stack([np.cos(np.pi * np.arange(8) / 4), np.sin(np.pi * np.arange(8) / 4)])
GRID = Grid(np.array([-7.0, -7.0]), np.array([7.0, 7.0]), 141)


def test_ring_shows_its_modes_and_a_gaussian_none():
    assert modes_shown(ring().log_prob(GRID.points), GRID, CENTRES, 0.5) == 8
    assert modes_shown(Gaussian.standard(2).log_prob(GRID.points), GRID, CENTRES, 0.5) == 0


def test_sign_and_place_matter():
    turned = ring().log_prob(GRID.points @ np.array([[0.92388, 0.38268], [-0.38268, 0.92388]]))
    assert modes_shown(turned, GRID, CENTRES, 0.5) == 0  # control: modes half a step further round
    assert modes_shown(-ring().log_prob(GRID.points), GRID, CENTRES, 0.5) == 0


def test_missing_modes_are_missed():
    half = np.where(GRID.points[:, 0] > 0.5, ring().log_prob(GRID.points), -50.0)
    assert modes_shown(half, GRID, CENTRES, 0.5) == 3
