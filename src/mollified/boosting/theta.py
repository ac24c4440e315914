r"""The step sizes $\theta_t(\varepsilon)$ of MBDE and what they add up to."""

from __future__ import annotations

import math

import numpy as np

from mollified._validate import Array, check_count, check_eps

__all__ = ["LOG2", "spent_level", "theta", "theta_sum"]

#: The bound on every classifier, $c_t(x)\in[-\log2,\log2]$.
LOG2 = math.log(2.0)


def theta(eps: float, rounds: int) -> Array:
    r"""Return the step sizes $(\theta_1,\dots,\theta_T)$.

    $\theta_t(\varepsilon)=(\varepsilon/(\varepsilon+4\log2))^t$. Shape (rounds,), each
    in (0, 1), decreasing. Raises ValueError or TypeError for eps <= 0 or rounds < 1.
    Source: v1 and v2 Algorithm 1 line 2, v3 Algorithm 1 line 3.

    >>> theta(4 * LOG2, 3)
    array([0.5  , 0.25 , 0.125])
    """
    eps = check_eps("eps", eps)
    rounds = check_count("rounds", rounds)
    ratio = eps / (eps + 4 * LOG2)
    return np.asarray(ratio ** np.arange(1, rounds + 1), dtype=np.float64)


def theta_sum(eps: float, rounds: int) -> float:
    r"""Return $\sum_{t\le T}\theta_t(\varepsilon)$.

    It is $\frac{\varepsilon}{4\log2}(1-\theta_T(\varepsilon))$. Strictly below
    $\varepsilon/(4\log2)$, its limit. The float may round up to that limit where
    $\theta_T$ is below 1e-16; computed as
    $-\mathrm{expm1}(-T\,\mathrm{log1p}(4\log2/\varepsilon))$, which keeps its digits
    for large $\varepsilon$. Source: v1 Lemma 9, (17)-(21).
    """
    return -eps / (4 * LOG2) * math.expm1(-rounds * math.log1p(4 * LOG2 / eps))


def spent_level(eps: float, rounds: int) -> float:
    r"""Return the level $\varepsilon(1-\theta_T(\varepsilon))$ of T rounds, in nats.

    So much the rounds spend. Two outputs satisfy
    $\log Q_T/Q_T'\le 4\log2\sum_t\theta_t$: twice the width $2\log2\sum_t\theta_t$ of
    $\langle\theta,c\rangle$. No smaller level serves all inputs, references and
    classifiers: the supremum is approached on two points as the atom of $Q_0$ shrinks.
    Raises as `theta` does. The papers state the budget $\varepsilon$; the sharp level
    is not in them.
    """
    return 4 * LOG2 * theta_sum(check_eps("eps", eps), check_count("rounds", rounds))
