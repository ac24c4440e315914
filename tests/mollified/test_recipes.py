"""Training by recipe: the steps are those of torch's optimisers, and of the older learner of the book."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from mollified.laws import Gaussian
from mollified.training import FAST, PRINTED, NetworkLearner
from mollified.training.logit_stack import LogitStack
from mollified.training.network import build_network
from mollified.training.recipes import RELEASED, SUCCESSORS, Nodes, _adam, train
from mollified.training.training_nodes import make_nodes

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
TARGET, CURRENT = Gaussian([2.0, 0.0], 0.25), Gaussian.standard(2)
SAMPLES = (TARGET.sample(60, np.random.default_rng(3)), CURRENT.sample(60, np.random.default_rng(4)))

TOLERANCE = 5e-5


def far(ours, theirs):
    """Return the largest difference between two lists of parameters."""
    return max(float((a.flatten() - b.flatten()).abs().max()) for a, b in zip(ours, theirs, strict=True))


def trained(recipe, seed=5, size=1):
    stack = LogitStack(2, [torch.Generator().manual_seed(seed)] + [torch.Generator()] * (size - 1), device=CPU)
    inside, outside = SAMPLES
    train(stack, make_nodes(inside, np.stack([outside] * size), recipe, CPU), recipe)
    return stack


def by_torch(recipe, seed=5):
    """The same training with autograd and torch's optimiser, on batches cut by hand."""
    network = build_network(2, torch.Generator().manual_seed(seed)).double()
    used = int(60 * recipe.share)
    size = min(recipe.batch or used, used)
    inside, outside = (torch.tensor(item[:used], dtype=torch.float64) for item in SAMPLES)
    batches = [(inside[a : a + size], outside[a : a + size]) for a in range(0, used, size)]
    step = torch.optim.SGD(network.parameters(), lr=recipe.rate, momentum=recipe.momentum, nesterov=True)
    for index in range(recipe.epochs * len(batches)):
        near, far = batches[index % len(batches)]
        step.zero_grad()
        logits = network(torch.cat([near, far]))[:, 0]
        labels = torch.cat([torch.ones(len(near)), torch.zeros(len(far))]).double()
        (recipe.scale * torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)).backward()
        step.step()
    return [item.detach() for item in network.parameters()]


@pytest.mark.parametrize(
    "recipe",
    [
        replace(PRINTED, epochs=40),
        replace(RELEASED, epochs=20, batch=20),
        replace(SUCCESSORS, epochs=20, batch=25, start="glorot"),
    ],
    ids=lambda recipe: recipe.name,
)
def test_training_is_that_of_torch_optimisers(recipe):
    """Both run in float64 from weights that float32 rounds in two ways: 60 steps magnify 1e-7 a few hundred times."""
    assert far(trained(recipe).parameters, by_torch(recipe)) < TOLERANCE


def test_other_settings_are_told_apart():
    base = replace(PRINTED, epochs=40)
    theirs = by_torch(base)
    for change in ({"rate": 0.0101}, {"momentum": 0.89}, {"epochs": 41}, {"scale": 1.01}):
        assert far(trained(replace(base, **change)).parameters, theirs) > 3 * TOLERANCE, change


@pytest.mark.parametrize(("rate", "agrees"), [(0.05, True), (0.0501, False)])
def test_adam_is_that_of_torch_along_half_a_cosine(rate, agrees):
    """The same 40 gradients to both, in float64: equal to 1e-6, as torch adds 1e-8 to a root before a division."""
    steps, rng = 40, torch.Generator().manual_seed(1)
    ours = torch.zeros(30, dtype=torch.float64)
    theirs = torch.zeros(30, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([theirs], lr=rate, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda index: 0.02 + 0.98 * (1 + math.cos(math.pi * (index + 1) / steps)) / 2
    )
    step = _adam(FAST, ours)
    for index in range(1, steps + 1):
        gradient = torch.randn(30, generator=rng, dtype=torch.float64)
        step(gradient, index, steps)
        theirs.grad = gradient
        optimiser.step()
        schedule.step()
    assert float(ours.abs().max()) > 0.1
    assert (far([ours], [theirs.detach()]) < 1e-6) is agrees


def test_the_older_learner_makes_the_same_steps():
    """`NetworkLearner` with autograd, k Nesterov steps: the same draws, the same start, the same classifier."""
    rng = np.random.default_rng(8)
    classifier = NetworkLearner("clip", samples=60, steps=25, device=CPU).fit(TARGET, CURRENT, 1, rng)
    again = np.random.default_rng(8)
    inside, outside = TARGET.sample(60, again), CURRENT.sample(60, again)
    stack = LogitStack(2, [torch.Generator().manual_seed(int(again.integers(2**62)))], device=CPU)
    recipe = replace(PRINTED, epochs=25)
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, CPU), recipe)
    x = CURRENT.sample(50, np.random.default_rng(9))
    ours = stack.logits(torch.tensor(x.T[np.newaxis]))[0, 0].numpy()
    assert ours == pytest.approx(classifier.logit(x), abs=5e-5)


def test_weighted_nodes_count_as_many_points():
    """A point that is there twice and a node of twice the mass give the same training."""
    recipe = replace(PRINTED, epochs=30)
    points = torch.tensor([[[1.0, -1.0, 1.0]]])
    twice = Nodes(points, torch.tensor([[[1.0, 0.0, 1.0]]]) / 3, torch.ones(1, 1, 3) / 3)
    joined = Nodes(points[:, :, :2], torch.tensor([[[2.0, 0.0]]]) / 3, torch.tensor([[[2.0, 1.0]]]) / 3)
    stacks = [LogitStack(1, [torch.Generator().manual_seed(1)], device=CPU) for _ in range(2)]
    for stack, nodes in zip(stacks, (twice, joined), strict=True):
        train(stack, [nodes], recipe)
    assert torch.allclose(stacks[0].flat, stacks[1].flat, atol=1e-6)
