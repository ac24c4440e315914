r"""Checks of our accounting against dp-accounting: optimistic $\le$ exact $\le$ pessimistic, at stated tolerances.

The library rounds losses to a grid, up in a pessimistic and down in an optimistic estimate, and drops tails of mass
$10^{-15}$; so its deltas bracket the exact one. Composition uses fast Fourier transforms, whose rounding is absolute.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from mollified._validate import check_count, check_interval, check_trials
from mollified.checks import Check, Tally
from mollified.composition import renyi_epsilon, response_delta
from mollified.gaussian_mechanism import gaussian_delta

__all__ = ["library_agrees", "library_brackets", "library_renyi"]

#: Absolute rounding of the library's transforms and of its dropped tails.
ROUNDING = 1e-12
#: Steps of the library's grid.
GRID = {"response": 1e-4, "parameters": 1e-4, "gaussian": 1e-4}
Algorithm = Literal["response", "parameters", "gaussian"]


def _library(algorithm: Algorithm, size: float, delta0: float, runs: int, eps: float, *, upper: bool) -> float:
    """Return the library's delta of so many runs; size is eps0, or mu for Gaussian noise."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    step = GRID[algorithm]
    if algorithm == "response":
        single = pld.from_randomized_response(
            2 / (1 + math.exp(size)), 2, pessimistic_estimate=upper, value_discretization_interval=step
        )
    elif algorithm == "parameters":
        parameters = common.DifferentialPrivacyParameters(size, delta0)
        single = pld.from_privacy_parameters(parameters, value_discretization_interval=step)
    else:
        single = pld.from_gaussian_mechanism(
            1 / size, pessimistic_estimate=upper, use_connect_dots=upper, value_discretization_interval=step
        )
    return float(single.self_compose(runs).get_delta_for_epsilon(eps))


def _exact(algorithm: Algorithm, size: float, delta0: float, runs: int, eps: float) -> float:
    if algorithm == "gaussian":
        return gaussian_delta(eps, math.sqrt(runs) * size)
    pure = response_delta(eps, size, runs)
    return pure if algorithm == "response" else 1 - (1 - delta0) ** runs * (1 - pure)


def _instance(rng: np.random.Generator, algorithm: Algorithm) -> tuple[float, float, int, float]:
    """Return eps0 (or mu), delta0, the number of runs and a level; "parameters" has eps0 on the grid."""
    runs = round(math.exp(rng.uniform(0, 4.6)))
    size = math.exp(rng.uniform(-3.5, -0.5))
    if algorithm == "parameters":
        size = round(size, 4)
    delta0 = 10 ** rng.uniform(-7, -3)
    spread = math.sqrt(runs) * size
    return size, delta0, runs, float(rng.uniform(0.3, 3.0) * spread + spread**2 / 2)


def _check_algorithm(value: object) -> None:
    if value not in GRID:
        raise ValueError(f"algorithm must be one of {tuple(GRID)}, got {value!r}")


def library_brackets(
    rng: np.random.Generator, instances: int, *, algorithm: Literal["response", "gaussian"] = "response", more: int = 0
) -> Check:
    r"""Check optimistic <= exact <= pessimistic delta of K = 1 to 100 runs, up to $10^{-12}$ of rounding. Floats.

    "response": randomised response; "gaussian": Gaussian noise, the exact one by a single release of shift
    $\sqrt K\mu$. `more` > 0 takes the exact delta of K + `more` runs. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    if algorithm not in ("response", "gaussian"):
        raise ValueError(f"algorithm must be response or gaussian, got {algorithm!r}")
    more = check_count("more", more, minimum=0)
    tally = Tally("float", tolerance=ROUNDING)
    for _ in range(instances):
        size, delta0, runs, eps = _instance(rng, algorithm)
        low, high = (_library(algorithm, size, delta0, runs, eps, upper=upper) for upper in (False, True))
        exact = _exact(algorithm, size, delta0, runs + more, eps)
        tally.add(min(exact - low, high - exact), size=size, K=runs, eps=eps)
    return tally.check()


def library_agrees(
    rng: np.random.Generator,
    instances: int,
    *,
    algorithm: Algorithm = "response",
    relative: float = 0.05,
    more: int = 0,
) -> Check:
    r"""Check that the pessimistic delta of the library is within `relative` of ours, plus $10^{-12}$. Floats.

    "parameters" is the worst $(\varepsilon_0,\delta_0)$-DP algorithm, $1-(1-\delta_0)^K(1-\delta_K)$, with
    $\varepsilon_0$ on the library's grid; the others as in `library_brackets`. `more` > 0 composes K + `more` runs in
    the library. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    _check_algorithm(algorithm)
    share, more = check_interval("relative", relative, 0.0, 1.0), check_count("more", more, minimum=0)
    tally = Tally("float", tolerance=ROUNDING)
    for _ in range(instances):
        size, delta0, runs, eps = _instance(rng, algorithm)
        exact = _exact(algorithm, size, delta0, runs, eps)
        found = _library(algorithm, size, delta0, runs + more, eps, upper=True)
        tally.add(share * exact - abs(found - exact), size=size, delta0=delta0, K=runs, eps=eps)
    return tally.check()


def library_renyi(rng: np.random.Generator, instances: int, *, more: int = 0) -> Check:
    r"""Check our Renyi level of K randomised responses against the library's conversion, to 1 % of it. Floats.

    The library takes the best of a list of orders, ours is the best of all: ours is at most the library's, and on 400
    orders at most 1 % less. `more` > 0 takes our level of K + `more` runs. Raises TypeError or ValueError.
    """
    from dp_accounting.rdp import rdp_privacy_accountant as rdp

    rng, instances = check_trials(rng, instances)
    more = check_count("more", more, minimum=0)
    orders = 1 + np.geomspace(1e-3, 1e4, 400)
    tally = Tally("float", tolerance=1e-9)
    for _ in range(instances):
        eps0, runs, delta = (
            math.exp(rng.uniform(-4, 0.5)),
            round(math.exp(rng.uniform(0, 6))),
            10 ** rng.uniform(-9, -2),
        )
        each = np.logaddexp(orders * eps0, (1 - orders) * eps0) - np.logaddexp(0, eps0)
        theirs = min(float(rdp.compute_epsilon(orders, runs * each / (orders - 1), delta)[0]), runs * eps0)
        ours = renyi_epsilon(eps0, runs + more, delta)
        tally.add(min(theirs - ours, ours - 0.99 * theirs), eps0=eps0, K=runs, delta=delta)
    return tally.check()
