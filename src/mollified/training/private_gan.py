r"""Train a Wasserstein GAN privately on points of the plane, and say which modes its generator covers.

The critic f is trained by DP-SGD on pairs of a record and a draw of the generator, the generator by the critic alone:
the records are read only by the noisy sums of the critic's steps. Released is the generator, or any number of its
draws. Source: Xie et al. (2018), Algorithm 1, with two changes that accounting needs: each example's gradient is
clipped, instead of bounded by a constant that holds for bounded weights, and batches are Poisson samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from mollified._validate import (
    Array,
)
from mollified.training.dp_sgd import pair_gradient, poisson_batch
from mollified.training.network import training_dtype
from mollified.training.wgan import Perceptron, RmsProp

__all__ = ["GanSettings", "generator_sample", "modes_covered", "train_gan"]


@dataclass(frozen=True)
class GanSettings:
    r"""Hold the settings of a private GAN; the defaults cover the ring, the papers print `batch` alone.

    `noise` is $\sigma\ge0$ (the noise on the sum has standard deviation $\sigma C$ in each coordinate), `clip` is C,
    `steps` counts steps of the critic, `inner` those between two steps of the generator, `batch` the mean batch size,
    `weight_clip` the bound on each parameter of the critic, `critic_rate` and `generator_rate` the rates of RMSProp,
    `width` the two hidden layers of both networks, `latent` the dimension of the generator's normal input. `average`
    clips the mean of a batch (for the control).
    """

    noise: float
    clip: float = 1.0
    steps: int = 10_000
    inner: int = 5
    batch: int = 128
    weight_clip: float = 0.5
    critic_rate: float = 5e-3
    generator_rate: float = 5e-3
    width: int = 32
    latent: int = 2
    average: bool = False


def train_gan(data: Array, settings: GanSettings, generator: torch.Generator) -> Perceptron:
    """Return a generator network trained on the records, an array of shape (n, d), on the device of `generator`.

    All randomness is `generator`'s. Each record is in a batch with probability batch / n; the noisy sum is divided by
    `batch`, not by the size drawn, which is private. Idealised numerics: the guarantee is for exact normal noise, and
    floats have less.
    """
    count, dim = data.shape
    device = generator.device
    points = torch.tensor(data, dtype=training_dtype(), device=device)
    width, bound = settings.width, settings.weight_clip
    critic = Perceptron((dim, width, width, 1), generator)
    network = Perceptron((settings.latent, width, width, dim), generator)
    critic.flat.clamp_(-bound, bound)
    climb = RmsProp(critic.flat, settings.critic_rate)
    follow = RmsProp(network.flat, settings.generator_rate)
    gradient, noise = torch.zeros_like(critic.flat), torch.zeros_like(critic.flat)
    ascent = torch.zeros_like(network.flat)
    share = torch.full((settings.batch, 1), 1.0 / settings.batch, dtype=points.dtype, device=device)

    def latent(size: int) -> torch.Tensor:
        return torch.randn(size, settings.latent, generator=generator, device=device, dtype=points.dtype)

    for step in range(1, settings.steps + 1):
        real = points[poisson_batch(count, settings.batch / count, generator)]
        fake = network.forward(latent(len(real)))[-1]
        pair_gradient(critic, real, fake, settings.clip, gradient, average=settings.average)
        if settings.noise:
            gradient.add_(noise.normal_(generator=generator), alpha=settings.noise * settings.clip)
        climb.step(gradient.div_(settings.batch))
        critic.flat.clamp_(-bound, bound)
        if step % settings.inner == 0:
            drawn = network.forward(latent(settings.batch))
            seen = critic.forward(drawn[-1])
            towards = critic.backward(seen, share)[0] @ critic.weights[0]
            network.summed_gradient(drawn, network.backward(drawn, towards), ascent)
            follow.step(ascent)
    return network


def generator_sample(network: Perceptron, n: int, generator: torch.Generator) -> Array:
    """Return `n` draws of a trained generator, shape (n, d)."""
    latent = torch.randn(n, network.sizes[0], generator=generator, device=generator.device, dtype=network.flat.dtype)
    drawn: Array = network.forward(latent)[-1].double().cpu().numpy()
    return drawn


def modes_covered(points: Array, centres: Array, radius: float, least: float) -> tuple[int, float]:
    r"""Return how many centres have at least the share `least` of the points nearest to them and within `radius`.

    Also returns the share of all points within `radius` of some centre. `points` has shape (n, d), `centres` (m, d).
    """
    distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
    near = distances.min(axis=1) <= radius
    shares = np.bincount(distances.argmin(axis=1)[near], minlength=len(centres)) / len(points)
    return int((shares >= least).sum()), float(near.mean())
