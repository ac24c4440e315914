"""Gaussian distributions in any dimension."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import ndtri

from mollified._validate import (
    Array,
    check_array,
    check_count,
    check_interval,
    check_points,
    check_rng,
)

__all__ = ["Gaussian"]


class Gaussian:
    """Hold the law N(m, S) on R^d.

    Its density is exp(-(x-m)' S^-1 (x-m)/2) / sqrt((2 pi)^d det S). `mean` has shape
    (d,). `covariance` is a number v > 0 (a variance: S = v I) or a symmetric positive
    definite matrix of shape (d, d).

    Raises ValueError or TypeError where `mean` is not a vector, or `covariance` is
    neither.
    """

    def __init__(self, mean: Array, covariance: float | Array) -> None:
        self._mean = check_array("mean", mean, ndim=1).copy()
        dim = self._mean.size
        matrix = check_array("covariance", covariance)
        if matrix.ndim == 0:
            matrix = float(matrix) * np.eye(dim)
        if matrix.shape != (dim, dim):
            raise ValueError(
                f"covariance must be a number or have shape ({dim}, {dim})"
            )
        if not np.allclose(matrix, matrix.T, rtol=1e-12, atol=0.0):
            raise ValueError("covariance must be symmetric")
        try:
            self._root = np.linalg.cholesky(matrix)
        except np.linalg.LinAlgError:
            raise ValueError("covariance must be positive definite") from None
        self._covariance = matrix.copy()
        self._axes_apart = not np.tril(self._root, -1).any()
        self._mean.flags.writeable = self._covariance.flags.writeable = False
        log_root_det = math.fsum(np.log(np.diag(self._root)))
        self._log_constant = -0.5 * dim * math.log(2.0 * math.pi) - log_root_det

    @classmethod
    def standard(cls, dim: int) -> Gaussian:
        """Return N(0, I) in dimension `dim`, Q0 of the experiments (section 5).

        Raises ValueError or TypeError where `dim` is not an integer >= 1.
        """
        return cls(np.zeros(check_count("dim", dim)), 1.0)

    def __repr__(self) -> str:
        return f"Gaussian({self._mean.tolist()}, {self._covariance.tolist()})"

    @property
    def dim(self) -> int:
        """The dimension d of a point."""
        return int(self._mean.size)

    @property
    def mean(self) -> Array:
        """The mean, shape (d,), read-only."""
        return self._mean

    @property
    def covariance(self) -> Array:
        """The covariance matrix, shape (d, d), read-only."""
        return self._covariance

    def log_prob(self, x: Array) -> Array:
        """Return the log density in nats at points of shape (n, d); shape (n,).

        Where the squared distance to the mean overflows, the result is -inf.

        Raises ValueError or TypeError where `x` is not a finite array of shape (n, d).
        """
        points = check_points("x", x, self.dim)
        with np.errstate(over="ignore", invalid="ignore"):
            # Axes that do not mix are divided, which takes a fraction of the time of a
            # triangular solve.
            if self._axes_apart:
                scaled = (points - self._mean).T / np.diag(self._root)[:, np.newaxis]
            else:
                scaled = solve_triangular(
                    self._root, (points - self._mean).T, lower=True, check_finite=False
                )
            square = np.sum(scaled * scaled, axis=0)
        return self._log_constant - 0.5 * np.where(np.isnan(square), np.inf, square)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Return `n` independent draws m + L z, shape (n, d).

        S = L L' and z is standard normal. Idealised numerics: floats stand for reals.
        Raises ValueError or TypeError where `n` is not an integer >= 1 or `rng` is not
        a Generator.
        """
        count = check_count("n", n)
        normal = check_rng("rng", rng).standard_normal((count, self.dim))
        return self._mean + normal @ self._root.T

    def box(self, mass: float) -> tuple[Array, Array]:
        """Return the corners (d,) of a box around the mean, at most `mass` outside it.

        Each axis gets `mass`/d by its exact marginal: half widths t sqrt(S_ii) with 2 d
        Phi(-t) = mass. The sum over axes is a union bound, so that the mass outside
        errs on the small side.

        Raises ValueError or TypeError where `mass` is not a number in (0, 1).
        """
        share = check_interval(
            "mass", mass, 0.0, 1.0, open_low=True, open_high=True
        ) / (2.0 * self.dim)
        share = (
            share if share > 1e-300 else math.nextafter(share, 0.0)
        )  # a quotient among the smallest floats
        half = (1.0 + 1e-12) * float(-ndtri(share)) * np.sqrt(np.diag(self._covariance))
        lower = self._mean - half
        upper = self._mean + half
        far = (
            np.abs(self._mean) > 1000 * half
        )  # there the margin may be lost in the digits of the mean
        return np.where(far, np.nextafter(lower, -np.inf), lower), np.where(
            far, np.nextafter(upper, np.inf), upper
        )
