r"""Bernstein polynomials on the unit cube.

The lattice, the basis, the operator $B_K$ and its iterates. On $[0,1]^d$ the operator
sends a function $F$ to the polynomial $B_KF(y)=\sum_vF(v/K)\,b_v(y)$ with
$b_v(y)=\prod_j\binom K{v_j}y_j^{v_j}(1-y_j)^{K-v_j}$. The basis is a partition of
unity, and $B_K$ keeps linear functions. The iterated operator
$I-(I-B_K)^h=\sum_{i=1}^h\binom hi(-1)^{i-1}B_K^i$ has a smaller bias and is not
positive. Source: Aldà and Rubinstein, The Bernstein mechanism (2017), sections 2 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from mollified._validate import Array

__all__ = ["basis", "coefficients", "lattice", "polynomial"]


def lattice(degree: int) -> Array:
    """Return the nodes 0, 1/K, ..., 1 of one axis, shape (K+1,)."""
    nodes: Array = np.arange(degree + 1) / degree
    return nodes


def basis(degree: int, y: Array) -> Array:
    r"""Return $\binom Kvy^v(1-y)^{K-v}$, shape (n, K+1), at points of [0, 1].

    The points are an array (n,). By logarithms, with a relative error of about
    $K\,2^{-53}$ an entry; no overflow for any degree.
    """
    powers = np.arange(degree + 1.0)
    others = degree - powers
    log_choose = gammaln(degree + 1.0) - gammaln(powers + 1.0) - gammaln(others + 1.0)
    column = y[:, np.newaxis]
    logs = log_choose + xlogy(powers, column) + xlog1py(others, -column)
    values: Array = np.exp(logs)
    return values


@lru_cache(maxsize=32)
def _at_nodes(degree: int) -> Array:
    """Return the matrix of $B_K$ from values on the nodes to values on the nodes."""
    matrix = basis(degree, lattice(degree))
    matrix.flags.writeable = False
    return matrix


def _along_axis(matrix: Array, values: Array, axis: int) -> Array:
    product = np.tensordot(matrix, values, axes=([1], [axis]))
    return np.moveaxis(product, 0, axis)


def _along_axes(matrix: Array, values: Array) -> Array:
    """Apply one matrix along each axis of an array."""
    for axis in range(values.ndim):
        values = _along_axis(matrix, values, axis)
    return values


def coefficients(values: Array, order: int = 1) -> Array:
    r"""Return the Bernstein coefficients of the iterated operator of order h.

    They have the shape of `values`. `values` has shape (K+1,) * d: a function on the
    lattice, in C order of the axes. Order 1 is $B_K$ itself and returns the values. In
    d dimensions $B_K$ acts along every axis, and the powers are those of the whole
    operator.
    """
    matrix = _at_nodes(values.shape[0] - 1)
    power = values
    total = np.zeros_like(values)
    for i in range(1, order + 1):
        total = total + (-1) ** (i - 1) * math.comb(order, i) * power
        power = _along_axes(matrix, power) if i < order else power
    return total


def polynomial(table: Array, axes: Sequence[Array]) -> Array:
    r"""Return $\sum_vc_vb_v$ on a tensor grid, one array of [0, 1] an axis.

    `table` has the shape (K+1,) * d. The result has the shape of the grid.
    """
    values = table
    for axis, places in enumerate(list(axes)):
        matrix = basis(values.shape[axis] - 1, places)
        values = _along_axis(matrix, values, axis)
    return values
