r"""Other private releases of a density, with which the papers' ones are compared.

Noisy histograms (`noisy_histogram` and the scales of its noise), the exponential
mechanism on the KS distance (`ks_release`), and the Bernstein mechanism of Aldà and
Rubinstein (2017), the contender DPB of v1 section 5, with its exact sensitivity
(`lattice_sensitivity`).
"""

from mollified.mechanisms.histogram_release import (
    discrete_gaussian_scale,
    discrete_laplace_scale,
    gaussian_scale,
    laplace_scale,
    noisy_histogram,
    opendp_scale,
    opendp_zcdp,
)
from mollified.mechanisms.ks_exponential import ks_release, suggested_records
from mollified.mechanisms.lattice_sensitivity import lattice_sensitivity

__all__ = [
    "discrete_gaussian_scale",
    "discrete_laplace_scale",
    "gaussian_scale",
    "ks_release",
    "laplace_scale",
    "lattice_sensitivity",
    "noisy_histogram",
    "opendp_scale",
    "opendp_zcdp",
    "suggested_records",
]
