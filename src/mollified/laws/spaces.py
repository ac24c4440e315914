"""Spaces on which densities are integrated: finite sets, and boxes.

The boxes are of one or two dimensions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from mollified._validate import Array, check_array, check_count, check_interval, echo
from mollified.laws._validate_densities import check_log_values
from mollified.laws.distributions import Boxed
from mollified.privacy.exact_level import nearest_float

__all__ = ["FiniteSpace", "Grid", "Integral", "IntegrationSpace"]

#: Rounding of a sum of up to a million products, relative to the sum of their absolute
#: values.
ROUNDING = 32.0 * 2.0**-53
#: The nodes of an axis, on the line and in the plane, unless they are passed.
NODES = {1: 16001, 2: 401}
#: The trapezoid rules take every node, every second and every fourth one.
STEPS = (1, 2, 4)


@dataclass(frozen=True)
class Integral:
    """Hold the value of an integral and an estimate of its absolute error.

    Both are in the units of the value.
    """

    value: float
    error: float


class IntegrationSpace(Protocol):
    """Describe a space with points (N, d) at which a function is given by N values."""

    @property
    def dim(self) -> int:
        """The dimension d of a point."""
        ...

    @property
    def points(self) -> Array:
        """The points, shape (N, d)."""
        ...

    @property
    def weights(self) -> Array:
        """The measure that each point stands for, shape (N,)."""
        ...

    def integrate(self, values: Array) -> Integral:
        """Return the integral of a function by its values at the points, shape (N,)."""
        ...

    def log_integral(self, log_values: Array) -> Integral:
        """Return the log of the integral of a function >= 0 by its logs, shape (N,)."""
        ...

    def supremum(self, values: Array) -> Integral:
        """Return the largest value, -inf allowed among `values`, shape (N,)."""
        ...


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array


def _sum(values: Array) -> float:
    """Return a sum, correctly rounded; infinite above the largest float."""
    try:
        return math.fsum(values)
    except OverflowError:  # a part of the sum is above it
        return nearest_float(sum(map(Fraction, values.tolist()), Fraction(0)))


class FiniteSpace:
    """Hold the points 0..size-1 under the counting measure.

    Sums on it have error 0 (up to one rounding). Raises ValueError or TypeError where
    `size` is not an integer >= 1.
    """

    def __init__(self, size: int) -> None:
        count = check_count("size", size)
        self._points = _frozen(np.arange(count, dtype=np.float64)[:, np.newaxis])
        self._weights = _frozen(np.ones(count))

    def __repr__(self) -> str:
        return f"FiniteSpace({self._weights.size})"

    @property
    def dim(self) -> int:
        """The dimension of a point: one (its index)."""
        return 1

    @property
    def points(self) -> Array:
        """The indices 0..size-1, shape (size, 1), read-only."""
        return self._points

    @property
    def weights(self) -> Array:
        """Ones, shape (size,), read-only."""
        return self._weights

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape (size,) of an array of values."""
        return self._weights.shape

    def integrate(self, values: Array) -> Integral:
        """Return the sum of `values`, shape (size,), correctly rounded.

        Raises ValueError or TypeError where `values` is not a finite array of shape
        (size,).
        """
        return Integral(_sum(check_array("values", values, shape=self.shape)), 0.0)

    def log_integral(self, log_values: Array) -> Integral:
        """Return log sum_i exp(log_values[i]), -inf where all are -inf.

        `log_values` has shape (size,). Raises ValueError or TypeError where
        `log_values` has another shape, NaN or +inf.
        """
        logs = check_log_values("log_values", log_values, self._weights.size)
        top = float(logs.max())
        if top == -math.inf:
            return Integral(-math.inf, 0.0)
        return Integral(top + math.log(math.fsum(np.exp(logs - top))), 0.0)

    def supremum(self, values: Array) -> Integral:
        """Return the largest of `values`, shape (size,), with error 0.

        Raises ValueError or TypeError where `values` has another shape, NaN or +inf.
        """
        logs = check_log_values("values", values, self._weights.size)
        return Integral(float(logs.max()), 0.0)


