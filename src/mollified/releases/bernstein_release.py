r"""The Bernstein mechanism for kernel density estimates ("DPB" in the papers): noisy values on a lattice.

Release $c_v=F_D(v/K)+\mathrm{Lap}(b)$ for all v; every value of the polynomial with these coefficients, and of the
iterated one, is post-processing. Published scale: $b=S(K+1)^d/\varepsilon$ with S the largest change of one value.
Exact scale: the L1 sensitivity of all values over $\varepsilon$. Source: Aldà and Rubinstein (2017), Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mollified._validate import Array, check_array, check_count, check_each, check_eps, check_finite, check_rng
from mollified.laws.kernel_density import kernel_density
from mollified.releases.bernstein import coefficients, lattice, polynomial
from mollified.releases.lattice_sensitivity import lattice_sensitivity

__all__ = ["BernsteinRelease", "Calibration", "Unit", "noise_scale", "release"]

#: What the noise is calibrated to.
Calibration = Literal["published", "exact"]
#: What may change between two inputs: one record of n, or the whole input (integral, or local, privacy).
Unit = Literal["record", "input"]


def noise_scale(
    eps: float, degree: int, dim: int, bandwidth: float, records: int, calibration: Calibration, unit: Unit
) -> float:
    r"""Return the scale b of the Laplace noise that makes the lattice values $\varepsilon$-private, in the unit given.

    `bandwidth` is in units of the cube. For the unit "record" the sensitivity is divided by `records`, for "input" it
    is not: an average of n records can move as far as one record can. "exact" errs on the safe side, by one part in
    1000 an axis and by what the kernels of two records share; "published" is many times larger. Raises ValueError or
    TypeError for bad arguments.
    """
    eps, records = check_eps("eps", eps), check_count("records", records)
    if calibration not in ("published", "exact"):
        raise ValueError(f"calibration must be published or exact, got {calibration!r}")
    if unit not in ("record", "input"):
        raise ValueError(f"unit must be record or input, got {unit!r}")
    found = lattice_sensitivity(degree, dim, bandwidth)
    whole = found.published if calibration == "published" else found.upper
    return whole / (records if unit == "record" else 1) / eps


@dataclass(frozen=True)
class BernsteinRelease:
    """Hold released lattice values of a function on a cube [low, high]^d, in units of the unit cube.

    `values` has shape (K+1,) * d; `scale` is that of the noise, which may be published.
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
        r"""Return the released function, per unit of volume of the box, on the tensor grid of `axes`.

        `order` is h of the iterated operator. It can be negative and need not have integral one. Raises ValueError
        or TypeError for points outside the box or as `mollified.releases.bernstein.polynomial`.
        """
        side = self.high - self.low
        if not isinstance(axes, Sequence) or len(axes) != self.values.ndim:
            raise ValueError(f"axes must hold {self.values.ndim} arrays, got {axes!r:.120}")
        scaled = []
        for places in check_each("axes", list(axes), lambda name, y: check_array(name, y, ndim=1)):
            y = (places - self.low) / side
            if y.min() < -1e-12 or y.max() > 1 + 1e-12:
                raise ValueError(f"axes must lie in [{self.low}, {self.high}], got {axes!r:.120}")
            scaled.append(np.clip(y, 0.0, 1.0))
        table = coefficients(self.values, check_count("order", order))
        values: Array = polynomial(table, scaled) / side**self.values.ndim
        return values


def release(
    data: Array,
    low: float,
    high: float,
    degree: int,
    bandwidth: float,
    scale: float,
    rng: np.random.Generator,
) -> BernsteinRelease:
    r"""Return the lattice values of the kernel density estimate of `data`, shape (n, d), with Laplace noise.

    The box [low, high]^d must be public; records outside are moved to its boundary. `bandwidth` is in the units of the
    data, `scale` is b in units of the unit cube (see `noise_scale`; 0 for the estimate without noise) and `rng` draws
    the noise. Idealised numerics: what noise in floats leaks beyond the model is not treated here. Raises ValueError
    or TypeError for bad arguments.
    """
    records = check_array("data", data, ndim=2)
    low, high = check_finite("low", low), check_finite("high", high)
    if not low < high:
        raise ValueError(f"high must exceed low, got {high!r} for {low!r}")
    width, nodes = check_eps("bandwidth", bandwidth) / (high - low), lattice(degree)
    spread = check_finite("scale", scale)
    if spread < 0:
        raise ValueError(f"scale must be >= 0, got {scale!r}")
    rng = check_rng("rng", rng)
    unit = np.clip((records - low) / (high - low), 0.0, 1.0)
    values = kernel_density(unit, [nodes] * records.shape[1], width)
    return BernsteinRelease(values + rng.laplace(0.0, 1.0, values.shape) * spread, low, high, spread)
