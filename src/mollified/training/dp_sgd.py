r"""One private step of the critic: Poisson-sampled batch, gradients clipped example by example, Gaussian noise.

Source: Abadi et al. (2016), Algorithm 1, for the critic of Xie et al. (2018), Algorithm 1. The gradient of an example
in a layer is an outer product $\delta h^\top$, whose norm needs only $\delta$ and $h$: nothing of the size of the
network times the batch is ever made.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from mollified.training.wgan import Perceptron

__all__ = ["pair_gradient", "pair_norms", "poisson_batch"]


def poisson_batch(records: int, rate: float, generator: torch.Generator) -> torch.Tensor:
    """Return the indices of a batch to which each of `records` records belongs independently with probability `rate`.

    Shape (b,), int64, increasing; b is random with mean records * rate and may be 0.
    """
    return torch.rand(records, generator=generator, device=generator.device).lt_(rate).nonzero()[:, 0]


def pair_norms(critic: Perceptron, layers: Sequence[torch.Tensor], deltas: Sequence[torch.Tensor]) -> torch.Tensor:
    r"""Return the norms of the gradients of $f(x_i)-f(y_i)$ in all parameters, shape (b,).

    `layers` and `deltas` come from the critic at the 2b points $x_1,\dots,x_b,y_1,\dots,y_b$ (deltas for a top of
    ones). With $h,\delta$ at $x_i$ and $h',\delta'$ at $y_i$ a layer adds
    $|\delta|^2(|h|^2+1)+|\delta'|^2(|h'|^2+1)-2(\delta\cdot\delta')(h\cdot h'+1)$ to the square.
    """
    half = len(layers[0]) // 2
    total = torch.zeros(half, device=layers[0].device, dtype=layers[0].dtype)
    for h, delta in zip(layers, deltas, strict=False):
        inner = (h * h).sum(1).add_(1.0).mul_((delta * delta).sum(1))
        cross = (h[:half] * h[half:]).sum(1).add_(1.0).mul_((delta[:half] * delta[half:]).sum(1))
        total.add_(inner[:half]).add_(inner[half:]).sub_(cross, alpha=2.0)
    return total.clamp_(min=0.0).sqrt_()


def pair_gradient(
    critic: Perceptron,
    real: torch.Tensor,
    fake: torch.Tensor,
    clip: float,
    out: torch.Tensor,
    *,
    average: bool = False,
) -> torch.Tensor:
    r"""Return $\sum_ig_i\min(1,C/|g_i|)$, $g_i$ the gradient of $f(x_i)-f(y_i)$ in the parameters of the critic.

    `real` and `fake` have shape (b, d), `clip` is C > 0, and the sum is written into `out`, of the shape of
    `critic.flat`. `average` (for the control) clips the mean of the batch instead, which bounds no single example's
    share: $b\,\bar g\min(1,C/|\bar g|)$.
    """
    half = len(real)
    layers = critic.forward(torch.cat([real, fake]))
    deltas = critic.backward(layers, torch.ones_like(layers[-1]))
    factor = torch.ones(2 * half, 1, device=real.device, dtype=real.dtype)
    if not average:
        scale = torch.div(clip, pair_norms(critic, layers, deltas).clamp_(min=clip))
        factor[:half, 0], factor[half:, 0] = scale, scale
    factor[half:] *= -1.0
    critic.summed_gradient(layers, [delta * factor for delta in deltas], out)
    if average:
        out.mul_(min(1.0, clip * half / max(float(out.norm()), 1e-300)))
    return out
