r"""Training samples as weighted nodes: all points in the plane, groups of neighbours on the line.

On the line a network sees only the order and place of points, and groups of 20 neighbours, each at its mean and with
its counts, lose less than 0.001 nats of cross-entropy on the papers' domains (a test measures it) and make a step
20 times cheaper.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from mollified._validate import Array
from mollified.laws._densities import echo
from mollified.training.network import training_dtype
from mollified.training.recipes import Nodes, Recipe

__all__ = ["GROUP", "make_nodes"]

#: How many neighbours on the line share a node.
GROUP = 20


def _grouped(points: Array, first: int, group: int) -> tuple[Array, Array, Array]:
    """Sort (B, n) points, of which the first `first` are of the first class, and join neighbours into nodes."""
    order = np.argsort(points, axis=1)
    edges = np.linspace(0, points.shape[1], max(math.ceil(points.shape[1] / group), 1), endpoint=False).astype(int)
    counts = np.diff(np.append(edges, points.shape[1]))
    ordered = np.take_along_axis(points, order, axis=1)
    places = np.add.reduceat(ordered, edges, axis=1) / counts
    mass = np.add.reduceat((order < first).astype(np.float64), edges, axis=1)
    return places, mass, np.broadcast_to(counts.astype(np.float64), mass.shape)


def make_nodes(inside: Array, outside: Array, recipe: Recipe, device: torch.device, group: int = GROUP) -> list[Nodes]:
    r"""Return the batches of `recipe` for samples of $P$, shape (n, d), and of B current laws, shape (B, n, d).

    Batches are consecutive, as the samples are independent; the last one may be smaller. Each class has half of the
    mass of a batch. `group` = 1 keeps every point.
    """
    if outside.shape[1:] != inside.shape:
        wanted = f"(B, {inside.shape[0]}, {inside.shape[1]})"
        raise ValueError(f"outside must have shape {wanted}, got shape {outside.shape}: {echo(outside)}")
    used = int(len(inside) * recipe.share)
    size = min(recipe.batch or used, used)
    batches = []
    for start in range(0, used, size):
        near, far = inside[start : min(start + size, used)], outside[:, start : min(start + size, used)]
        both = np.concatenate([np.broadcast_to(near, (len(far), *near.shape)), far], axis=1)
        if both.shape[2] == 1 and group > 1:
            places, first, total = _grouped(both[:, :, 0], len(near), group)
            points = places[:, np.newaxis, :]
        else:
            points = both.transpose(0, 2, 1)
            total = np.ones((1, both.shape[1]))
            first = (np.arange(both.shape[1]) < len(near)).astype(np.float64)[np.newaxis]
        scale = 1 / both.shape[1]
        tensors = [
            torch.tensor(np.ascontiguousarray(item), dtype=training_dtype(), device=device)
            for item in (points, scale * first[:, np.newaxis], scale * total[:, np.newaxis])
        ]
        batches.append(Nodes(*tensors))
    return batches
