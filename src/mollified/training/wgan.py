r"""Small Wasserstein GANs for the plane, side by side, with gradients written by hand.

Source: Arjovsky, Chintala and Bottou (2017), Algorithm 1, which is the non-private part
of Xie et al. (2018), Algorithm 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch

from mollified.training.logit_stack import training_dtype

__all__ = ["Perceptron", "RmsProp"]

_relu_backward = torch.ops.aten.threshold_backward


class Perceptron:
    r"""Hold S networks $h_0=x,\ h_l=\max(0,W_lh_{l-1}+b_l)$, linear in the last layer.

    There is one for each of `generators`. `sizes` are the widths, input first. Weights
    start uniform with variance 2/fan-in, biases at zero, each network's from its own
    generator, on its device. `flat` holds all parameters, a row for each network;
    `weights` and `biases` are views of it, of shapes (S, fan-out, fan-in) and (S,
    fan-out). Networks never exchange anything.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        generators: Sequence[torch.Generator],
    ) -> None:
        self.sizes = tuple(sizes)
        shape = (len(generators), sum((a + 1) * b for a, b in pairwise(sizes)))
        self.flat = torch.zeros(
            shape,
            dtype=training_dtype(),
            device=generators[0].device,
        )
        self.weights, self.biases = self.views(self.flat)
        for weight in self.weights:
            bound = math.sqrt(6.0 / weight.shape[2])
            for row, generator in zip(weight, generators, strict=True):
                row.uniform_(-bound, bound, generator=generator)

    def views(
        self,
        flat: torch.Tensor,
    ) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """Return a tensor like `flat` cut into weights and biases, without copying."""
        weights = []
        biases = []
        at = 0
        for inward, outward in pairwise(self.sizes):
            middle = at + inward * outward
            end = middle + outward
            weights.append(flat[:, at:middle].view(-1, outward, inward))
            biases.append(flat[:, middle:end])
            at = end
        return weights, biases

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        r"""Return all layers $h_0,\dots,h_L$ at points (S, n, d).

        Each has shape (S, n, width).
        """
        layers = [x]
        last = len(self.weights) - 1
        for index, (weight, bias) in enumerate(
            zip(self.weights, self.biases, strict=True)
        ):
            h = torch.baddbmm(bias[:, None], layers[-1], weight.transpose(1, 2))
            layers.append(h if index == last else h.relu_())
        return layers

    def backward(
        self,
        layers: Sequence[torch.Tensor],
        top: torch.Tensor,
    ) -> list[torch.Tensor]:
        r"""Return $\delta_l=\partial(\sum_i t_i\cdot h_L)/\partial(W_lh_{l-1}+b_l)$.

        For l = 1..L, each of shape (S, n, width). `top` is $t$, of the shape of the
        output. The gradient of an example is $\delta_lh_{l-1}^\top$ in $W_l$ and
        $\delta_l$ in $b_l$.
        """
        deltas = [top]
        for weight, h in zip(self.weights[:0:-1], layers[-2:0:-1], strict=True):
            deltas.append(_relu_backward(torch.bmm(deltas[-1], weight), h, 0))
        return deltas[::-1]

    def summed_gradient(
        self,
        layers: Sequence[torch.Tensor],
        deltas: Sequence[torch.Tensor],
        out: torch.Tensor,
    ) -> torch.Tensor:
        """Write the gradients, summed over examples, into a tensor like `flat`.

        Returns that tensor.
        """
        weights, biases = self.views(out)
        for weight, bias, h, delta in zip(
            weights,
            biases,
            layers,
            deltas,
            strict=False,
        ):
            torch.bmm(delta.transpose(1, 2), h, out=weight)
            torch.sum(delta, 1, out=bias)
        return out


class RmsProp:
    r"""Move parameters $w$ in place by RMSProp, upwards.

    $v\leftarrow\rho v+(1-\rho)g^2,\ w\leftarrow w+\eta g/(\sqrt v+10^{-8})$. `rate` is
    $\eta>0$, a number or one for each row; `decay` is $\rho\in[0,1)$ (Arjovsky et al.
    leave the default of their library, 0.99).
    """

    # torch.optim.RMSprop has one rate for all rows of a parameter; networks that are
    # trained side by side have one each.

    def __init__(
        self,
        flat: torch.Tensor,
        rate: float | torch.Tensor,
        decay: float = 0.99,
    ) -> None:
        self.rate = rate
        self.decay = decay
        self._flat = flat
        self._square = torch.zeros_like(flat)
        self._scratch = torch.zeros_like(flat)

    def step(self, gradient: torch.Tensor) -> None:
        """Take one step in the direction of `gradient` (upwards)."""
        self._square.mul_(self.decay).addcmul_(gradient, gradient, value=1 - self.decay)
        torch.sqrt(self._square, out=self._scratch).add_(1e-8)
        move = torch.div(gradient, self._scratch, out=self._scratch)
        self._flat.add_(move.mul_(self.rate))
