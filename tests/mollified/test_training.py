"""Training by recipe and the networks side by side.

Nodes, steps, gradients and logits are held against torch and autograd.
"""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from mollified.experiments.mbde_sweep import domain_grid
from mollified.laws import Gaussian, mixture_1d, ring
from mollified.training import FAST, PRINTED, NetworkLearner
from mollified.training.grid_mbde import cross_entropy
from mollified.training.logit_stack import PIECE, WIDTHS, LogitStack, training_dtype
from mollified.training.recipes import RELEASED, SUCCESSORS, Nodes, adam, train
from mollified.training.training_nodes import (
    join_cells,
    join_neighbours,
    make_nodes,
)

CPU = torch.device("cpu")
TARGET = Gaussian([2.0, 0.0], 0.25)
CURRENT = Gaussian.standard(2)


def trained(recipe, inside, outside, seed):
    stack = LogitStack(2, [torch.Generator().manual_seed(seed)], device=CPU)
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, CPU), recipe)
    return stack


def build_network(dim, generator):
    """The papers' network in torch: Glorot-uniform weights, biases zero."""
    layers = []
    sizes = (dim, *WIDTHS, 1)
    for fan_in, fan_out in itertools.pairwise(sizes):
        layer = torch.nn.Linear(fan_in, fan_out)
        torch.nn.init.xavier_uniform_(layer.weight, generator=generator)
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, torch.nn.Tanh()]
    return torch.nn.Sequential(*layers[:-1])


def by_torch(recipe, inside, outside, seed):
    """The same training with autograd and torch's optimiser, on batches cut by hand."""
    network = build_network(2, torch.Generator().manual_seed(seed)).double()
    used = int(len(inside) * recipe.share)
    size = min(recipe.batch or used, used)
    both = torch.tensor(np.stack([inside[:used], outside[:used]]))
    batches = both.split(size, dim=1)
    step = torch.optim.SGD(
        network.parameters(), lr=recipe.rate, momentum=recipe.momentum, nesterov=True
    )
    for index in range(recipe.epochs * len(batches)):
        batch = batches[index % len(batches)]
        step.zero_grad()
        logits = network(batch)[..., 0]
        labels = torch.tensor([[1.0], [0.0]], dtype=torch.float64).expand_as(logits)
        (
            recipe.scale
            * torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)
        ).backward()
        step.step()
    return [item.detach() for item in network.parameters()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "recipe",
    [
        replace(PRINTED, epochs=40),
        replace(RELEASED, epochs=20, batch=20),
        replace(SUCCESSORS, epochs=20, batch=20, start="glorot"),
    ],
    ids=lambda recipe: recipe.name,
)
def test_training_is_that_of_torch_optimisers(recipe):
    """Both run in float64 from weights that float32 rounds in two ways.

    60 steps magnify 1e-7 a few hundred times.
    """
    samples = (
        TARGET.sample(60, np.random.default_rng(3)),
        CURRENT.sample(60, np.random.default_rng(4)),
    )
    ours = trained(recipe, *samples, seed=5).parameters
    theirs = by_torch(recipe, *samples, seed=5)
    far = max(
        float((a.flatten() - b.flatten()).abs().max())
        for a, b in zip(ours, theirs, strict=True)
    )
    assert far < 5e-5


