r"""Mode coverage: the mass that the target has on the high-density region of a model (v1, v2, v3, section 5)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mollified._validate import Array
from mollified.laws.spaces import IntegrationSpace

__all__ = ["mode_coverage"]


def mode_coverage(
    log_model: Array,
    log_target: Array,
    space: IntegrationSpace,
    level: float = 0.95,
    form: Literal["high-density", "printed"] = "high-density",
) -> float:
    r"""Return the mass of $P$ where the model $q$ is high, the region holding `level` of $Q$'s own mass.

    "high-density": $P(q\ge t)$ with $Q(q\ge t)=$ `level`: what the text describes and
    the authors' code computes. "printed": $P(q<t)$ with $Q(q<t)=$ `level`, which keeps
    the 95 % where the model is *lowest*. Logs have shape (N,), at the points of the
    space; both laws are normalised on it. Points are taken by falling (rising) density,
    and the one that crosses `level` counts in part, so that a $t$ is not needed: where
    the density is constant across the level, that point's share stands for a region
    that no $t$ cuts out. The error is at most the target's mass on one cell.
    """
    q, p = (
        np.exp(item - item.max()) * space.weights for item in (log_model, log_target)
    )
    order = np.argsort(
        -log_model if form == "high-density" else log_model, kind="stable"
    )
    held = np.cumsum(q[order]) / q.sum()
    covered = np.cumsum(p[order]) / p.sum()
    return float(np.interp(level, np.append(0.0, held), np.append(0.0, covered)))
