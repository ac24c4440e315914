r"""A stack of the papers' networks, trained side by side with gradients written by hand (v1 (14), v3 (15)).

Each member is $\mathbb R^d\to25\to25\to25\to1$ with tanh layers and a linear last one (the logit). Two facts make it
fast. $\tanh z=2\sigma(2z)-1$, and a vectorised sigmoid costs a fifth of a vectorised tanh: the layers keep
$\sigma(2z)$ and the weights of the next layer absorb the rest, exactly. And for the cross-entropy the derivative with
respect to the logit is $s\,\sigma(\ell)-a$ at a node that carries the mass $s$ in all and $a$ in the first class, so
that a node may stand for many points. Members never exchange anything: a stack gives what its members give alone, up
to the order of float32 sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import torch

from mollified._validate import check_count
from mollified.network import WIDTHS, default_device

__all__ = ["LogitStack", "Start"]

Start = Literal["glorot", "torch"]


class LogitStack:
    r"""Hold B networks of input dimension `dim`, one for each of `generators`.

    `start` says how the weights begin: "glorot" (Glorot-uniform, biases zero: Flux, and `build_network`) or "torch"
    (uniform on $\pm1/\sqrt{\text{fan-in}}$, biases too: the default of PyTorch's linear layers). Parameters have shapes
    (B, out, in) and (B, out, 1). Raises ValueError or TypeError for dim < 1, another `start`, or no generators.
    """

    def __init__(
        self,
        dim: int,
        generators: Sequence[torch.Generator],
        start: Start = "glorot",
        device: torch.device | None = None,
    ) -> None:
        self.dim = check_count("dim", dim)
        if not isinstance(generators, Sequence) or not generators:
            raise TypeError(f"generators must be a non-empty sequence of torch.Generator, got {generators!r}")
        if not all(isinstance(item, torch.Generator) for item in generators):
            raise TypeError(f"generators must be torch.Generator, got {generators!r}")
        if start not in ("glorot", "torch"):
            raise ValueError(f"start must be glorot or torch, got {start!r}")
        self.device = device or default_device()
        self.parameters: list[torch.Tensor] = []
        for fan_in, fan_out in pairwise((dim, *WIDTHS, 1)):
            reach = math.sqrt(6 / (fan_in + fan_out)) if start == "glorot" else 1 / math.sqrt(fan_in)
            shape = (fan_out, fan_in)
            weights = [reach * (2 * torch.rand(shape, generator=item) - 1) for item in generators]
            if start == "glorot":
                biases = [torch.zeros(fan_out, 1) for _ in generators]
            else:
                biases = [reach * (2 * torch.rand((fan_out, 1), generator=item) - 1) for item in generators]
            self.parameters += [torch.stack(weights).to(self.device), torch.stack(biases).to(self.device)]
        self._work: dict[tuple[int, torch.dtype], list[torch.Tensor]] = {}

    @property
    def size(self) -> int:
        """The number B of networks."""
        return int(self.parameters[0].shape[0])

    def _buffers(self, nodes: int, dtype: torch.dtype) -> list[torch.Tensor]:
        """Return work space for `nodes` nodes: three layers, two deltas, one scratch, and the logit."""
        if (nodes, dtype) not in self._work:
            shape = (self.size, WIDTHS[0], nodes)
            work = [torch.empty(shape, dtype=dtype, device=self.device) for _ in range(6)]
            self._work = {(nodes, dtype): [*work, torch.empty((self.size, 1, nodes), dtype=dtype, device=self.device)]}
        return self._work[nodes, dtype]

    def logits(self, points: torch.Tensor) -> torch.Tensor:
        r"""Return the logits at points of shape (B or 1, d, N), in the type of the points; shape (B, 1, N).

        The result is work space: copy it before the next call.
        """
        w1, b1, w2, b2, w3, b3, w4, b4 = (item.to(points.dtype) for item in self.parameters)
        one, two, three, _, _, _, out = self._buffers(points.shape[2], points.dtype)
        points = points.expand(self.size, -1, -1)
        torch.baddbmm(2 * b1, 2 * w1, points, out=one).sigmoid_()
        torch.baddbmm(2 * (b2 - w2.sum(2, keepdim=True)), 4 * w2, one, out=two).sigmoid_()
        torch.baddbmm(2 * (b3 - w3.sum(2, keepdim=True)), 4 * w3, two, out=three).sigmoid_()
        return torch.baddbmm(b4 - w4.sum(2, keepdim=True), 2 * w4, three, out=out)

    def gradient(self, points: torch.Tensor, first: torch.Tensor, total: torch.Tensor) -> list[torch.Tensor]:
        r"""Return the gradient of $\sum_i s_i\log(1+e^{\ell_i})-a_i\ell_i$ in the parameters.

        `points` has shape (B, d, N), `first` ($a$) and `total` ($s$) shape (B or 1, 1, N): the mass of the first class
        at each node, and of both. With $s=1/n$ and labels $a\in\{0,1/n\}$ it is the mean cross-entropy in nats.
        """
        delta = self.logits(points).sigmoid_().mul_(total).sub_(first)
        one, two, three, back, spare, slope, _ = self._buffers(points.shape[2], points.dtype)
        _, _, w2, _, w3, _, w4, _ = self.parameters
        gradients: list[torch.Tensor] = []
        for layer, weight in ((three, w4), (two, w3), (one, w2)):
            bias = delta.sum(2, keepdim=True)
            gradients = [2 * torch.bmm(delta, layer.transpose(1, 2)) - bias, bias, *gradients]
            torch.bmm(4 * weight.transpose(1, 2), delta, out=back)
            torch.addcmul(layer, layer, layer, value=-1, out=slope)
            delta, back, spare = back.mul_(slope), spare, back
        return [
            torch.bmm(delta, points.expand(self.size, -1, -1).transpose(1, 2)),
            delta.sum(2, keepdim=True),
            *gradients,
        ]
