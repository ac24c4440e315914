"""Bernstein polynomials, their sensitivity on the lattice, the release with its noise, and the repairs."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binom

from mollified.laws.kernel_density import kernel_density, kernel_matrix
from mollified.mollifiers import repair_error, repaired
from mollified.releases import lattice_sensitivity
from mollified.releases.bernstein import basis, coefficients, lattice, polynomial
from mollified.releases.bernstein_release import release
from mollified.releases.lattice_sensitivity import peak_sum

POINTS = [F(0), F(1, 7), F(1, 2), F(9, 10), F(1)]


@pytest.mark.parametrize("degree", [1, 5, 40])
def test_the_basis_agrees_with_the_binomial_law_and_with_the_exact_one(degree):
    y = np.array([float(p) for p in POINTS])
    values = basis(degree, y)
    assert values == pytest.approx(binom.pmf(np.arange(degree + 1)[None, :], degree, y[:, None]), abs=1e-13)
    assert basis(2000, np.array([0.5])).sum() == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_the_iterated_operator_is_the_complement_of_the_power_of_the_complement(order):
    rng = np.random.default_rng(2)
    degree = 6
    values = rng.normal(size=degree + 1)
    matrix = basis(degree, lattice(degree))
    complement = np.linalg.matrix_power(np.eye(degree + 1) - matrix, order)
    at_nodes = polynomial(coefficients(values, order), [lattice(degree)])
    assert at_nodes == pytest.approx((np.eye(degree + 1) - complement) @ values, abs=1e-12)


def test_in_the_plane_the_powers_are_those_of_the_whole_operator():
    rng = np.random.default_rng(3)
    degree = 4
    table = rng.normal(size=(degree + 1, degree + 1))
    one = basis(degree, lattice(degree))
    matrix = np.kron(one, one)
    size = len(matrix)
    for order in (1, 2, 3):
        expected = (np.eye(size) - np.linalg.matrix_power(np.eye(size) - matrix, order)) @ table.ravel()
        found = polynomial(coefficients(table, order), [lattice(degree)] * 2).ravel()
        assert found == pytest.approx(expected, abs=1e-12)


SETTINGS = [(20, 1, 0.02), (20, 2, 0.02), (10, 2, 0.1), (7, 1, 0.5), (40, 1, 0.004), (1, 1, 0.01), (3, 2, 3.0)]


@pytest.mark.parametrize(("degree", "dim", "bandwidth"), SETTINGS)
def test_no_pair_of_records_moves_the_values_further_than_the_bound(degree, dim, bandwidth):
    found = lattice_sensitivity(degree, dim, bandwidth)
    rng = np.random.default_rng(1)
    nodes, best = lattice(degree), 0.0
    for trial in range(300):
        pair = rng.random((2, dim))
        if trial % 2:  # near the corners and the nodes, where the sums are largest
            pair = np.clip(np.round(pair * degree) / degree + rng.normal(size=(2, dim)) * bandwidth / 10, 0, 1)
        one, two = (kernel_density(x[np.newaxis], [nodes] * dim, bandwidth) for x in pair)
        best = max(best, float(np.abs(one - two).sum()))
    assert best <= found.upper * (1 + 1e-12)
    assert found.lower <= found.upper
    if bandwidth <= 0.02:
        assert found.lower >= 0.997 * found.upper


@pytest.mark.parametrize(("degree", "bandwidth"), [(20, 0.02), (20, 0.1), (5, 0.5)])
def test_the_peak_is_enclosed(degree, bandwidth):
    ball, place = peak_sum(degree, bandwidth)
    scan = kernel_matrix(np.linspace(0, 1, 20_001), lattice(degree), bandwidth).sum(axis=1)
    assert float(ball.lower()) <= scan.max() * (1 + 1e-9)
    assert float(ball.upper()) >= scan.max() * (1 - 1e-12)
    assert float(ball.upper()) <= 1.0011 * float(ball.lower())
    at = kernel_matrix(np.array([float(place)]), lattice(degree), bandwidth).sum()
    assert at == pytest.approx(scan.max(), rel=2e-3)


def test_a_release_without_noise_is_the_estimate_on_the_lattice():
    data = np.random.default_rng(1).normal(size=(40, 2))
    made = release(data, -6.0, 6.0, 8, 0.5, 0.0, np.random.default_rng(2))
    nodes = -6 + 12 * lattice(8)
    assert made.values / 144 == pytest.approx(kernel_density(data, [nodes, nodes], 0.5), rel=1e-10)
    assert made.degree == 8
    # the integral of a Bernstein polynomial is the mean of its coefficients
    axis = np.linspace(-6, 6, 401)
    step = np.full(401, 12 / 400)
    step[[0, -1]] /= 2
    assert step @ made.function([axis, axis]) @ step == pytest.approx(made.values.mean(), rel=1e-3)


def test_the_noise_is_laplace_of_the_scale():
    data = np.full((5, 1), 0.5)
    plain = release(data, 0.0, 1.0, 4000, 0.1, 0.0, np.random.default_rng(3)).values
    noise = release(data, 0.0, 1.0, 4000, 0.1, 2.0, np.random.default_rng(3)).values - plain
    # |noise| has mean b and variance b^2: six standard errors of 4001 draws, false alarm below 2e-9
    assert abs(np.abs(noise).mean() - 2.0) < 6 * 2.0 / np.sqrt(4001)
    assert abs((noise > 0).mean() - 0.5) < 6 * 0.5 / np.sqrt(4001)
    same = release(data, 0.0, 1.0, 4000, 0.1, 2.0, np.random.default_rng(3)).values - plain
    assert (noise == same).all()


@pytest.mark.parametrize("repair", ["shift", "clip"])
def test_repairs_make_densities_and_keep_densities(repair):
    weights = np.array([0.2, 0.3, 0.5])
    given = np.array([[-1.0, 2.0, 3.0], [0.5, 1.5, 0.9], [-1.0, -1.0, -1.0]])
    found = repaired(given, weights, repair)
    assert found.min() >= 0
    assert found @ weights == pytest.approx(np.ones(3))
    assert found[1] == pytest.approx(given[1])  # a density already
    assert found[2] == pytest.approx(np.ones(3))  # nowhere positive: uniform
    mixed = repaired(given, weights, repair, uniform=0.1)
    assert mixed == pytest.approx(0.9 * found + 0.1)
    assert repair_error(0.1, 3.0, "shift") == 2 * repair_error(0.1, 3.0, "clip")
