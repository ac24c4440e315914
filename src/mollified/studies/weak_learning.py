r"""Studies for the page on weak learning: the edges that classifiers can have, and how near a failure puts Q to P."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_each, check_seed
from mollified.exact_level import Law, exact_probabilities
from mollified.instances import random_law, random_sparse_law
from mollified.weak_learning import edge_region, support_value, total_variation_exact, weak_game

__all__ = ["edges_against_tv", "edges_of_a_pair", "far_but_unlearnable"]


def _law(name: str, value: object) -> Law:
    def read(name: str, entry: object) -> Fraction:
        if not isinstance(entry, str):
            raise TypeError(f"{name} must hold fractions as text, got {entry!r}")
        try:
            return Fraction(entry)
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"{name} must hold fractions as text, got {entry!r}") from error

    entries = check_each(name, value, read)
    if min(entries) < 0 or sum(entries) != 1:
        raise ValueError(f"{name} must be probabilities that sum to exactly 1, got {value!r}")
    return exact_probabilities(name, entries)


def edges_of_a_pair(p: Sequence[str], q: Sequence[str]) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return the corners of the set of pairs of edges of (P, Q), given as fractions in text; computed exactly.

    Columns part (upper or lower path), order, edge_p, edge_q; facts: total variation, the largest equal edge, and the
    weight that excludes more. Raises TypeError or ValueError for vectors that are no laws of one length.
    """
    one, two = _law("p", p), _law("q", q)
    if len(one) != len(two):
        raise ValueError(f"q must have as many entries as p, got {q!r}")
    upper = edge_region(one, two)
    rows = [("upper", i, float(a), float(b)) for i, (a, b) in enumerate(upper)]
    rows += [("lower", i, float(-a), float(-b)) for i, (a, b) in enumerate(upper)]
    game = weak_game(one, two)
    facts = {
        "tv": float(total_variation_exact(one, two)),
        "edge": float(game.value),
        "weight": float(game.weight),
        "at_half": float(support_value(one, two, Fraction(1, 2))),
    }
    return pd.DataFrame(rows, columns=["part", "order", "edge_p", "edge_q"]), facts


def edges_against_tv(pairs: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return total variation and largest equal edge of random pairs, and of (1, 0), (1-g, g), exact before rounding.

    Columns family, i, tv, edge; `pairs` random ones on two to six points, a third of them concentrated, a third near
    each other. Facts: how many, and the largest and smallest edge as a share of the total variation.
    """
    count, rng = check_count("pairs", pairs), np.random.default_rng(check_seed("seed", seed))
    rows: list[tuple[str, int, float, float]] = []

    def add(family: str, index: int, p: Law, q: Law) -> None:
        edge = weak_game(p, q).value
        rows.append((family, index, float(total_variation_exact(p, q)), float(edge)))

    for index in range(count):
        size = int(rng.integers(2, 7))
        p, q = random_law(rng, size), random_law(rng, size)
        if index % 3 == 1:
            p, q = random_sparse_law(rng, size), random_sparse_law(rng, size)
        elif index % 3 == 2:
            share = Fraction(int(rng.integers(1, 64)), 64)
            q = tuple(share * a + (1 - share) * b for a, b in zip(p, q, strict=True))
        add("random", index, p, q)
    for index in range(1, 20):
        g = Fraction(index, 20)
        add("extremal", index, (Fraction(1), Fraction(0)), (1 - g, g))
    table = pd.DataFrame(rows, columns=["family", "i", "tv", "edge"])
    apart = table[table["tv"] > 0]
    ratios = apart["edge"] / apart["tv"]
    return table, {"pairs": float(count), "least": float(ratios.min()), "most": float(ratios.max())}


def far_but_unlearnable(share: str, digits: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return divergence, total variation and largest equal edge for $P=(1-a,a)$, $Q=(1-b,b)$, $b=a/10^n$.

    `share` is a, as text; columns n (0..`digits`), kl (nats), tv, edge. The edge stays below a, the divergence grows
    without bound. Raises TypeError or ValueError for an a that is no fraction in (0, 1).
    """
    if not isinstance(share, str):
        raise TypeError(f"share must be a fraction as text, got {share!r}")
    try:
        a = Fraction(share)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"share must be a fraction as text, got {share!r}") from error
    if not 0 < a < 1:
        raise ValueError(f"share must lie in (0, 1), got {share!r}")
    rows = []
    for n in range(check_count("digits", digits) + 1):
        b = a / 10**n
        p, q = (1 - a, a), (1 - b, b)
        kl = float(a) * n * math.log(10) + float(1 - a) * (math.log1p(-float(a)) - math.log1p(-float(b)))
        rows.append((n, kl, float(total_variation_exact(p, q)), float(weak_game(p, q).value)))
    table = pd.DataFrame(rows, columns=["n", "kl", "tv", "edge"])
    return table, {
        "share": float(a),
        "kl_last": float(table["kl"].iloc[-1]),
        "edge_last": float(table["edge"].iloc[-1]),
        "tv_last": float(table["tv"].iloc[-1]),
    }
