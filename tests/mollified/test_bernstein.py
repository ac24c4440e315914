"""Bernstein polynomials: exact facts, against the definition and against the float versions."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binom

from mollified.releases.bernstein import basis, coefficients, exact_basis, lattice, polynomial

POINTS = [F(0), F(1, 7), F(1, 2), F(9, 10), F(1)]


@pytest.mark.parametrize("degree", [1, 2, 7, 20])
def test_partition_of_unity_and_linear_precision_are_exact(degree):
    for y in POINTS:
        values = exact_basis(degree, y)
        assert sum(values) == 1
        assert sum(F(v, degree) * b for v, b in enumerate(values)) == y
        # the second moment shows the bias: B(t^2) = y^2 + y(1-y)/K
        assert sum(F(v, degree) ** 2 * b for v, b in enumerate(values)) == y**2 + y * (1 - y) / degree


@pytest.mark.parametrize("degree", [1, 5, 40])
def test_the_basis_agrees_with_the_binomial_law_and_with_the_exact_one(degree):
    y = np.array([float(p) for p in POINTS])
    values = basis(degree, y)
    assert values == pytest.approx(binom.pmf(np.arange(degree + 1)[None, :], degree, y[:, None]), abs=1e-13)
    for row, place in zip(values, POINTS, strict=True):
        assert row == pytest.approx([float(b) for b in exact_basis(degree, place)], abs=1e-12)
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


def test_a_product_stays_a_product_and_a_plane_stays_a_plane():
    y = np.linspace(0, 1, 9)
    values = np.add.outer(lattice(5), 2 * lattice(5))
    assert polynomial(values, [y, y]) == pytest.approx(np.add.outer(y, 2 * y), abs=1e-13)
    one, two = np.random.default_rng(4).normal(size=(2, 6))
    product = polynomial(np.outer(one, two), [y, y])
    assert product == pytest.approx(np.outer(polynomial(one, [y]), polynomial(two, [y])), abs=1e-13)


def test_higher_orders_have_less_bias_on_a_smooth_function():
    y = np.linspace(0, 1, 101)
    gaps = [
        np.abs(polynomial(coefficients(np.sin(3 * lattice(20)), order), [y]) - np.sin(3 * y)).max()
        for order in (1, 2, 3)
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[2] < gaps[0] / 10
