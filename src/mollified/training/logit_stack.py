r"""A stack of the papers' networks, trained side by side.

Gradients are written by hand. Source: v1 (14), v3 (15). Each member is $\mathbb
R^d\to25\to25\to25\to1$ with tanh layers and a linear last one (the logit). Two facts
make it fast. $\tanh z=2\sigma(2z)-1$, and a vectorised sigmoid costs a fifth of a
vectorised tanh: the layers keep $\sigma(2z)$ and the weights of the next layer absorb
the rest, exactly. And for the cross-entropy the derivative with respect to the logit is
$s\,\sigma(\ell)-a$ at a node that carries the mass $s$ in all and $a$ in the first
class, so that a node may stand for many points. All parameters lie in one vector, so
that a step of an optimiser is a few operations. Members never exchange anything: a
stack gives what its members give alone, up to the order of sums.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import torch

from mollified._validate import Array

__all__ = ["LogitStack", "Start", "default_device", "training_dtype"]

Start = Literal["glorot", "torch"]

#: The hidden layers of v1 section 5.
WIDTHS = (25, 25, 25)

#: Sizes of batches whose work space is kept.
KEPT = 4
#: Nodes that a gradient takes at a time: five layers of 25 then stay in the cache of a
#: core.
PIECE = 2000
#: Points of the host that pass through the network at once.
CHUNK = 1 << 12

_sigmoid_backward = torch.ops.aten.sigmoid_backward.grad_input


def default_device() -> torch.device:
    """Return the GPU where torch sees one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def training_dtype() -> torch.dtype:
    """Return the type that networks are trained in.

    It is float64, or what MOLLIFIED_TRAINING says (float32, float64). In float64 a
    trained network is the same on every processor to nine digits or so; in float32
    training amplifies the last digit until single runs differ visibly.
    """
    asked = os.environ.get("MOLLIFIED_TRAINING") or "float64"
    if asked not in ("float32", "float64"):
        raise ValueError(
            f"MOLLIFIED_TRAINING must be float32 or float64, got {asked!r}"
        )
    return torch.float64 if asked == "float64" else torch.float32


