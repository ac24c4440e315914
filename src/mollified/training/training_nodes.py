r"""Training samples as weighted nodes: groups of neighbours, or cells of a lattice.

Groups on the line, cells in the plane. Points that lie close together stand at their
mean, with their counts: a network of the papers hardly varies on that scale. On the
papers' domains it loses less than 0.001 nats of cross-entropy (a test measures it), and
a step over 20,000 points costs a hundredth on the line and about a tenth in the plane.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from mollified._validate import Array
from mollified.training.logit_stack import training_dtype
from mollified.training.recipes import Nodes, Recipe

__all__ = ["NODES", "join_cells", "join_neighbours", "make_nodes"]

#: The nodes of a batch on the line.
NODES = 200
#: The side of a cell in the plane, in standard deviations of the batch, both axes taken
#: together.
SIDE = 0.1


#: Cells are numbered as if so many lay side by side.
ROW = 2.0**26


def join_cells(points: Array, first: int) -> tuple[Array, Array, Array]:
    """Join the points (B, n, 2), `first` of the first class, by cells of a lattice.

    Nodes without mass fill up rows.
    """
    rows = []
    for row in points:
        # Two digits are the same on every processor.
        side = float(f"{SIDE * math.sqrt(row.var(axis=0).mean()):.2g}")
        _, cell, counts = np.unique(
            np.floor(row / side) @ (1.0, ROW),
            return_inverse=True,
            return_counts=True,
        )
        sums = [np.bincount(cell, axis) for axis in row.T]
        firsts = np.bincount(cell[:first], minlength=len(counts))
        rows.append([*sums / counts, firsts, counts])
    nodes = np.zeros((len(rows), 4, max(len(row[3]) for row in rows)))
    for place, row in zip(nodes, rows, strict=True):
        place[:, : len(row[3])] = row
    return nodes[:, :2], nodes[:, 2], nodes[:, 3]


def join_neighbours(
    points: Array,
    first: int,
    least: int = NODES,
) -> tuple[Array, Array, Array]:
    """Join neighbours among the points (B, n, 1) into nodes (B, 1, N).

    N is at least `least`; counts are nearly equal.
    """
    count = points.shape[1]
    order = np.argsort(points[:, :, 0], axis=1)
    groups = math.ceil(count / (count // least))
    edges = np.linspace(0, count, groups, endpoint=False).astype(int)
    counts = np.diff(np.append(edges, count))
    ordered = np.take_along_axis(points[:, :, 0], order, axis=1)
    places = np.add.reduceat(ordered, edges, axis=1) / counts
    mass = np.add.reduceat((order < first).astype(np.float64), edges, axis=1)
    totals = np.broadcast_to(counts.astype(np.float64), mass.shape)
    return places[:, np.newaxis], mass, totals


#: How points are joined, by dimension: nodes, the number of the first class in each,
#: and of both.
JOINED = {1: join_neighbours, 2: join_cells}


def make_nodes(
    inside: Array,
    outside: Array,
    recipe: Recipe,
    device: torch.device,
) -> list[Nodes]:
    r"""Return the batches of `recipe` for samples of $P$ and of B current laws.

    Shapes (n, d) and (B, n, d). Batches are consecutive, as the samples are
    independent; the last one may be smaller. Each class has half of the mass of a
    batch. Points are joined in batches of 400 points at least, on the line and in the
    plane.
    """
    used = int(len(inside) * recipe.share)
    size = min(recipe.batch or used, used)
    batches = []
    for start in range(0, used, size):
        stop = min(start + size, used)
        near = inside[start:stop]
        far = outside[:, start:stop]
        first_class = np.broadcast_to(near, (len(far), *near.shape))
        both = np.concatenate([first_class, far], axis=1)
        points, first, total = _joined(both, len(near))
        scale = 1 / both.shape[1]
        tensors = [
            torch.tensor(
                np.ascontiguousarray(values),
                dtype=training_dtype(),
                device=device,
            )
            for values in (
                points,
                scale * first[:, np.newaxis],
                scale * total[:, np.newaxis],
            )
        ]
        batches.append(Nodes(*tensors))
    return batches


def _joined(points: Array, first: int) -> tuple[Array, Array, Array]:
    """Join points (B, n, d), `first` of the first class, where that is worth it.

    Returns nodes, and the numbers of the first class and of both.
    """
    _, count, dim = points.shape
    if count >= 2 * NODES and dim in JOINED:
        return JOINED[dim](points, first)
    is_first = (np.arange(count) < first).astype(np.float64)
    return points.transpose(0, 2, 1), is_first[np.newaxis], np.ones((1, count))
