"""The private GAN: gradients against slow oracles, batches, the training loop.

Also its accounting, from both sides.
"""

import math

import numpy as np
import pytest
import torch
from scipy.stats import binom

from mollified.laws import ring
from mollified.training import low_noise_bracket, whole_run_level
from mollified.training.dp_sgd import pair_gradient, poisson_batches
from mollified.training.gan_accounting import published_noise
from mollified.training.private_gan import GanSettings, train_gans
from mollified.training.wgan import Perceptron, RmsProp

DATA = ring().sample(200, np.random.default_rng(1))
SHORT = GanSettings(noise=1.0, steps=12, batch=20, width=4)


def source(seed=3):
    return torch.Generator().manual_seed(seed)


def example():
    generator = source()
    critic = Perceptron((2, 7, 5, 1), [source(), source(4)])
    critic.flat.copy_(
        torch.randn(critic.flat.shape, generator=generator, dtype=critic.flat.dtype)
    )
    real, fake = (
        torch.randn(2, 6, 2, generator=generator, dtype=critic.flat.dtype)
        for _ in range(2)
    )
    return critic, real, fake


def value(network, flat, x):
    """Return the outputs of one network at one point from its parameters.

    It is written without the class's own loops.
    """
    weights, biases = (
        [item[0] for item in items] for items in network.views(flat[None])
    )
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        x = torch.relu(weight @ x + bias)
    return weights[-1] @ x + biases[-1]


@pytest.mark.parametrize("clip", [0.1, 3.0, 1e6])
def test_clipped_sum_agrees_with_torch_func(clip):
    critic, real, fake = example()
    zero = torch.zeros_like(critic.flat)

    def pair(flat, x, y):
        return (value(critic, flat, x) - value(critic, flat, y))[0]

    counts = torch.ones(2, 6, dtype=critic.flat.dtype)
    counts[1, 4:] = 0
    clipped = pair_gradient(critic, real, fake, counts, clip, zero.clone())
    for k, size in enumerate((6, 4)):
        over = torch.func.vmap(torch.func.grad(pair), (None, 0, 0))
        single = over(critic.flat[k], real[k, :size], fake[k, :size])
        factor = (clip / single.norm(dim=1)).clamp(max=1.0)
        assert torch.allclose(
            clipped[k], (single * factor[:, None]).sum(0), rtol=1e-4, atol=1e-4
        )
    nobody = pair_gradient(
        critic, real[:, :0], fake[:, :0], counts[:, :0], clip, zero + 1
    )
    assert float(nobody.norm()) == 0.0


def test_gradient_of_the_generator_agrees_with_autograd():
    critic, _, latent = example()
    generator = Perceptron((2, 4, 2), [source(5), source(6)])
    drawn = generator.forward(latent)
    seen = critic.forward(drawn[-1])
    towards = (
        critic.backward(seen, torch.full_like(seen[-1], 1 / 6))[0] @ critic.weights[0]
    )
    summed = torch.zeros_like(generator.flat)
    generator.summed_gradient(drawn, generator.backward(drawn, towards), summed)
    for k in range(2):
        flat = generator.flat[k].clone().requires_grad_(True)
        mean = torch.cat(
            [
                value(critic, critic.flat[k], value(generator, flat, x))
                for x in latent[k]
            ]
        ).mean()
        assert torch.allclose(
            summed[k], torch.autograd.grad(mean, flat)[0], rtol=1e-4, atol=1e-5
        )


def test_rmsprop_agrees_with_torch():
    start = torch.randn(5, generator=source())
    gradients = torch.randn(4, 5, generator=source(1))
    ours = start.clone()
    theirs = start.clone().requires_grad_(True)
    one = RmsProp(ours, 0.01, 0.9)
    two = torch.optim.RMSprop([theirs], lr=0.01, alpha=0.9, eps=1e-8)
    for gradient in gradients:
        one.step(gradient)
        theirs.grad = -gradient  # torch goes down
        two.step()
    assert torch.allclose(ours, theirs.detach(), rtol=1e-5, atol=1e-6)


def test_poisson_batches_are_binomial_and_uniform():
    """Two-sided, 1e-6 in all: half for the total size, half for the records."""
    generator = source()
    draws = 4000
    records = 50
    rate = 0.2
    batches = []
    for _ in range(draws // 2):
        indices, counts = poisson_batches(records, rate, [generator, generator])
        batches += [row[part > 0] for row, part in zip(indices, counts, strict=True)]
    assert all(bool((batch[1:] > batch[:-1]).all()) for batch in batches)
    sizes = np.array([len(batch) for batch in batches])
    each = np.bincount(torch.cat(batches).numpy(), minlength=records)
    total = binom(draws * records, rate)
    single = binom(draws, rate)
    assert total.ppf(2.5e-7) <= sizes.sum() <= total.isf(2.5e-7)
    assert (
        single.ppf(2.5e-7 / records)
        <= each.min()
        <= each.max()
        <= single.isf(2.5e-7 / records)
    )
    assert sizes.var() > 0.5 * records * rate * (
        1 - rate
    )  # not batches of one fixed size


def test_training_is_a_function_of_the_generator():
    """To 1e-9: members of a stack are summed in different order on some processors.

    Few steps magnify it little.
    """
    first, same, other = train_gans(
        [DATA] * 3, [SHORT] * 3, [source(2), source(2), source(3)]
    ).flat
    alone = train_gans([DATA], [SHORT], [source(2)]).flat[0]
    assert float((first - same).abs().max()) < 1e-9
    assert float((first - alone).abs().max()) < 1e-9
    assert float((first - other).abs().max()) > 1e-2


def test_the_noise_has_the_size_it_should(monkeypatch):
    """With huge noise the first step of the critic is the noise.

    Its standard deviation is sigma C / batch.
    """
    seen = []
    monkeypatch.setattr(
        RmsProp, "step", lambda self, gradient: seen.append(gradient.clone())
    )
    train_gans(
        [DATA], [GanSettings(noise=1e4, clip=0.5, steps=1, batch=20)], [source()]
    )
    wanted = 1e4 * 0.5 / 20
    five_errors = 5 / math.sqrt(2 * seen[0].numel())
    assert abs(float(seen[0].std()) / wanted - 1) < five_errors


RATE = 0.0128
DELTA = 0.1


def test_the_bracket_holds_the_accountant():
    for noise in (0.3, 0.4):
        low, high = low_noise_bracket(RATE, noise, 10_000, DELTA)
        assert low <= whole_run_level(RATE, noise, 10_000, DELTA) <= high


def test_the_bracket_is_narrow_for_tiny_noise_and_zero_for_few_steps():
    noise = published_noise(5000, RATE, 5, DELTA)
    low, high = low_noise_bracket(RATE, noise, 10_000, DELTA)
    assert 2e11 < low < high < 1.01 * low
    # eight steps need no noise, nine do
    assert low_noise_bracket(RATE, noise, 8, DELTA)[0] == 0.0
    assert low_noise_bracket(RATE, noise, 9, DELTA)[0] > 1e9
