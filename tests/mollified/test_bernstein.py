"""Bernstein polynomials, their sensitivity on the lattice, the release with its noise, and the repairs."""

import numpy as np
import pytest
from scipy.stats import binom

from mollified.laws.kernel_density import kernel_density
from mollified.mollifiers import repair_error, repaired
from mollified.releases import lattice_sensitivity
from mollified.releases.bernstein import coefficients, lattice, polynomial
from mollified.releases.bernstein_release import release
from tests.mollified.helpers import ALPHA, ks


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("dim", [1, 2])
def test_the_iterated_operator_is_the_complement_of_the_power_of_the_complement(order, dim):
    """The basis is that of the binomial law; in the plane the powers are those of the whole operator."""
    degree = 4
    values = np.random.default_rng(2).normal(size=(degree + 1,) * dim)
    one = binom.pmf(np.arange(degree + 1), degree, lattice(degree)[:, np.newaxis])
    matrix = one if dim == 1 else np.kron(one, one)
    identity = np.eye(len(matrix))
    expected = (identity - np.linalg.matrix_power(identity - matrix, order)) @ values.ravel()
    at_nodes = polynomial(coefficients(values, order), [lattice(degree)] * dim)
    assert at_nodes.ravel() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("degree", "dim", "bandwidth"),
    [(20, 1, 0.02), (20, 2, 0.02), (10, 2, 0.1), (7, 1, 0.5), (40, 1, 0.004), (1, 1, 0.01), (3, 2, 3.0)],
)
def test_no_pair_of_records_moves_the_values_further_than_the_bound(degree, dim, bandwidth):
    found = lattice_sensitivity(degree, dim, bandwidth)
    rng, nodes = np.random.default_rng(1), lattice(degree)
    for trial in range(300):
        pair = rng.random((2, dim))
        if trial % 2:  # near the corners and the nodes, where the sums are largest
            pair = np.clip(np.round(pair * degree) / degree + rng.normal(size=(2, dim)) * bandwidth / 10, 0, 1)
        one, two = (kernel_density(x[np.newaxis], [nodes] * dim, bandwidth) for x in pair)
        assert float(np.abs(one - two).sum()) <= found.upper * (1 + 1e-12)
    assert (0.997 if bandwidth <= 0.02 else 0) * found.upper <= found.lower <= found.upper


def test_a_release_without_noise_is_the_estimate_on_the_lattice():
    data = np.random.default_rng(1).normal(size=(40, 2))
    made = release(data, -6.0, 6.0, 8, 0.5, 0.0, np.random.default_rng(2))
    nodes = -6 + 12 * lattice(8)
    assert made.values / 144 == pytest.approx(kernel_density(data, [nodes, nodes], 0.5), rel=1e-10)
    assert made.degree == 8
    axis = np.linspace(-6, 6, 401)
    integral = np.trapezoid(np.trapezoid(made.function([axis, axis]), axis), axis)
    assert integral == pytest.approx(made.values.mean(), rel=1e-3)  # the mean of the coefficients


def test_the_noise_is_laplace_of_the_scale():
    data = np.full((5, 1), 0.5)
    plain, noisy, again = (
        release(data, 0.0, 1.0, 4000, 0.1, scale, np.random.default_rng(3)).values for scale in (0.0, 2.0, 2.0)
    )
    assert ks((noisy - plain) / 2.0, "laplace") > ALPHA > ks((noisy - plain) / 2.5, "laplace")
    assert (noisy == again).all()


@pytest.mark.parametrize("repair", ["shift", "clip"])
def test_repairs_make_densities_and_keep_densities(repair):
    weights = np.array([0.2, 0.3, 0.5])
    given = np.array([[-1.0, 2.0, 3.0], [0.5, 1.5, 0.9], [-1.0, -1.0, -1.0]])
    found = repaired(given, weights, repair)
    assert found.min() >= 0
    assert found @ weights == pytest.approx(np.ones(3))
    assert found[1] == pytest.approx(given[1])  # a density already
    assert found[2] == pytest.approx(np.ones(3))  # nowhere positive: uniform
    assert repaired(given, weights, repair, uniform=0.1) == pytest.approx(0.9 * found + 0.1)
    assert repair_error(0.1, 3.0, "shift") == 2 * repair_error(0.1, 3.0, "clip")
