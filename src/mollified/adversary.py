r"""Search for the worst instance: many random starts, the best of them refined by Nelder-Mead.

A statement that survives random instances may still fail where nobody looks; here the margin itself is minimised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from mollified._validate import Array, _echo, check_array, check_callable, check_count, check_eps, check_rng
from mollified.finite_runs import FiniteRuns

__all__ = ["Search", "decode_runs", "search_worst", "vector_size"]


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


def vector_size(size: int, rounds: int) -> int:
    """Return the length of the vectors that `decode_runs` reads: 2k + 1 + T (k + 1)."""
    size, rounds = check_count("size", size, minimum=2), check_count("rounds", rounds)
    return 2 * size + 1 + rounds * (size + 1)


def decode_runs(vectors: Array, size: int, rounds: int) -> FiniteRuns:
    r"""Return the runs of MBDE that vectors (n, `vector_size`) stand for: logits of P and Q0, eps, then the rounds.

    $\varepsilon$ from 1e-3 to 20 and $c^*$ from 0.01 to $\log2$ by a logistic function on a log scale; the shape is
    tanh, divided by its largest absolute value. Every real vector is a run, whether its edges are positive or not.
    Raises ValueError for vectors of another length.
    """
    wanted = vector_size(size, rounds)
    z = check_array("vectors", vectors, ndim=2)
    if z.shape[1] != wanted:
        raise ValueError(f"vectors must have shape (n, {wanted}), got shape {z.shape}: {_echo(vectors)}")
    z = np.clip(z, -40.0, 40.0)

    def between(low: float, high: float, value: Array) -> Array:
        return np.asarray(low * np.exp(np.log(high / low) / (1 + np.exp(-value))))

    p, q0 = np.exp(z[:, :size]), np.exp(z[:, size : 2 * size])
    rest = z[:, 2 * size + 1 :].reshape(len(z), rounds, size + 1)
    shape = np.tanh(rest[:, :, 1:])
    largest = np.abs(shape).max(axis=2, keepdims=True)
    shape = np.divide(shape, largest, out=np.ones_like(shape), where=largest > 0)
    scale = between(0.01 / np.log(2.0), 1.0, rest[:, :, 0])
    normalised = [law / law.sum(axis=1, keepdims=True) for law in (p, q0)]
    return FiniteRuns(normalised[0], normalised[1], shape, scale, between(1e-3, 20.0, z[:, 2 * size]))
