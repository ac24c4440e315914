r"""Studies for the page on private sampling."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import numpy as np
import pandas as pd

from mollified._validate import check_count, check_eps, check_seed
from mollified.instances import random_law

__all__ = ["event_probabilities"]


def event_probabilities(eps: float, size: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return $Q(S)$ and $Q'(S)$ for every event S of a finite space, inside and outside a mollifier.

    The pair "inside" is brought into the box $[e^{-\varepsilon/2},e^{\varepsilon/2}]$ around uniform by mixing with it;
    the pair "outside" is the raw one. Columns family, event (its points as letters), under_one, under_two, log_ratio
    ($\log Q(S)/Q'(S)$ in nats); facts: the largest absolute log-ratio of each pair.
    Raises ValueError or TypeError for eps <= 0 or a size outside 2..12.
    """
    check_seed("seed", seed)
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
                name = "".join(ascii_lowercase[point] for point in event)
                rows.append((family, name, float(one[chosen].sum()), float(two[chosen].sum())))
    table = pd.DataFrame(rows, columns=["family", "event", "under_one", "under_two"])
    table["log_ratio"] = np.log(table["under_one"] / table["under_two"])
    ratio = table["log_ratio"].abs()
    facts = {
        "events": float(len(table) // 2),
        "inside": float(ratio[table["family"] == "inside"].max()),
        "outside": float(ratio[table["family"] == "outside"].max()),
        "eps": eps,
    }
    return table, facts
