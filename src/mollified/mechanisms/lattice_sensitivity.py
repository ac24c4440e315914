r"""The exact price of a kernel density estimate on a lattice.

It is by how much one record can move all values. For a kernel that is positive and a
product over the axes,
$\sum_v|k_v(x)-k_v(x')|\le2\sup_x\sum_vk_v(x)=2\bigl(\sup_tg(t)\bigr)^d$ with the
one-dimensional sum $g(t)=\sum_{i=0}^K\frac1h\phi\bigl(\frac{i/K-t}h\bigr)$, and two
records far apart reach it up to what their kernels share: $2(g(t)^d-\rho^d)$ with
$\rho=\sum_i\sqrt{k_i(t)k_i(1-t)}$. Both are ours. The mechanism as published uses
$(K+1)^d$ times the largest change of one value, $(2\pi h^2)^{-d/2}$ (Aldà and
Rubinstein 2017, sections 3 and 6).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb

from mollified._validate import check_count, check_eps, echo
from mollified.privacy.exact_level import ball, float_above, float_below
from statements.precision import working_precision

__all__ = ["LatticeSensitivity", "lattice_sensitivity"]

BITS = 128
#: The supremum is enclosed to this relative width.
WIDTH = Fraction(1, 1000)
#: The cost grows like (K+1)(K+1/h): seconds up to here. No bandwidth need be wider than
#: so many cubes.
MOST_STEPS = 1 << 18
LARGEST_DEGREE = 500
WIDEST = 2.0**20


@dataclass(frozen=True)
class LatticeSensitivity:
    r"""Bound $\sup_{x,x'}\sum_v|k_v(x)-k_v(x')|$, one record in place of all.

    `lower` is attained by two records that are known (rounded down), `upper` certified
    (rounded up), `published` is $(K+1)^d(2\pi h^2)^{-d/2}$ (rounded up). Divided by n
    they are sensitivities of an average of n records to one.
    """

    degree: int
    dim: int
    lower: float
    upper: float
    published: float

    @property
    def overcount(self) -> float:
        """The published scale over the certified one: noise is too large by that."""
        return self.published / self.upper


def _sums(degree: int, width: arb, at: Fraction) -> tuple[arb, arb]:
    r"""Return $g(t)$ and $|g'(t)|$ as balls, in units of the height of the kernel.

    That is $k_0=1/(h\sqrt{2\pi})$.
    """
    value = arb(0)
    slope = arb(0)
    for i in range(degree + 1):
        gap = (ball(Fraction(i, degree) - at)) / width
        height = (-gap * gap / 2).exp()
        value += height
        slope += gap / width * height
    return value, abs(slope)


def _shared(degree: int, width: arb, at: Fraction) -> arb:
    r"""Return $\rho=\sum_i\sqrt{k_i(t)k_i(1-t)}/k_0$, which two kernels share."""
    total = arb(0)
    for i in range(degree + 1):
        one, two = (ball(Fraction(i, degree) - t) / width for t in (at, 1 - at))
        total += (-(one * one + two * two) / 4).exp()
    return total


@lru_cache(maxsize=256)
def _enclose_peak(degree: int, bandwidth: Fraction) -> tuple[arb, Fraction]:
    r"""Return a ball around $\sup_tg(t)/k_0$ on [0, 1] and a t that nearly attains it.

    The ball errs on both sides. On a cell of half width r:
    $g\le g(m)+r|g'(m)|+\frac{r^2}2\sup\sum_i|k_i''|$. The last sum is at most
    $(\frac52Kh+4)/h^2$, an integral plus a total variation. By symmetry t runs over [0,
    1/2]; cells start at width h/4, so that none hides a peak.
    """
    with working_precision(BITS):
        width = ball(bandwidth)
        bend = (arb(5) / 2 * degree * width + 4) / (width * width)
        parts = int(2 / bandwidth) + 1
        cells = [
            (Fraction(2 * i + 1, 4 * parts), Fraction(1, 4 * parts))
            for i in range(parts)
        ]
        best = arb(0)
        place = Fraction(0)
        upper = arb(0)
        for node in range(degree // 2 + 1):
            value, _ = _sums(degree, width, Fraction(node, degree))
            if value > best:
                best = value
                place = Fraction(node, degree)
        while cells:
            middle, half = cells.pop()
            value, slope = _sums(degree, width, middle)
            if value > best:
                best = value
                place = middle
            most = value + ball(half) * slope + ball(half * half / 2) * bend
            if most < best * (1 + ball(WIDTH)):
                upper = most.max(upper)
                continue
            cells += [(middle - half / 2, half / 2), (middle + half / 2, half / 2)]
        return best.union(upper.max(best)), place


def _peak_sum(degree: int, bandwidth: float) -> tuple[arb, Fraction]:
    r"""Return a ball around $\sup_{t\in[0,1]}g(t)$ and a rational t that attains it.

    It does so up to one part in 1000. The bandwidth, in units of the cube, is taken as
    the exact value of the float.
    """
    exact = Fraction(bandwidth)
    with working_precision(BITS):
        peak, place = _enclose_peak(degree, exact)
        return peak / (ball(exact) * (2 * arb.pi()).sqrt()), place


def lattice_sensitivity(degree: int, dim: int, bandwidth: float) -> LatticeSensitivity:
    r"""Bound the L1 sensitivity of the $(K+1)^d$ lattice values of a Gaussian kernel.

    The bounds are certified. `bandwidth` is h in units of the cube [0, 1]^d.
    Replace-one, any two records of the cube. `upper` errs on the large side and is safe
    to calibrate noise with. Raises ValueError or TypeError for a degree outside 1..500,
    dim < 1, a bandwidth above 2^20 or with (K+1)(K+1/h) above 2^18, which is what the
    cost grows like, or bounds that are no normal floats.
    """
    count = check_count("degree", degree)
    power = check_count("dim", dim)
    width = check_eps("bandwidth", bandwidth)
    if count > LARGEST_DEGREE:
        raise ValueError(
            f"degree must be at most {LARGEST_DEGREE}, got {echo('degree', degree)}"
        )
    least = 1 / (MOST_STEPS / (count + 1) - count)
    if not least <= width <= WIDEST:
        raise ValueError(
            f"bandwidth must lie in [{least:.4g}, {WIDEST:.0f}], got "
            f"{echo('bandwidth', bandwidth)}"
        )
    bounds = _both_bounds(count, power, width)
    largest = max(bounds.published, bounds.upper)
    if bounds.lower < sys.float_info.min or largest == math.inf:
        raise ValueError(
            "dim must be smaller: floats do not hold the bounds, got "
            f"{echo('dim', dim)}"
        )
    return bounds


@lru_cache(maxsize=256)
def _both_bounds(count: int, power: int, width: float) -> LatticeSensitivity:
    peak, place = _peak_sum(count, width)
    with working_precision(BITS):
        exact = ball(Fraction(width))
        height = 1 / (exact * (2 * arb.pi()).sqrt())
        best = arb(0)
        for t in {place, *(Fraction(i, 2 * count) for i in range(count))}:
            value, _ = _sums(count, exact, t)
            apart = 2 * (value**power - _shared(count, exact, t) ** power)
            best = apart if apart > best else best
        lower = best * height**power
        upper = 2 * peak**power
        published = ((count + 1) * height) ** power
        return LatticeSensitivity(
            count, power, float_below(lower), float_above(upper), float_above(published)
        )
