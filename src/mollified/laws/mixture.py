"""Finite mixtures of distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from scipy.special import logsumexp

from mollified._validate import (
    Array,
    check_count,
    check_interval,
    check_method,
    check_points,
    check_probabilities,
    check_rng,
)
from mollified.laws._validate_densities import check_distribution
from mollified.laws.discrete import Discrete
from mollified.laws.distributions import Distribution

if TYPE_CHECKING:
    from mollified.laws.distributions import Boxed

__all__ = ["Mixture"]


class Mixture:
    """Hold the law with density sum_i weights[i] * components[i].

    All components have one dimension d. Raises ValueError or TypeError where
    `components` is empty, holds something that is not a distribution or mixes
    dimensions, or where `weights` are not as many probabilities.
    """

    def __init__(self, components: Sequence[Distribution], weights: Array) -> None:
        if (
            not isinstance(components, Sequence)
            or isinstance(components, str)
            or not components
        ):
            raise TypeError("components must be a non-empty sequence of distributions")
        for component in components:
            try:
                check_distribution("components", component)
            except TypeError:
                raise TypeError("components must be distributions") from None
        if len({component.dim for component in components}) != 1:
            raise ValueError("components must have one dimension")
        self._components = tuple(components)
        self._labels = Discrete(
            check_probabilities("weights", weights, size=len(components))
        )

    def __repr__(self) -> str:
        return f"Mixture({list(self._components)!r}, {self.weights.tolist()})"

    @property
    def dim(self) -> int:
        """The dimension d of a point."""
        return self._components[0].dim

    @property
    def components(self) -> tuple[Distribution, ...]:
        """The components, in the order given."""
        return self._components

    @property
    def weights(self) -> Array:
        """The weights, shape (number of components,), read-only."""
        return self._labels.probabilities

    def log_prob(self, x: Array) -> Array:
        """Return log sum_i w_i p_i(x) in nats at points (n, d); shape (n,).

        Computed by logsumexp, so that it stays finite where every component underflows.

        Raises ValueError or TypeError where `x` is not a finite array of shape (n, d).
        """
        points = check_points("x", x, self.dim)
        logs = np.stack([component.log_prob(points) for component in self._components])
        joint = logs + self._labels.log_probabilities[:, np.newaxis]
        total = np.asarray(logsumexp(joint, axis=0))
        return total.astype(np.float64, copy=False)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Return `n` independent draws, (n, d): a component each, then a point from it.

        Idealised numerics, as in its components. Raises ValueError or TypeError where
        `n` is not an integer >= 1 or `rng` is not a Generator.
        """
        count = check_count("n", n)
        labels = self._labels.sample(count, check_rng("rng", rng))[:, 0]
        points = np.empty((count, self.dim))
        for index, component in enumerate(self._components):
            chosen = labels == index
            if chosen.any():
                points[chosen] = component.sample(int(chosen.sum()), rng)
        return points

    def box(self, mass: float) -> tuple[Array, Array]:
        """Return the corners, shapes (d,), of a box with at most `mass` outside it.

        The box holds the box of each component with positive weight, for the same
        `mass`; the mass outside it is the weighted mean of theirs, so that it errs on
        the small side.

        Raises ValueError where `mass` is not in (0, 1), TypeError where a component has
        no box.
        """
        share = check_interval("mass", mass, 0.0, 1.0, open_low=True, open_high=True)
        pairs = zip(self._components, self.weights, strict=True)
        used = [
            check_method("components", cast("Boxed", component), "box")
            for component, weight in pairs
            if weight > 0
        ]
        lowers, uppers = zip(*(component.box(share) for component in used), strict=True)
        return np.min(lowers, axis=0), np.max(uppers, axis=0)
