r"""When can the weak learning assumption hold: the edges that classifiers can have on a pair of laws, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mollified._validate import check_fraction, check_fractions
from mollified.exact_level import Law, exact_probabilities

__all__ = [
    "Game",
    "edge_region",
    "edges",
    "largest_edge",
    "support_value",
    "total_variation_exact",
    "weak_game",
    "weights_to_try",
]

ONE, ZERO = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class Game:
    r"""Hold the solution of $\max_c\min_\lambda$ of the weighted excess of the two edges: value and both strategies.

    `classifier` has values in [-1, 1] and excess at least `value` in both edges; with the weight `weight` on the edge
    of P no classifier has a weighted excess above `value`. So `value` > 0 says that a classifier with both edges above
    the asked ones exists, and otherwise `weight` proves that none does.
    """

    value: Fraction
    classifier: tuple[Fraction, ...]
    weight: Fraction


def _pair(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Law, Law]:
    law = exact_probabilities("p", p)
    return law, exact_probabilities("q", q, size=len(law))


def total_variation_exact(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    r"""Return $\operatorname{TV}(P,Q)=\frac12\sum_x|P(x)-Q(x)|$ in rationals.

    Raises TypeError or ValueError for vectors that are not rational probabilities of one length.
    """
    one, two = _pair(p, q)
    return sum((abs(a - b) for a, b in zip(one, two, strict=True)), ZERO) / 2


def edges(classifier: Sequence[Fraction], p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    r"""Return the two edges $\frac1{c^*}\mathbb E_P[c]$ and $\frac1{c^*}\mathbb E_Q[-c]$, $c^*=\max_x|c(x)|$. Exact.

    Raises ValueError for the zero classifier, TypeError or ValueError for vectors that do not fit.
    Source: v1 Definition 1, v3 Definition 3.
    """
    one, two = _pair(p, q)
    values = check_fractions("classifier", classifier, size=len(one))
    top = max(abs(value) for value in values)
    if top == 0:
        raise ValueError(f"classifier must not be zero everywhere, got {classifier!r}")
    first = sum((a * c for a, c in zip(one, values, strict=True)), ZERO)
    second = sum((b * c for b, c in zip(two, values, strict=True)), ZERO)
    return first / top, -second / top


def support_value(p: Sequence[Fraction], q: Sequence[Fraction], weight: Fraction) -> Fraction:
    r"""Return $\sum_x|\lambda P(x)-(1-\lambda)Q(x)|$, the largest $\lambda a+(1-\lambda)b$ over pairs of edges (a, b).

    `weight` is $\lambda\in[0,1]$; raises TypeError or ValueError otherwise. Exact. This is our criterion, no paper's.
    """
    one, two = _pair(p, q)
    share = check_fraction("weight", weight, minimum=0, maximum=1)
    return sum((abs(share * a - (1 - share) * b) for a, b in zip(one, two, strict=True)), ZERO)


def weights_to_try(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Fraction, ...]:
    r"""Return 0, 1 and all $\lambda=Q(x)/(P(x)+Q(x))$: `support_value` is convex and linear in between. Exact.

    Raises as `support_value` does.
    """
    one, two = _pair(p, q)
    kinks = {b / (a + b) for a, b in zip(one, two, strict=True) if a + b > 0}
    return tuple(sorted(kinks | {ZERO, ONE}))


def edge_region(p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[tuple[Fraction, Fraction], ...]:
    r"""Return the upper boundary of the set of pairs of edges, as its corners from (-1, 1) to (1, -1). Exact.

    The corners are the classifiers $\pm1$ that say "P" on the points of largest $P/Q$ (Neyman and Pearson); the
    region is this path, mirrored at the origin. Raises as `support_value` does.
    """
    one, two = _pair(p, q)
    corners, current = [(-ONE, ONE)], (-ONE, ONE)
    for x in _by_ratio(one, two):
        current = (current[0] + 2 * one[x], current[1] - 2 * two[x])
        corners.append(current)
    return tuple(corners)


def _by_ratio(p: Law, q: Law) -> list[int]:
    """Sort the points that carry mass by P/(P+Q), largest first: the order in which to say "P"."""
    there = [x for x in range(len(p)) if p[x] + q[x] > 0]
    return sorted(there, key=lambda x: -p[x] / (p[x] + q[x]))


def weak_game(p: Sequence[Fraction], q: Sequence[Fraction], gamma_p: Fraction = ZERO, gamma_q: Fraction = ZERO) -> Game:
    r"""Solve $\max_c\min\{\mathbb E_P[c]-\gamma_P,\ \mathbb E_Q[-c]-\gamma_Q\}$ over $|c|\le1$, exactly.

    The classifier walks from "Q everywhere" to "P everywhere" along the corners of `edge_region`, and stops where both
    excesses agree; the weight minimises $\sum_x|\lambda P-(1-\lambda)Q|-\lambda\gamma_P-(1-\lambda)\gamma_Q$ over
    `weights_to_try`. The two are found apart; by the minimax theorem the classifier reaches what the weight allows.
    Raises TypeError or ValueError for edges outside [0, 1] or vectors that do not fit; ArithmeticError if both differ.
    """
    one, two = _pair(p, q)
    ask_p = check_fraction("gamma_p", gamma_p, minimum=0, maximum=1)
    ask_q = check_fraction("gamma_q", gamma_q, minimum=0, maximum=1)
    values = [-ONE] * len(one)
    left, right = -1 - ask_p, 1 - ask_q  # the two excesses; the first grows, the second falls
    for x in _by_ratio(one, two):
        share = (right - left) / (2 * (one[x] + two[x]))
        share = min(max(share, ZERO), ONE)
        values[x] += 2 * share
        left, right = left + 2 * share * one[x], right - 2 * share * two[x]
        if share < 1:
            break

    def allowed(weight: Fraction) -> Fraction:
        return support_value(one, two, weight) - weight * ask_p - (1 - weight) * ask_q

    weight = min(weights_to_try(one, two), key=allowed)
    if min(left, right) != allowed(weight):
        raise ArithmeticError(f"p: reached {min(left, right)}, allowed {allowed(weight)} for {one}, {two}")
    return Game(min(left, right), tuple(values), weight)


def largest_edge(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    r"""Return the largest $\gamma$ for which some classifier has both edges at least $\gamma$. Exact.

    It is $\min_\lambda\sum_x|\lambda P(x)-(1-\lambda)Q(x)|$. The weak learning assumption with
    $\gamma_P=\gamma_Q=\gamma$ can be met on the pair if and only if $\gamma$ is smaller. It lies between
    $\operatorname{TV}/(2-\operatorname{TV})$ and $\operatorname{TV}$. Raises as `weak_game`.
    """
    return weak_game(p, q).value
