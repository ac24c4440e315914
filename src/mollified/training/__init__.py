r"""Learners that train networks, with PyTorch.

Source: v1 section 5, and the recipes and variants of its published code.
`NetworkLearner` is a learner for `mollified.boosting.mbde`; `grid_mbde` runs MBDE for
many seeds at once on a grid. `VARIANTS` are the readings of Algorithm 1. The accounting
of the private GAN, the contender of v1 section 5, is in `whole_run_level`,
`noise_for_level` and `low_noise_bracket`. Whoever imports this package loads PyTorch.
"""

from mollified.training.clipped_ratio import half_width
from mollified.training.gan_accounting import (
    low_noise_bracket,
    noise_for_level,
    whole_run_level,
)
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.network import NetworkLearner
from mollified.training.recipes import FAST, PRINTED, RECIPES, Recipe
from mollified.training.variants import VARIANTS, Variant, find_variant

__all__ = [
    "FAST",
    "PRINTED",
    "RECIPES",
    "VARIANTS",
    "GridRun",
    "NetworkLearner",
    "Recipe",
    "Variant",
    "find_variant",
    "grid_mbde",
    "half_width",
    "low_noise_bracket",
    "noise_for_level",
    "whole_run_level",
]
