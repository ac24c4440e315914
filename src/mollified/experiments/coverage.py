r"""Mode coverage: the mass that the target has on the high-density region of a model (v1, v2, v3, section 5)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from mollified._validate import Array, check_interval
from mollified.laws._densities import check_log_values, check_space, echo
from mollified.laws.spaces import Space

__all__ = ["mode_coverage"]


def mode_coverage(
    log_model: Array,
    log_target: Array,
    space: Space,
    level: float = 0.95,
    form: Literal["high-density", "printed"] = "high-density",
) -> float:
    r"""Return the mass of $P$ where the model $q$ is high, the region holding `level` of $Q$'s own mass.

    "high-density": $P(q\ge t)$ with $Q(q\ge t)=$ `level`: what the text describes and the authors' code computes.
    "printed": $P(q<t)$ with $Q(q<t)=$ `level`, which keeps the 95 % where the model is *lowest*. Logs have shape
    (N,), at the points of the space; both laws are normalised on it. Points are taken by falling (rising) density,
    and the one that crosses `level` counts in part, so that a $t$ is not needed: where the density is constant across
    the level, that point's share stands for a region that no $t$ cuts out. The error is at most the target's mass on
    one cell. Raises ValueError or TypeError for other shapes, no mass, a level outside (0, 1) or another form.
    """
    check_space("space", space)
    size = len(space.points)
    model, target = check_log_values("log_model", log_model, size), check_log_values("log_target", log_target, size)
    level = check_interval("level", level, 0.0, 1.0, open_low=True, open_high=True)
    if form not in ("high-density", "printed"):
        raise ValueError(f"form must be high-density or printed, got {form!r}")
    for name, logs in (("log_model", model), ("log_target", target)):
        if logs.max() == -np.inf:
            raise ValueError(f"{name} must be finite at one point at least, got {echo(logs)}")
    q, p = (np.exp(item - item.max()) * space.weights for item in (model, target))
    order = np.argsort(-model if form == "high-density" else model, kind="stable")
    held, covered = np.cumsum(q[order]) / q.sum(), np.cumsum(p[order]) / p.sum()
    return float(np.interp(level, np.append(0.0, held), np.append(0.0, covered)))
