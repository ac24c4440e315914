r"""Train Wasserstein GANs privately on points of the plane, and say which modes a generator covers.

The critic f is trained by DP-SGD on pairs of a record and a draw of the generator, the
generator by the critic alone: the records are read only by the noisy sums of the
critic's steps. Released is the generator, or any number of its draws. Source: Xie et
al. (2018), Algorithm 1, with two changes that accounting needs: each example's gradient
is clipped, instead of bounded by a constant that holds for bounded weights, and batches
are Poisson samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from mollified._validate import (
    Array,
)
from mollified.training.dp_sgd import normals, pair_gradient, poisson_batches
from mollified.training.logit_stack import training_dtype
from mollified.training.wgan import Perceptron, RmsProp

__all__ = ["GanSettings", "generator_samples", "modes_covered", "train_gans"]


@dataclass(frozen=True)
class GanSettings:
    r"""Hold the settings of a private GAN; the defaults cover the ring, the papers print `batch` alone.

    `noise` is $\sigma\ge0$ (the noise on the sum has standard deviation $\sigma C$ in
    each coordinate), `clip` is C, `steps` counts steps of the critic, `inner` those
    between two steps of the generator, `batch` the mean batch size, `weight_clip` the
    bound on each parameter of the critic, `critic_rate` and `generator_rate` the rates
    of RMSProp, `width` the two hidden layers of both networks, `latent` the dimension
    of the generator's normal input.
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


def train_gans(
    data: Sequence[Array],
    settings: Sequence[GanSettings],
    generators: Sequence[torch.Generator],
) -> Perceptron:
    """Return generator networks, side by side, each trained on its records, shape (n, d), on its generator's device.

    The settings may differ in noise, bound and rates, and in nothing else; all
    randomness of a run is its generator's. Each record is in a batch with probability
    batch / n; the noisy sum is divided by `batch`, not by the size drawn, which is
    private. Idealised numerics: the guarantee is for exact normal noise, and floats
    have less.
    """
    first = settings[0]
    device = generators[0].device
    dtype = training_dtype()
    points = torch.tensor(np.stack(data), dtype=dtype, device=device)
    members, count, dim = points.shape
    rows = torch.arange(members, device=device)[:, None]

    def column(name: str) -> torch.Tensor:
        return torch.tensor(
            [[getattr(item, name)] for item in settings], dtype=dtype, device=device
        )

    critic = Perceptron((dim, first.width, first.width, 1), generators)
    network = Perceptron((first.latent, first.width, first.width, dim), generators)
    bound = column("weight_clip")
    scale = first.clip * column("noise")
    torch.clamp(critic.flat, -bound, bound, out=critic.flat)
    climb = RmsProp(critic.flat, column("critic_rate"))
    follow = RmsProp(network.flat, column("generator_rate"))
    gradient = torch.zeros_like(critic.flat)
    ascent = torch.zeros_like(network.flat)
    share = torch.full(
        (members, first.batch, 1), 1.0 / first.batch, dtype=dtype, device=device
    )
    for step in range(1, first.steps + 1):
        batch, counts = poisson_batches(count, first.batch / count, generators)
        room = max(
            2 * first.batch, batch.shape[1]
        )  # a run draws as much whatever runs beside it
        fake = network.forward(
            normals(generators, room, first.latent)[:, : batch.shape[1]]
        )[-1]
        pair_gradient(critic, points[rows, batch], fake, counts, first.clip, gradient)
        gradient.addcmul_(scale, normals(generators, critic.flat.shape[1]))
        climb.step(gradient.div_(first.batch))
        torch.clamp(critic.flat, -bound, bound, out=critic.flat)
        if step % first.inner == 0:
            drawn = network.forward(normals(generators, first.batch, first.latent))
            seen = critic.forward(drawn[-1])
            towards = torch.bmm(critic.backward(seen, share)[0], critic.weights[0])
            network.summed_gradient(drawn, network.backward(drawn, towards), ascent)
            follow.step(ascent)
    return network


def generator_samples(
    network: Perceptron, n: int, generators: Sequence[torch.Generator]
) -> Array:
    """Return `n` draws of each trained generator, shape (S, n, d)."""
    drawn: Array = (
        network.forward(normals(generators, n, network.sizes[0]))[-1]
        .double()
        .cpu()
        .numpy()
    )
    return drawn


def modes_covered(
    points: Array, centres: Array, radius: float, least: float
) -> tuple[int, float]:
    r"""Return how many centres have at least the share `least` of the points nearest to them and within `radius`.

    Also returns the share of all points within `radius` of some centre. `points` has
    shape (n, d), `centres` (m, d).
    """
    distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
    near = distances.min(axis=1) <= radius
    shares = np.bincount(distances.argmin(axis=1)[near], minlength=len(centres)) / len(
        points
    )
    return int((shares >= least).sum()), float(near.mean())
