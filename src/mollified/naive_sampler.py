r"""The naive sampler of k-ary randomised response, the set of its laws, and the closest law in that set. Exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mollified._validate import check_count, check_fraction
from mollified.exact_level import Law, exact_probabilities
from mollified.exact_projection import exact_projection

__all__ = [
    "closest_in_hull",
    "closest_in_relative",
    "response_floor",
    "response_law",
]

ONE, ZERO = Fraction(1), Fraction(0)


def response_floor(size: int, ratio: Fraction) -> Fraction:
    r"""Return $1/(e^\varepsilon+k-1)$: the smallest probability under k-ary randomised response.

    `ratio` is $e^\varepsilon$. Raises TypeError or ValueError for fewer than two points or a ratio that is not a
    rational above 1. Exact. Source: v3 section 2 names randomised response.
    """
    return 1 / (check_fraction("ratio", ratio, above=1) + check_count("size", size, minimum=2) - 1)


def response_law(p: Sequence[Fraction], ratio: Fraction) -> Law:
    r"""Return the law of $\mathcal A_R(P)$ for k-ary randomised response: $(1+(e^\varepsilon-1)P)/(e^\varepsilon+k-1)$.

    With a the floor and b = 1 - ka this is a + bP. Raises TypeError or ValueError for a vector that is no rational law
    on two points or more, or a ratio that is not a rational above 1. Source: v3 (4).
    """
    law = exact_probabilities("p", p)
    low = response_floor(_size(law), ratio)
    return tuple(low * (1 + (ratio - 1) * mass) for mass in law)


def closest_in_hull(p: Sequence[Fraction], ratio: Fraction) -> tuple[Fraction, Law]:
    r"""Return $(C,\max\{a,P/C\})$: the member of the hull of randomised response closest to P in KL. Exact.

    The hull is the set of all laws with atoms of at least $a=1/(e^\varepsilon+k-1)$; C makes the total one. Raises as
    `response_law` does. Source: v3 (7), for $\mathcal M_R$; the closed form is ours.
    """
    law = exact_probabilities("p", p)
    low = response_floor(_size(law), ratio)
    order = sorted(law, reverse=True)
    mass = ZERO
    for free, atom in enumerate(order, start=1):
        mass += atom
        constant = mass / (1 - (len(law) - free) * low)
        if free == len(law) or order[free] <= constant * low:
            break
    return constant, tuple(max(low, value / constant) for value in law)


def closest_in_relative(p: Sequence[Fraction], reference: Sequence[Fraction], root: Fraction) -> Law:
    r"""Return a closest member of $\mathcal M_{\varepsilon,Q_0}$, also where (8) has no constant. Exact.

    `root` is $r=e^{\varepsilon/2}$. Where no constant exists: $rQ_0$ on the support of P, and the rest of the mass in
    proportion to $Q_0$. Raises TypeError or ValueError for vectors that are not rational laws, or a root that is not
    a rational above 1. Source: v3 (8).
    """
    base = exact_probabilities("reference", reference)
    law, r = exact_probabilities("p", p, size=len(base)), check_fraction("root", root, above=1)
    held = sum((q for mass, q in zip(law, base, strict=True) if mass > 0), ZERO)
    if held * (1 + r) >= 1:
        return exact_projection(law, base, r)[1]
    spread = (1 - r * held) / (1 - held)
    return tuple((r if mass > 0 else spread) * q for mass, q in zip(law, base, strict=True))


def _size(law: Law) -> int:
    if len(law) < 2:
        raise ValueError(f"p must be a law on two points or more, got {law!r}")
    return len(law)
