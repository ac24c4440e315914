r"""Sweeps over many random settings, and searches for the worst, for the corrected statements on Gaussian noise.

A setting is a point of a unit cube; floats, all settings at once; margins are relative to the size of the bound.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from scipy.special import erfcx, ndtr

from mollified._validate import Array, _echo, check_count, check_eps, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check
from mollified.gaussian_mechanism import error_multiple, gaussian_deltas

__all__ = ["climb", "sweep"]

#: What rounding may take from a margin: the exact delta is known to 1e-9, all else far better.
TOLERANCE = 1e-9
Kind = Literal["tail", "small", "events", "loss", "threshold", "half", "error", "union", "slides"]
#: Dimension of the cube of each kind.
SIZES = {
    "tail": 1, "small": 3, "events": 13, "loss": 4, "threshold": 4, "half": 2, "error": 3, "union": 3, "slides": 3,
}  # fmt: skip
#: The largest eps up to which the printed noise is proved to be enough, and up to which the half tail gives it.
MOST, HALF_MOST = 1893 / 500, 2 * math.log(2.5)
Values = dict[str, Array]


def _logs(u: Array, low: float, high: float) -> Array:
    return np.asarray(np.exp(np.log(low) + np.log(high / low) * u))


def _delta(u: Array, switch: Array) -> Array:
    """Return a delta in (0, 1): uniform for one half of the cube, with a uniform logarithm down to 1e-300 else."""
    return np.asarray(np.where(switch < 0.5, np.clip(u, 1e-9, 1 - 1e-9), _logs(u, 1e-300, 0.999)))


def _multiple(delta: Array) -> Array:
    return np.asarray(np.sqrt(2 * np.log(1.25 / delta)))


def _tail(u: Array, claimed: float) -> tuple[Array, Values]:
    t = _logs(u[:, 0], 1e-8, 40.0)
    return claimed - erfcx(t / math.sqrt(2)), {"t": t}


def _small(u: Array, claimed: float) -> tuple[Array, Values]:
    eps, delta = MOST * np.clip(u[:, 0], 1e-3, 1), _delta(u[:, 1], u[:, 2])
    return 1 - gaussian_deltas(eps, eps / (claimed * _multiple(delta))) / delta, {"eps": eps, "delta": delta}


def _events(u: Array, claimed: float) -> tuple[Array, Values]:
    """Return how far the gain of a slab or half-space stays below the least delta at sensitivity 1, K = 4 values."""
    mu, x = _logs(u[:, 0], 0.05, 8.0), -3 + 8 * u[:, 1]
    eps = mu * np.maximum(x + mu / 2, 0.01)
    direction = 2 * u[:, 2:6] - 1 + 1e-9
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    # The normal is near the direction of the difference for half of the cube, anything for the rest.
    blend = np.where(u[:, 11] < 0.5, 0.3 * u[:, 11], 1.0)[:, np.newaxis]
    normal = direction + blend * (2 * u[:, 6:10] - 1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    shrink = np.where(u[:, 12] < 0.5, 1.0, u[:, 12])
    shift = (normal * direction).sum(axis=1) * shrink * mu / claimed
    low = eps / mu - mu / 2 + (u[:, 10] - 0.5)
    high = np.where(u[:, 11] < 0.8, np.inf, low + 6 * u[:, 12])
    # Noise y of the normal law along the normal: the event is low < y < high under D, shifted under D'.
    gain = (ndtr(-low) - ndtr(-high)) - np.exp(eps) * (ndtr(-low - shift) - ndtr(-high - shift))
    least = gaussian_deltas(eps, mu)
    return 1 - gain / least, {"eps": eps, "mu": mu, "low": low, "high": np.minimum(high, 1e300), "shift": shift}


def _loss(u: Array, claimed: float) -> tuple[Array, Values]:
    most, sigma = _logs(u[:, 0], 1e-3, 1e3), _logs(u[:, 1], 1e-3, 1e3)
    y, d = 40 * sigma * (u[:, 2] - 0.5), most * np.clip(2.2 * u[:, 3] - 1.1, -1, 1)
    bound = (2 * np.abs(y) * most + most**2) / (2 * sigma**2)
    return claimed - np.abs(2 * y * d + d * d) / (2 * sigma**2) / bound, {
        "sensitivity": most, "sigma": sigma, "y": y, "d": d,
    }  # fmt: skip


def _threshold(u: Array, claimed: float) -> tuple[Array, Values]:
    eps, mu = _logs(u[:, 0], 1e-3, 1e2), u[:, 1]
    mu = np.sqrt(2 * eps) * np.clip(mu, 1e-6, 1 - 1e-9)  # the threshold is positive
    y = (eps / mu - mu / 2) * np.clip(2.2 * u[:, 2] - 1.1, -1, 1)
    return claimed - np.abs(2 * y * mu + mu * mu) / (2 * eps), {"eps": eps, "mu": mu, "y": y}


def _half(u: Array, claimed: float) -> tuple[Array, Values]:
    delta = _logs(u[:, 1], 1e-300, 0.999)
    c = _multiple(delta)
    eps = np.minimum(HALF_MOST, 2 * c * c) * np.clip(u[:, 0], 1e-6, 1)  # t is not negative
    t = c - eps / (2 * c)
    return claimed - np.exp(math.log(0.5) - t * t / 2 - np.log(delta)), {"eps": eps, "delta": delta}


def _query(u: Array) -> tuple[Array, Array]:
    return np.floor(_logs(u[:, 0], 1.0, 1e6)), np.where(u[:, 1] < 0.5, 1 - 0.999 * u[:, 2], _logs(u[:, 2], 1e-200, 1.0))


def _error(u: Array, claimed: float) -> tuple[Array, Values]:
    size, beta = _query(u)
    multiple = claimed * error_multiple(beta / size, 1)
    missed = -np.expm1(size * np.log1p(-2 * ndtr(-multiple) * (1 - 1e-16)))
    return 1 - missed / beta, {"K": size, "beta": beta}


def _union(u: Array, claimed: float, sides: int = 1) -> tuple[Array, Values]:
    size, beta = _query(u)
    multiple = claimed * error_multiple(beta / (sides * size), 1)
    return 1 - np.exp(np.log(sides * size / beta) - multiple**2 / 2), {"K": size, "beta": beta}


def _slides(u: Array, claimed: float) -> tuple[Array, Values]:
    return _union(u, claimed, 2)


MARGINS = {
    "tail": _tail, "small": _small, "events": _events, "loss": _loss, "threshold": _threshold, "half": _half,
    "error": _error, "union": _union, "slides": _slides,
}  # fmt: skip


def _kind(kind: object) -> None:
    if not isinstance(kind, str) or kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {_echo(kind)}")


def _check(margin: Array, values: Values) -> Check:
    counted = np.isfinite(margin)
    worst = int(np.where(counted, margin, np.inf).argmin())
    failed = int((margin < -TOLERANCE).sum())
    return Check(
        instances=int(counted.sum()),
        violations=failed,
        worst_slack=float(margin[worst]),
        arithmetic="float",
        tolerance=TOLERANCE,
        counterexample={name: repr(float(value[worst])) for name, value in values.items()} if failed else None,
    )


def sweep(rng: np.random.Generator, instances: int, *, kind: Kind, claimed: float = 1.0) -> Check:
    r"""Check a corrected statement on random settings; tolerance 1e-9, relative to the bound. Floats.

    tail: $P[|N|>t]\le e^{-t^2/2}$, t in (1e-8, 40). small: the printed sigma is enough for eps <= 3.786, delta in
    (1e-300, 1). events: no slab or half-space of $\mathbb R^4$ gains more than the closed form, for differences of norm
    up to $\Delta$ in any direction. loss, threshold, half: the corrected steps of the proof sketch, the last being
    $\frac12e^{-t^2/2}\le\delta$ for $\varepsilon\le2\ln\frac52$ where t > 0. error: the corrected threshold, K up to
    10^6, beta in (1e-200, 1). union, slides: the union bound with one and two sides. `claimed` scales the bound, for
    small and events sigma, for error, union and slides the threshold.
    """
    rng, instances = check_trials(rng, instances)
    _kind(kind)
    return _check(*MARGINS[kind](rng.random((instances, SIZES[kind])), check_eps("claimed", claimed)))


def climb(rng: np.random.Generator, instances: int, *, kind: Kind, claimed: float = 1.0, starts: int = 4000) -> Check:
    """Search for the smallest margin of `sweep`: Nelder-Mead from the `instances` best of `starts` starts."""
    rng, instances = check_trials(rng, instances)
    _kind(kind)
    claimed, starts = check_eps("claimed", claimed), check_count("starts", starts)

    def cube(z: Array) -> Array:
        return np.asarray(1 / (1 + np.exp(-np.clip(z, -30, 30))))

    found = search_worst(
        lambda z: MARGINS[kind](cube(z), claimed)[0], SIZES[kind], rng, starts=max(starts, instances), refine=instances
    )
    values = MARGINS[kind](cube(found.point[np.newaxis, :]), claimed)[1]
    single = _check(np.array([found.margin]), values)
    failed = int((found.refined < -TOLERANCE).sum())
    return Check(len(found.refined), failed, found.margin, "float", TOLERANCE, counterexample=single.counterexample)