def _check_nodes(nodes: int | Sequence[int], dim: int) -> list[int]:
    """Return the number of nodes on each axis, of the form 4 k + 1."""
    if isinstance(nodes, Sequence) and not isinstance(nodes, str):
        counts = list(nodes)
    else:
        counts = [nodes] * dim
    if len(counts) != dim:
        raise ValueError(f"nodes must have {dim} entries, got {echo('nodes', nodes)}")
    for count in counts:
        if check_count("nodes", count, minimum=5) % 4 != 1:
            raise ValueError(
                "nodes must be of the form 4 k + 1 on every axis, got "
                f"{echo('nodes', nodes)}"
            )
    return counts


def _check_boxed(distributions: Sequence[Boxed]) -> int:
    """Return the dimension, 1 or 2, of distributions that all know a box."""
    if not isinstance(distributions, Sequence) or not distributions:
        raise TypeError(
            "distributions must be a non-empty sequence, got "
            f"{echo('distributions', distributions)}"
        )
    if not all(callable(getattr(item, "box", None)) for item in distributions):
        raise TypeError("distributions must all have a method box()")
    dims = {item.dim for item in distributions}
    if len(dims) != 1 or distributions[0].dim > 2:
        raise ValueError("distributions must all have dimension 1 or all 2")
    return distributions[0].dim


