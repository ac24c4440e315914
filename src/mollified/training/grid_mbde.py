r"""MBDE on a grid: all variants and budgets of one data set at once, each density given by its values at the nodes.

The first classifier does not depend on the budget, and not on how its logit is used: it
is trained once. All later ones of a seed start from the same weights and see the same
uniform variates, so that a curve over budgets is smooth. Points of $Q_{t-1}$ for
training are drawn from its cells on the grid, uniformly within a cell: training samples
do not touch the guarantee, which the range of the classifiers alone gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.special import log_expit, logsumexp

from mollified._validate import (
    Array,
    check_count,
    check_each,
    check_eps,
    check_rng,
    echo,
)
from mollified.laws._validate_densities import check_distribution
from mollified.laws.spaces import Grid
from mollified.training.logit_stack import LogitStack, default_device, training_dtype
from mollified.training.recipes import Recipe, train
from mollified.training.training_nodes import NODES, make_nodes
from mollified.training.variants import Variant

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["GridRun", "cell_sample", "grid_mbde"]

#: Points times networks that are trained at once: more would leave the cache of a CPU,
#: less would leave a GPU idle.
STACKED = {"cpu": 4_000, "cuda": 2_000_000}


@dataclass(eq=False)
class GridRun:
    r"""Hold one run: `log_ratio` is $\log Q_T/Q_0$ at the nodes, shape (N,), in nats.

    `losses` are the cross-entropies (nats, mean of both classes) of the classifiers of
    rounds 1..T on the laws themselves, by quadrature: test losses without a test
    sample. `largest` is the largest |c_t| at a node.
    """

    variant: Variant
    eps: float
    thetas: Array
    log_ratio: Array
    losses: list[float] = field(default_factory=list)
    largest: float = 0.0


def cell_sample(grid: Grid, log_density: Array, uniforms: Array) -> Array:
    r"""Return points drawn from the cells around the nodes; `uniforms` has shape (n, 1 + d), the result (n, d).

    A cell is the box of one step around its node, weighted by the density there; the
    first uniform picks the cell, the others the place in it. The variance on each axis
    grows by step²/12. The guarantee of no method depends on it.
    """
    mass = np.exp(log_density - log_density.max()) * grid.weights
    edges = np.cumsum(mass)
    picked = np.minimum(
        np.searchsorted(edges, uniforms[:, 0] * edges[-1], side="right"),
        np.flatnonzero(mass)[-1],
    )
    steps = np.array([axis[1] - axis[0] for axis in grid.axes])
    drawn: Array = grid.points[picked] + (uniforms[:, 1:] - 0.5) * steps
    return drawn


def _normalised(grid: Grid, log_reference: Array, statistic: Array) -> Array:
    """Return log Q/Q0 at the nodes for an unnormalised statistic."""
    logs = log_reference + np.log(grid.weights)
    # The reference on the grid is normalised too: its mass outside the box is not part
    # of the comparison.
    ratio: Array = statistic - (logsumexp(logs + statistic) - logsumexp(logs))
    return ratio


def _chunks(count: int, size: int) -> Iterator[range]:
    for start in range(0, count, size):
        yield range(start, min(start + size, count))


def _fit(
    inside: Array,
    outside: Array,
    recipe: Recipe,
    seed: int,
    points: torch.Tensor,
    device: torch.device,
) -> Array:
    """Train one network for each of the B samples in `outside`; return the logits at the nodes, (B, N)."""
    rows = []
    stacked = STACKED.get(device.type, STACKED["cpu"])
    per_network = NODES if inside.shape[1] == 1 else 2 * len(inside)
    for chunk in _chunks(len(outside), max(stacked // per_network, 1)):
        generators = [torch.Generator().manual_seed(seed) for _ in chunk]
        stack = LogitStack(inside.shape[1], generators, recipe.start, device)
        train(
            stack,
            make_nodes(inside, outside[chunk.start : chunk.stop], recipe, device),
            recipe,
        )
        for part in _chunks(points.shape[2], max(stacked * 2 // len(chunk), 1)):
            piece = points[:, :, part.start : part.stop]
            rows.append(
                (chunk, part, stack.logits(piece)[:, 0].double().cpu().numpy().copy())
            )
    logits = np.empty((len(outside), points.shape[2]))
    for chunk, part, values in rows:
        logits[chunk.start : chunk.stop, part.start : part.stop] = values
    return logits


def grid_mbde(
    target: Distribution,
    reference: Distribution,
    grid: Grid,
    eps: Sequence[float],
    variants: Sequence[Variant],
    rounds: int,
    rng: np.random.Generator,
    *,
    samples: int = 10_000,
    recipe: Recipe | None = None,
    device: torch.device | None = None,
) -> list[GridRun]:
    r"""Run MBDE for each variant and budget, variants outermost, on one data set of `samples` points of $P$.

    `recipe` trains all variants in one way; None takes each variant's own. The data set
    serves all rounds, as in the authors' released code. Raises ValueError or TypeError
    for bad settings or dimensions that differ.
    """
    check_distribution("target", target)
    check_distribution("reference", reference)
    if not isinstance(grid, Grid):
        raise TypeError(f"grid must be a Grid, got {echo('grid', grid)}")
    if not target.dim == reference.dim == grid.dim:
        raise ValueError("target, reference and grid must agree in their dimension")
    levels = check_each("eps", eps, check_eps)
    rounds, samples, rng = (
        check_count("rounds", rounds),
        check_count("samples", samples),
        check_rng("rng", rng),
    )
    if (
        not isinstance(variants, Sequence)
        or not variants
        or not all(isinstance(item, Variant) for item in variants)
    ):
        raise TypeError(
            f"variants must be a non-empty sequence of Variant, got {echo('variants', variants)}"
        )
    if recipe is not None and not isinstance(recipe, Recipe):
        raise TypeError(
            f"recipe must be a Recipe or None, got {echo('recipe', recipe)}"
        )
    if device is not None and not isinstance(device, torch.device):
        raise TypeError(
            f"device must be a torch.device or None, got {echo('device', device)}"
        )
    device = device or default_device()
    nodes = torch.tensor(
        grid.points.T[np.newaxis].copy(), dtype=training_dtype(), device=device
    )
    log_q0 = reference.log_prob(grid.points)
    log_p = target.log_prob(grid.points)
    weights_p = np.exp(log_p) * grid.weights
    inside = target.sample(samples, rng)
    uniforms = [rng.random((samples, 1 + grid.dim)) for _ in range(rounds)]
    seeds = [int(rng.integers(2**62)) for _ in range(rounds)]
    runs = [
        GridRun(
            variant, level, variant.steps(level, rounds), np.zeros(len(grid.points))
        )
        for variant in variants
        for level in levels
    ]
    statistics = [np.zeros(len(grid.points)) for _ in runs]
    for index in range(rounds):
        recipes: dict[Recipe, list[int]] = {}
        for place, run in enumerate(runs):
            recipes.setdefault(recipe or run.variant.recipe, []).append(place)
        for chosen, places in recipes.items():
            shared = places[:1] if index == 0 else places
            logs = [log_q0 + runs[place].log_ratio for place in shared]
            outside = np.stack(
                [cell_sample(grid, item, uniforms[index]) for item in logs]
            )
            logits = _fit(inside, outside, chosen, seeds[index], nodes, device)
            for row, place in enumerate(places):
                logit = logits[0 if index == 0 else row]
                run = runs[place]
                current = logs[0 if index == 0 else row]
                values = run.variant.classifier(logit)
                weights_q = np.exp(current) * grid.weights
                run.losses.append(
                    -0.5
                    * float(
                        weights_p @ log_expit(logit) + weights_q @ log_expit(-logit)
                    )
                )
                run.largest = max(run.largest, float(np.abs(values).max()))
                statistics[place] += run.thetas[index] * values
        for place, run in enumerate(runs):
            run.log_ratio = _normalised(grid, log_q0, statistics[place])
    return runs
