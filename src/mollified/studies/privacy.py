r"""Studies for the page on private sampling."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_eps
from mollified.instances import random_law

__all__ = ["event_probabilities"]


def event_probabilities(eps: float, size: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $Q(S)$ and $Q'(S)$ for every event S of a finite space, inside and outside a mollifier.

    The pair "inside" is clipped into the box $[e^{-\varepsilon/2},e^{\varepsilon/2}]$ around uniform by mixing with it; the pair
    "outside" is the raw one. Columns family, event, under_one, under_two; facts: the largest log-ratio of each pair.
    Raises ValueError or TypeError for eps <= 0 or a size outside 2..12.
    """
    eps, size = check_eps("eps", eps), check_count("size", size, minimum=2)
    if size > 12:
        raise ValueError(f"size must be at most 12, got {size}")
    rng = np.random.default_rng(seed)
    raw = [np.array([float(q) for q in random_law(rng, size, spread=3)]) for _ in range(2)]
    low, high = np.exp(-eps / 2), np.exp(eps / 2)
    shares = [
        min((high - 1) / (q.max() * size - 1), (1 - low) / (1 - q.min() * size)) if q.max() * size > 1 else 1.0
        for q in raw
    ]
    inside = [min(1.0, a) * q + (1 - min(1.0, a)) / size for a, q in zip(shares, raw, strict=True)]
    rows = []
    for family, (one, two) in (("inside", inside), ("outside", raw)):
        for count in range(1, size):
            for event in combinations(range(size), count):
                chosen = list(event)
                rows.append((family, "".join(map(str, event)), float(one[chosen].sum()), float(two[chosen].sum())))
    table = pd.DataFrame(rows, columns=["family", "event", "under_one", "under_two"])
    ratio = np.abs(np.log(table["under_one"] / table["under_two"]))
    facts = {
        "events": float(len(table) // 2),
        "inside": float(ratio[table["family"] == "inside"].max()),
        "outside": float(ratio[table["family"] == "outside"].max()),
        "eps": eps,
    }
    return table, facts
