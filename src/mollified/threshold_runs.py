r"""Runs of MBDE in which the conditions of Theorem 8 on the mass of a region are all but needed.

Three points, one round, the region B is the first point, and P = Q0 on it. Random runs seldom come near this.
Source: v1 Theorem 8; the book's condition $P(B)\ge(1-\gamma_P)/(1+\Gamma(\gamma_Q)/\log2)$.
"""

from __future__ import annotations

import numpy as np

from mollified._validate import check_count, check_rng
from mollified.bounds import mass_condition
from mollified.finite_runs import FiniteRuns

__all__ = ["threshold_runs"]

#: What P leaves on the third point, where the classifier is negative.
REST = 1e-12


def threshold_runs(rng: np.random.Generator, instances: int) -> FiniteRuns:
    r"""Return runs on B = {first point} with P(B) within 2 % of $(1-\gamma_P)/(1+\Gamma(\gamma_Q)/\log2)$.

    $P=(m,1-m,0)$ nearly, $Q_0=(m,\cdot,\cdot)$, $c_1=(1-\frac{1-\gamma_P}m,1,-1)\log2$, so that both edges are as
    drawn: $1-\gamma_P$ from 0.85 to 0.95, $1-\gamma_Q$ from 0.020 to 0.023, $\varepsilon$ from 1e-4 to 1e-3. To first
    order in $\varepsilon$, $Q_1(B)-P(B)=u_1[m(1+\gamma_Q)-(1-\gamma_P)]$. With 98 % of the mass above, or 49 % of (13),
    it is negative for some. Weights of laws that sum to one up to rounding. Raises as `run_batches`.
    """
    rng, count = check_rng("rng", rng), check_count("instances", instances)
    x, y = rng.uniform(0.85, 0.95, count), rng.uniform(0.020, 0.023, count)
    eps = np.exp(rng.uniform(np.log(1e-4), np.log(1e-3), count))
    asked = mass_condition(eps, 1, 1 - x, 1 - y, 0.0, form="corrected")
    low, high = np.maximum(0.98 * asked, x / 2), np.minimum(1.01 * asked, (x + y) / 2)
    mass = low + (high - low) * rng.uniform(0.01, 0.99, count)
    value = 1 - x / mass
    right = ((1 - mass) - (1 - y + mass * value)) / 2  # Q0 on the second point, where c = log 2
    target = np.stack([mass, 1 - mass - REST, np.full(count, REST)], axis=1)
    reference = np.stack([mass, right, 1 - mass - right], axis=1)
    shape = np.stack([value, np.ones(count), -np.ones(count)], axis=1)[:, np.newaxis]
    return FiniteRuns(target, reference, shape, np.ones((count, 1)), eps)
