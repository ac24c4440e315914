r"""The papers' weak learner: a 25-25-25 tanh network trained with cross-entropy (v1 (14), v3 (15))."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from torch import nn

from mollified._validate import Array, check_count, check_eps, check_rng
from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, Bounding, Classifier
from mollified.laws._densities import check_distribution

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["NetworkLearner", "build_network", "default_device", "training_dtype"]

WIDTHS = (25, 25, 25)
Optimiser = Literal["nesterov", "adam"]


def default_device() -> torch.device:
    """Return the GPU where torch sees one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def training_dtype() -> torch.dtype:
    """Return the type that networks are trained in: float64, or what MOLLIFIED_TRAINING says (float32, float64).

    In float64 a trained network is the same on every processor to nine digits or so; in float32 training amplifies the
    last digit until single runs differ visibly.
    """
    asked = os.environ.get("MOLLIFIED_TRAINING") or "float64"
    if asked not in ("float32", "float64"):
        raise ValueError(f"MOLLIFIED_TRAINING must be float32 or float64, got {asked!r}")
    return torch.float64 if asked == "float64" else torch.float32


def build_network(dim: int, generator: torch.Generator) -> nn.Sequential:
    r"""Return the network $\mathbb R^d\to25\to25\to25\to1$ with tanh layers and a linear last one (the logit).

    The sigmoid of the papers belongs to the loss; weights start Glorot-uniform, biases at zero, from `generator`.
    Source: v1 (14), v3 (15).
    """
    layers: list[nn.Module] = []
    sizes = (dim, *WIDTHS, 1)
    for index, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        layer: nn.Linear = nn.utils.skip_init(nn.Linear, fan_in, fan_out)  # type: ignore[no-untyped-call]
        nn.init.xavier_uniform_(layer.weight, generator=generator)
        nn.init.zeros_(layer.bias)
        layers += [layer] if index == len(WIDTHS) else [layer, nn.Tanh()]
    return nn.Sequential(*layers)


class NetworkLearner:
    r"""Train the papers' network to tell $P$ from $Q_{t-1}$, and return its bounded logit.

    `samples` points are drawn from each (v1 section 5: 10,000); the mean cross-entropy over all of them is
    minimised in `steps` full-batch steps. `optimiser` is "nesterov" (as printed: learning rate 0.01, 750 epochs;
    the papers name no momentum, we take 0.9, and no batch size, we take all) or "adam" (faster, see `steps`).
    `method` bounds the logit: "clip", "tanh", or "none" (unbounded: breaks the promise, for checks).
    `logit_stack` and `recipes` make the same steps many times faster, for many networks at once.
    Trains in `training_dtype` on `device` and evaluates in float64. Idealised numerics: see `BoostedDensity`.
    Raises ValueError or TypeError for bad settings. Source: v1 section 5, v3 section 5.
    """

    def __init__(
        self,
        method: Bounding,
        *,
        samples: int = 10_000,
        steps: int = 750,
        optimiser: Optimiser = "nesterov",
        learning_rate: float = 0.01,
        momentum: float = 0.9,
        device: torch.device | None = None,
    ) -> None:
        if method not in BOUNDINGS:
            raise ValueError(f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}")
        if optimiser not in ("nesterov", "adam"):
            raise ValueError(f"optimiser must be nesterov or adam, got {optimiser!r}")
        if device is not None and not isinstance(device, torch.device):
            raise TypeError(f"device must be a torch.device, got {device!r}")
        self.method = method
        self.samples = check_count("samples", samples)
        self.steps = check_count("steps", steps)
        self.optimiser = optimiser
        self.learning_rate = check_eps("learning_rate", learning_rate)
        self.momentum = check_eps("momentum", momentum)
        self.device = device or default_device()
        #: The mean cross-entropy (nats) after the last step of each call of `fit`.
        self.losses: list[float] = []

    def fit(self, target: Distribution, current: Distribution, iteration: int, rng: np.random.Generator) -> Classifier:
        """Draw both samples, train, and return the classifier; all randomness comes from `rng`."""
        check_distribution("target", target)
        check_distribution("current", current)
        check_count("iteration", iteration)
        rng = check_rng("rng", rng)
        if target.dim != current.dim:
            raise ValueError(f"target and current must have one dimension, got {target!r} and {current!r}")
        inside, outside = target.sample(self.samples, rng), current.sample(self.samples, rng)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        dtype = training_dtype()
        network = build_network(inside.shape[1], generator).to(self.device, dtype)
        points = torch.tensor(np.concatenate([inside, outside]), dtype=dtype, device=self.device)
        labels = torch.zeros(len(points), dtype=dtype, device=self.device)
        labels[: len(inside)] = 1.0
        self.losses.append(self._train(network, points, labels))
        network.double().requires_grad_(False)

        def logit(x: Array) -> Array:
            values: Array = network(torch.tensor(x, dtype=torch.float64, device=self.device))[:, 0].cpu().numpy()
            return values

        return BoundedLogit(logit, self.method)

    def _train(self, network: nn.Sequential, points: torch.Tensor, labels: torch.Tensor) -> float:
        """Run the optimiser; return the last loss."""
        step: torch.optim.Optimizer
        if self.optimiser == "nesterov":
            step = torch.optim.SGD(network.parameters(), lr=self.learning_rate, momentum=self.momentum, nesterov=True)
        else:
            step = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
        loss = torch.zeros(())
        for _ in range(self.steps):
            step.zero_grad(set_to_none=True)
            loss = nn.functional.binary_cross_entropy_with_logits(network(points)[:, 0], labels)
            loss.backward()  # type: ignore[no-untyped-call]
            step.step()
        return float(loss.detach())
