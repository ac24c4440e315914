"""The papers' networks side by side: logits, gradients written by hand, and members that do not meet."""

import math

import pytest
import torch

from mollified.training.logit_stack import KEPT, PIECE, LogitStack
from mollified.training.network import WIDTHS, build_network

CPU = torch.device("cpu")


def stack(size=3, dim=2, start="torch", seed=0):
    return LogitStack(dim, [torch.Generator().manual_seed(seed + index) for index in range(size)], start, CPU)


def problem(size=3, dim=2, nodes=50, seed=9, dtype=torch.float64, shared=False):
    """Return points and the masses of a weighted problem: some nodes stand for many points, some for none."""
    generator = torch.Generator().manual_seed(seed)
    points = 3 * torch.randn(1 if shared else size, dim, nodes, generator=generator, dtype=dtype)
    total = torch.rand(1 if shared else size, 1, nodes, generator=generator, dtype=dtype)
    total[:, :, 0] = 0
    first = total * torch.rand(total.shape, generator=generator, dtype=dtype)
    return points, first, total


def plain_logits(parameters, points):
    """The network as the papers have it: three tanh layers and a linear one."""
    w1, b1, w2, b2, w3, b3, w4, b4 = parameters
    hidden = points
    for weight, bias in ((w1, b1), (w2, b2), (w3, b3)):
        hidden = torch.tanh(weight @ hidden + bias)
    return w4 @ hidden + b4


def plain_gradient(parameters, points, first, total):
    leaves = [item.to(points.dtype).clone().requires_grad_() for item in parameters]
    logits = plain_logits(leaves, points)
    return torch.autograd.grad((total * torch.nn.functional.softplus(logits) - first * logits).sum(), leaves)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("dim", [1, 2, 10])
def test_logits_and_gradients_are_those_of_autograd(dim, shared):
    """In float64 both ways differ by rounding alone: 1e-12 is 4,500 ulp of one, sums have 50 terms of size one."""
    made = stack(dim=dim)
    points, first, total = problem(dim=dim, shared=shared)
    expected = plain_logits([item.double() for item in made.parameters], points)
    assert torch.allclose(made.logits(points), expected, rtol=1e-12, atol=1e-12)
    ours, theirs = made.gradient(points, first, total), plain_gradient(made.parameters, points, first, total)
    assert [item.shape for item in ours] == [item.shape for item in made.parameters]
    for one, two in zip(ours, theirs, strict=True):
        assert torch.allclose(one, two, rtol=1e-12, atol=1e-12)
    assert torch.equal(torch.cat([item.flatten() for item in ours]), made.flat_gradient(points, first, total))


@pytest.mark.parametrize("shared", [False, True])
def test_many_nodes_are_taken_in_pieces(shared):
    """Whole pieces and a rest, each node once: the gradient is that of all nodes together."""
    made, (points, first, total) = stack(), problem(nodes=(nodes := 2 * PIECE + 7), shared=shared)
    first, total = first / nodes, total / nodes
    expected = plain_gradient(made.parameters, points, first, total)
    for one, two in zip(made.gradient(points, first, total), expected, strict=True):
        assert torch.allclose(one, two, rtol=1e-12, atol=1e-12)


def test_single_precision_errs_by_rounding():
    """A sum of 50 products of float32 numbers of size one errs by at most 50 * 2^-24 of each layer; three layers."""
    made, (points, first, total) = stack(), problem()
    exact = made.gradient(points, first, total)
    rough = made.gradient(points.float(), first.float(), total.float())
    for one, two in zip(exact, rough, strict=True):
        assert two.dtype == torch.float32
        assert float((one - two).abs().max()) <= 3 * 50 * 2**-24 * max(1.0, float(one.abs().max()))


def test_members_do_not_meet():
    """Each member gives what it gives alone; sums of 50 terms may be taken in another order."""
    together = stack(4)
    points, first, total = problem(4)
    logits, gradient = together.logits(points).clone(), together.gradient(points, first, total)
    for index in range(4):
        alone = stack(1, seed=index)
        part = slice(index, index + 1)
        for whole, own in zip(together.parameters, alone.parameters, strict=True):
            assert torch.equal(whole[part], own)
        assert torch.allclose(logits[part], alone.logits(points[part]), rtol=0, atol=1e-13)
        single = alone.gradient(points[part], first[part], total[part])
        for whole, own in zip(gradient, single, strict=True):
            assert torch.allclose(whole[part], own, rtol=0, atol=1e-13)


def test_parameters_are_views_of_one_vector():
    made = stack()
    assert made.size == 3
    assert sum(item.numel() for item in made.parameters) == made.flat.numel() == 3 * (2 * 25 + 25 + 2 * 650 + 26)
    made.flat.zero_()
    assert all(not item.any() for item in made.parameters)
    assert not made.logits(torch.ones(1, 2, 4)).any()


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
    """Batches of changing sizes give what each gives alone, and the kept work space stays bounded."""
    made = stack()
    for nodes in (5, 50, 7, 9, 11, 13, 5):
        points, first, total = problem(nodes=nodes)
        fresh = stack().gradient(points, first, total)
        assert all(torch.equal(a, b) for a, b in zip(made.gradient(points, first, total), fresh, strict=True))
    assert len(made._work) <= KEPT
