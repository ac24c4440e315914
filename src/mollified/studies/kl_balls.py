r"""Studies for the page on KL balls: how much further off a second law can be, and what a bad output excludes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mollified._validate import Array, check_count, check_each, check_eps, check_interval, check_seed
from mollified.bounds import kl_ball, kl_outside
from mollified.kl_ball_bound import equality_radius, exact_kl_ball

__all__ = ["bad_output", "exact_curve", "growth_by_level"]


def _logs(weights: Array) -> Array:
    top = weights.max(axis=-1, keepdims=True)
    return np.asarray(weights - top - np.log(np.exp(weights - top).sum(axis=-1, keepdims=True)))


def _laws_of_level(rng: np.random.Generator, n: int, eps: float) -> tuple[Array, Array, Array]:
    r"""Return log P, log Q', log Q, each (n, 4): pairs of level `eps`, which is met within 1e-12, from below.

    Atoms go down to about $e^{-50}$; half of the log-ratios are two-valued; P is random, or Q' tilted by the log-ratio.
    """
    base = _logs(rng.normal(size=(n, 4)) * rng.choice([0.5, 2.0, 12.0], size=(n, 1)))
    shape = rng.uniform(-1, 1, (n, 4))
    shape = np.where(rng.random((n, 1)) < 0.5, np.where(shape > 0, 1.0, -1.0), shape)
    shape[:, 0], shape[:, 1] = 1.0, -1.0
    rng.random((n, 1))  # not used any more; it keeps the points of the accepted picture
    low, high = np.zeros((n, 1)), np.full((n, 1), 2.0 * eps)
    for _ in range(50):
        middle = (low + high) / 2
        below = np.abs(base - _logs(base - middle * shape)).max(axis=1, keepdims=True) <= eps
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    other = _logs(base - low * shape)
    tilt = shape * np.exp(rng.uniform(-5, 4, (n, 1))) + rng.normal(size=(n, 4)) * rng.choice([0.0, 0.1, 3.0], (n, 1))
    return _logs(base + tilt), base, other


def exact_curve(eps: float, points: int, pairs: int, seed: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return what the bounds add to $\delta$ at level $\varepsilon$, and what random pairs of that level add.

    Columns kind (curve, pair), index, delta, extra (for a pair KL(P, Q) - KL(P, Q'), for the curve the least bound),
    printed, corrected, exact, all in nats; $\delta$ from 1e-4 to 3.
    """
    eps = check_interval("eps", eps, 0.0, 20.0, open_low=True)
    points, pairs, seed = (
        check_count("points", points, minimum=2),
        check_count("pairs", pairs),
        check_seed("seed", seed),
    )
    log_p, one, two = _laws_of_level(np.random.default_rng(seed), pairs, eps)
    p = np.exp(log_p)
    found = (p * (log_p - one)).sum(axis=1), (p * (one - two)).sum(axis=1)
    keep = (found[0] >= 1e-4) & (found[0] <= 3) & (found[1] > 0)
    if not keep.any():
        raise ValueError(f"pairs must be more, none of {pairs} falls into the picture")
    grid = np.geomspace(1e-4, 3, points)
    frames = []
    for kind, delta, extra in (
        ("curve", grid, exact_kl_ball(grid, eps) - grid),
        ("pair", found[0][keep], found[1][keep]),
    ):
        frames.append(
            pd.DataFrame(
                {
                    "kind": kind,
                    "index": np.arange(delta.size),
                    "delta": delta,
                    "extra": extra,
                    "printed": kl_ball(delta, eps, form="printed") - delta,
                    "corrected": kl_ball(delta, eps, form="corrected") - delta,
                    "exact": exact_kl_ball(delta, eps) - delta,
                }
            )
        )
    table = pd.concat(frames, ignore_index=True)
    shown = table[table["kind"] == "pair"]
    facts = {
        "eps": eps,
        "radius": equality_radius(eps),
        "at_zero": exact_kl_ball(0.0, eps),
        "shown": float(len(shown)),
        "closest": float((shown["extra"] / shown["exact"]).max()),
        "below_radius": float((shown["extra"] / shown["exact"])[shown["delta"] < equality_radius(eps)].max()),
    }
    return table, facts


def growth_by_level(deltas: Sequence[float], points: int) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return which share of $\varepsilon$ the least bound adds to $\delta$, for $\varepsilon$ from 0.01 to 10.

    Columns delta, eps, share, corrected. Facts: the share at $\varepsilon=0.1$ for each radius; `saved_most` is
    $\max_\varepsilon\varepsilon(1-\tanh\frac\varepsilon2)$ on a fine grid, in nats, the most by which
    $\delta+\varepsilon$ is ever too large, and `saved_at` where.
    """
    check_each("deltas", deltas, _radius)
    grid = np.geomspace(0.01, 10, check_count("points", points, minimum=2))
    frames = []
    facts: dict[str, float] = {}
    for delta in deltas:
        share = (exact_kl_ball(delta, grid) - delta) / grid
        closed = (kl_ball(delta, grid, form="corrected") - delta) / grid
        frames.append(pd.DataFrame({"delta": float(delta), "eps": grid, "share": share, "corrected": closed}))
        facts[f"share_{delta:g}"] = float((exact_kl_ball(delta, 0.1) - delta) / 0.1)
    fine = np.linspace(0.5, 2.5, 200_001)
    saved = fine - exact_kl_ball(0.0, fine)
    facts |= {"saved_most": float(saved.max()), "saved_at": float(fine[saved.argmax()])}
    return pd.concat(frames, ignore_index=True), facts


def _radius(name: str, value: object) -> float:
    return check_interval(name, value, 0.0, 10.0)


def bad_output(eps: float, size: int, mass: float) -> tuple[pd.DataFrame, dict[str, float]]:
    r"""Return divergences of an algorithm that outputs P, or a bad law, against the number of records that differ.

    $P=(\frac12,\frac12)$, bad law (`mass`, 1 - `mass`), output with probability $\frac12e^{-d\varepsilon}$ on data d
    records away from $D'$. Columns d, good, bad, averaged ($\operatorname{KL}(P,\bar Q(D))$), printed (the floor
    $\Delta-m\varepsilon$ of Lemma 18), floor ($\operatorname{KL}(P,\bar Q(D'))-d\varepsilon$), all in nats.
    """
    eps, size = check_eps("eps", eps), check_count("size", size)
    mass = check_interval("mass", mass, 0.0, 0.5, open_low=True, open_high=True)
    target = np.array([0.5, 0.5])

    def divergence(first: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        one = np.asarray(first, dtype=np.float64)
        return np.asarray(-0.5 * np.log(4 * one * (1 - one)))

    distance = np.arange(size + 1)
    bad = np.exp(-distance * eps) / 2
    averaged = divergence((1 - bad) * target[0] + bad * mass)
    worst = float(divergence(mass))
    table = pd.DataFrame(
        {
            "d": distance,
            "good": np.zeros(size + 1),
            "bad": worst,
            "averaged": averaged,
            "printed": kl_outside(worst, eps, form="printed", size=size),
            "floor": [averaged[0] - d * eps for d in distance],
        }
    )
    facts = {
        "eps": eps,
        "size": float(size),
        "delta": worst,
        "printed": float(table["printed"].iloc[0]),
        "averaged_first": float(averaged[0]),
        "averaged_last": float(averaged[-1]),
        "chance_last": float(bad[-1]),
    }
    return table, facts
