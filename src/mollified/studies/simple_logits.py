r"""What MBDE gains on the mixture on the line with logits of few parameters, and with the exact log-odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_eps
from mollified.mbde import mbde
from mollified.polynomial_learner import PolynomialLearner
from mollified.studies.line_experiment import READINGS
from mollified.studies.mbde_sweep import domain, domain_grid
from mollified.weak_learner import BayesLearner, WeakLearner

__all__ = ["simple_logits"]


def simple_logits(eps: Sequence[float], rounds: int = 3) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the gain with logits that are linear, quadratic, or the true log-odds, in both readings, clipped.

    Columns reading, learner, eps, gain (nats), fitted on the laws themselves: nothing is left to chance.
    """
    levels, rounds = check_each("eps", eps, check_eps), check_count("rounds", rounds)
    rows = []
    for reading, place in READINGS.items():
        target = domain(place)
        reference, grid = domain_grid(target)
        weights = np.exp(target.log_prob(grid.points)) * grid.weights
        learners: dict[str, WeakLearner] = {
            "linear": PolynomialLearner(1, "clip", grid),
            "quadratic": PolynomialLearner(2, "clip", grid),
            "log-odds": BayesLearner("clip"),
        }
        for name, learner in learners.items():
            for level in levels:
                output = mbde(target, reference, level, rounds, learner, grid, np.random.default_rng(0))[-1]
                rows.append((reading, name, level, float(weights @ output.log_ratio(grid.points))))
    return pd.DataFrame(rows, columns=["reading", "learner", "eps", "gain"]), {}
