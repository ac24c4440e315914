"""Bernstein polynomials: exact facts, against the definition and against the float versions."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binom

from mollified.releases.bernstein import basis, coefficients, lattice, polynomial

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
