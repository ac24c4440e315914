r"""A check that outputs of MBDE lie in the relative mollifier."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mollified._validate import check_fraction, check_trials
from mollified.ball_mbde import ball_mbde, ball_membership
from mollified.checks import Check, Tally
from mollified.exact_level import ExactLevel
from mollified.instances import random_run

__all__ = ["membership"]


ONE = Fraction(1)


def membership(
    rng: np.random.Generator,
    instances: int,
    *,
    limit: Fraction = ONE,
    width: Fraction = ONE,
) -> Check:
    r"""Check $Q_T\in\mathcal M_{\varepsilon,Q_0}$ (v3 Theorem 4) for random classifiers, references, eps and T.

    Certified. Ball arithmetic decides every instance. `limit` > 1 lets classifiers leave $[-\log2,\log2]$; `width` <
    1 claims a mollifier of that share of the level.
    """
    rng, instances = check_trials(rng, instances)
    limit = check_fraction("limit", limit, above=0)
    width = check_fraction("width", width, above=0)
    tally = Tally("certified")
    for _ in range(instances):
        base, rows, level = random_run(rng, limit)
        assert level.eps is not None
        claimed = ExactLevel(eps=level.eps * width)
        inside, x, slack = ball_membership(ball_mbde(base, rows, level), base, claimed)
        tally.add(slack, decided=inside, Q0=base, c=rows, eps=level.eps, x=x)
    return tally.check()
