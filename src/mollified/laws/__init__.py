r"""Laws, where they live, and divergences.

Laws are finite, Gaussian, uniform or mixtures; spaces have integrals. The targets are
those of the papers' experiments: `ring` and `mixture_1d`, v1 section 5. `kl` is the
divergence of every result on boosting. `random_law` and its neighbours make the
rational instances on which pages test their statements.
"""

from mollified.laws.discrete import Discrete
from mollified.laws.distributions import Distribution
from mollified.laws.divergences import kl
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.random_laws import (
    member_of_box,
    mollifier_box,
    random_law,
    random_root,
    random_sparse_law,
)
from mollified.laws.spaces import FiniteSpace, Grid, Integral, IntegrationSpace
from mollified.laws.targets import mixture_1d, ring
from mollified.laws.uniform import Uniform

__all__ = [
    "Discrete",
    "Distribution",
    "FiniteSpace",
    "Gaussian",
    "Grid",
    "Integral",
    "IntegrationSpace",
    "Mixture",
    "Uniform",
    "kl",
    "member_of_box",
    "mixture_1d",
    "mollifier_box",
    "random_law",
    "random_root",
    "random_sparse_law",
    "ring",
]
