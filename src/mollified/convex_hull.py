r"""Convex mollifiers: hulls (v3 (3)) and the law of the naive sampler (v3 (4))."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mollified._validate import Array, check_array, check_count, check_eps, check_probabilities
from mollified.exact_level import exact_probabilities

__all__ = ["exact_mixture", "hull_member", "naive_sampler_law", "randomised_response"]


def _stochastic(name: str, value: object) -> Array:
    matrix = check_array(name, value, ndim=2)
    for row in matrix:
        check_probabilities(name, row)
    return matrix


def hull_member(family: object, weights: object) -> Array:
    r"""Return the member $\sum_i \alpha_i Q_i$ of the convex hull of a finite family on a finite space.

    `family` has shape (members, k), rows are probability vectors; `weights` has shape (members,).
    Raises ValueError where they are not. Source: v3 (3).
    """
    rows = _stochastic("family", family)
    alpha = check_probabilities("weights", weights, size=rows.shape[0])
    mixed: Array = alpha @ rows
    return mixed


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


def randomised_response(size: int, eps: float) -> Array:
    r"""Return the matrix of $k$-ary randomised response: the true symbol with odds $e^\varepsilon$ against each other.

    $R(x)(y) = (e^\varepsilon 1[x=y] + 1[x\ne y])/(e^\varepsilon+k-1)$; shape (k, k), row $x$ is the law $R(x)$;
    exactly $\varepsilon$-LDP for $k\ge2$. Raises for k < 2 or eps <= 0. Source: v3 section 2 names it.
    """
    size, eps = check_count("size", size, minimum=2), check_eps("eps", eps)
    scale = 1.0 / (1.0 + (size - 1) * math.exp(-eps))
    matrix = np.full((size, size), math.exp(-eps) * scale)
    np.fill_diagonal(matrix, scale)
    return matrix


def naive_sampler_law(randomiser: object, p: object) -> Array:
    r"""Return the law of $\mathcal A_R$: draw $x_0\sim P$, release $R(x_0)$.

    $\mathrm{Law}(\mathcal A_R(P))=\sum_x P(x)\,R(x)$; `randomiser` has shape (k, outputs), `p` shape (k,).
    Raises ValueError for rows that are not probabilities. Source: v3 (4).
    """
    rows = _stochastic("randomiser", randomiser)
    law: Array = check_probabilities("p", p, size=rows.shape[0]) @ rows
    return law
