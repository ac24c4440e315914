r"""A small Wasserstein GAN for the plane: networks with gradients written by hand, RMSProp, weight clipping.

Source: Arjovsky, Chintala and Bottou (2017), Algorithm 1, which is the non-private part of Xie et al. (2018),
Algorithm 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch

from mollified.training.network import training_dtype

__all__ = ["Perceptron", "RmsProp"]


class Perceptron:
    r"""Hold a network $h_0=x,\ h_l=\max(0,W_lh_{l-1}+b_l)$, with a linear last layer, all parameters in one vector.

    `sizes` are the widths, input first. Weights start uniform with variance 2/fan-in, biases at zero, from `generator`,
    on its device. `flat` is the vector of all parameters; `weights` and `biases` are views of it, of shapes (fan-out,
    fan-in) and (fan-out,).
    """

    def __init__(self, sizes: Sequence[int], generator: torch.Generator) -> None:
        device = generator.device
        self.sizes = tuple(sizes)
        self.flat = torch.zeros(sum((a + 1) * b for a, b in pairwise(sizes)), dtype=training_dtype(), device=device)
        self.weights, self.biases = self.views(self.flat)
        for weight in self.weights:
            bound = math.sqrt(6.0 / weight.shape[1])
            weight.uniform_(-bound, bound, generator=generator)

    def views(self, flat: torch.Tensor) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """Return a vector as long as `flat` cut into weights and biases, without copying."""
        weights, biases, at = [], [], 0
        for inward, outward in pairwise(self.sizes):
            weights.append(flat[at : at + inward * outward].view(outward, inward))
            at += inward * outward
            biases.append(flat[at : at + outward])
            at += outward
        return weights, biases

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        r"""Return all layers $h_0,\dots,h_L$ at points of shape (n, d), each of shape (n, width); no gradients kept."""
        layers = [x]
        last = len(self.weights) - 1
        for index, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            h = torch.addmm(bias, layers[-1], weight.t())
            layers.append(h if index == last else h.relu_())
        return layers

    def backward(self, layers: Sequence[torch.Tensor], top: torch.Tensor) -> list[torch.Tensor]:
        r"""Return $\delta_l=\partial(\sum_i t_i\cdot h_L)/\partial(W_lh_{l-1}+b_l)$ for l = 1..L, each (n, width).

        `top` is $t$, of the shape of the output. The gradient of an example is $\delta_lh_{l-1}^\top$ in $W_l$ and
        $\delta_l$ in $b_l$.
        """
        deltas = [top]
        for weight, h in zip(self.weights[:0:-1], layers[-2:0:-1], strict=True):
            deltas.append((deltas[-1] @ weight).mul_(h > 0))
        return deltas[::-1]

    def summed_gradient(
        self, layers: Sequence[torch.Tensor], deltas: Sequence[torch.Tensor], out: torch.Tensor
    ) -> torch.Tensor:
        """Write the gradient, summed over examples, into a vector of the shape of `flat`, and return it."""
        weights, biases = self.views(out)
        for weight, bias, h, delta in zip(weights, biases, layers, deltas, strict=False):
            torch.mm(delta.t(), h, out=weight)
            torch.sum(delta, 0, out=bias)
        return out


class RmsProp:
    r"""Move a vector by $v\leftarrow\rho v+(1-\rho)g^2,\ w\leftarrow w+\eta g/(\sqrt v+10^{-8})$, in place.

    `rate` is $\eta>0$, `decay` is $\rho\in[0,1)$ (Arjovsky et al. leave the default of their library, 0.99).
    """

    def __init__(self, flat: torch.Tensor, rate: float, decay: float = 0.99) -> None:
        self.rate = rate
        self.decay = decay
        self._flat, self._square, self._scratch = flat, torch.zeros_like(flat), torch.zeros_like(flat)

    def step(self, gradient: torch.Tensor) -> None:
        """Take one step in the direction of `gradient` (upwards)."""
        self._square.mul_(self.decay).addcmul_(gradient, gradient, value=1 - self.decay)
        torch.sqrt(self._square, out=self._scratch).add_(1e-8)
        self._flat.addcdiv_(gradient, self._scratch, value=self.rate)
