r"""Differential privacy itself: mechanisms of the lecture, exact accounting, audits.

Laplace noise, lecture (1), is in `laplace_mechanism` and `top_probability`; Gaussian
noise in `gaussian_delta` and `gaussian_sigma`; integer noise in `binomial_delta` and
`discrete_gaussian_delta`; composition in `response_delta` and `renyi_epsilon`; what
floating point does to a guarantee in `textbook_law`, `counts_delta` and `is_possible`.
`ExactLevel` decides exactly. `Register` remembers who was drawn.
"""

from mollified.privacy.audit import Audit, audit, audited_eps
from mollified.privacy.composition import (
    certified_response_delta,
    renyi_epsilon,
    response_delta,
    response_epsilon,
)
from mollified.privacy.exact_level import ExactLevel, ball
from mollified.privacy.floating_point import (
    counts_delta,
    double_release,
    impossible_share,
    is_possible,
    textbook_law,
)
from mollified.privacy.gaussian_mechanism import (
    failing_eps,
    gaussian_delta,
    gaussian_sigma,
)
from mollified.privacy.integer_mechanisms import (
    binomial_delta,
    binomial_noise,
    binomial_trials,
    discrete_gaussian_delta,
    discrete_gaussian_noise,
    geometric_counts,
    opendp_gaussian_delta,
)
from mollified.privacy.laplace_mechanism import laplace_mechanism, top_probability
from mollified.privacy.register import Register
from mollified.privacy.smallest import smallest_scale

__all__ = [
    "Audit",
    "ExactLevel",
    "Register",
    "audit",
    "audited_eps",
    "ball",
    "binomial_delta",
    "binomial_noise",
    "binomial_trials",
    "certified_response_delta",
    "counts_delta",
    "discrete_gaussian_delta",
    "discrete_gaussian_noise",
    "double_release",
    "failing_eps",
    "gaussian_delta",
    "gaussian_sigma",
    "geometric_counts",
    "impossible_share",
    "is_possible",
    "laplace_mechanism",
    "opendp_gaussian_delta",
    "renyi_epsilon",
    "response_delta",
    "response_epsilon",
    "smallest_scale",
    "textbook_law",
    "top_probability",
]
