"""Random-walk Metropolis-Hastings as the papers use it, and its exact law on finite spaces.

The chain proposes y from K(x, .) and moves there with probability min(1, q(y) K(y, x) / (q(x) K(x, y))), else
stays. Its law tends to Q but is not Q after any finite number of steps; on a finite space
that law is start_law @ kernel^steps, from which the privacy loss of a stopped chain can be computed.
"Random walk Metropolis-Hastings is used to sample from Q_(t-1) at each iteration" (v1, v2 and v3, section 5);
start, step size and number of steps are not stated there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mollified._densities import check_log_values, echo, evaluate_log
from mollified._validate import (
    TOTAL_TOLERANCE,
    Array,
    check_array,
    check_callable,
    check_count,
    check_eps,
    check_probabilities,
    check_rng,
)

__all__ = [
    "Chains",
    "detailed_balance_gap",
    "law_after",
    "metropolis_kernel",
    "metropolis_sample",
    "neighbour_proposal",
]


@dataclass(frozen=True)
class Chains:
    """Hold the last states of m chains, shape (m, d), and the share of all proposals that were accepted."""

    states: Array
    acceptance_rate: float


def metropolis_sample(
    log_density: Callable[[Array], Array],
    start: Array,
    steps: int,
    scale: float,
    rng: np.random.Generator,
) -> Chains:
    """Return the states of m independent chains after `steps` steps with proposals N(x, scale^2 I).

    `log_density` maps points (m, d) to logs (m,) in nats; a constant may be missing, and -inf is allowed.
    `start` has shape (m, d), each row at a point of positive density. `scale` > 0 is a standard deviation
    on each axis, in the units of the points. The states follow the law of the chain after `steps`
    steps, which is not the law with density q. Idealised numerics: floats stand for reals.

    Raises ValueError or TypeError where an argument is not as said, where `log_density` returns NaN, +inf
    or another shape, or is -inf at `start`.
    """
    check_callable("log_density", log_density)
    states = check_array("start", start, ndim=2).copy()
    count, width = check_count("steps", steps), check_eps("scale", scale)
    check_rng("rng", rng)
    logs = evaluate_log("log_density", log_density, states)
    if np.isneginf(logs).any():
        raise ValueError(f"start must have positive density, got log_density = -inf at a row of {echo(start)}")
    moves = 0
    for _ in range(count):
        proposals = states + width * rng.standard_normal(states.shape)
        proposed = evaluate_log("log_density", log_density, proposals)
        accepted = -rng.standard_exponential(logs.size) < proposed - logs
        states[accepted], logs[accepted] = proposals[accepted], proposed[accepted]
        moves += int(accepted.sum())
    return Chains(states, moves / (count * logs.size))


def _check_kernel(name: str, value: Array, size: int | None = None) -> Array:
    kernel = check_array(name, value, ndim=2)
    if kernel.shape[0] != kernel.shape[1] or (size is not None and kernel.shape[0] != size):
        raise ValueError(f"{name} must be square and fit the states, got shape {kernel.shape}: {echo(value)}")
    if (kernel < 0).any() or (np.abs(kernel.sum(axis=1) - 1.0) > TOTAL_TOLERANCE).any():
        raise ValueError(f"{name} must have rows of probabilities that sum to 1, got {echo(value)}")
    return kernel


def neighbour_proposal(size: int) -> Array:
    """Return the symmetric proposal matrix on 0..size-1 that steps up or down with probability 1/2 each.

    A step over either end stays where it is. Shape (size, size).

    Raises ValueError or TypeError where `size` is not an integer >= 1.
    """
    count = check_count("size", size)
    matrix = 0.5 * (np.eye(count, k=1) + np.eye(count, k=-1))
    matrix[0, 0] += 0.5
    matrix[-1, -1] += 0.5
    return matrix


def metropolis_kernel(log_density: Array, proposal: Array) -> Array:
    """Return the stochastic matrix of the Metropolis-Hastings chain on k states, shape (k, k).

    M[i, j] = K[i, j] min(1, q_j K[j, i] / (q_i K[i, j])) for j != i, and M[i, i] the rest. `log_density` has
    shape (k,), in nats, up to a constant; `proposal` is K, shape (k, k), row i holding the probabilities of
    the proposals from i. From a state with q_i = 0 every proposal with K[j, i] > 0 is accepted.

    Raises ValueError or TypeError where `log_density` is not logs, or `proposal` not such a matrix.
    """
    logs = check_log_values("log_density", log_density)
    matrix = _check_kernel("proposal", proposal, logs.size)
    log_k = np.full(matrix.shape, -np.inf)
    np.log(matrix, out=log_k, where=matrix > 0)
    forth = logs[:, np.newaxis] + log_k
    back = forth.T
    gain = np.zeros_like(matrix)
    np.subtract(back, forth, out=gain, where=np.isfinite(forth))
    accept = np.where(matrix.T > 0, np.exp(np.minimum(gain, 0.0)), 0.0)
    kernel: Array = matrix * accept
    np.fill_diagonal(kernel, 0.0)
    stay = matrix * (1.0 - accept)
    np.fill_diagonal(stay, np.diag(matrix))
    kernel += np.diag(stay.sum(axis=1))
    return kernel


def detailed_balance_gap(kernel: Array, law: Array) -> float:
    """Return max over i, j of |law_i M_ij - law_j M_ji|, which is 0 where the chain is reversible.

    `kernel` is M, shape (k, k); `law` are k probabilities. A reversible chain leaves `law` invariant.

    Raises ValueError or TypeError where `kernel` is not a stochastic matrix or `law` not k probabilities.
    """
    matrix = _check_kernel("kernel", kernel)
    flow = check_probabilities("law", law, size=matrix.shape[0])[:, np.newaxis] * matrix
    return float(np.abs(flow - flow.T).max())


def law_after(kernel: Array, start_law: Array, steps: int) -> Array:
    """Return the law of the chain after `steps` >= 0 steps, start_law @ kernel^steps, shape (k,).

    All terms are >= 0, so that each probability has a relative error of about (k + 1) `steps` 1e-16.

    Raises ValueError or TypeError where `kernel` is not a stochastic matrix of shape (k, k), `start_law` not
    k probabilities, or `steps` not an integer >= 0.
    """
    matrix = _check_kernel("kernel", kernel)
    law = check_probabilities("start_law", start_law, size=matrix.shape[0]).copy()
    for _ in range(check_count("steps", steps, minimum=0)):
        law = law @ matrix
    return law