class Grid:
    """Hold a box with equidistant nodes and the tensor trapezoid rule.

    It has one or two dimensions. `lower` and `upper` have shape (d,), d in {1, 2};
    `nodes` is a number, or one for each axis, of the form 4 k + 1, so that every second
    and every fourth node make coarser rules of their own. Values at the points are in C
    order: `values.reshape(grid.shape)[i, j]` belongs to (axes[0][i], axes[1][j]).

    The error of an integral is estimated, at no further evaluation, by max(|T_h -
    T_2h|, |T_2h - T_4h| / 4) + rounding. It is an estimate and not a bound. On the
    line, and for small steps, it is three times the error for a smooth function, and
    far more than the error for a smooth function whose slope is the same at both ends;
    at least the error for one jump, and for one kink where the slope vanishes at both
    ends; and at least a third of the error for a function that is smooth but for one
    kink. What lies outside the box is not seen.

    Raises ValueError or TypeError where `lower`, `upper` or `nodes` are not as said.
    """

    def __init__(self, lower: Array, upper: Array, nodes: int | Sequence[int]) -> None:
        low = check_array("lower", lower, ndim=1)
        if low.size > 2:
            raise ValueError(
                f"lower must have 1 or 2 entries, got {echo('lower', lower)}"
            )
        high = check_array("upper", upper, ndim=1, shape=low.shape)
        if not (low < high).all():
            raise ValueError("upper must exceed lower on every axis")
        counts = _check_nodes(nodes, low.size)
        self._axes = tuple(
            _frozen(np.linspace(start, end, count))
            for start, end, count in zip(low, high, counts, strict=True)
        )
        mesh = np.meshgrid(*self._axes, indexing="ij")
        self._points = _frozen(np.column_stack([axis.ravel() for axis in mesh]))
        self._rules = tuple(_frozen(self._rule(step)) for step in STEPS)
        self._weights = _frozen(self._rules[0].ravel())

    def _rule(self, step: int) -> Array:
        rule = np.ones(())
        for axis in self._axes:
            cells = axis.size - 1
            width = (axis[-1] - axis[0]) * step / cells
            weights = np.full(cells // step + 1, width)
            weights[[0, -1]] *= 0.5
            rule = np.multiply.outer(rule, weights)
        return rule

    @classmethod
    def covering(
        cls,
        distributions: Sequence[Boxed],
        mass: float = 1e-12,
        nodes: int | Sequence[int] | None = None,
    ) -> Grid:
        """Return a grid on a box outside which all distributions have little mass.

        Each of `distributions` has at most `mass` there. The box holds `box(mass)` of
        each (exact tails of the marginals, joined by a union bound). `nodes` is 16001
        on the line and 401 by 401 in the plane unless given.

        Raises ValueError or TypeError where `distributions` is empty, one of them has
        no method `box`, their dimensions differ or exceed two, or `mass` is not in (0,
        1).
        """
        share = check_interval("mass", mass, 0.0, 1.0, open_low=True, open_high=True)
        dim = _check_boxed(distributions)
        lowers, uppers = zip(*(item.box(share) for item in distributions), strict=True)
        if nodes is None:
            nodes = NODES[dim]
        return cls(np.min(lowers, axis=0), np.max(uppers, axis=0), nodes)

    def __repr__(self) -> str:
        lower = [float(axis[0]) for axis in self._axes]
        upper = [float(axis[-1]) for axis in self._axes]
        return f"Grid({lower}, {upper}, {list(self.shape)})"

    @property
    def dim(self) -> int:
        """The dimension of a point, 1 or 2."""
        return len(self._axes)

    @property
    def axes(self) -> tuple[Array, ...]:
        """The nodes on each axis, read-only."""
        return self._axes

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of nodes on each axis."""
        return tuple(axis.size for axis in self._axes)

    @property
    def points(self) -> Array:
        """The nodes in C order, shape (N, d), read-only."""
        return self._points

    @property
    def weights(self) -> Array:
        """The weights of the trapezoid rule T_h, shape (N,), read-only."""
        return self._weights

    def integrate(self, values: Array) -> Integral:
        """Return T_h of a function by its values at the points, with an error estimate.

        `values` has shape (N,). Raises ValueError or TypeError where `values` is not a
        finite array of shape (N,).
        """
        array = check_array("values", values, shape=self._weights.shape)
        table = array.reshape(self.shape)
        every = [table[(slice(None, None, step),) * self.dim] for step in STEPS]
        fine, coarse, coarsest = (
            float(np.sum(rule * nodes))
            for rule, nodes in zip(self._rules, every, strict=True)
        )
        rounding = ROUNDING * float(np.sum(self._rules[0] * np.abs(table)))
        change = max(abs(fine - coarse), abs(coarse - coarsest) / 4.0)
        return Integral(fine, change + rounding)

    def log_integral(self, log_values: Array) -> Integral:
        """Return log T_h of a function by its logs at the points.

        `log_values` has shape (N,). With v and e the integral and its error after
        division by the largest value, the error of the log is -log(1 - e/v), the larger
        of its two sides, and inf where e >= v (so too where all is -inf).

        Raises ValueError or TypeError where `log_values` has another shape, NaN or
        +inf.
        """
        logs = check_log_values("log_values", log_values, self._weights.size)
        top = float(logs.max())
        if top == -math.inf:
            return Integral(-math.inf, math.inf)
        scaled = self.integrate(np.exp(logs - top))
        error = math.inf
        if scaled.error < scaled.value:
            error = -math.log1p(-scaled.error / scaled.value)
        return Integral(top + math.log(scaled.value), error)

    def supremum(self, values: Array) -> Integral:
        """Return the largest value at a node, with an error.

        The error is the largest change from that node to a neighbour. It errs on the
        small side: the supremum on the box is at least the value returned. Neighbours
        at -inf do not count. `values` has shape (N,).

        Raises ValueError or TypeError where `values` has another shape, NaN or +inf.
        """
        logs = check_log_values("values", values, self._weights.size)
        table = logs.reshape(self.shape)
        place = np.unravel_index(int(table.argmax()), self.shape)
        top = float(table[place])
        near = table[tuple(slice(max(i - 1, 0), i + 2) for i in place)]
        near = near[np.isfinite(near)]
        if not near.size:
            return Integral(top, 0.0)
        return Integral(top, top - float(near.min()))
