r"""Bounded classifiers $c:\mathcal X\to[-\log2,\log2]$, which MBDE adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from mollified._validate import Array
from mollified.boosting.theta import LOG2

__all__ = ["BOUNDINGS", "BoundedLogit", "Bounding", "Classifier", "bounded"]

Bounding = Literal["clip", "tanh", "none"]

#: How a logit becomes a classifier. The papers leave it open; both bounded forms keep
#: the sign of the logit. "none" passes the logit through: it is no MBDE classifier, and
#: serves as the broken variant in checks.
BOUNDINGS: tuple[Bounding, ...] = ("clip", "tanh", "none")


class Classifier(Protocol):
    r"""A function with values in $[-c^*, c^*]$, where $c^*$ is `bound`."""

    @property
    def bound(self) -> float:
        """The bound on the absolute value that this classifier promises."""
        ...

    def __call__(self, x: Array) -> Array:
        """Return the values at points of shape (n, d); shape (n,)."""
        ...


def bounded(logit: Array, method: Bounding) -> Array:
    r"""Return the logit brought into $[-\log2,\log2]$; shape unchanged.

    It is clipped, or $\log2\,\tanh(\ell/2)$. Source: the range is v1 section 3; the two
    maps are our reading of the sigmoid output in v1 (14), v3 (15):
    $\tanh(\ell/2)=2\sigma(\ell)-1$.
    """
    if method == "clip":
        return np.clip(logit, -LOG2, LOG2)
    if method == "tanh":
        scaled: Array = LOG2 * np.tanh(logit / 2)
        return scaled
    if method == "none":
        return logit
    raise ValueError(f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}")


@dataclass(frozen=True)
class BoundedLogit:
    r"""Turn a logit function into a classifier.

    By clipping or by $\log2\,\tanh(\ell/2)$. `logit` maps points (n, d) to (n,).
    `bound` is log 2 also where the method is "none": a promise that the membership
    check will find broken.
    """

    logit: Callable[[Array], Array]
    method: Bounding

    @property
    def bound(self) -> float:
        """The promised bound, log 2."""
        return LOG2

    def __call__(self, x: Array) -> Array:
        """Return the bounded logit at points of shape (n, d)."""
        return bounded(self.logit(x), self.method)
