r"""One private step of critics: Poisson-sampled batches, gradients clipped example by example, Gaussian noise.

Source: Abadi et al. (2016), Algorithm 1, for the critic of Xie et al. (2018), Algorithm 1. The gradient of an example
in a layer is an outer product $\delta h^\top$, whose norm needs only $\delta$ and $h$: nothing of the size of the
network times the batch is ever made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from mollified.training.network import training_dtype
from mollified.training.wgan import Perceptron

__all__ = ["pair_gradient", "poisson_batches"]


def poisson_batches(records: int, rate: float, generators: Sequence[torch.Generator]) -> tuple[torch.Tensor, ...]:
    r"""Return a batch for each generator, to which each record belongs independently with probability `rate`.

    Indices, shape (S, b), int64, increasing in a row, b the size of the largest batch; and which of them count: a
    smaller batch is filled up with the last record. Gaps between records are geometric:
    $\lceil E/\log\frac1{1-q}\rceil$ for E exponential.
    """
    mean = records * rate
    at: list[torch.Tensor] = []
    chunk = math.ceil(mean + 12 * math.sqrt(mean)) + 12
    while not at or int(at[-1][:, -1].min()) < records:  # one chunk nearly always
        gaps = torch.empty((len(generators), chunk), dtype=torch.float64, device=generators[0].device)
        for row, generator in zip(gaps, generators, strict=True):
            row.exponential_(generator=generator)
        places = gaps.div_(-math.log1p(-rate)).ceil_().clamp_(min=1).cumsum(1)
        at.append(places + at[-1][:, -1:] if at else places - 1)
    found = torch.cat(at, 1)
    inside = found < records
    width = int(inside.sum(1).max())
    return found[:, :width].clamp(max=records - 1).long(), inside[:, :width].to(training_dtype())


def pair_gradient(
    critic: Perceptron, real: torch.Tensor, fake: torch.Tensor, counts: torch.Tensor, clip: float, out: torch.Tensor
) -> torch.Tensor:
    r"""Return $\sum_ig_i\min(1,C/|g_i|)$, $g_i$ the gradient of $f(x_i)-f(y_i)$ in the parameters of each critic.

    `real` and `fake` have shape (S, b, d), `counts` (S, b) is 1 for a pair that counts and 0 for one that does not,
    `clip` is C > 0, and the sums are written into `out`, of the shape of `critic.flat`. With $h,\delta$ at $x_i$ and
    $h',\delta'$ at $y_i$ a layer adds $|\delta|^2(|h|^2+1)+|\delta'|^2(|h'|^2+1)-2(\delta\cdot\delta')(h\cdot h'+1)$
    to $|g_i|^2$.
    """
    half = real.shape[1]
    layers = critic.forward(torch.cat([real, fake], 1))
    deltas = critic.backward(layers, torch.ones_like(layers[-1]))
    square = torch.zeros_like(counts)
    for h, delta in zip(layers, deltas, strict=False):
        inner = (h * h).sum(2).add_(1.0).mul_((delta * delta).sum(2))
        cross = (h[:, :half] * h[:, half:]).sum(2).add_(1.0).mul_((delta[:, :half] * delta[:, half:]).sum(2))
        square.add_(inner[:, :half]).add_(inner[:, half:]).sub_(cross, alpha=2.0)
    factor = counts * torch.div(clip, square.clamp_(min=0.0).sqrt_().clamp_(min=clip))
    both = torch.cat([factor, -factor], 1)[..., None]
    return critic.summed_gradient(layers, [delta.mul_(both) for delta in deltas], out)
