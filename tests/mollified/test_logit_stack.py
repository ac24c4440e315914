"""The papers' networks side by side: logits, gradients written by hand, and members that do not meet."""

import math

import pytest
import torch

from mollified.training.logit_stack import PIECE, LogitStack
from mollified.training.network import WIDTHS, build_network

CPU = torch.device("cpu")


def stack(size=3, dim=2, start="torch", seed=0):
    return LogitStack(dim, [torch.Generator().manual_seed(seed + index) for index in range(size)], start, CPU)


def problem(size=3, dim=2, nodes=50, shared=False):
    """Return points and the masses of a weighted problem: some nodes stand for many points, some for none."""
    generator, size = torch.Generator().manual_seed(9), 1 if shared else size
    points = 3 * torch.randn(size, dim, nodes, generator=generator, dtype=torch.float64)
    total = torch.rand(size, 1, nodes, generator=generator, dtype=torch.float64) / nodes
    total[:, :, 0] = 0
    return points, total * torch.rand(total.shape, generator=generator, dtype=torch.float64), total


def plain_logits(parameters, points):
    """The network as the papers have it: three tanh layers and a linear one."""
    w1, b1, w2, b2, w3, b3, w4, b4 = parameters
    hidden = points
    for weight, bias in ((w1, b1), (w2, b2), (w3, b3)):
        hidden = torch.tanh(weight @ hidden + bias)
    return w4 @ hidden + b4


def equal(ours, theirs):
    """In float64 both ways differ by rounding alone."""
    return all(torch.allclose(one, two, rtol=1e-12, atol=1e-12) for one, two in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("dim", "nodes"), [(1, 50), (10, 50), (2, 2 * PIECE + 7)])
def test_logits_and_gradients_are_those_of_autograd(dim, nodes, shared):
    """Many nodes are taken in whole pieces and a rest, each node once."""
    made, (points, first, total) = stack(dim=dim), problem(dim=dim, nodes=nodes, shared=shared)
    leaves = [item.double().clone().requires_grad_() for item in made.parameters]
    logits = plain_logits(leaves, points)
    loss = (total * torch.nn.functional.softplus(logits) - first * logits).sum()
    assert equal([made.logits(points)], [logits.detach()])
    assert equal(made.gradient(points, first, total), torch.autograd.grad(loss, leaves))
    flat = torch.cat([item.flatten() for item in made.gradient(points, first, total)])
    assert torch.equal(flat, made.flat_gradient(points, first, total))


def test_starts():
    """Glorot: the weights of `build_network` for the same generator; torch: within 1/sqrt(fan-in), biases too."""
    glorot = stack(1, start="glorot", seed=7)
    network = build_network(2, torch.Generator().manual_seed(7))
    for ours, theirs in zip(glorot.parameters, network.parameters(), strict=True):
        assert torch.allclose(ours.flatten(), theirs.detach().flatten().double(), atol=1e-6)
    plain = stack(40, start="torch")
    for index, fan_in in enumerate((2, *WIDTHS)):
        for item in plain.parameters[2 * index : 2 * index + 2]:
            assert 0.9 / math.sqrt(fan_in) < float(item.abs().max()) <= 1 / math.sqrt(fan_in)


def test_work_space_follows_the_nodes():
    """Batches of changing sizes give what each gives alone."""
    made = stack()
    for nodes in (5, 50, 7, 9, 11, 13, 5):
        given = problem(nodes=nodes)
        assert torch.equal(made.flat_gradient(*given), stack().flat_gradient(*given))