def test_adam_is_that_of_torch_along_half_a_cosine():
    """The same 40 gradients to both, in float64.

    Equal to 1e-6, as torch adds 1e-8 to a root before a division.
    """
    steps = 40
    rng = torch.Generator().manual_seed(1)
    ours = torch.zeros(30, dtype=torch.float64)
    theirs = torch.zeros(30, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([theirs], lr=FAST.rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda index: 0.02 + 0.98 * (1 + math.cos(math.pi * (index + 1) / steps)) / 2,
    )
    step = adam(FAST, ours)
    for index in range(1, steps + 1):
        gradient = torch.randn(30, generator=rng, dtype=torch.float64)
        step(gradient, index, steps)
        theirs.grad = gradient
        optimiser.step()
        schedule.step()
    assert torch.allclose(ours, theirs.detach(), rtol=0, atol=1e-6)


def test_the_learner_of_one_network_makes_these_steps():
    """`NetworkLearner`: what `mbde` gets is what the recipe trains, loss and logits.

    From the same start and samples.
    """
    rng = np.random.default_rng(8)
    again = np.random.default_rng(8)
    recipe = replace(PRINTED, epochs=25)
    learner = NetworkLearner("clip", samples=60, recipe=recipe, device=CPU)
    classifier = learner.fit(TARGET, CURRENT, 1, rng)
    samples = TARGET.sample(60, again), CURRENT.sample(60, again)
    stack = trained(recipe, *samples, seed=int(again.integers(2**62)))
    points = torch.tensor(np.concatenate(samples).T[np.newaxis].copy())
    logits = stack.logits(points)[0, 0].numpy()
    assert classifier.logit(np.concatenate(samples)) == pytest.approx(logits, abs=1e-12)
    assert learner.losses == pytest.approx(
        [np.mean(np.log1p(np.exp(np.where(np.arange(120) < 60, -logits, logits))))]
    )


def test_networks_are_trained_in_one_of_two_types(monkeypatch):
    monkeypatch.setenv("MOLLIFIED_TRAINING", "float16")
    with pytest.raises(ValueError, match="float16"):
        training_dtype()


def test_groups_are_neighbours_by_hand():
    """Points 0, 1, 2, 3 of P and 0.5, 1.5, 10, 11 of Q in pairs.

    They are (0, .5), (1, 1.5), (2, 3), (10, 11).
    """
    points = np.array([3, 0, 2, 1, 1.5, 0.5, 11, 10]).reshape(1, 8, 1)
    places, first, total = join_neighbours(points, 4, 4)
    assert places[0, 0] == pytest.approx([0.25, 1.25, 2.5, 10.5])
    assert (first[0].tolist(), total[0].tolist()) == ([1, 1, 2, 0], [2, 2, 2, 2])
    assert join_neighbours(points[:, 1:], 3, 3)[2][0].tolist() == [
        1,
        2,
        2,
        2,
    ]  # one is left over, and comes first


def test_cells_are_those_of_a_lattice_by_hand():
    """The side is 0.1 sqrt(51) to two digits, 0.71.

    (10, .3) and (10.2, .5) share a cell, (10.2, .8) has its own.
    """
    row = np.array([[10, 0.3], [10.2, 0.5], [-10, 0.3], [-10.2, 0.5]])
    apart = row + np.array([[0, 0], [0, 0.3], [0, 0], [0, 0]])
    points, first, total = join_cells(np.stack([row, apart]), 1)
    assert points[0, :, :2] == pytest.approx(np.array([[-10.1, 10.1], [0.4, 0.4]]))
    assert (first[0].tolist(), total.tolist()) == ([0, 1, 0], [[2, 2, 0], [2, 1, 1]])


@pytest.mark.parametrize(("target", "fewer"), [(ring(), 8), (mixture_1d(), 100)])
def test_nodes_learn_what_their_points_do(target, fewer):
    """Networks trained on 20,000 points and on their nodes agree within 0.001 nats.

    The test losses are by quadrature.
    """
    rng = np.random.default_rng(4)
    recipe = replace(FAST, batch=None, epochs=60)
    reference, grid = domain_grid(target)
    inside = target.sample(10_000, rng)
    outside = reference.sample(10_000, rng)
    (joined,) = make_nodes(inside, outside[np.newaxis], recipe, CPU)
    points = torch.tensor(np.concatenate([inside, outside]).T[np.newaxis].copy())
    mass = torch.full((1, 1, 20_000), 1 / 20_000, dtype=torch.float64)
    whole = Nodes(points, mass * (torch.arange(20_000) < 10_000), mass)
    losses = []
    for nodes in (whole, joined):
        network = LogitStack(target.dim, [torch.Generator().manual_seed(3)], device=CPU)
        train(network, [nodes], recipe)
        logit = network.logits(torch.tensor(grid.points.T[np.newaxis].copy()))[
            0, 0
        ].numpy()
        weights_p, weights_q = (
            np.exp(law.log_prob(grid.points)) * grid.weights
            for law in (target, reference)
        )
        losses.append(cross_entropy(logit, weights_p, weights_q))
    assert joined.points.shape[2] <= 20_000 // fewer
    assert losses[1] == pytest.approx(losses[0], abs=1e-3)


def test_batches_follow_the_recipe():
    """Consecutive batches of the first `share`, the last one smaller.

    Each has mass one.
    """
    rng = np.random.default_rng(1)
    inside = rng.normal(size=(40, 2))
    outside = rng.normal(size=(2, 40, 2))
    batches = make_nodes(inside, outside, replace(RELEASED, batch=20), CPU)
    assert [item.points.shape[2] for item in batches] == [40, 20]
    assert batches[1].points[0, :, :10].T.numpy() == pytest.approx(
        inside[20:30], abs=1e-6
    )
    assert batches[1].points[1, :, 10:].T.numpy() == pytest.approx(
        outside[1, 20:30], abs=1e-6
    )
    for item in batches:
        assert float(item.total.sum()) == pytest.approx(1.0, abs=1e-6)
        assert float(item.first.sum()) == pytest.approx(0.5, abs=1e-6)


def stack(size=3, dim=2, start="torch", seed=0):
    return LogitStack(
        dim,
        [torch.Generator().manual_seed(seed + index) for index in range(size)],
        start,
        CPU,
    )


def problem(size=3, dim=2, nodes=50, shared=False):
    """Return points and the masses of a weighted problem.

    Some nodes stand for many points, some for none.
    """
    generator, size = torch.Generator().manual_seed(9), 1 if shared else size
    points = 3 * torch.randn(size, dim, nodes, generator=generator, dtype=torch.float64)
    total = torch.rand(size, 1, nodes, generator=generator, dtype=torch.float64) / nodes
    total[:, :, 0] = 0
    return (
        points,
        total * torch.rand(total.shape, generator=generator, dtype=torch.float64),
        total,
    )


def plain_logits(parameters, points):
    """The network as the papers have it: three tanh layers and a linear one."""
    w1, b1, w2, b2, w3, b3, w4, b4 = parameters
    hidden = points
    for weight, bias in ((w1, b1), (w2, b2), (w3, b3)):
        hidden = torch.tanh(weight @ hidden + bias)
    return w4 @ hidden + b4


def equal(ours, theirs):
    """In float64 both ways differ by rounding alone."""
    return all(
        torch.allclose(one, two, rtol=1e-12, atol=1e-12)
        for one, two in zip(ours, theirs, strict=True)
    )


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(("dim", "nodes"), [(1, 50), (10, 50), (2, 2 * PIECE + 7)])
def test_logits_and_gradients_are_those_of_autograd(dim, nodes, shared):
    """Many nodes are taken in whole pieces and a rest, each node once."""
    networks = stack(dim=dim)
    (points, first, total) = problem(dim=dim, nodes=nodes, shared=shared)
    leaves = [item.double().clone().requires_grad_() for item in networks.parameters]
    logits = plain_logits(leaves, points)
    loss = (total * torch.nn.functional.softplus(logits) - first * logits).sum()
    assert equal([networks.logits(points)], [logits.detach()])
    assert equal(
        networks.gradient(points, first, total), torch.autograd.grad(loss, leaves)
    )
    flat = torch.cat(
        [item.flatten() for item in networks.gradient(points, first, total)]
    )
    assert torch.equal(flat, networks.flat_gradient(points, first, total))


def test_starts():
    """Glorot: the weights of `build_network` for the same generator.

    The start "torch": within 1/sqrt(fan-in), biases too.
    """
    glorot = stack(1, start="glorot", seed=7)
    network = build_network(2, torch.Generator().manual_seed(7))
    for ours, theirs in zip(glorot.parameters, network.parameters(), strict=True):
        assert torch.allclose(
            ours.flatten(), theirs.detach().flatten().double(), atol=1e-6
        )
    plain = stack(40, start="torch")
    for index, fan_in in enumerate((2, *WIDTHS)):
        for item in plain.parameters[2 * index : 2 * index + 2]:
            assert (
                0.9 / math.sqrt(fan_in)
                < float(item.abs().max())
                <= 1 / math.sqrt(fan_in)
            )


def test_work_space_follows_the_nodes():
    """Batches of changing sizes give what each gives alone."""
    networks = stack()
    for nodes in (5, 50, 7, 9, 11, 13, 5):
        batch = problem(nodes=nodes)
        assert torch.equal(
            networks.flat_gradient(*batch), stack().flat_gradient(*batch)
        )
