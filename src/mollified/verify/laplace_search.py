r"""Sweeps over many random settings of the Laplace mechanism, and searches for the worst: the density ratio.

A setting is a point of a unit cube; floats, all settings at once; margins in units of the level.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from mollified._validate import Array, _echo, check_eps, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check
from mollified.laplace_mechanism import log_ratio

__all__ = ["Kind", "climb", "sweep"]

#: What rounding may take: answers up to 1e6 in doubles, divided by a change of about one.
TOLERANCE = 1e-9
Kind = Literal["mechanism", "supremum"]
SIZES = {"mechanism": 14, "supremum": 4}


def _setting(u: Array, kind: Kind) -> dict[str, Array]:
    """Return answers, other answers, outputs, sensitivities and eps for rows of numbers in [0, 1]."""
    if kind == "mechanism":
        one, moved = 8 * u[:, :4] - 4, 2 * u[:, 4:8] - 1
        two, output = one + moved, 24 * u[:, 8:12] - 12
        distance = np.maximum(np.abs(moved).sum(axis=1), 1e-9)
        sensitivity = distance * (1 + np.maximum(u[:, 12] - 0.5, 0))
    else:
        n, weight = np.floor(10 ** (6 * u[:, 0])) - 1, 0.01 + 3.98 * u[:, 1]
        one, two = (n + weight / (n + 1))[:, np.newaxis], (n + 1 + weight / (n + 2))[:, np.newaxis]
        output, sensitivity = one - 5 + 11 * u[:, 2:3], np.ones(len(u))
    eps = 0.01 * np.exp(7.6 * u[:, -1])
    return {"f": one, "f2": two, "output": output, "sensitivity": sensitivity, "eps": eps}


def _margins(u: Array, kind: Kind, claimed: float) -> Array:
    at = _setting(u, kind)
    ratio = log_ratio(at["output"], at["f"], at["f2"], at["sensitivity"] / at["eps"])
    return np.asarray(claimed - np.abs(ratio) / at["eps"])


def _check(margins: Array, u: Array, kind: Kind, tried: int) -> Check:
    worst, failed = int(margins.argmin()), int((margins < -TOLERANCE).sum())
    example = None
    if failed:
        values = {name: part[worst] for name, part in _setting(u, kind).items()}
        example = {name: np.array2string(np.asarray(value), separator=", ") for name, value in values.items()}
    return Check(tried, failed, float(margins[worst]), "float", TOLERANCE, counterexample=example)


def _arguments(rng: object, instances: object, kind: object, claimed: object) -> tuple[np.random.Generator, int, float]:
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {_echo(kind)}")
    rng, instances = check_trials(rng, instances)
    return rng, instances, check_eps("claimed", claimed)


def sweep(rng: np.random.Generator, instances: int, *, kind: Kind = "mechanism", claimed: float = 1.0) -> Check:
    r"""Check $|\ln g(o)/g'(o)|\le c\,\varepsilon$ on many random settings at once, c = `claimed` = 1.

    "mechanism": K = 4, answers at most $\Delta_1$ apart; in a third of the settings outputs lie beyond both answers,
    an equality. "supremum": $f=n+\frac w{n+1}$ with 0 < w < 4, n up to 10^6, noise for a supremum of 1. Floats,
    tolerance 1e-9. Raises ValueError or TypeError for another kind, a claim <= 0.
    """
    rng, instances, claimed = _arguments(rng, instances, kind, claimed)
    u = rng.random((instances, SIZES[kind]))
    if kind == "mechanism":
        u[: instances // 3, 8:12] = np.where(u[: instances // 3, 4:8] > 0.5, 0.0, 1.0)
    return _check(_margins(u, kind, claimed), u, kind, instances)


def climb(rng: np.random.Generator, instances: int, *, kind: Kind = "mechanism", claimed: float = 1.0) -> Check:
    r"""Search for the worst setting of `sweep`: `instances` starts, the best refined. Raises as `sweep` does."""
    rng, instances, claimed = _arguments(rng, instances, kind, claimed)

    def cube(z: Array) -> Array:
        return np.asarray(1 / (1 + np.exp(-np.clip(z, -40, 40))))

    found = search_worst(
        lambda z: _margins(cube(z), kind, claimed), SIZES[kind], rng, starts=instances, refine=4, evaluations=300
    )
    return _check(np.array([found.margin]), cube(found.point[np.newaxis]), kind, found.evaluated)
