"""Random-walk Metropolis-Hastings as the papers use it.

The chain proposes y from N(x, scale^2 I) and moves there with probability min(1, q(y) /
q(x)), else stays. Its law tends to Q but is not Q after any finite number of steps.
"Random walk Metropolis-Hastings is used to sample from Q_(t-1) at each iteration" (v1,
v2 and v3, section 5); start, step size and number of steps are not stated there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mollified._records import Record
from mollified._validate import (
    Array,
    check_array,
    check_callable,
    check_count,
    check_eps,
    check_rng,
    echo,
)
from mollified.laws._validate_densities import evaluate_log

__all__ = ["Chains", "metropolis_sample"]


@dataclass(frozen=True, eq=False, repr=False)
class Chains(Record):
    """Hold the last states of m chains, shape (m, d), and the rate of acceptance.

    The rate is the share of all proposals that were accepted.
    """

    states: Array
    acceptance_rate: float


def metropolis_sample(
    log_density: Callable[[Array], Array],
    start: Array,
    steps: int,
    scale: float,
    rng: np.random.Generator,
) -> Chains:
    """Return the states of m independent chains after `steps` steps.

    Proposals are N(x, scale^2 I). `log_density` maps points (m, d) to logs (m,) in
    nats; a constant may be missing, and -inf is allowed. `start` has shape (m, d), each
    row at a point of positive density. `scale` > 0 is a standard deviation on each
    axis, in the units of the points. The states follow the law of the chain after
    `steps` steps, which is not the law with density q. Idealised numerics: floats stand
    for reals.

    Raises ValueError or TypeError where an argument is not as said, where `log_density`
    returns NaN, +inf or another shape, or is -inf at `start`.
    """
    check_callable("log_density", log_density)
    states = check_array("start", start, ndim=2).copy()
    count = check_count("steps", steps)
    width = check_eps("scale", scale)
    check_rng("rng", rng)
    logs = evaluate_log("log_density", log_density, states)
    if np.isneginf(logs).any():
        raise ValueError(
            "start must have positive density, got log_density = -inf at a row of "
            f"{echo('start', start)}"
        )
    moves = 0
    for _ in range(count):
        proposals = states + width * rng.standard_normal(states.shape)
        proposed = evaluate_log("log_density", log_density, proposals)
        accepted = -rng.standard_exponential(logs.size) < proposed - logs
        states[accepted] = proposals[accepted]
        logs[accepted] = proposed[accepted]
        moves += int(accepted.sum())
    return Chains(states, moves / (count * logs.size))
