"""Distributions on finitely many points, the indices 0..k-1."""

from __future__ import annotations

import numpy as np

from mollified._validate import (
    Array,
    check_count,
    check_points,
    check_probabilities,
    check_rng,
)

__all__ = ["Discrete"]


class Discrete:
    """Hold the law P(X = i) = probabilities[i] on the indices 0..k-1.

    Points are indices in float arrays of shape (n, 1), so that finite spaces look like
    all others. Probabilities may be zero; their total may miss one by rounding (1e-9)
    and is not corrected.

    Raises ValueError or TypeError where `probabilities` is not a vector of numbers >= 0
    with total one.
    """

    def __init__(self, probabilities: Array) -> None:
        self._probabilities = check_probabilities("probabilities", probabilities).copy()
        self._probabilities.flags.writeable = False
        positive = self._probabilities > 0
        self._logs = np.full(self._probabilities.shape, -np.inf)
        np.log(self._probabilities, where=positive, out=self._logs)
        self._logs.flags.writeable = False
        cumulative = np.cumsum(self._probabilities)
        self._cumulative = cumulative / cumulative[-1]

    def __repr__(self) -> str:
        return f"Discrete({self._probabilities.tolist()})"

    @property
    def dim(self) -> int:
        """The dimension of a point: one (its index)."""
        return 1

    @property
    def size(self) -> int:
        """The number k of points."""
        return int(self._probabilities.size)

    @property
    def probabilities(self) -> Array:
        """The probabilities, shape (k,), read-only."""
        return self._probabilities

    @property
    def log_probabilities(self) -> Array:
        """The logs of the probabilities in nats, shape (k,), read-only.

        A probability of zero has -inf.
        """
        return self._logs

    def log_prob(self, x: Array) -> Array:
        """Return log P(X = x) in nats at points of shape (n, 1); shape (n,).

        A number that is not one of the indices 0..k-1 has log probability -inf.

        Raises ValueError or TypeError where `x` is not a finite array of shape (n, 1).
        """
        values = check_points("x", x, 1)[:, 0]
        index = np.clip(values, 0, self.size - 1).astype(np.intp)
        return np.where(index == values, self._logs[index], -np.inf)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Return `n` independent draws as indices, shape (n, 1), by inversion.

        An index of probability zero is never drawn. The uniform numbers have 53 bits:
        each probability, divided by their total, is met within (k + 3) 1e-16. Idealised
        numerics: `FiniteSampler` draws exactly.

        Raises ValueError or TypeError where `n` is not an integer >= 1 or `rng` is not
        a Generator.
        """
        count = check_count("n", n)
        uniform = check_rng("rng", rng).random(count)
        return np.searchsorted(self._cumulative, uniform, side="right").astype(
            np.float64
        )[:, np.newaxis]
