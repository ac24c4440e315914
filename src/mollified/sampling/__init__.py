r"""Samplers: draws from a density that is known up to a constant.

With floats and without, v1 section 3. `rejection_sample` is exact and
`metropolis_sample` is not; `time_delta` says what the number of proposals tells.
`FiniteSampler` draws from a member of a relative mollifier on a finite space with
integers alone, and is private as it runs. The papers leave all of this open.
"""

from mollified.sampling.finite_sampler import (
    FiniteSampler,
    nearest_weights,
    smallest_bits,
    weight_ratio,
)
from mollified.sampling.metropolis import Chains, metropolis_sample
from mollified.sampling.proposal_time import acceptance_rates, time_delta
from mollified.sampling.rejection import RejectionSample, rejection_sample
from mollified.sampling.uniform_integers import uniform_integers

__all__ = [
    "Chains",
    "FiniteSampler",
    "RejectionSample",
    "acceptance_rates",
    "metropolis_sample",
    "nearest_weights",
    "rejection_sample",
    "smallest_bits",
    "time_delta",
    "uniform_integers",
    "weight_ratio",
]
