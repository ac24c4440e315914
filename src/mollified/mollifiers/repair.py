r"""Make a density of a function that may be negative.

By shift and scale, or by clip and scale. Both read the function alone and no data, so
that they are post-processing. Let F >= 0 be a density on a set of measure one with
$F\le M$, and $|f-F|\le\eta<1$. Then (our bounds) the result q of a repair satisfies
$|q-F|\le\frac{s\eta(1+M)}{1-\eta}$, with s = 2 for a shift and s = 1 for clipping.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from mollified._validate import Array, check_array, check_eps, check_interval, echo

__all__ = ["Repair", "repair_error", "repaired"]

Repair = Literal["shift", "clip"]


def _check_repair(repair: object) -> None:
    if repair not in ("shift", "clip"):
        raise ValueError(f"repair must be shift or clip, got {echo('repair', repair)}")


def repaired(
    values: Array,
    weights: Array,
    repair: Repair,
    *,
    uniform: float = 0.0,
) -> Array:
    r"""Return densities made of functions that are given at nodes.

    `values` has shape (..., N), `weights` shape (N,). "shift" subtracts the smallest
    value where it is negative, "clip" sets negative values to zero; then the result is
    divided by its integral $\sum_iw_iq_i$ and mixed with a share `uniform` of the
    constant density, which is public. The smallest value at a node stands for the
    smallest value. A function that is nowhere positive gives the constant density.
    Raises ValueError or TypeError for shapes that do not fit or weights that are not >
    0.
    """
    table = check_array("values", values)
    mass = check_array("weights", weights, ndim=1)
    _check_repair(repair)
    share = check_interval("uniform", uniform, 0.0, 1.0)
    if mass.min() <= 0:
        raise ValueError(f"weights must be > 0, got {echo('weights', weights)}")
    if table.shape[-1] != mass.size:
        raise ValueError(
            f"values must have {mass.size} entries in the last axis, got shape "
            f"{table.shape}"
        )
    least = np.minimum(table.min(axis=-1, keepdims=True), 0.0)
    raised = table - least if repair == "shift" else np.maximum(table, 0.0)
    total = raised @ mass
    empty = total <= 0
    raised = np.where(empty[..., np.newaxis], 1.0, raised)
    total = np.where(empty, mass.sum(), total)
    density: Array = (1 - share) * raised / total[..., np.newaxis] + share / mass.sum()
    return density


def repair_error(error: float, largest: float, repair: Repair) -> float:
    r"""Return a bound on $\sup|q-F|$ after the repair.

    It is $s\eta(1+M)/(1-\eta)$, s = 2 for a shift, 1 for clipping. `error` is
    $\eta=\sup|f-F|<1$, `largest` is $M\ge\sup F$, on a set of measure one. Raises
    ValueError otherwise.
    """
    eta = check_interval("error", error, 0.0, 1.0, open_high=True)
    top = check_eps("largest", largest)
    _check_repair(repair)
    return (2.0 if repair == "shift" else 1.0) * eta * (1.0 + top) / (1.0 - eta)
