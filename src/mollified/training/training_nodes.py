r"""Training samples as weighted nodes: groups of neighbours on the line, cells of a lattice in the plane.

Points that lie close together stand at their mean, with their counts: a network of the
papers hardly varies on that scale. On the papers' domains it loses less than 0.001 nats
of cross-entropy (a test measures it), and a step over 20,000 points costs a hundredth
on the line and about a tenth in the plane.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from mollified._validate import Array
from mollified.training.logit_stack import training_dtype
from mollified.training.recipes import Nodes, Recipe

__all__ = ["NODES", "make_nodes"]

#: The nodes of a batch on the line.
NODES = 200
#: The side of a cell in the plane, in standard deviations of the batch, both axes taken
#: together.
SIDE = 0.1


def _cells(points: Array, first: int) -> tuple[Array, Array, Array]:
    """Join the points (B, n, 2), `first` of the first class, by cells of a lattice; nodes without mass fill up rows."""
    rows = []
    for row in points:
        side = float(
            f"{SIDE * math.sqrt(row.var(axis=0).mean()):.2g}"
        )  # the same on every processor
        _, cell, counts = np.unique(
            np.floor(row / side) @ (1.0, 2.0**26),
            return_inverse=True,
            return_counts=True,
        )
        sums = [np.bincount(cell, axis) for axis in row.T]
        rows.append(
            [*sums / counts, np.bincount(cell[:first], minlength=len(counts)), counts]
        )
    found = np.zeros((len(rows), 4, max(len(row[3]) for row in rows)))
    for place, row in zip(found, rows, strict=True):
        place[:, : len(row[3])] = row
    return found[:, :2], found[:, 2], found[:, 3]


def _groups(
    points: Array, first: int, least: int = NODES
) -> tuple[Array, Array, Array]:
    """Join neighbours among the points (B, n, 1) into nodes (B, 1, N), N at least `least`, of nearly equal counts."""
    count = points.shape[1]
    order = np.argsort(points[:, :, 0], axis=1)
    edges = np.linspace(
        0, count, math.ceil(count / (count // least)), endpoint=False
    ).astype(int)
    counts = np.diff(np.append(edges, count))
    ordered = np.take_along_axis(points[:, :, 0], order, axis=1)
    places = np.add.reduceat(ordered, edges, axis=1) / counts
    mass = np.add.reduceat((order < first).astype(np.float64), edges, axis=1)
    return (
        places[:, np.newaxis],
        mass,
        np.broadcast_to(counts.astype(np.float64), mass.shape),
    )


#: How points are joined, by dimension: nodes, the number of the first class in each,
#: and of both.
JOINED = {1: _groups, 2: _cells}


def make_nodes(
    inside: Array, outside: Array, recipe: Recipe, device: torch.device
) -> list[Nodes]:
    r"""Return the batches of `recipe` for samples of $P$, shape (n, d), and of B current laws, shape (B, n, d).

    Batches are consecutive, as the samples are independent; the last one may be
    smaller. Each class has half of the mass of a batch. Points are joined in batches of
    400 points at least, on the line and in the plane.
    """
    used = int(len(inside) * recipe.share)
    size = min(recipe.batch or used, used)
    batches = []
    for start in range(0, used, size):
        near = inside[start : min(start + size, used)]
        far = outside[:, start : min(start + size, used)]
        both = np.concatenate(
            [np.broadcast_to(near, (len(far), *near.shape)), far], axis=1
        )
        if both.shape[1] >= 2 * NODES and both.shape[2] in JOINED:
            points, first, total = JOINED[both.shape[2]](both, len(near))
        else:
            points = both.transpose(0, 2, 1)
            total = np.ones((1, both.shape[1]))
            first = (np.arange(both.shape[1]) < len(near)).astype(np.float64)[
                np.newaxis
            ]
        scale = 1 / both.shape[1]
        tensors = [
            torch.tensor(
                np.ascontiguousarray(item), dtype=training_dtype(), device=device
            )
            for item in (
                points,
                scale * first[:, np.newaxis],
                scale * total[:, np.newaxis],
            )
        ]
        batches.append(Nodes(*tensors))
    return batches
