r"""MBDE whose training points of $Q_{t-1}$ are exact draws, by rejection from $Q_0$.

They are no draws from cells of a grid. It costs one evaluation of all classifiers so
far at each proposal, and is the yardstick for the cheaper draws of `grid_mbde`: with
enough points both learn the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.special import logsumexp

from mollified._validate import Array
from mollified.boosting.theta import LOG2
from mollified.laws.spaces import Grid
from mollified.training.grid_mbde import GridRun, cross_entropy
from mollified.training.logit_stack import LogitStack, default_device, training_dtype
from mollified.training.recipes import Recipe, train
from mollified.training.training_nodes import make_nodes
from mollified.training.variants import Variant

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["exact_draw_mbde", "exact_draws", "statistic_at"]

#: The largest value of a classifier, by what of the logit is added.
LARGEST = {"clip": LOG2, "tanh": LOG2, "sigmoid": 1.0}


def _logits(stack: LogitStack, points: Array) -> Array:
    tensor = torch.tensor(
        points.T[np.newaxis].copy(),
        dtype=training_dtype(),
        device=stack.device,
    )
    values: Array = stack.logits(tensor)[0, 0].double().cpu().numpy().copy()
    return values


def statistic_at(
    stacks: list[LogitStack],
    thetas: Array,
    variant: Variant,
    points: Array,
) -> Array:
    """Return the statistic of the rounds so far at points (n, d), shape (n,)."""
    total = np.zeros(len(points))
    for stack, theta in zip(stacks, thetas, strict=False):
        total += theta * variant.classifier(_logits(stack, points))
    return total


def exact_draws(
    stacks: list[LogitStack],
    thetas: Array,
    variant: Variant,
    reference: Distribution,
    n: int,
    rng: np.random.Generator,
) -> Array:
    """Return n exact draws of the current density.

    A proposal of Q0 stays with probability e^(statistic - largest).
    """
    top = float(thetas[: len(stacks)].sum()) * LARGEST[variant.output]
    draws: list[Array] = []
    while sum(map(len, draws)) < n:
        proposals = reference.sample(n, rng)
        log_uniforms = np.log(rng.random(n))
        log_chances = statistic_at(stacks, thetas, variant, proposals) - top
        draws.append(proposals[log_uniforms < log_chances])
    return np.concatenate(draws)[:n]


def exact_draw_mbde(
    target: Distribution,
    reference: Distribution,
    grid: Grid,
    eps: float,
    variant: Variant,
    rounds: int,
    rng: np.random.Generator,
    recipe: Recipe,
    samples: int = 10_000,
) -> GridRun:
    r"""Run MBDE once, trained on points of $P$ and exact draws of $Q_{t-1}$.

    There are `samples` of each; the result is as from `grid_mbde`. The grid serves only
    to give the output's values and losses.
    """
    log_q0 = reference.log_prob(grid.points)
    log_p = target.log_prob(grid.points)
    log_cells = log_q0 + np.log(grid.weights)
    weights_p = np.exp(log_p) * grid.weights
    inside = target.sample(samples, rng)
    run = GridRun(variant, eps, variant.steps(eps, rounds), np.zeros(len(grid.points)))
    stacks: list[LogitStack] = []
    statistic = np.zeros(len(grid.points))
    for theta in run.thetas:
        outside = exact_draws(stacks, run.thetas, variant, reference, samples, rng)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        stack = LogitStack(grid.dim, [generator], recipe.start)
        nodes = make_nodes(inside, outside[np.newaxis], recipe, default_device())
        train(stack, nodes, recipe)
        stacks.append(stack)
        logit = _logits(stack, grid.points)
        weights_q = np.exp(log_q0 + run.log_ratio) * grid.weights
        run.losses.append(cross_entropy(logit, weights_p, weights_q))
        values = variant.classifier(logit)
        run.largest = max(run.largest, float(np.abs(values).max()))
        statistic += theta * values
        log_mass = logsumexp(log_cells + statistic) - logsumexp(log_cells)
        run.log_ratio = statistic - log_mass
    return run
