r"""Search for the worst instance: many random starts, the best of them refined by Nelder-Mead.

A statement that survives random instances may still fail where nobody looks; here the margin itself is minimised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from mollified._validate import Array, check_callable, check_count, check_eps, check_rng

__all__ = ["Search", "search_worst"]


@dataclass(frozen=True)
class Search:
    """Hold the smallest margin found, its vector (dim,), and the margins of all refined starts, sorted."""

    margin: float
    point: Array
    refined: Array
    evaluated: int


def search_worst(
    margin: Callable[[Array], Array],
    dimension: int,
    rng: np.random.Generator,
    *,
    starts: int = 20_000,
    refine: int = 24,
    evaluations: int = 400,
    spread: float = 3.0,
) -> Search:
    """Return the smallest value of `margin` that is found over all of R^dimension.

    `margin` maps vectors (n, dimension) to margins (n,); inf where a vector stands for no instance. `starts` normal
    vectors with standard deviation `spread` are tried at once, and Nelder-Mead goes on from the `refine` lowest with at
    most `evaluations` values each. What is found is an upper bound on the infimum: a search proves nothing, a margin
    below zero disproves. Raises TypeError or ValueError for bad arguments, ValueError where no start is an instance.
    """
    check_callable("margin", margin)
    dimension, rng = check_count("dimension", dimension), check_rng("rng", rng)
    starts, refine = check_count("starts", starts), check_count("refine", refine)
    evaluations, spread = check_count("evaluations", evaluations), check_eps("spread", spread)
    vectors = spread * rng.standard_normal((starts, dimension))
    first = np.asarray(margin(vectors), dtype=np.float64)
    order = np.argsort(first)[:refine]
    order = order[np.isfinite(first[order])]
    if order.size == 0:
        raise ValueError(f"margin must be finite at some start, got none among {starts}")

    def one(vector: Array) -> float:
        value = float(margin(vector[np.newaxis, :])[0])
        return value if np.isfinite(value) else 1e300

    best, point, refined, count = float(first[order[0]]), vectors[order[0]], [], starts
    for index in order:
        found = minimize(one, vectors[index], method="Nelder-Mead", options={"maxfev": evaluations, "adaptive": True})
        count += int(found.nfev)
        refined.append(min(float(found.fun), float(first[index])))
        if found.fun < best:
            best, point = float(found.fun), np.asarray(found.x)
    return Search(best, point, np.sort(np.asarray(refined)), count)
