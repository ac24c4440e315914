r"""Train Wasserstein GANs privately on points of the plane, and count modes.

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

from mollified._validate import Array
from mollified.training.dp_sgd import normals, pair_gradient, poisson_batches
from mollified.training.logit_stack import training_dtype
from mollified.training.wgan import Perceptron, RmsProp

__all__ = ["GanSettings", "generator_samples", "modes_covered", "train_gans"]


@dataclass(frozen=True)
class GanSettings:
    r"""Hold the settings of a private GAN; the papers print `batch` alone.

    The defaults cover the ring. `noise` is $\sigma\ge0$ (the noise on the sum has
    standard deviation $\sigma C$ in each coordinate), `clip` is C, `steps` counts steps
    of the critic, `inner` those between two steps of the generator, `batch` the mean
    batch size, `weight_clip` the bound on each parameter of the critic, `critic_rate`
    and `generator_rate` the rates of RMSProp, `width` the two hidden layers of both
    networks, `latent` the dimension of the generator's normal input.
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
    """Return generator networks, side by side, each trained on its records.

    Records have shape (n, d). They are trained on the device of the generators. The
    settings may differ in noise, bound and rates, and in nothing else; all randomness
    of a run is its generator's. Each record is in a batch with probability batch / n;
    the noisy sum is divided by `batch`, not by the size drawn, which is private.
    Idealised numerics: the guarantee is for exact normal noise, and floats have less.
    """
    training = _Training(data, settings, generators)
    for step in range(1, settings[0].steps + 1):
        training.critic_step()
        if step % settings[0].inner == 0:
            training.generator_step()
    return training.network


class _Training:
    """Hold the networks of `train_gans`, their optimisers, and their work space."""

    def __init__(
        self,
        data: Sequence[Array],
        settings: Sequence[GanSettings],
        generators: Sequence[torch.Generator],
    ) -> None:
        first = settings[0]
        device = generators[0].device
        dtype = training_dtype()

        def column(values: list[float]) -> torch.Tensor:
            return torch.tensor(values, dtype=dtype, device=device)[:, None]

        self._first = first
        self._generators = generators
        self._points = torch.tensor(np.stack(data), dtype=dtype, device=device)
        members, _, dim = self._points.shape
        self._rows = torch.arange(members, device=device)[:, None]
        critic = Perceptron((dim, first.width, first.width, 1), generators)
        network = Perceptron((first.latent, first.width, first.width, dim), generators)
        self._critic = critic
        self.network = network
        self._bound = column([item.weight_clip for item in settings])
        self._scale = first.clip * column([item.noise for item in settings])
        self._climb = RmsProp(
            critic.flat, column([item.critic_rate for item in settings])
        )
        self._follow = RmsProp(
            network.flat, column([item.generator_rate for item in settings])
        )
        self._gradient = torch.zeros_like(critic.flat)
        self._ascent = torch.zeros_like(network.flat)
        self._share = torch.full(
            (members, first.batch, 1),
            1.0 / first.batch,
            dtype=dtype,
            device=device,
        )
        self._clip_weights()

    def _clip_weights(self) -> None:
        """Keep the parameters of the critic within their bound."""
        torch.clamp(self._critic.flat, -self._bound, self._bound, out=self._critic.flat)

    def critic_step(self) -> None:
        """Take one private step of the critics."""
        first = self._first
        records = self._points.shape[1]
        batch, counts = poisson_batches(
            records,
            first.batch / records,
            self._generators,
        )
        # A run draws as much whatever runs beside it.
        room = max(2 * first.batch, batch.shape[1])
        latent = normals(self._generators, room, first.latent)
        fake = self.network.forward(latent[:, : batch.shape[1]])[-1]
        real = self._points[self._rows, batch]
        gradient = self._gradient
        pair_gradient(self._critic, real, fake, counts, first.clip, gradient)
        noise = normals(self._generators, self._critic.flat.shape[1])
        gradient.addcmul_(self._scale, noise)
        self._climb.step(gradient.div_(first.batch))
        self._clip_weights()

    def generator_step(self) -> None:
        """Take one step of the generators, which sees no record."""
        critic = self._critic
        latent = normals(self._generators, self._first.batch, self._first.latent)
        drawn = self.network.forward(latent)
        seen = critic.forward(drawn[-1])
        towards = torch.bmm(critic.backward(seen, self._share)[0], critic.weights[0])
        deltas = self.network.backward(drawn, towards)
        self.network.summed_gradient(drawn, deltas, self._ascent)
        self._follow.step(self._ascent)


def generator_samples(
    network: Perceptron,
    n: int,
    generators: Sequence[torch.Generator],
) -> Array:
    """Return `n` draws of each trained generator, shape (S, n, d)."""
    latent = normals(generators, n, network.sizes[0])
    drawn: Array = network.forward(latent)[-1].double().cpu().numpy()
    return drawn


def modes_covered(
    points: Array,
    centres: Array,
    radius: float,
    least: float,
) -> tuple[int, float]:
    r"""Return how many centres the points cover, and the share of points near a centre.

    A centre is covered that has at least the share `least` of the points, nearest to it
    and within `radius`; the second value is the share of all points within `radius` of
    some centre. `points` has shape (n, d), `centres` (m, d).
    """
    distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
    near = distances.min(axis=1) <= radius
    nearest = distances.argmin(axis=1)[near]
    shares = np.bincount(nearest, minlength=len(centres)) / len(points)
    return int((shares >= least).sum()), float(near.mean())
