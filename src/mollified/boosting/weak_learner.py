r"""Weak learners: oracles that tell a target from the current density."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from mollified._validate import Array, check_count, check_method, check_rng
from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, Bounding, Classifier

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["BayesLearner", "WeakLearner"]


class WeakLearner(Protocol):
    r"""An oracle that returns a classifier with positive edges.

    Its edges are those on the target $P$ against the current $Q$.
    """

    def fit(
        self,
        target: Distribution,
        current: Distribution,
        iteration: int,
        rng: np.random.Generator,
    ) -> Classifier:
        """Return the classifier $c_t$ for the pair (P, Q_{t-1}) at iteration t >= 1."""
        ...


def _log_odds(target: Distribution, current: Distribution, x: Array) -> Array:
    """Return log P/Q, 0 where both are zero, +-700 where one is.

    700 is beyond every bound.
    """
    above = target.log_prob(x)
    below = current.log_prob(x)
    both = (above == -np.inf) & (below == -np.inf)
    with np.errstate(invalid="ignore"):
        odds: Array = np.where(both, 0.0, above - below)
    return np.clip(odds, -700.0, 700.0)


def _check_fit(target: object, current: object, iteration: object, rng: object) -> None:
    check_method("target", target, "log_prob")
    check_method("current", current, "log_prob")
    check_count("iteration", iteration)
    check_rng("rng", rng)


class BayesLearner:
    r"""Return the bounded log-odds $\log P/Q_{t-1}$.

    It is what a perfectly trained classifier would give. It knows both densities, so it
    needs no samples and no randomness; it shows what the algorithm can do when learning
    is no obstacle. `method` is "clip" or "tanh" ("none" breaks the promise, for
    checks). Raises ValueError for another method.
    """

    def __init__(self, method: Bounding) -> None:
        if method not in BOUNDINGS:
            raise ValueError(
                f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}"
            )
        self.method = method

    def fit(
        self,
        target: Distribution,
        current: Distribution,
        iteration: int,
        rng: np.random.Generator,
    ) -> Classifier:
        """Return the classifier; `iteration` and `rng` are checked and not used."""
        _check_fit(target, current, iteration, rng)
        return BoundedLogit(lambda x: _log_odds(target, current, x), self.method)
