"""The uniform distribution on a box."""

from __future__ import annotations

import math

import numpy as np

from mollified._validate import (
    Array,
    check_array,
    check_count,
    check_interval,
    check_points,
    check_rng,
)

__all__ = ["Uniform"]


class Uniform:
    """Hold the uniform law on a closed box.

    The box is [lower_1, upper_1] x ... x [lower_d, upper_d]. `lower` and `upper` have
    shape (d,).

    Raises ValueError or TypeError where they are not vectors of one length with lower <
    upper.
    """

    def __init__(self, lower: Array, upper: Array) -> None:
        self._lower = check_array("lower", lower, ndim=1).copy()
        self._upper = check_array(
            "upper", upper, ndim=1, shape=self._lower.shape
        ).copy()
        if not (self._lower < self._upper).all():
            raise ValueError("upper must exceed lower on every axis")
        self._lower.flags.writeable = self._upper.flags.writeable = False
        self._log_density = -math.fsum(np.log(self._upper - self._lower))

    def __repr__(self) -> str:
        return f"Uniform({self._lower.tolist()}, {self._upper.tolist()})"

    @property
    def dim(self) -> int:
        """The dimension d of a point."""
        return int(self._lower.size)

    @property
    def lower(self) -> Array:
        """The lower corner, shape (d,), read-only."""
        return self._lower

    @property
    def upper(self) -> Array:
        """The upper corner, shape (d,), read-only."""
        return self._upper

    def log_prob(self, x: Array) -> Array:
        """Return minus the log volume in nats in the box, else -inf; shape (n,).

        The points have shape (n, d). Raises ValueError or TypeError where `x` is not a
        finite array of shape (n, d).
        """
        points = check_points("x", x, self.dim)
        inside = ((points >= self._lower) & (points <= self._upper)).all(axis=1)
        return np.where(inside, self._log_density, -np.inf)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Return `n` independent draws, shape (n, d).

        Idealised numerics: floats stand for reals. Raises ValueError or TypeError where
        `n` is not an integer >= 1 or `rng` is not a Generator.
        """
        count = check_count("n", n)
        uniform = check_rng("rng", rng).random((count, self.dim))
        return np.clip(
            self._lower + (self._upper - self._lower) * uniform,
            self._lower,
            self._upper,
        )

    def box(self, mass: float) -> tuple[Array, Array]:
        """Return the corners, shapes (d,), of the box itself.

        Nothing lies outside it, whatever `mass`. Raises ValueError or TypeError where
        `mass` is not a number in (0, 1).
        """
        check_interval("mass", mass, 0.0, 1.0, open_low=True, open_high=True)
        return self._lower, self._upper
