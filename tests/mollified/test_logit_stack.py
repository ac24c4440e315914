"""The papers' networks side by side: logits, gradients written by hand, and members that do not meet."""

from __future__ import annotations

import pytest
import torch

from mollified.training.logit_stack import PIECE, LogitStack

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


def test_a_wrong_derivative_is_seen():
    """The same comparison tells a gradient that forgets the weights of the nodes, and one that is 0.1 % too long."""
    made, (points, first, total) = stack(), problem()
    right = plain_gradient(made.parameters, points, first, total)
    for wrong in (
        made.gradient(points, first, torch.full_like(total, float(total.mean()))),
        made.gradient(points, 1.001 * first, 1.001 * total),
    ):
        assert not any(torch.allclose(a, b, rtol=1e-12, atol=1e-12) for a, b in zip(wrong, right, strict=True))


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
