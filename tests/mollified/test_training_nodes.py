"""Samples as weighted nodes: counts, places, and what grouping on the line costs."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from mollified.training import FAST
from mollified.training.recipes import RELEASED, SUCCESSORS
from mollified.training.training_nodes import make_nodes

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")


def samples(n=60, dim=1):
    rng = np.random.default_rng(1)
    return rng.normal(size=(n, dim)) + 1, rng.normal(size=(2, n, dim))


@pytest.mark.parametrize(("group", "count"), [(1, 120), (7, 18), (20, 6), (1000, 1)])
def test_every_point_is_counted_once_in_its_class_and_means_are_kept(group, count):
    inside, outside = samples()
    (nodes,) = make_nodes(inside, outside, replace(FAST, batch=None), CPU, group)
    assert nodes.points.shape == (2, 1, count)
    assert nodes.total.sum(2).numpy() == pytest.approx(1.0, abs=1e-6)
    assert nodes.first.sum(2).numpy() == pytest.approx(0.5, abs=1e-6)
    assert bool((nodes.first <= nodes.total + 1e-9).all())
    means = (nodes.points * nodes.total).sum(dim=(1, 2)).numpy()
    assert means == pytest.approx((inside.mean() + outside.mean(axis=(1, 2))) / 2, abs=1e-6)


def test_groups_are_neighbours_by_hand():
    """Points 0, 1, 2, 3 of P and 0.5, 1.5, 10, 11 of Q in pairs: (0, .5), (1, 1.5), (2, 3), (10, 11)."""
    inside, outside = np.array([[3.0], [0.0], [2.0], [1.0]]), np.array([[[1.5], [0.5], [11.0], [10.0]]])
    (nodes,) = make_nodes(inside, outside, replace(FAST, batch=None), CPU, 2)
    assert nodes.points[0, 0].tolist() == pytest.approx([0.25, 1.25, 2.5, 10.5])
    assert (8 * nodes.first[0, 0]).tolist() == pytest.approx([1, 1, 2, 0])
    assert (8 * nodes.total[0, 0]).tolist() == pytest.approx([2, 2, 2, 2])


def test_batches_follow_the_recipe():
    """Consecutive batches of the first `share`, the last one smaller, each of mass one."""
    inside, outside = samples(40, dim=2)
    batches = make_nodes(inside, outside, replace(RELEASED, batch=20), CPU)
    assert [item.points.shape[2] for item in batches] == [40, 20]
    assert batches[1].points[0, :, :10].T.numpy() == pytest.approx(inside[20:30], abs=1e-6)
    assert batches[1].points[1, :, 10:].T.numpy() == pytest.approx(outside[1, 20:30], abs=1e-6)
    for item in batches:
        assert float(item.total.sum()) == pytest.approx(1.0, abs=1e-6)
        assert float(item.first.sum()) == pytest.approx(0.5, abs=1e-6)
    assert len(make_nodes(inside, outside, replace(SUCCESSORS, batch=5000), CPU)) == 1
