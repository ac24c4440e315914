"""What a distribution is here: a dimension, an exact log density and an exact sampler.

Points are float arrays of shape (n, d), also for d = 1; the points of a finite space
are the indices 0..k-1 as floats in an array of shape (n, 1). Log densities have shape
(n,), in nats, and are -inf outside the support; they are never NaN.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from mollified._validate import Array

__all__ = ["Boxed", "Distribution"]


@runtime_checkable
class Distribution(Protocol):
    """Describe a distribution that can be evaluated and sampled exactly."""

    @property
    def dim(self) -> int:
        """The dimension d of a point."""
        ...

    def log_prob(self, x: Array) -> Array:
        """Return the log density at points (n, d), shape (n,).

        On a finite space it is the log probability. Raises ValueError or TypeError
        where `x` is not a finite array of shape (n, d) with n >= 1.
        """
        ...

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Return `n` independent draws, shape (n, d), in an exchangeable order.

        In idealised numerics, as all here. Raises ValueError or TypeError where `n` is
        not an integer >= 1 or `rng` is not a Generator.
        """
        ...


@runtime_checkable
class Boxed(Distribution, Protocol):
    """Describe a distribution that knows a box outside which it has little mass."""

    def box(self, mass: float) -> tuple[Array, Array]:
        """Return corners, shapes (d,), of a box with less than `mass` outside it."""
        ...
