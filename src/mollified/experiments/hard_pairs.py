r"""Pairs of inputs that a sampler must not tell apart, and how far MBDE does.

The level of a pair is $\sup|\log Q/Q'|$ over the nodes of one grid, for outputs of two
runs that share their seed. It is a lower bound on the level of the variant: other
pairs, points and seeds may go further.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd

from mollified.experiments.mbde_sweep import NODES
from mollified.experiments.task_list import run_tasks, task_rng
from mollified.laws.gaussian import Gaussian
from mollified.laws.mixture import Mixture
from mollified.laws.spaces import Grid
from mollified.laws.targets import mixture_1d, ring
from mollified.training.grid_mbde import GridRun, grid_mbde
from mollified.training.recipes import RECIPES
from mollified.training.variants import find_variant

__all__ = ["HARD_PAIRS", "PairSettings", "hard_inputs", "pair_levels"]

ROUNDS = 3

#: By dimension: pairs of names of `hard_inputs`.
HARD_PAIRS = {
    1: (("mixture", "mirrored"), ("right", "left"), ("far", "centre")),
    2: (("ring", "turned"), ("ring", "small"), ("right", "left"), ("right", "centre")),
}


def _single(mean: Sequence[float], variance: float) -> Mixture:
    return Mixture([Gaussian(np.array(mean), variance)], np.ones(1))


def _turned(target: Mixture, angle: float) -> Mixture:
    turn = np.array(
        [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    )
    parts = [item for item in target.components if isinstance(item, Gaussian)]
    return Mixture(
        [Gaussian(turn @ item.mean, item.covariance) for item in parts], target.weights
    )


def hard_inputs(dim: int) -> dict[str, Mixture]:
    r"""Return the inputs by name: around the ring, or on the line around the mixture.

    Plane: the ring, the ring turned by $\pi/8$, a ring of half the radius, one mode of
    the ring at (4, 0) or (-4, 0), and N(0, I/4). Line: the mixture, its mirror image at
    0, one Gaussian of standard deviation 0.1 at 0.7, -0.7 or 3, and N(0, 1/4).
    """
    if dim == 2:
        return {
            "ring": ring(),
            "turned": _turned(ring(), math.pi / 8),
            "small": ring(radius=2.0),
            "right": _single([4.0, 0.0], 0.25),
            "left": _single([-4.0, 0.0], 0.25),
            "centre": _single([0.0, 0.0], 0.25),
        }
    mixture = mixture_1d()
    parts = [item for item in mixture.components if isinstance(item, Gaussian)]
    mirrored = Mixture(
        [Gaussian(-item.mean, item.covariance) for item in parts], mixture.weights
    )
    return {
        "mixture": mixture,
        "mirrored": mirrored,
        "right": _single([0.7], 0.01),
        "left": _single([-0.7], 0.01),
        "far": _single([3.0], 0.01),
        "centre": _single([0.0], 0.25),
    }


@dataclass(frozen=True)
class PairSettings:
    """Hold what is run on the last `most` of `HARD_PAIRS` in a dimension.

    `recipe` names one of `RECIPES`; None takes each variant's own.
    """

    dim: int
    eps: tuple[float, ...]
    variants: tuple[str, ...]
    recipe: str | None
    seed: int
    samples: int = 10_000
    most: int = 4


def _input_runs(name: str, settings: PairSettings) -> list[GridRun]:
    """Return the runs of all variants and budgets on one input.

    The random stream is the same for every input.
    """
    inputs = hard_inputs(settings.dim)
    reference = Gaussian.standard(settings.dim)
    grid = Grid.covering([*inputs.values(), reference], nodes=NODES[settings.dim])
    return grid_mbde(
        inputs[name],
        reference,
        grid,
        settings.eps,
        [find_variant(variant) for variant in settings.variants],
        ROUNDS,
        task_rng(settings.seed, 0, 1),
        samples=settings.samples,
        recipe=None if settings.recipe is None else RECIPES[settings.recipe],
    )


def pair_levels(settings: PairSettings) -> pd.DataFrame:
    r"""Return $\sup|\log Q_3/Q_3'|$ over the nodes for hard pairs, in nats.

    Columns pair, variant, eps, level, promised (`Variant.level`). Errs on the low side.
    """
    pairs = HARD_PAIRS[settings.dim][-settings.most :]
    used = set(chain.from_iterable(pairs))
    names = [name for name in hard_inputs(settings.dim) if name in used]
    tasks = [{"name": name, "settings": settings} for name in names]
    runs = dict(zip(names, run_tasks(_input_runs, tasks), strict=True))
    rows = []
    for first, second in pairs:
        for one, two in zip(runs[first], runs[second], strict=True):
            rows.append(
                {
                    "pair": f"{first} and {second}",
                    "variant": one.variant.name,
                    "eps": one.eps,
                    "level": float(np.abs(one.log_ratio - two.log_ratio).max()),
                    "promised": one.variant.level(one.eps, ROUNDS),
                }
            )
    return pd.DataFrame(rows)
