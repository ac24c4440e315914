r"""Instances of private algorithms on finite spaces.

The laws of the output on two neighbours, and their levels. P and Q are the laws on
neighbours D and D', $r=e^\varepsilon$ keeps everything rational, and δ is the least one
that serves for both orders. Functions here are formulas that statements use, and check
no argument. Source: lecture, (1).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from statements import Space, law, real

__all__ = [
    "Neighbours",
    "answers",
    "binomial",
    "events",
    "excess",
    "inverse",
    "joint",
    "least",
    "mass",
]


def excess(P: Any, Q: Any, r: Any) -> Any:
    r"""Return the least δ with $P(S)\le rQ(S)+\delta$ for all S."""
    return sum(max(p - r * q, 0) for p, q in zip(P, Q, strict=True))


def least(P: Any, Q: Any, r: Any) -> Any:
    r"""Return the least δ at which P and Q are $(\varepsilon,\delta)$-close."""
    return max(excess(P, Q, r), excess(Q, P, r))


def events(P: Any) -> Any:
    """Return all sets of points, each as ones and zeros; the empty one first."""
    sets: list[tuple[int, ...]] = [()]
    for _ in P:
        sets = [(*S, x) for S in sets for x in (0, 1)]
    return sets


def mass(P: Any, S: Any) -> Any:
    """Return the probability of a set, given as ones and zeros."""
    return sum(p * s for p, s in zip(P, S, strict=True))


def joint(P: Any, Q: Any) -> Any:
    """Return the law of a draw from P and an independent one from Q."""
    return [p * q for p in P for q in Q]


def inverse(f: Any, T: Any) -> Any:
    r"""Return the indicator of $f^{-1}(T)$.

    f lists the answers to the points, T is 1 for those that belong to it.
    """
    return [sum(t if y == answer else 0 for answer, t in enumerate(T)) for y in f]


def answers(P: Any, f: Any, T: Any) -> Any:
    r"""Return the probability that the answer of f lies in T.

    From the law of the answer.
    """
    return sum(
        t * sum(p if y == answer else 0 for p, y in zip(P, f, strict=True))
        for answer, t in enumerate(T)
    )


def binomial(n: int, p: Any) -> Any:
    r"""Return the law of the number of successes in n trials.

    $\binom njp^j(1-p)^{n-j}$ for j = 0..n.
    """
    return np.array([comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)])


class Neighbours(Space):
    """An algorithm on two neighbours, at any level.

    Each law may miss points that the other one has.
    """

    P = law(zeros=0.3)
    Q = law(zeros=0.3)
    r = real(1, 20, corner=1, log=True)
    δ = lambda P, Q, r: least(P, Q, r)
