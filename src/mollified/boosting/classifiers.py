r"""Bounded classifiers $c:\mathcal X\to[-\log2,\log2]$, the statistics that MBDE adds up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from mollified._validate import Array, check_array, check_callable, check_eps, check_points, check_probabilities
from mollified.boosting.theta import LOG2

__all__ = ["BOUNDINGS", "BoundedLogit", "Bounding", "Classifier", "Tabular", "bounded", "edge"]

Bounding = Literal["clip", "tanh", "none"]

#: How a logit becomes a classifier. The papers leave it open; both bounded forms keep the sign of the logit.
#: "none" passes the logit through: it is no MBDE classifier, and serves as the broken variant in checks.
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
    r"""Return the logit brought into $[-\log2,\log2]$: clipped, or $\log2\,\tanh(\ell/2)$; shape unchanged.

    Raises ValueError for an unknown method. Source: the range is v1 section 3; the two maps are our reading of
    the sigmoid output in v1 (14), v3 (15): $\tanh(\ell/2)=2\sigma(\ell)-1$.
    """
    logit = check_array("logit", logit)
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
    r"""Turn a logit function into a classifier, by clipping or by $\log2\,\tanh(\ell/2)$.

    `logit` maps points (n, d) to (n,). `bound` is log 2 also where the method is "none": a promise that the
    membership check will find broken. Raises TypeError or ValueError for a bad logit or method.
    """

    logit: Callable[[Array], Array]
    method: Bounding

    def __post_init__(self) -> None:
        check_callable("logit", self.logit)
        if self.method not in BOUNDINGS:
            raise ValueError(f"method must be one of {', '.join(BOUNDINGS)}, got {self.method!r}")

    @property
    def bound(self) -> float:
        """The promised bound, log 2."""
        return LOG2

    def __call__(self, x: Array) -> Array:
        """Return the bounded logit at points of shape (n, d)."""
        return bounded(self.logit(x), self.method)


class Tabular:
    r"""A classifier on a finite space, given by its values, shape (k,); `bound` is $c^*=\max_x|c(x)|$.

    Raises ValueError for values that are not finite, all zero, or not of one dimension.
    """

    def __init__(self, values: object) -> None:
        self.values = check_array("values", values, ndim=1)
        self.bound = float(np.abs(self.values).max())
        if self.bound == 0:
            raise ValueError(f"values must not all be zero, got {values!r}")

    def __call__(self, x: Array) -> Array:
        """Return the values at indices of shape (n, 1); ValueError for anything else."""
        points = check_points("x", x, 1)[:, 0]
        if ((points < 0) | (points >= self.values.size) | (points != np.floor(points))).any():
            raise ValueError(f"x must hold indices 0..{self.values.size - 1}, got {x!r}")
        table: Array = self.values[points.astype(np.intp)]
        return table


def edge(values: object, law: object, bound: float) -> float:
    r"""Return the edge $\frac1{c^*}\mathbb E_P[c]$ of a classifier on a finite space.

    `values` and `law` have shape (k,), `bound` is $c^*>0$. Raises ValueError otherwise. Source: v1 (3).
    """
    table = check_array("values", values, ndim=1)
    weights = check_probabilities("law", law, size=table.size)
    return float(weights @ table) / check_eps("bound", bound)
