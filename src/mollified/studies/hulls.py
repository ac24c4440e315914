r"""Studies for the page on convex mollifiers."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd

from mollified._validate import Array, check_eps, check_probabilities
from mollified.convex_hull import naive_sampler_law, randomised_response
from mollified.discrete import Discrete
from mollified.divergences import kl
from mollified.relative_mollifier import RelativeMollifier
from mollified.spaces import FiniteSpace

__all__ = ["laws_on_simplex"]


def laws_on_simplex(eps: float, p: object) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return, on three points, the hull of randomised response, the relative mollifier and what each does to P.

    Columns shape, order, x1, x2, x3 (a closed polygon per shape, single points for P, the naive sampler's law and the
    mollification). The relative mollifier is around the uniform $Q_0$ at the same level.
    """
    eps, target = check_eps("eps", eps), check_probabilities("p", p, size=3)
    rows: list[tuple[str, int, float, float, float]] = []

    def add(shape: str, corners: Array) -> None:
        rows.extend((shape, order, float(a), float(b), float(c)) for order, (a, b, c) in enumerate(corners))

    hull = randomised_response(3, eps)
    low, high = np.exp(-eps / 2) / 3, np.exp(eps / 2) / 3
    # A corner has two coordinates at a bound: one low and one high where that leaves a third within the bounds
    # (e^{eps/2} <= 2, a hexagon), else two low (a triangle).
    if 1 - low - high >= low:
        shape = [np.array(c) for c in permutations((low, high, 1 - low - high))]
    else:
        shape = [np.roll([1 - 2 * low, low, low], k) for k in range(3)]
    centre = np.full(3, 1 / 3)
    plane = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    angle = [np.arctan2(*((c - centre) @ plane)[::-1]) for c in shape]
    ordered = np.array([shape[i] for i in np.argsort(angle)])
    add("hull", hull)
    add("relative", ordered)
    space = FiniteSpace(3)
    mollifier = RelativeMollifier(Discrete(centre), eps)
    projected = np.exp(mollifier.project(Discrete(target), space).log_prob(space.points))
    naive = naive_sampler_law(hull, target)
    for name, point in (("P", target), ("naive", naive), ("mollification", projected)):
        add(name, point[None, :])
    logs = np.log(target)
    facts = {
        "eps": eps,
        "kl_naive": kl(logs, np.log(naive), space).value,
        "kl_mollification": kl(logs, np.log(projected), space).value,
        "kl_uniform": kl(logs, np.log(centre), space).value,
    }
    return pd.DataFrame(rows, columns=["shape", "order", "x1", "x2", "x3"]), facts
