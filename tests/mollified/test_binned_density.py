"""Binned densities against brute force: distances on fine grids, node values by loops."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from scipy.stats import beta

from mollified.binned_density import (
    ks_distances,
    node_values,
    running_maximum,
    sloped_cdf,
    sloped_distance,
    sloped_masses,
)


def test_ks_distances_err_below_by_at_most_the_stated_amount():
    law, rng = beta(10, 10), np.random.default_rng(1)
    x = np.linspace(0, 1, 200_001)
    lipschitz = np.abs(np.diff(law.pdf(x)) / np.diff(x)).max()
    for bins, points in ((5, 4), (20, 8), (50, 64)):
        masses = np.diff(law.cdf(np.linspace(0, 1, bins + 1))) + rng.normal(0, 0.02, bins)
        edges = np.concatenate([[0.0], np.cumsum(masses)])
        fine = np.abs(np.interp(x, np.linspace(0, 1, bins + 1), edges) - law.cdf(x)).max()
        found = ks_distances(law.cdf, masses[np.newaxis], points=points)[0]
        assert found <= fine + 1e-12
        assert fine - found <= lipschitz / 8 / (bins * points) ** 2 + 1e-9


def test_ks_distances_row_by_row():
    law, rng = beta(2, 5), np.random.default_rng(2)
    rows = rng.dirichlet(np.ones(7), size=5)
    many = ks_distances(law.cdf, rows)
    assert many == pytest.approx([ks_distances(law.cdf, row[np.newaxis])[0] for row in rows], abs=0)


def test_a_cdf_that_returns_nonsense_is_refused():
    for cdf in (lambda x: 0.5, lambda x: x * np.nan):
        with pytest.raises(ValueError, match="cdf"):
            ks_distances(cdf, [[0.5, 0.5]])


def test_running_maximum_is_a_cdf_and_no_farther():
    rng = np.random.default_rng(3)
    for _ in range(200):
        masses = rng.normal(0.2, 0.3, 5)
        values = node_values(masses + (1 - masses.sum()) / 5)
        values[-1] = 1.0
        mended = running_maximum(values, points=8)
        assert (np.diff(mended) >= 0).all()
        assert (mended[0], mended[-1]) == (0, 1)
        x = np.linspace(0, 1, 41)
        curve = np.interp(x, x[::8], values)
        assert mended == pytest.approx(np.clip([curve[: i + 1].max() for i in range(41)], 0, 1))
        for law in (beta(1, 1), beta(2, 1), beta(20, 3)):
            truth = law.cdf(x)
            assert np.abs(mended - truth).max() <= np.abs(curve - truth).max() + 1e-12


def test_node_values_against_sums_of_boxes():
    rng = np.random.default_rng(4)
    for shape in ((3,), (2, 2), (3, 3), (2, 2, 2)):
        table = rng.normal(size=shape)
        nodes = node_values(table)
        for node in product(*(range(side + 1) for side in shape)):
            assert nodes[node] == pytest.approx(table[tuple(slice(0, j) for j in node)].sum(), abs=1e-12)
    exact = node_values(np.array([[F(1, 2), F(1, 4)], [F(1, 8), F(1, 8)]], dtype=object))
    assert exact[2, 2] == 1
    assert exact[1, 2] == F(3, 4)


def brute(nodes, slope, steps=240):
    """Return the largest difference on a fine grid that contains the nodes."""
    side, dimension = nodes.shape[0] - 1, nodes.ndim
    x = np.linspace(0, 1, steps + 1)
    cell = np.minimum((x * side).astype(int), side - 1)
    share = x * side - cell
    surface = nodes.astype(float)
    for axis in range(dimension):
        moved = np.moveaxis(surface, axis, 0)
        weights = share.reshape((-1,) + (1,) * (dimension - 1))
        surface = np.moveaxis(moved[cell] * (1 - weights) + moved[cell + 1] * weights, 0, axis)
    truth = np.array([float(sloped_cdf(F(i, steps), slope)) for i in range(steps + 1)])
    for _ in range(dimension - 1):
        truth = np.multiply.outer(truth, x)
    return np.abs(surface - truth).max()


def test_sloped_distance_against_a_fine_grid():
    rng = np.random.default_rng(5)
    for _ in range(60):
        dimension = int(rng.integers(1, 3))
        side = int(rng.choice([1, 2, 3, 4, 5]))
        slope = F(int(rng.integers(0, 9)), 4)
        nodes = node_values(rng.normal(size=(side,) * dimension) * 0.3)
        found, on_grid = sloped_distance(nodes, slope), brute(nodes, slope)
        assert on_grid <= found + 1e-12
        assert found - on_grid <= float(slope) / 8 / 240**2 + 1e-12


def test_sloped_distance_is_the_same_exactly_and_in_floats_and_the_bias_is_known():
    for dimension, side, slope in product((1, 2, 3), (1, 2, 3), (F(0), F(1), F(2))):
        masses = sloped_masses(side, dimension, slope)
        assert masses.sum() == 1
        exact = sloped_distance(node_values(masses), slope)
        assert exact == slope / (8 * side**2)
        floats = node_values(masses.astype(float))
        assert sloped_distance(floats, slope) == pytest.approx(float(exact), abs=1e-15)
