"""What Python computes for the interactive figures: states that are asked, and the numbers there."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import exp, floor, log, sqrt

import numpy as np

from mollified.boosting import kl_drop, kl_drop_hoeffding
from mollified.boosting.instances import gain
from mollified.bootstrap import hoeffding_records, largest_m, renyi_records, theorem_records
from mollified.boxes import project
from mollified.privacy import failing_eps, gaussian_delta, gaussian_sigma

__all__ = ["EXPECTED"]


def split_budget(u, eps):
    """Return the numbers as the page computes them."""
    edges = np.linspace(-4, 4, 161)
    x = (edges[:-1] + edges[1:]) / 2
    p = 0.6 * np.exp(-((x + 1.2) ** 2) / 0.18) / 0.3 + 0.4 * np.exp(-((x - 1.6) ** 2) / 0.5) / 0.5
    q0 = np.exp(-(x**2) / 2)
    p, q0 = p / p.sum(), q0 / q0.sum()
    R = np.exp(eps)
    b = min(np.exp(eps * (u - 1)), 1.0)
    found, start, wide = (p @ np.log(p / q) for q in (project(p, b * q0, R), q0, project(p, q0 / R, R**2)))
    regret = max(np.log(1 / b), np.log(R / (R + 1 - R * b)))
    return {"b": b, "most": eps * u, "gain": start - found, "here": found - wide, "regret": regret}


def drop_of_a_round(p, q, theta, size, less):
    P, Q, c_star = np.array([p, 1 - p]), np.array([q, 1 - q]), size * log(2)
    edges = 2 * p - 1 - less, 1 - 2 * q - less
    bounds = {"printed": None, "hoeffding": None, "best": None}
    if min(edges) > 0:
        asked = theta, c_star, *edges
        bounds = {
            "printed": kl_drop(*asked, form="printed"),
            "hoeffding": kl_drop_hoeffding(*asked),
            "best": kl_drop(*asked, form="corrected"),
        }
    return {"drop": gain(P, Q, theta * c_star * np.array([1, -1])), "divergence": P @ np.log(P / Q), **bounds}


def records_allowed(n, size, eps, delta, k):
    asked = eps, delta, n, size, k
    room = -log(delta)
    closed = exp(-1 / 12) * (sqrt(room + eps) - sqrt(room)) ** 2 * (n + k * size) * sqrt(k * (k + 1))
    found = {"exact": largest_m(*asked), "printed": theorem_records(*asked), "sharper": hoeffding_records(*asked)}
    return found | {"closed": renyi_records(*asked) or floor(closed)}


@cache
def _last(delta):
    return float(failing_eps(Fraction(delta))[0])


def gaussian_rule(eps, delta):
    c = sqrt(2 * log(1.25 / delta))
    return {
        "exact": gaussian_delta(eps, eps / c),
        "promise": delta,
        "corrected": delta if eps <= 3.786 else None,
        "sigma": c / eps,
        "smallest": gaussian_sigma(eps, delta),
        "last": _last(delta),
    }


#: For each figure the values of its sliders, all of whose combinations are asked, and the function.
EXPECTED = {
    "split-budget": ({"u": (0.0, 0.31, 0.5, 0.8, 1.0), "eps": (0.1, 1.0, 3.7)}, split_budget),
    "drop-of-a-round": (
        {
            "p": (0.51, 2 / 3, 0.97),
            "q": (0.02, 1 / 3, 0.45),
            "theta": (0.04, 0.5, 0.98),
            "size": (0.01, 0.3, 1.0),
            "less": (0, 1 / 30, 0.25),
        },
        drop_of_a_round,
    ),
    "records-allowed": (
        {
            "n": (10, 10_000, 1_000_000),
            "size": (3, 100),
            "eps": (0.1, 0.5, 4.0),
            "delta": (1e-9, 1e-6, 0.01),
            "k": (1, 7, 100, 10_000),
        },
        records_allowed,
    ),
    "gaussian-rule": (
        {"eps": (0.1, 0.37, 1.0, 3.786, 9.0, 20.0, 99.0), "delta": (1e-10, 1e-5, 0.01, 0.5, 0.896)},
        gaussian_rule,
    ),
}
