r"""One private step of critics: Poisson batches, clipped gradients, Gaussian noise.

Source: Abadi et al. (2016), Algorithm 1, for the critic of Xie et al. (2018), Algorithm
1. The gradient of an example in a layer is an outer product $\delta h^\top$, whose norm
needs only $\delta$ and $h$: nothing of the size of the network times the batch is ever
made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from mollified.training.logit_stack import training_dtype
from mollified.training.wgan import Perceptron

__all__ = ["normals", "pair_gradient", "poisson_batches"]


def _uniforms(generators: Sequence[torch.Generator], *shape: int) -> torch.Tensor:
    """Return numbers in [0, 1), in float64, a row for each generator.

    They are the same ones on every processor.
    """
    drawn = torch.empty(
        (len(generators), *shape),
        dtype=torch.float64,
        device=generators[0].device,
    )
    for row, generator in zip(drawn, generators, strict=True):
        row.uniform_(generator=generator)
    return drawn


def normals(generators: Sequence[torch.Generator], *shape: int) -> torch.Tensor:
    """Return normal numbers by the method of Box and Muller.

    Those of PyTorch depend on the processor.
    """
    count = math.prod(shape)
    radius, angle = _uniforms(generators, 2, -(-count // 2)).unbind(1)
    radius = radius.neg_().log1p_().mul_(-2).sqrt_()
    angle = angle.mul_(2 * math.pi)
    pairs = torch.cat([radius * angle.cos(), radius * angle.sin()], 1)
    return pairs[:, :count].view(-1, *shape).to(training_dtype())


def poisson_batches(
    records: int,
    rate: float,
    generators: Sequence[torch.Generator],
) -> tuple[torch.Tensor, ...]:
    r"""Return a batch for each generator, by Poisson sampling.

    Each record belongs to it independently with probability `rate`. Indices, shape (S,
    b), int64, increasing in a row, b the size of the largest batch; and which of them
    count: a smaller batch is filled up with the last record. Gaps between records are
    geometric: $1+\lfloor\log(1-U)/\log(1-q)\rfloor$ for U uniform. That a batch needs
    more of them than are drawn has a probability below 1e-25.
    """
    most = math.ceil(records * rate + 12 * math.sqrt(records * rate)) + 12
    logs = _uniforms(generators, most).neg_().log1p_()
    gaps = logs.div_(math.log1p(-rate)).floor_().add_(1)
    places = gaps.cumsum(1) - 1
    inside = places < records
    width = int(inside.sum(1).max())
    indices = places[:, :width].clamp(max=records - 1).long()
    return indices, inside[:, :width].to(training_dtype())


def pair_gradient(
    critic: Perceptron,
    real: torch.Tensor,
    fake: torch.Tensor,
    counts: torch.Tensor,
    clip: float,
    out: torch.Tensor,
) -> torch.Tensor:
    r"""Return $\sum_ig_i\min(1,C/|g_i|)$ for each critic.

    $g_i$ is the gradient of $f(x_i)-f(y_i)$ in the parameters. `real` and `fake` have
    shape (S, b, d), `counts` (S, b) is 1 for a pair that counts and 0 for one that does
    not, `clip` is C > 0, and the sums are written into `out`, of the shape of
    `critic.flat`. With $h,\delta$ at $x_i$ and $h',\delta'$ at $y_i$ a layer adds
    $|\delta|^2(|h|^2+1)+|\delta'|^2(|h'|^2+1)-2(\delta\cdot\delta')(h\cdot h'+1)$ to
    $|g_i|^2$.
    """
    half = real.shape[1]
    layers = critic.forward(torch.cat([real, fake], 1))
    deltas = critic.backward(layers, torch.ones_like(layers[-1]))
    square = torch.zeros_like(counts)
    for h, delta in zip(layers, deltas, strict=False):
        inner = (h * h).sum(2).add_(1.0).mul_((delta * delta).sum(2))
        cross = (
            (h[:, :half] * h[:, half:])
            .sum(2)
            .add_(1.0)
            .mul_((delta[:, :half] * delta[:, half:]).sum(2))
        )
        square.add_(inner[:, :half]).add_(inner[:, half:]).sub_(cross, alpha=2.0)
    factor = counts * torch.div(clip, square.clamp_(min=0.0).sqrt_().clamp_(min=clip))
    both = torch.cat([factor, -factor], 1)[..., None]
    return critic.summed_gradient(layers, [delta.mul_(both) for delta in deltas], out)
