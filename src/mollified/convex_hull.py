r"""Mixtures of laws on a finite space, in rationals (v3 (3))."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mollified.exact_level import exact_probabilities

__all__ = ["exact_mixture"]


def exact_mixture(family: Sequence[Sequence[Fraction]], weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return $\sum_i \alpha_i Q_i$ in rationals; raises as `exact_probabilities` does. Source: v3 (3)."""
    if not isinstance(family, Sequence) or isinstance(family, str) or len(family) == 0:
        raise ValueError(f"family must be a non-empty sequence of probability vectors, got {family!r}")
    first = exact_probabilities("family", family[0])
    members = [exact_probabilities("family", member, size=len(first)) for member in family]
    alpha = exact_probabilities("weights", weights, size=len(members))
    return tuple(
        sum((a * member[x] for a, member in zip(alpha, members, strict=True)), Fraction(0)) for x in range(len(first))
    )
