"""Training by recipe: the steps are those of torch's optimisers, and of the older learner of the book."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from mollified.laws import Gaussian
from mollified.training import FAST, PRINTED
from mollified.training.logit_stack import LogitStack
from mollified.training.network import build_network
from mollified.training.recipes import RELEASED, SUCCESSORS, _adam, train
from mollified.training.training_nodes import make_nodes

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
TARGET, CURRENT = Gaussian([2.0, 0.0], 0.25), Gaussian.standard(2)


def trained(recipe, inside, outside, seed):
    stack = LogitStack(2, [torch.Generator().manual_seed(seed)], device=CPU)
    train(stack, make_nodes(inside, outside[np.newaxis], recipe, CPU), recipe)
    return stack


def by_torch(recipe, inside, outside, seed):
    """The same training with autograd and torch's optimiser, on batches cut by hand."""
    network = build_network(2, torch.Generator().manual_seed(seed)).double()
    used = int(len(inside) * recipe.share)
    size = min(recipe.batch or used, used)
    both = torch.tensor(np.stack([inside[:used], outside[:used]]))
    batches = both.split(size, dim=1)
    step = torch.optim.SGD(network.parameters(), lr=recipe.rate, momentum=recipe.momentum, nesterov=True)
    for index in range(recipe.epochs * len(batches)):
        batch = batches[index % len(batches)]
        step.zero_grad()
        logits = network(batch)[..., 0]
        labels = torch.tensor([[1.0], [0.0]], dtype=torch.float64).expand_as(logits)
        (recipe.scale * torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)).backward()
        step.step()
    return [item.detach() for item in network.parameters()]


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
    """Both run in float64 from weights that float32 rounds in two ways: 60 steps magnify 1e-7 a few hundred times."""
    samples = TARGET.sample(60, np.random.default_rng(3)), CURRENT.sample(60, np.random.default_rng(4))
    ours, theirs = trained(recipe, *samples, seed=5).parameters, by_torch(recipe, *samples, seed=5)
    far = max(float((a.flatten() - b.flatten()).abs().max()) for a, b in zip(ours, theirs, strict=True))
    assert far < 5e-5


def test_adam_is_that_of_torch_along_half_a_cosine():
    """The same 40 gradients to both, in float64: equal to 1e-6, as torch adds 1e-8 to a root before a division."""
    steps, rng = 40, torch.Generator().manual_seed(1)
    ours = torch.zeros(30, dtype=torch.float64)
    theirs = torch.zeros(30, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.Adam([theirs], lr=FAST.rate, betas=(0.9, 0.99))
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
    assert torch.allclose(ours, theirs.detach(), rtol=0, atol=1e-6)
