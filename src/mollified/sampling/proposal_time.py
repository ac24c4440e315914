r"""What the number of proposals of a rejection sampler tells.

It is the exact hockey stick of two geometric laws. N is geometric where each proposal
is accepted with one probability, $\Pr[N=n]=(1-a)^{n-1}a$. Whoever measures the time
sees N. The observation is that of Awan and Rao (2023, arXiv:2108.00965); the formula is
ours.
"""

from __future__ import annotations

from fractions import Fraction

from mollified._validate import check_fraction
from mollified.privacy.smallest import smallest_count

__all__ = ["acceptance_rates", "time_delta"]


def _rate(name: str, value: object) -> Fraction:
    return check_fraction(name, value, above=0, maximum=1)


def time_delta(rate: Fraction, other: Fraction, exp_eps: Fraction) -> Fraction:
    r"""Return the least delta of the number of proposals, at a level eps.

    It is $\max_S\Pr_a[S]-e^\varepsilon\Pr_{a'}[S]$. One way, at one level. The ratio
    $\frac{a}{a'}\bigl(\frac{1-a}{1-a'}\bigr)^{n-1}$ is monotone in n. For $a<a'$ the
    best event is $\{N\ge n\}$, with n the first count whose ratio exceeds
    $e^\varepsilon$, and $\delta=(1-a)^{n-1}-e^\varepsilon(1-a')^{n-1}>0$ **at every
    level**; for $a>a'$ it is $\{N<n\}$. Exact rationals. Raises ValueError or TypeError
    unless both rates are rationals in (0, 1] and exp_eps is one >= 1.
    """
    a = _rate("rate", rate)
    b = _rate("other", other)
    factor = check_fraction("exp_eps", exp_eps, minimum=1)
    if a == b:
        return Fraction(0)
    rising = a < b

    def above(failures: int) -> bool:
        """Tell whether the ratio after so many failures exceeds the factor."""
        return a * (1 - a) ** failures > factor * b * (1 - b) ** failures

    if not rising and not above(0):
        return Fraction(0)
    # the first count on the late side
    first = smallest_count(lambda count: above(count - 1) == rising) - 1
    tail = (1 - a) ** first
    other_tail = (1 - b) ** first
    if rising:
        return tail - factor * other_tail
    return 1 - tail - factor * (1 - other_tail)


def acceptance_rates(mass: Fraction, quarter: Fraction) -> tuple[Fraction, Fraction]:
    r"""Return the chance to accept, under two envelopes.

    They are $Ze^{-\varepsilon/4}$ and $e^{-\varepsilon/2}$. `quarter` is
    $e^{\varepsilon/4}$, and Z = `mass` is that of the unnormalised weight
    $e^{\pm\varepsilon/4}$, so it lies within $e^{\pm\varepsilon/4}$. The second is the
    same for all data. Raises ValueError or TypeError for other values.
    """
    root = check_fraction("quarter", quarter, minimum=1)
    z = check_fraction("mass", mass, above=0)
    if not 1 / root <= z <= root:
        raise ValueError(
            f"mass must lie within 1/quarter and quarter = {root}, got {z!r}"
        )
    return z / root, 1 / root**2
