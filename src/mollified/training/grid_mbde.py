r"""MBDE on a grid: all variants and budgets of one data set at once.

Each density is given by its values at the nodes.

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

__all__ = ["GridRun", "cell_sample", "cross_entropy", "grid_mbde"]

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
    r"""Return points drawn from the cells around the nodes, shape (n, d).

    `uniforms` has shape (n, 1 + d). A cell is the box of one step around its node,
    weighted by the density there; the first uniform picks the cell, the others the
    place in it. The variance on each axis grows by step²/12. The guarantee of no method
    depends on it.
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


def cross_entropy(logit: Array, weights_p: Array, weights_q: Array) -> float:
    r"""Return $-\frac12E_P\log\sigma(\ell)-\frac12E_Q\log\sigma(-\ell)$, in nats.

    By quadrature: the weights are the masses of both laws at the nodes.
    """
    return -0.5 * float(weights_p @ log_expit(logit) + weights_q @ log_expit(-logit))


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


def fit_networks(
    inside: Array,
    outside: Array,
    recipe: Recipe,
    seed: int,
    points: torch.Tensor,
) -> Array:
    """Train one network for each of the B samples in `outside`, on a device.

    `inside` are points of P, shape (n, d), and each sample has the shape (n, d) too.
    All networks start from the weights of one `seed`. Returns the logits at the nodes,
    (B, N); `points` are the nodes, (1, d, N), on the device.
    """
    device = points.device
    stacked = STACKED.get(device.type, STACKED["cpu"])
    per_network = NODES if inside.shape[1] == 1 else 2 * len(inside)
    logits = np.empty((len(outside), points.shape[2]))
    for chunk in _chunks(len(outside), max(stacked // per_network, 1)):
        rows = slice(chunk.start, chunk.stop)
        generators = [torch.Generator().manual_seed(seed) for _ in chunk]
        stack = LogitStack(inside.shape[1], generators, recipe.start, device)
        train(stack, make_nodes(inside, outside[rows], recipe, device), recipe)
        for part in _chunks(points.shape[2], max(stacked * 2 // len(chunk), 1)):
            columns = slice(part.start, part.stop)
            values = stack.logits(points[:, :, columns])
            logits[rows, columns] = values[:, 0].double().cpu().numpy()
    return logits


def _check_laws(target: Distribution, reference: Distribution, grid: Grid) -> None:
    """Refuse laws and a grid that do not go together."""
    check_distribution("target", target)
    check_distribution("reference", reference)
    if not isinstance(grid, Grid):
        raise TypeError(f"grid must be a Grid, got {echo('grid', grid)}")
    if not target.dim == reference.dim == grid.dim:
        raise ValueError("target, reference and grid must agree in their dimension")


def _check_training(
    variants: Sequence[Variant],
    recipe: Recipe | None,
    device: torch.device | None,
) -> None:
    """Refuse what does not say how to train."""
    if (
        not isinstance(variants, Sequence)
        or not variants
        or not all(isinstance(item, Variant) for item in variants)
    ):
        raise TypeError(
            "variants must be a non-empty sequence of Variant,"
            f" got {echo('variants', variants)}"
        )
    if recipe is not None and not isinstance(recipe, Recipe):
        raise TypeError(
            f"recipe must be a Recipe or None, got {echo('recipe', recipe)}"
        )
    if device is not None and not isinstance(device, torch.device):
        raise TypeError(
            f"device must be a torch.device or None, got {echo('device', device)}"
        )


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
    r"""Run MBDE for each variant and budget, variants outermost, on one data set.

    It has `samples` points of $P$ and serves all rounds, as in the authors' released
    code. `recipe` trains all variants in one way; None takes each variant's own. Raises
    ValueError or TypeError for bad settings or dimensions that differ.
    """
    _check_laws(target, reference, grid)
    levels = check_each("eps", eps, check_eps)
    rounds = check_count("rounds", rounds)
    samples = check_count("samples", samples)
    rng = check_rng("rng", rng)
    _check_training(variants, recipe, device)
    draws = _draw_all(target, samples, rounds, rng)
    learner = _GridLearner(target, reference, grid, draws, device)
    states = [
        _RunState(variant, level, rounds, len(grid.points))
        for variant in variants
        for level in levels
    ]
    by_recipe: dict[Recipe, list[_RunState]] = {}
    for state in states:
        chosen = recipe or state.run.variant.recipe
        by_recipe.setdefault(chosen, []).append(state)
    for index in range(rounds):
        for chosen, alike in by_recipe.items():
            learner.step(alike, index, chosen)
        for state in states:
            state.run.log_ratio = _normalised(grid, learner.log_q0, state.statistic)
    return [state.run for state in states]


@dataclass(frozen=True, eq=False)
class _Draws:
    """Hold the randomness of a call: points of P, uniforms and a seed by round."""

    inside: Array
    uniforms: list[Array]
    seeds: list[int]


def _draw_all(
    target: Distribution,
    samples: int,
    rounds: int,
    rng: np.random.Generator,
) -> _Draws:
    """Draw the points of P, and what each round needs."""
    inside = target.sample(samples, rng)
    uniforms = [rng.random((samples, 1 + target.dim)) for _ in range(rounds)]
    return _Draws(inside, uniforms, [int(rng.integers(2**62)) for _ in range(rounds)])


class _GridLearner:
    """Hold what all networks of a call share, and train those of a round."""

    def __init__(
        self,
        target: Distribution,
        reference: Distribution,
        grid: Grid,
        draws: _Draws,
        device: torch.device | None,
    ) -> None:
        self.log_q0 = reference.log_prob(grid.points)
        self._grid = grid
        self._draws = draws
        self._weights_p = np.exp(target.log_prob(grid.points)) * grid.weights
        self._nodes = torch.tensor(
            grid.points.T[np.newaxis].copy(),
            dtype=training_dtype(),
            device=device or default_device(),
        )

    def step(self, states: Sequence[_RunState], index: int, recipe: Recipe) -> None:
        """Train the networks of a round for runs of one recipe, and add them."""
        # In the first round all current laws are the reference: one network serves all.
        distinct = states[:1] if index == 0 else states
        log_qs = [self.log_q0 + state.run.log_ratio for state in distinct]
        uniforms = self._draws.uniforms[index]
        outside = [cell_sample(self._grid, log_q, uniforms) for log_q in log_qs]
        logits = fit_networks(
            self._draws.inside,
            np.stack(outside),
            recipe,
            self._draws.seeds[index],
            self._nodes,
        )
        for row, state in enumerate(states):
            at = 0 if index == 0 else row
            weights_q = np.exp(log_qs[at]) * self._grid.weights
            state.step(index, logits[at], self._weights_p, weights_q)


class _RunState:
    """Hold a run, and its statistic so far at the nodes."""

    def __init__(self, variant: Variant, eps: float, rounds: int, nodes: int) -> None:
        thetas = variant.steps(eps, rounds)
        self.run = GridRun(variant, eps, thetas, np.zeros(nodes))
        self.statistic = np.zeros(nodes)

    def step(
        self,
        index: int,
        logit: Array,
        weights_p: Array,
        weights_q: Array,
    ) -> None:
        """Add the classifier of a round, and note its test loss and its size."""
        run = self.run
        values = run.variant.classifier(logit)
        run.losses.append(cross_entropy(logit, weights_p, weights_q))
        run.largest = max(run.largest, float(np.abs(values).max()))
        self.statistic += run.thetas[index] * values
