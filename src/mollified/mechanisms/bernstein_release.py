r"""The Bernstein mechanism ("DPB" in the papers): noisy values on a lattice.

It releases kernel density estimates. Release $c_v=F_D(v/K)+\mathrm{Lap}(b)$ for all v;
every value of the polynomial with these coefficients, and of the iterated one, is
post-processing. Published scale: $b=S(K+1)^d/\varepsilon$ with S the largest change of
one value. Exact scale: the L1 sensitivity of all values over $\varepsilon$. Source:
Aldà and Rubinstein (2017), Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from mollified._records import Record
from mollified._validate import Array
from mollified.laws.kernel_density import kernel_density
from mollified.mechanisms.bernstein import coefficients, lattice, polynomial
from mollified.mechanisms.lattice_sensitivity import lattice_sensitivity
from mollified.privacy.exact_level import float_above

__all__ = ["BernsteinRelease", "Calibration", "Unit", "noise_scale", "release_lattice"]

#: What the noise is calibrated to.
Calibration = Literal["published", "exact"]
#: What may change between two inputs: one record of n, or the whole input (integral, or
#: local, privacy).
Unit = Literal["record", "input"]


def noise_scale(
    eps: float,
    degree: int,
    dim: int,
    bandwidth: float,
    records: int,
    calibration: Calibration,
    unit: Unit,
) -> float:
    r"""Return the scale b of the Laplace noise that makes the values private.

    The lattice values are $\varepsilon$-private, in the unit that is passed.
    `bandwidth` is in units of the cube. For the unit "record" the sensitivity is
    divided by `records`, for "input" it is not: an average of n records can move as far
    as one record can. "exact" errs on the safe side, by one part in 1000 an axis and by
    what the kernels of two records share; "published" is many times larger.
    """
    bounds = lattice_sensitivity(degree, dim, bandwidth)
    whole = bounds.published if calibration == "published" else bounds.upper
    share = Fraction(whole) / (records if unit == "record" else 1)
    return float_above(share / Fraction(eps))


@dataclass(frozen=True, eq=False, repr=False)
class BernsteinRelease(Record):
    """Hold released lattice values of a function on a cube [low, high]^d.

    They are in units of the unit cube. `values` has shape (K+1,) * d; `scale` is that
    of the noise, which may be published.
    """

    values: Array
    low: float
    high: float
    scale: float

    @property
    def degree(self) -> int:
        """The degree K of the polynomial in each variable."""
        return int(self.values.shape[0]) - 1

    def function(self, axes: Sequence[Array], order: int = 1) -> Array:
        r"""Return the released function, per unit of volume, on a grid of `axes`.

        The volume is that of the box. `order` is h of the iterated operator. It can be
        negative and need not have integral one.
        """
        side = self.high - self.low
        scaled = [np.clip((axis - self.low) / side, 0.0, 1.0) for axis in list(axes)]
        table = coefficients(self.values, order)
        values: Array = polynomial(table, scaled) / side**self.values.ndim
        return values


def release_lattice(
    data: Array,
    low: float,
    high: float,
    degree: int,
    bandwidth: float,
    scale: float,
    rng: np.random.Generator,
) -> BernsteinRelease:
    r"""Return the noisy lattice values of the kernel density estimate of `data`.

    `data` has shape (n, d), the noise is Laplace's. The box [low, high]^d must be
    public; records outside are moved to its boundary. `bandwidth` is in the units of
    the data, `scale` is b in units of the unit cube (see `noise_scale`; 0 for the
    estimate without noise) and `rng` draws the noise. Idealised numerics: what noise in
    floats leaks beyond the model is not treated here.
    """
    width = bandwidth / (high - low)
    nodes = lattice(degree)
    unit = np.clip((data - low) / (high - low), 0.0, 1.0)
    values = kernel_density(unit, [nodes] * data.shape[1], width)
    noise = rng.laplace(0.0, 1.0, values.shape) * scale
    return BernsteinRelease(values + noise, low, high, scale)
