r"""The readings of MBDE in use: how a logit becomes a classifier, and the steps.

As printed, $c_t\in[-\log2,\log2]$ and $\theta_t=(\varepsilon/(\varepsilon+4\log2))^t$;
how the sigmoid output becomes $c_t$ is not printed. The authors' public code adds the
logit itself, without a bound, with $\theta_t=(\varepsilon/(\varepsilon+4))^t$ (its last
commit; an earlier one has $4\log2$ there). The successors' public baseline adds the
sigmoid, in (0, 1), with $(\varepsilon/(\varepsilon+4))^t$.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mollified._validate import Array, check_array, check_count, check_eps, echo
from mollified.boosting.theta import LOG2
from mollified.training.recipes import PRINTED, RELEASED, SUCCESSORS, Recipe

__all__ = ["VARIANTS", "Variant", "find_variant"]


#: The width of the range of a classifier, by what of the logit is added.
OSCILLATIONS = {"clip": 2 * LOG2, "tanh": 2 * LOG2, "sigmoid": 1.0, "logit": math.inf}


@dataclass(frozen=True)
class Variant:
    r"""Hold one reading: what of the logit is added, and the steps.

    `output` says the first; `constant` is the $a$ of
    $\theta_t=(\varepsilon/(\varepsilon+a))^t$; `recipe` is how its own source trains
    it. `oscillation` is the width of the range of a classifier: $2\log2$ as printed, 1
    for the sigmoid, infinite for a logit. Raises ValueError or TypeError for another
    output, a constant that is not > 0, a recipe that is none, or names that are not
    strings.
    """

    name: str
    title: str
    output: Literal["clip", "tanh", "logit", "sigmoid"]
    constant: float
    recipe: Recipe

    def __post_init__(self) -> None:
        """Refuse bad settings."""
        for key, text in (("name", self.name), ("title", self.title)):
            if not isinstance(text, str) or not text:
                raise TypeError(
                    f"{key} must be a string that is not empty, got {echo(key, text)}"
                )
        if self.output not in OSCILLATIONS:
            raise ValueError(
                "output must be clip, tanh, logit or sigmoid,"
                f" got {echo('output', self.output)}"
            )
        check_eps("constant", self.constant)
        if not isinstance(self.recipe, Recipe):
            raise TypeError(
                f"recipe must be a Recipe, got {echo('recipe', self.recipe)}"
            )

    def classifier(self, logit: Array) -> Array:
        """Return the classifier's values for an array of logits; same shape."""
        logit = check_array("logit", logit)
        if self.output == "clip":
            return np.clip(logit, -LOG2, LOG2)
        if self.output == "tanh":
            scaled: Array = LOG2 * np.tanh(logit / 2)
            return scaled
        if self.output == "sigmoid":
            half: Array = 0.5 + 0.5 * np.tanh(logit / 2)
            return half
        return logit

    def steps(self, eps: float, rounds: int) -> Array:
        r"""Return $\theta_1,\dots,\theta_T$; shape (rounds,).

        Raises ValueError or TypeError for eps <= 0, rounds < 1.
        """
        eps = check_eps("eps", eps)
        rounds = check_count("rounds", rounds)
        powers: Array = np.power(
            eps / (eps + self.constant), np.arange(1.0, rounds + 1.0)
        )
        return powers

    @property
    def oscillation(self) -> float:
        """The width of the range of a classifier."""
        return OSCILLATIONS[self.output]

    def level(self, eps: float, rounds: int) -> float:
        r"""Return the level that the ranges of the classifiers promise.

        It is $2\sum_t\theta_t$ times the oscillation: $|\log
        Q_T/Q_0|\le\sum_t\theta_t\cdot$ oscillation, because $\varphi$ lies between the
        extremes of $\langle\theta,c\rangle$; two outputs differ by at most twice that.
        """
        return 2 * float(self.steps(eps, rounds).sum()) * self.oscillation


VARIANTS = {
    item.name: item
    for item in (
        Variant("clip", "as printed, logit clipped", "clip", 4 * LOG2, PRINTED),
        Variant("tanh", "as printed, log 2 times tanh", "tanh", 4 * LOG2, PRINTED),
        Variant("released", "as released, raw logit", "logit", 4.0, RELEASED),
        Variant(
            "successors",
            "the successors' baseline, sigmoid",
            "sigmoid",
            4.0,
            SUCCESSORS,
        ),
        Variant(
            "released-first",
            "as first released, raw logit",
            "logit",
            4 * LOG2,
            RELEASED,
        ),
    )
}


def find_variant(name: object) -> Variant:
    """Return the variant of that name; raises ValueError that lists the known ones."""
    if not isinstance(name, str) or name not in VARIANTS:
        raise ValueError(
            f"name must be one of {', '.join(VARIANTS)} (the variants), got {name!r}"
        )
    return VARIANTS[name]
