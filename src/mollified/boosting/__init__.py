r"""MBDE, boosted density estimation in a mollifier: Algorithm 1 of v1, v2 and v3.

The step sizes of Algorithm 1 are in `theta`, and what they add up to, v1 Lemma 9, is
behind `spent_level`. The bounds of v1 Theorems 6 and 7 (v3 Theorems 5 and 6) are
`kl_drop`, `gain_upper` and `gain_lower`, as printed and as corrected. `random_runs` and
`run_batches` make whole runs on finite spaces, on which pages test the theorems. With
networks in the place of exact learners MBDE is in `mollified.training`.
"""

from mollified.boosting.boosted_density import BoostedDensity
from mollified.boosting.bounds import gain_lower, gain_upper, kl_drop, kl_drop_hoeffding
from mollified.boosting.finite_runs import (
    FiniteRuns,
    edges_below,
    random_runs,
    run_batches,
)
from mollified.boosting.mbde import mbde
from mollified.boosting.mbde_family import family_gain
from mollified.boosting.polynomial_learner import PolynomialLearner
from mollified.boosting.theta import spent_level, theta
from mollified.boosting.weak_learner import BayesLearner, WeakLearner

__all__ = [
    "BayesLearner",
    "BoostedDensity",
    "FiniteRuns",
    "PolynomialLearner",
    "WeakLearner",
    "edges_below",
    "family_gain",
    "gain_lower",
    "gain_upper",
    "kl_drop",
    "kl_drop_hoeffding",
    "mbde",
    "random_runs",
    "run_batches",
    "spent_level",
    "theta",
]
