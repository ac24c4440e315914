r"""Searches for counterexamples to the corrected bounds of composition and group privacy, in floats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from mollified._validate import Array, check_count, check_fraction, check_trials
from mollified.adversary import search_worst
from mollified.checks import Check, Tally

__all__ = ["composition_climb", "composition_sweep", "group_climb", "group_sweep"]

ONE = Fraction(1)
#: Hockey sticks of at most nine products of probabilities, relative to a bound of at least 1e-3: rounding.
TOLERANCE = 1e-9
#: Steps of a chain of laws, and numbers that a chain needs but for its level.
STEPS = 3
WIDTH = 3 * (STEPS + 1)
#: Later laws of a chain are written as changes of the logits, in these units.
CHANGE = 0.5


def _laws(logits: Array) -> Array:
    weights = np.exp(np.clip(logits, -20, 20))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _stick(one: Array, two: Array, factor: Array) -> Array:
    def side(p: Array, q: Array) -> Array:
        return np.asarray(np.maximum(p - factor[:, np.newaxis] * q, 0).sum(axis=1))

    return np.maximum(side(one, two), side(two, one))


def _between(claimed: float) -> Callable[[Array], Array]:
    """Return the margin, relative to the bound, of a replacement between two parts; 14 numbers an instance."""

    def margin(vectors: Array) -> Array:
        laws = _laws(vectors[:, :12].reshape(-1, 4, 3))
        factors = np.exp(3 / (1 + np.exp(-vectors[:, 12:14])))
        deltas = _stick(laws[:, 0], laws[:, 1], factors[:, 0]) + _stick(laws[:, 2], laws[:, 3], factors[:, 1])
        one, two = ((laws[:, k, :, None] * laws[:, k + 2, None, :]).reshape(-1, 9) for k in (0, 1))
        found = _stick(one, two, factors[:, 0] * factors[:, 1])
        return np.where((deltas > 1e-3) & (deltas < 0.5), claimed - found / np.maximum(deltas, 1e-3), np.inf)

    return margin


def _extreme(rng: np.random.Generator, count: int) -> Array:
    """Return vectors near two canonical pairs: an output of small mass that the other law has not."""
    vectors = np.zeros((count, 14))
    factors = 3 / (1 + np.exp(-(drawn := rng.normal(size=(count, 2)))))
    for k in (0, 1):
        rare = rng.uniform(-6.5, -5.5, count)
        vectors[:, 6 * k : 6 * k + 3] = np.stack([rare, np.zeros(count), -factors[:, k]], axis=1)
        vectors[:, 6 * k + 3 : 6 * k + 6] = np.stack([-20 * np.ones(count), -factors[:, k], np.zeros(count)], axis=1)
    vectors[:, 12:] = drawn
    return vectors


def composition_sweep(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check $(\varepsilon_j+\varepsilon_k,\delta_j+\delta_k)$ for two changed parts, on random laws of three outputs.

    Floats. The margin is relative to the bound; laws are drawn until `instances` have a bound between 1/1000 and 1/2. A
    tenth lie near the extremes, where 98 % of the bound is too little. Raises TypeError or ValueError for bad
    arguments.
    """
    rng, instances = check_trials(rng, instances)
    share = float(check_fraction("claimed", claimed, above=0))
    tally = Tally("float", tolerance=TOLERANCE)
    vectors = _extreme(rng, max(1, instances // 10))
    while tally.instances < instances:
        for row, slack in zip(vectors, _between(share)(vectors), strict=True):
            if np.isfinite(slack) and tally.instances < instances:
                tally.add(float(slack), vector=[float(x) for x in row])
        vectors = 1.5 * rng.standard_normal((instances, 14))
    return tally.check()


def composition_climb(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, refine: int = 6) -> Check:
    r"""Look for the worst instance of `composition_sweep`: `instances` starts, the best `refine` refined. Floats.

    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    share = float(check_fraction("claimed", claimed, above=0))
    found = search_worst(_between(share), 14, rng, starts=instances, refine=refine, evaluations=600)
    tally = Tally("float", tolerance=TOLERANCE)
    tally.add(found.margin, vector=[float(x) for x in found.point])
    return tally.check()


def _along(claimed: float) -> Callable[[Array], Array]:
    """Return the margin, relative to the bound, of chains of three steps on three outputs; 13 numbers an instance."""

    def margin(vectors: Array) -> Array:
        logits = vectors[:, :WIDTH].reshape(-1, STEPS + 1, 3) * np.array([1.0, *[CHANGE] * STEPS])[:, None]
        weights = np.exp(np.clip(np.cumsum(logits, axis=1), -30, 30))
        laws = weights / weights.sum(axis=2, keepdims=True)
        r = np.exp(1.5 / (1 + np.exp(-vectors[:, -1])))
        delta = np.max([_stick(laws[:, k], laws[:, k + 1], r) for k in range(STEPS)], axis=0)
        bound = (1 + r + r * r) * delta
        found = _stick(laws[:, 0], laws[:, -1], r**STEPS)
        return np.where((bound > 1e-3) & (bound < 0.5), claimed - found / np.maximum(bound, 1e-3), np.inf)

    return margin


def _attaining(rng: np.random.Generator, count: int) -> Array:
    """Return vectors of chains 0, delta, (1 + r) delta, ... up to 1e-8, of which the bound is at most 0.3."""
    z, top = rng.standard_normal(count), rng.uniform(0.01, 0.3, count)
    r = np.exp(1.5 / (1 + np.exp(-z)))
    delta = top / (1 + r + r * r)
    rows = np.stack([np.full(count, 1e-8), delta, (1 + r) * delta, top], axis=1)
    logits = np.stack([np.log(rows), np.log1p(-rows), np.full(rows.shape, -25.0)], axis=2)
    logits[:, 1:] = np.diff(logits, axis=1) / CHANGE
    return np.concatenate([logits.reshape(count, WIDTH), z[:, None]], axis=1)


def group_sweep(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE) -> Check:
    r"""Check the corrected group bound on random chains of three steps, laws on three outputs. Floats.

    The margin is relative to the bound; chains are drawn until `instances` have a bound between 1/1000 and 1/2. A tenth
    attain the bound up to 1e-6. Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    share = float(check_fraction("claimed", claimed, above=0))
    tally = Tally("float", tolerance=TOLERANCE)
    vectors = _attaining(rng, max(1, instances // 10))
    while tally.instances < instances:
        for row, slack in zip(vectors, _along(share)(vectors), strict=True):
            if np.isfinite(slack) and tally.instances < instances:
                tally.add(float(slack), vector=[float(x) for x in row])
        vectors = 2 * rng.standard_normal((instances, WIDTH + 1))
    return tally.check()


def group_climb(rng: np.random.Generator, instances: int, *, claimed: Fraction = ONE, refine: int = 6) -> Check:
    r"""Look for the worst chain of `group_sweep`: `instances` starts, the best `refine` refined. Floats.

    Raises TypeError or ValueError for bad arguments.
    """
    rng, instances = check_trials(rng, instances)
    share = float(check_fraction("claimed", claimed, above=0))
    refine = check_count("refine", refine)
    found = search_worst(_along(share), WIDTH + 1, rng, starts=instances, refine=refine, evaluations=2500)
    tally = Tally("float", tolerance=TOLERANCE)
    tally.add(found.margin, vector=[float(x) for x in found.point])
    return tally.check()
