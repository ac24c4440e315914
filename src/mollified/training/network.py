r"""The papers' weak learner: a 25-25-25 tanh network trained with cross-entropy.

Source: v1 (14), v3 (15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.special import log_expit

from mollified._validate import Array, check_count, check_rng, echo
from mollified.boosting.classifiers import BOUNDINGS, BoundedLogit, Bounding, Classifier
from mollified.laws._validate_densities import check_distribution
from mollified.training.logit_stack import LogitStack, default_device
from mollified.training.recipes import PRINTED, Recipe, train
from mollified.training.training_nodes import make_nodes

if TYPE_CHECKING:
    from mollified.laws.distributions import Distribution

__all__ = ["NetworkLearner"]


class NetworkLearner:
    r"""Train the papers' network to tell $P$ from $Q_{t-1}$, and bound its logit.

    `samples` points are drawn from each (v1 section 5: 10,000); the mean cross-entropy
    is minimised as `recipe` says, by default as printed, close points joined as in
    `grid_mbde`, which trains many networks at once. `method` bounds the logit: "clip",
    "tanh", or "none" (unbounded: breaks the promise, for checks). Trains in
    `training_dtype` on `device` and evaluates in float64. Idealised numerics: see
    `BoostedDensity`. Raises ValueError or TypeError for bad settings. Source: v1
    section 5, v3 section 5.
    """

    def __init__(
        self,
        method: Bounding,
        *,
        samples: int = 10_000,
        recipe: Recipe = PRINTED,
        device: torch.device | None = None,
    ) -> None:
        if method not in BOUNDINGS:
            raise ValueError(
                f"method must be one of {', '.join(BOUNDINGS)}, got {method!r}"
            )
        if not isinstance(recipe, Recipe):
            raise TypeError(f"recipe must be a Recipe, got {echo('recipe', recipe)}")
        if device is not None and not isinstance(device, torch.device):
            raise TypeError(f"device must be a torch.device, got {device!r}")
        self.method = method
        self.samples = check_count("samples", samples)
        self.recipe = recipe
        self.device = device or default_device()
        #: The mean cross-entropy (nats) on all samples, at the end of each call of
        #: `fit`.
        self.losses: list[float] = []

    def fit(
        self,
        target: Distribution,
        current: Distribution,
        iteration: int,
        rng: np.random.Generator,
    ) -> Classifier:
        """Draw both samples, train, and return the classifier.

        All randomness comes from `rng`.
        """
        check_distribution("target", target)
        check_distribution("current", current)
        check_count("iteration", iteration)
        rng = check_rng("rng", rng)
        if target.dim != current.dim:
            raise ValueError("target and current must have one dimension")
        inside = target.sample(self.samples, rng)
        outside = current.sample(self.samples, rng)
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        stack = LogitStack(target.dim, [generator], self.recipe.start, self.device)
        nodes = make_nodes(inside, outside[np.newaxis], self.recipe, self.device)
        train(stack, nodes, self.recipe)

        def logit(x: Array) -> Array:
            return stack.at(x, torch.float64)

        near = log_expit(logit(inside)).mean()
        far = log_expit(-logit(outside)).mean()
        self.losses.append(-0.5 * float(near + far))
        return BoundedLogit(logit, self.method)
