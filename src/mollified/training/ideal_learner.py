r"""MBDE on a grid with a learner that knows both densities: nothing is learned."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from mollified._validate import Array
from mollified.training.variants import Variant

__all__ = ["ideal_log_ratios"]


def ideal_log_ratios(
    log_p: Array,
    log_q0: Array,
    weights: Array,
    eps: float,
    variant: Variant,
    rounds: int,
) -> list[Array]:
    r"""Return $\log Q_t/Q_0$ at the nodes for t = 0..T, shape (N,) each, in nats.

    The logit is $\log P/Q_{t-1}$. That logit has the least cross-entropy of all; the
    classifier is made of it as `variant` says. It need not give the largest gain: a
    step is not a minimiser. Both laws, given at the nodes, are normalised on the grid.
    """
    log_cells = np.log(weights)
    log_p, log_q0 = (logs - logsumexp(logs + log_cells) for logs in (log_p, log_q0))
    ratios = [np.zeros(len(weights))]
    for theta in variant.steps(eps, rounds):
        raised = ratios[-1] + theta * variant.classifier(log_p - log_q0 - ratios[-1])
        ratios.append(raised - logsumexp(log_q0 + raised + log_cells))
    return ratios