class LogitStack:
    r"""Hold B networks of input dimension `dim`, one for each of `generators`.

    `start` says how the weights begin: "glorot" (Glorot-uniform, biases zero: Flux) or
    "torch" (uniform on $\pm1/\sqrt{\text{fan-in}}$, biases too: the default of
    PyTorch's linear layers). `parameters` have shapes (B, out, in) and (B, out, 1),
    first layer first, and are views of the vector `flat`, in `training_dtype`; they are
    drawn in float32, so that both types start alike.
    """

    def __init__(
        self,
        dim: int,
        generators: Sequence[torch.Generator],
        start: Start = "glorot",
        device: torch.device | None = None,
    ) -> None:
        self.dim = dim
        self.device = device or default_device()
        values: list[torch.Tensor] = []
        for fan_in, fan_out in pairwise((dim, *WIDTHS, 1)):
            reach = (
                math.sqrt(6 / (fan_in + fan_out))
                if start == "glorot"
                else 1 / math.sqrt(fan_in)
            )
            shape = (fan_out, fan_in)
            weights = [
                reach * (2 * torch.rand(shape, generator=item) - 1)
                for item in generators
            ]
            if start == "glorot":
                biases = [torch.zeros(fan_out, 1) for _ in generators]
            else:
                biases = [
                    reach * (2 * torch.rand((fan_out, 1), generator=item) - 1)
                    for item in generators
                ]
            values += [torch.stack(weights), torch.stack(biases)]
        self._shapes = [item.shape for item in values]
        self.flat = torch.cat([item.flatten() for item in values]).to(
            self.device, training_dtype()
        )
        self.parameters = self._views(self.flat)
        self._work: dict[
            tuple[int, torch.dtype],
            tuple[list[torch.Tensor], torch.Tensor, list[torch.Tensor]],
        ] = {}

    def _views(self, flat: torch.Tensor) -> list[torch.Tensor]:
        """Return the parts of a vector that belong to each parameter, in its shape."""
        pieces = torch.split_with_sizes(flat, [shape.numel() for shape in self._shapes])
        return [
            piece.view(shape) for piece, shape in zip(pieces, self._shapes, strict=True)
        ]

    @property
    def size(self) -> int:
        """The number B of networks."""
        return int(self._shapes[0][0])

    def _typed(self, dtype: torch.dtype) -> list[torch.Tensor]:
        """Return the parameters in a type: themselves in their own."""
        return (
            self.parameters
            if dtype == self.flat.dtype
            else self._views(self.flat.to(dtype))
        )

    def _buffers(
        self,
        nodes: int,
        dtype: torch.dtype,
    ) -> tuple[list[torch.Tensor], torch.Tensor, list[torch.Tensor]]:
        """Return work space for `nodes` nodes.

        Three layers, two deltas, the logit; a gradient; and its parts.
        """
        if (nodes, dtype) not in self._work:
            if len(self._work) >= KEPT:
                del self._work[next(iter(self._work))]
            shapes = [*[(self.size, WIDTHS[0], nodes)] * 5, (self.size, 1, nodes)]
            work = [
                torch.empty(shape, dtype=dtype, device=self.device) for shape in shapes
            ]
            gradient = torch.empty_like(self.flat, dtype=dtype)
            self._work[nodes, dtype] = work, gradient, self._views(gradient)
        return self._work[nodes, dtype]

    def logits(self, points: torch.Tensor) -> torch.Tensor:
        r"""Return the logits at points of shape (B or 1, d, N), shape (B, 1, N).

        They have the type of the points. The result is work space: copy it before the
        next call.
        """
        w1, b1, w2, b2, w3, b3, w4, b4 = self._typed(points.dtype)
        (one, two, three, _, _, out), *_ = self._buffers(points.shape[2], points.dtype)
        points = points.expand(self.size, -1, -1)
        torch.baddbmm(b1, w1, points, beta=2, alpha=2, out=one).sigmoid_()
        torch.baddbmm(
            b2 - w2.sum(2, keepdim=True),
            w2,
            one,
            beta=2,
            alpha=4,
            out=two,
        ).sigmoid_()
        torch.baddbmm(
            b3 - w3.sum(2, keepdim=True),
            w3,
            two,
            beta=2,
            alpha=4,
            out=three,
        ).sigmoid_()
        return torch.baddbmm(b4 - w4.sum(2, keepdim=True), w4, three, alpha=2, out=out)

    def at(self, x: Array, dtype: torch.dtype) -> Array:
        """Return the logits of the first network at points (n, d) of the host.

        They are computed in a type; shape (n,).
        """
        pieces = [
            np.ascontiguousarray(x[start : start + CHUNK].T)[np.newaxis]
            for start in range(0, len(x), CHUNK)
        ]
        inputs = (
            torch.tensor(piece, dtype=dtype, device=self.device) for piece in pieces
        )
        return np.concatenate(
            [self.logits(item)[0, 0].double().cpu().numpy().copy() for item in inputs]
        )

    def flat_gradient(
        self,
        points: torch.Tensor,
        first: torch.Tensor,
        total: torch.Tensor,
    ) -> torch.Tensor:
        r"""Return the gradient of $\sum_i s_i\log(1+e^{\ell_i})-a_i\ell_i$.

        It is taken in the parameters, in the order of `flat`. `points` has shape (B or
        1, d, N), `first` ($a$) and `total` ($s$) shape (B or 1, 1, N): the mass of the
        first class at each node, and of both. With $s=1/n$ and labels $a\in\{0,1/n\}$
        it is the mean cross-entropy in nats. In the type of the points. The result is
        work space: copy it before the next call.
        """
        nodes = points.shape[2]
        whole = self._piece(points[..., :PIECE], first[..., :PIECE], total[..., :PIECE])
        if nodes <= PIECE:
            return whole
        whole = whole.clone()
        for start in range(PIECE, nodes, PIECE):
            part = slice(start, start + PIECE)
            whole += self._piece(points[..., part], first[..., part], total[..., part])
        return whole

    def _piece(
        self,
        points: torch.Tensor,
        first: torch.Tensor,
        total: torch.Tensor,
    ) -> torch.Tensor:
        """Return the gradient of the sum over a few nodes."""
        delta = self.logits(points).sigmoid_().mul_(total).sub_(first)
        (one, two, three, back, spare, _), flat, parts = self._buffers(
            points.shape[2], points.dtype
        )
        g1, h1, g2, h2, g3, h3, g4, h4 = parts
        _, _, w2, _, w3, _, w4, _ = self._typed(points.dtype)
        for layer, weight, slope, bias in (
            (three, w4, g4, h4),
            (two, w3, g3, h3),
            (one, w2, g2, h2),
        ):
            torch.sum(delta, 2, keepdim=True, out=bias)
            torch.baddbmm(
                bias,
                delta,
                layer.transpose(1, 2),
                beta=-1,
                alpha=2,
                out=slope,
            )
            torch.baddbmm(
                back,
                weight.transpose(1, 2),
                delta,
                beta=0,
                alpha=4,
                out=back,
            )
            # The derivative s(1 - s) of a layer that keeps s.
            _sigmoid_backward(back, layer, grad_input=back)
            delta, back, spare = back, spare, back
        torch.sum(delta, 2, keepdim=True, out=h1)
        torch.bmm(delta, points.expand(self.size, -1, -1).transpose(1, 2), out=g1)
        return flat

    def gradient(
        self,
        points: torch.Tensor,
        first: torch.Tensor,
        total: torch.Tensor,
    ) -> list[torch.Tensor]:
        """Return a copy of `flat_gradient` as a list, in the shapes of `parameters`."""
        return self._views(self.flat_gradient(points, first, total).clone())
