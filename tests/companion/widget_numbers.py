"""What Python computes for the interactive figures: states that are asked, and the
numbers there.
"""

from fractions import Fraction
from functools import cache
from math import exp, floor, log, sqrt

import numpy as np

from mollified.boosting import gain_lower, gain_upper, kl_drop, kl_drop_hoeffding, theta
from mollified.boosting.bounds import gain_share
from mollified.boosting.instances import gain, tilt, ψ
from mollified.bootstrap import (
    hoeffding_records,
    largest_m,
    renyi_records,
    theorem_records,
)
from mollified.boxes import project
from mollified.privacy import failing_eps, gaussian_delta, gaussian_sigma


def split_budget(u, eps):
    """Return the numbers as the page computes them."""
    edges = np.linspace(-4, 4, 161)
    x = (edges[:-1] + edges[1:]) / 2
    p = (
        0.6 * np.exp(-((x + 1.2) ** 2) / 0.18) / 0.3
        + 0.4 * np.exp(-((x - 1.6) ** 2) / 0.5) / 0.5
    )
    q0 = np.exp(-(x**2) / 2)
    p, q0 = p / p.sum(), q0 / q0.sum()
    R = np.exp(eps)
    b = min(np.exp(eps * (u - 1)), 1.0)
    reached, start, wide = (
        p @ np.log(p / q) for q in (project(p, b * q0, R), q0, project(p, q0 / R, R**2))
    )
    regret = max(np.log(1 / b), np.log(R / (R + 1 - R * b)))
    return {
        "b": b,
        "most": eps * u,
        "gain": start - reached,
        "here": reached - wide,
        "regret": regret,
    }


def drop_of_a_round(p, q, theta, size, less):
    P = np.array([p, 1 - p])
    Q = np.array([q, 1 - q])
    c_star = size * log(2)
    edges = 2 * p - 1 - less, 1 - 2 * q - less
    bounds = {"printed": None, "hoeffding": None, "best": None}
    if min(edges) > 0:
        asked = theta, c_star, *edges
        bounds = {
            "printed": kl_drop(*asked, form="printed"),
            "hoeffding": kl_drop_hoeffding(*asked),
            "best": kl_drop(*asked, form="corrected"),
        }
    return {
        "drop": gain(P, Q, theta * c_star * np.array([1, -1])),
        "divergence": P @ np.log(P / Q),
        **bounds,
    }


def records_allowed(n, size, eps, delta, k):
    asked = eps, delta, n, size, k
    room = -log(delta)
    closed = (
        exp(-1 / 12)
        * (sqrt(room + eps) - sqrt(room)) ** 2
        * (n + k * size)
        * sqrt(k * (k + 1))
    )
    records = {
        "exact": largest_m(*asked),
        "printed": theorem_records(*asked),
        "sharper": hoeffding_records(*asked),
    }
    return records | {"closed": renyi_records(*asked) or floor(closed)}


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


def captured_mass(eps, m, q, a, d, s, T, share):
    """Return the numbers from a run made round by round."""
    P = np.array([m, (1 - m) * a, (1 - m) * (1 - a)])
    Q = np.array([q, (1 - q) * (1 - d), (1 - q) * d])
    shape = np.array([s, 1, -1])
    start = Q
    us = theta(eps, T) * log(2)
    for u in us:
        edges = share * (P @ shape), -share * (Q @ shape)
        Q = tilt(Q, u * shape)
    promise = m - m * log(m / q)
    measures = {
        "output": Q[0],
        "dropped": None,
        "theorem": None,
        "corrected": None,
        "sharper": None,
        "step": None,
    }
    has = P > 0
    if (start[has] > 0).all():
        measures["share"] = 2 / eps * (P[has] @ np.log(Q[has] / start[has]))
    if min(edges) > 0:
        measures["dropped"] = promise
        measures["sharper"] = promise + sum(
            u * (m - 1 + edges[0]) - m * ψ(u, edges[1]) for u in us
        )
    if min(edges) > 0 and edges[1] >= 1 / 3:
        asked_13 = (eps + 2 * (2 - sum(edges)) * T) / (eps + 2 * T)
        asked = (1 - edges[0]) / (2 * gain_share(0, edges[1], form="corrected") + 1)
        measures["theorem"], measures["corrected"] = (
            promise if m >= level else None for level in (asked_13, asked)
        )
        measures["step"] = 2 / eps * gain_lower(eps, T, *edges, form="printed")
    return measures


def gain_and_barrier(eps, eP, eQ, less, T):
    """Return the numbers, the gain from the laws of each round's coordinate."""
    P = np.array([1 + eP, 1 - eP]) / 2
    Q = np.array([1 - eQ, 1 + eQ]) / 2
    edges = (eP - less, eQ - less)
    shape = np.array([1, -1]) * log(2)
    return {
        "gain": sum(gain(P, Q, step * shape) for step in theta(eps, T)),
        "barrier": gain_upper(eps, T, form="printed"),
        "sharp": gain_upper(eps, T, form="corrected"),
        "best": gain_lower(eps, T, *edges, form="corrected")
        if min(edges) > 0
        else None,
        "printed": gain_lower(eps, T, *edges, form="printed")
        if edges[0] > 0 and edges[1] >= 1 / 3
        else None,
    }


#: For each figure the values of its sliders, all of whose combinations are asked, and
#: the function.
EXPECTED = {
    "split-budget": (
        {"u": (0.0, 0.31, 0.5, 0.8, 1.0), "eps": (0.1, 1.0, 3.7)},
        split_budget,
    ),
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
        {
            "eps": (0.1, 0.37, 1.0, 3.786, 9.0, 20.0, 99.0),
            "delta": (1e-10, 1e-5, 0.01, 0.5, 0.896),
        },
        gaussian_rule,
    ),
    "captured-mass": (
        {
            "eps": (0.02, 2.7, 40.0),
            "m": (0.45, 0.7),
            "q": (0.2, 0.66),
            "a": (0.0, 0.9, 1.0),
            "d": (0.3, 0.98),
            "s": (-1.0, 0.2, 1.0),
            "T": (1, 3, 12),
            "share": (0.6, 1.0),
        },
        captured_mass,
    ),
    "gain-and-barrier": (
        {
            "eps": (0.1, 4 * log(2), 20.0),
            "eP": (0.05, 0.8, 0.99),
            "eQ": (0.05, 0.5, 0.9),
            "less": (0, 0.01, 0.2),
            "T": (1, 2, 12),
        },
        gain_and_barrier,
    ),
}
