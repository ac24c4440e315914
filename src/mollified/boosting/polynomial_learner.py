r"""A weak learner with few parameters: the best polynomial logit on the line.

It is fitted to the laws themselves. With degree 2 the logit is that of two Gaussians.
Set beside the papers' network, with 1375 weights, it shows what the flexibility of the
classifiers adds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, log_expit

from mollified._validate import Array, check_count, check_rng
from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, Bounding, Classifier
from mollified.laws._validate_densities import check_distribution, check_space

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution
    from mollified.laws.spaces import Grid

__all__ = ["PolynomialLearner"]

#: Newton's method stops where the predicted gain of the next step is below this, in
#: nats.
GAIN = 1e-15


def _newton(features: Array, inside: Array, outside: Array) -> Array:
    """Return the weights with the smallest cross-entropy of two laws.

    The laws are given by masses at the nodes.
    """
    both = inside + outside
    weights = np.zeros(features.shape[1])

    def loss(at: Array) -> float:
        logit = features @ at
        return -float(inside @ log_expit(logit) + outside @ log_expit(-logit))

    for _ in range(200):
        guess = expit(features @ weights)
        gradient = features.T @ (both * guess - inside)
        curvature = (
            features * (both * guess * (1 - guess))[:, np.newaxis]
        ).T @ features
        step = np.linalg.solve(curvature, gradient)
        gain = float(gradient @ step)
        size = 1.0
        before = loss(weights)
        if gain < GAIN:
            break
        while loss(weights - size * step) > before - 1e-4 * size * gain and size > 1e-6:
            size /= 2
        weights = weights - size * step
    return weights


class PolynomialLearner:
    r"""Return the bounded polynomial logit with the smallest cross-entropy.

    The logit is $\beta_0+\beta_1x+\dots+\beta_dx^d$, the cross-entropy that of P and
    Q_{t-1}. The expectations are sums over the points of `space`, a grid on the line;
    Newton's method, no sample and no randomness. `method` is "clip" or "tanh". Raises
    ValueError or TypeError for a degree < 1, another method or space.
    """

    def __init__(self, degree: int, method: Bounding, space: Grid) -> None:
        self.degree = check_count("degree", degree)
        if method not in BOUNDINGS:
            raise ValueError(
                f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}"
            )
        if check_space("space", space).dim != 1:
            raise ValueError(f"space must have one dimension, got {space!r}")
        self.method = method
        self.space = space

    def _features(self, x: Array) -> Array:
        # Legendre polynomials of the box of the grid: the same functions, and a
        # curvature that can be inverted.
        low = float(self.space.points[0, 0])
        high = float(self.space.points[-1, 0])
        return np.asarray(
            np.polynomial.legendre.legvander(
                (2 * x[:, 0] - low - high) / (high - low), self.degree
            )
        )

    def fit(
        self,
        target: Distribution,
        current: Distribution,
        iteration: int,
        rng: np.random.Generator,
    ) -> Classifier:
        """Return the classifier; `iteration` and `rng` are checked and not used."""
        check_distribution("target", target)
        check_distribution("current", current)
        check_count("iteration", iteration)
        check_rng("rng", rng)
        points = self.space.points
        masses = [
            np.exp(law.log_prob(points)) * self.space.weights
            for law in (target, current)
        ]
        inside, outside = (mass / mass.sum() / 2 for mass in masses)
        weights = _newton(self._features(points), inside, outside)
        return BoundedLogit(lambda x: self._features(x) @ weights, self.method)
